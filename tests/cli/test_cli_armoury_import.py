"""Data files of New Recruit and BattleScribe become the table's armoury, and a campaign is played with it."""

import json
import shutil
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

DATA = Path(__file__).parents[2] / "fixtures" / "armoury-data"
SYSTEM, CLANS = str(DATA / "sump-system.gst"), str(DATA / "forge-clans.cat")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sheet(gang: str, fighter: str) -> str:
    card = {
        "id": fighter.casefold(), "name": fighter, "type": "Forge Queen", "category": "leader", "cost": 145,
        "characteristics": {"M": 4, "WS": 3, "BS": 3, "S": 4, "T": 4, "W": 2, "I": 4, "A": 2, "Ld": 5, "Cl": 5, "Wil": 6, "Int": 6},
        "weapons": ["rivet nailer", "Slag thrower"],
    }  # fmt: skip
    return json.dumps({"format": "gang-sheet/2", "gang": gang, "name": gang.title(), "house": "Forge Clans", "player": "Kim",
                       "credits": 500, "fighters": [card]})  # fmt: skip


def test_a_campaign_is_played_with_what_was_imported(empty: Arbitrator) -> None:
    """Weapons by name on a sheet, a type hired, a rare thing bought, a shot, and the log verified."""
    empty.done("armoury", "import", SYSTEM, CLANS)
    empty.done("armoury", "check", "forge-clans.yaml")
    empty.done("campaign", "new", "Sump Season")
    for gang, fighter in (("rivets", "Ada"), ("tides", "Bo")):
        Path(f"{gang}.json").write_text(sheet(gang, fighter))
        empty.done("gang", "add", f"{gang}.json", "--armoury", "forge-clans.yaml")
    with_armoury = ("--armoury", "forge-clans.yaml", "--reason", "market")
    assert "55 credits" in empty.done("fighter", "hire", "rivets", "Forge Hand", "Cy", *with_armoury).out
    assert (
        "12 credits" in empty.done("gang", "buy", "rivets", "Rivet nailer", "--for", "cy", *with_armoury).out
    )
    rare = empty.refused(1, "gang", "buy", "rivets", "Sump hook", "--found", "9", *with_armoury)
    assert "Rare" in rare
    empty.done("gang", "buy", "rivets", "Sump hook", "--found", "10", *with_armoury)
    Path("night.yaml").write_text(
        "format: battle-report/1\nbattle: night\nscenario: Pipes\ndate: 2026-02-14\n"
        "gangs: {rivets: all, tides: all}\nresult: {winner: rivets}\nentries:\n"
        "  - shoot: {attacker: ada, weapon: rivet nailer, target: bo, range: short}\n"
        "    dice: {hit: [5], firepower: [one], wound: [5]}\n"
        "  - hit: {attacker: ada, weapon: slag thrower, profile: clot, target: bo}\n"
        "    dice: {wound: [6], injury: [serious, out_of_action], lasting_injury: [1-2]}\n"
    )
    said = empty.done("battle", "record", "night.yaml").out
    assert "Rivet nailer" in said
    assert "Strength 6 against Toughness 4" in said  # of the slag thrower's clot
    empty.done("audit", "verify")


def test_the_answer_names_what_is_missing_and_what_was_not_taken(empty: Arbitrator) -> None:
    said = " ".join(empty.done("armoury", "import", CLANS).out.split())
    assert "the game system (.gst) with the id sys-1, which Forge Clans needs" in said
    assert "a link that no file answers: Ferocity Skills, Rivet nailer" in said
    assert "--category TYPE=RANK: the category of Forge Queen" in said
    assert not empty.file.exists()


def test_the_armoury_says_in_its_first_lines_what_it_lacks(empty: Arbitrator) -> None:
    empty.done("armoury", "import", CLANS, "--to", "clans.yaml", "--name", "Rust Market")
    comments, _, content = Path("clans.yaml").read_text().partition("format:")
    assert all(line.startswith("#") for line in comments.splitlines())
    assert "Made by 'arbitrator armoury import' from forge-clans.cat." in comments
    assert "Rivet nailer" in comments
    assert "name: Rust Market" in content
    empty.done("armoury", "check", "clans.yaml")


def test_a_dry_run_shows_the_same_and_writes_nothing(empty: Arbitrator) -> None:
    shown = empty.done("armoury", "import", SYSTEM, CLANS, "--dry-run").out
    assert "8 things, 3 types of fighter, 1 set of skills, 1 house list" in shown
    assert "Nothing was written" in shown
    assert empty.read("armoury", "import", SYSTEM, CLANS, "--dry-run")["written"] is None
    assert [*Path().glob("*.yaml")] == []


def test_for_programs_there_is_a_summary_with_every_fate(empty: Arbitrator) -> None:
    data = empty.read("armoury", "import", SYSTEM, CLANS)
    assert data["listed"] == {"items": 8, "fighters": 3, "skills": 1, "lists": 1}
    assert data["missing"] == []
    assert data["written"] == "forge-clans.yaml"
    assert data["ruleset"] == "necromunda_2023"
    assert {finding["fate"] for finding in data["findings"]} == {"taken", "guessed", "left_out"}
    assert data["counts"]["taken"] == 11
    alone = empty.read("armoury", "import", CLANS, "--to", "alone.yaml")
    assert alone["missing"] == [
        {"file": "the game system (.gst) with the id sys-1", "needed_by": "Forge Clans"}
    ]


def test_all_names_everything_with_its_place(empty: Arbitrator) -> None:
    said = " ".join(empty.done("armoury", "import", SYSTEM, CLANS, "--all").out.split())
    assert "Taken" in said
    assert "Ash mask into items (Necromunda, made up: Trading Post)" in said


def test_a_folder_gives_the_same_as_its_files(empty: Arbitrator, tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    empty.done("armoury", "import", "data", "--to", "one.yaml")
    empty.done("armoury", "import", "data/sump-system.gst", "data/forge-clans.cat", "--to", "other.yaml")
    one, other = (Path(name).read_text().partition("format:")[2] for name in ("one.yaml", "other.yaml"))
    assert one == other


def test_an_armoury_that_differs_is_kept_unless_it_is_to_be_replaced(empty: Arbitrator) -> None:
    empty.done("armoury", "import", SYSTEM, CLANS)
    empty.done("armoury", "import", SYSTEM, CLANS)  # the same words: nothing to say
    Path("forge-clans.yaml").write_text("mine")
    assert "--replace" in empty.refused(2, "armoury", "import", SYSTEM, CLANS)
    assert Path("forge-clans.yaml").read_text() == "mine"
    empty.done("armoury", "import", SYSTEM, CLANS, "--replace")
    empty.done("armoury", "check", "forge-clans.yaml")


def test_a_category_that_was_said_counts(empty: Arbitrator) -> None:
    said = ("--category", "Forge Hand=champion", "--category", "Nobody=juve")
    data = empty.read("armoury", "import", SYSTEM, CLANS, *said)
    assert [each["category"] for each in data["armoury"]["fighters"]] == [
        "leader",
        "champion",
        "exotic_beast",
    ]
    assert any(found["fact"] == "--category nobody" for found in data["findings"])
    refused = empty.refused(
        2, "armoury", "import", SYSTEM, CLANS, "--category", "Forge Hand=champ", "--replace"
    )
    assert "champion" in refused


@pytest.mark.parametrize("content", [b"", b"<catalogue", b'<roster id="x"><forces/></roster>', b"PK\x03\x04"])
def test_a_file_that_is_no_data_file_is_refused_and_nothing_is_written(
    empty: Arbitrator, content: bytes
) -> None:
    Path("bad.cat").write_bytes(content)
    assert "bad.cat cannot be read" in empty.refused(2, "armoury", "import", SYSTEM, "bad.cat")
    assert [*Path().glob("*.yaml")] == []


def test_a_rulebook_that_was_said_counts(empty: Arbitrator) -> None:
    data = empty.read("armoury", "import", SYSTEM, CLANS, "--ruleset", "necromunda_archive")
    assert data["ruleset"] == "necromunda_archive"
    assert "necromunda_2023" in empty.refused(2, "armoury", "import", SYSTEM, CLANS, "--ruleset", "no_book")

"""An evening of moving in, under every book: another tool's export of fifteen, the first battle, another database.

What a person types is counted key by key, as the wizard's evening is; `pytest -s` prints it.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from by_hand import keys, seconds
from cli_arbitrator import ROOT, Arbitrator

sys.path.append(str(Path(__file__).parents[1] / "imports"))
import import_sources as sources

from tracker.cli import imports

MINUTES_MAX = 5
SECONDS_A_LINE, SECONDS_A_FIGHTER = 1.5, 5
"""To read a line of the report, and to hold a card of the sheet against one's own."""
NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
RIVALS = """\
format: gang-sheet/1
name: Ash Rats
house: Wheel Cult
player: Ash
fighters:
  - {name: Vesk, category: %s, type: Boss, cost: 90, characteristics: %s}
"""
BATTLE = """\
format: battle-report/1
battle: first-night
scenario: Toll at the Bridge
date: 2026-03-01
gangs: [%s, ash-rats]
entries:
  - %s
result: {winner: %s}
"""


def yaktribe() -> str:
    """Fifteen as YakTribe keeps them: a rank that no list knows, scars, the dead, somebody in Recovery."""
    gangers = [
        sources.ganger(
            "Brakka",
            "Forge Tyrant",
            kills=5,
            advance_count=2,
            xp=3,
            injuries=["Hobbled"],
            skills=["Iron Jaw"],
        ),
        sources.ganger("Vesna", "Forge Boss", kills=2, injuries=["Impressive Scars"]),
        sources.ganger("Old Tam", "Bruiser", injuries=["Old Battle Wound"], status="In Recovery"),
        sources.ganger("Mik", "Bully", status="Dead"),
        sources.ganger("Rex", "Scrap Whisperer", equipment=[{"name": "Stub gun", "qty": 2, "cost": 5}]),
        *(sources.ganger(f"Hand {number}", "Bruiser", xp=number) for number in range(1, 11)),
    ]
    return json.dumps(sources.yaktribe(*gangers, alignment="Outlaw", allegiance="Guild of Iron"))


def table() -> str:
    """Fifteen rows of a group's own spreadsheet."""
    head = "gang;house;player;name;Rank;type;M;WS;BS;S;T;W;I;A;Ld;Cl;Wil;Int;cost;xp;kills;battles;injuries;flags"
    numbers = "5;4;4;3;3;1;4;1;7;7;7;7"
    first = f"Rust Dogs;Forge Clans;Kim;Brakka;leader;Forge Boss;{numbers};190;4;5;4;Hobbled;Frenzy"
    rows = [
        f"Rust Dogs;;;Hand {number};ganger;Forge Hand;{numbers};60;{number};0;4;;" for number in range(1, 15)
    ]
    return "\n".join([head, first, *rows, ""])


def roster() -> str:
    """Fifteen models of New Recruit."""
    card = [
        {"name": "Movement", "$text": '6"/Infantry'},
        {"name": "Ranged", "$text": "0 Dice"},
        {"name": "Melee", "$text": "0 Dice"},
        {"name": "Armour", "$text": "0"},
    ]
    hand: dict[str, Any] = {
        "name": "Heretic Trooper", "type": "model", "number": 7, "costs": [{"name": "Ducats", "value": 210}],
        "categories": [{"name": "Troop"}],
        "profiles": [{"name": "Heretic Trooper", "typeName": "Unit", "characteristics": card}],
    }  # fmt: skip
    return json.dumps(sources.roster(sources.PRIEST, hand, hand, limit=700))


# For each book: the export, what is typed, and the first battle.
BOOKS: dict[str, tuple[str, Callable[[], str], list[str], list[str], str, str, str]] = {
    "necromunda_2023": (
        "gang.json", yaktribe, ["--player", "Kim"], ["n", "ganger"],
        "out_of_action: {fighter: vesna, by: vesk, lasting_injury: 1-2}", "brakka", "enemies_taken_out",
    ),
    "necromunda_archive": (
        "dogs.csv", table, ["--column", "Rank=category"], ["y"],
        "out_of_action: {fighter: brakka, by: vesk, lasting_injury: 4-4}", "brakka", "enemies_taken_out",
    ),
    "trench_crusade": (
        "list.json", roster, ["--player", "Kim"], ["y"],
        "injury_chart: {attacker: vesk, target: mother-mayhem}\n    dice: {injury_chart: [1, 1]}",
        "mother-mayhem", "advancements",
    ),
}  # fmt: skip


@pytest.mark.parametrize("book", BOOKS)
def test_an_export_of_fifteen_moves_in_within_five_minutes_plays_on_and_moves_again(
    empty: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, book: str
) -> None:
    file, export, options, answers, entry, fighter, fact = BOOKS[book]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(imports, "on_terminal", lambda: True)
    monkeypatch.setattr(imports, "can_answer", lambda: True)
    Path(file).write_text(export(), encoding="utf-8")
    typed: list[str] = []

    def type_in(*words: str, said: str = "") -> str:
        typed.extend(["arbitrator " + " ".join(words), *said.splitlines()])
        ran = empty(*words, stdin=said)
        assert ran.code == 0, ran.err
        return ran.out

    type_in("campaign", "new", "Fifth", "--after-battle", "4", "--ruleset", book)
    report = type_in("gang", "import", file, *options, said="".join(f"{answer}\n" for answer in answers))
    (sheet,) = [path.name for path in Path().glob("*.yaml") if not path.stem.endswith("armoury")]
    with_armoury = [f"--armoury={path.name}" for path in Path().glob("*-armoury.yaml")]
    type_in("gang", "add", sheet, *with_armoury)
    gang = sheet.removesuffix(".yaml")

    cards = empty.read("roster", "show", gang)["gangs"][0]["fighters"]
    assert len(cards) == 15
    read = len(report.splitlines()) * SECONDS_A_LINE + len(cards) * SECONDS_A_FIGHTER
    took = seconds(typed) + read
    sys.stdout.write(f"{book}: {len(typed)} lines, {keys(typed)} keys, with reading {took:.0f} s\n")
    assert took <= MINUTES_MAX * 60

    rivals = RIVALS % (
        ("elite", "{Mv: 6, Rng: 0, Mel: 0, Arm: 0}") if book == "trench_crusade" else ("leader", NUMBERS)
    )
    empty.done("gang", "add", empty.write(rivals, name="rats.yaml"))
    empty.done("battle", "record", empty.write(BATTLE % (gang, entry, "ash-rats")), "--roll")
    assert [battle["number"] for battle in empty.read("battle", "list")["battles"]] == [5]
    explained = " ".join(empty.done("explain", fighter, fact).out.replace("│", " ").split())
    assert f"{file}" in explained

    archive = str(tmp_path / "fifth.zip")
    shown = empty.read("campaign", "export", archive)
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Arbitrator(tmp_path / "elsewhere")
    assert elsewhere.read("campaign", "import", archive)["root"] == shown["root"]
    assert elsewhere.done("roster", "show").out == empty.done("roster", "show").out
    elsewhere.done("audit", "verify")
    back = str(tmp_path / "back.zip")
    assert elsewhere.read("campaign", "export", back)["root"] == shown["root"]
    assert Path(back).read_bytes() == Path(archive).read_bytes()


def test_an_injury_that_the_book_has_not_stays_as_a_flag(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Old", "--ruleset", "necromunda_archive")
    sheet = (ROOT / "fixtures" / "moving-in" / "chrome-saints.yaml").read_text(encoding="utf-8")
    sheet = sheet.replace("  captives: [grit] ", "  # ")
    said = empty.refused(2, "gang", "add", empty.write(sheet))
    assert "no lasting injury 'impressive_scars'" in said
    assert "stays with the fighter under `flags`" in said
    mended = sheet.replace("injuries: [{injury: Impressive Scars}]", "flags: [Impressive Scars]")
    empty.done("gang", "add", empty.write(mended))
    assert "Impressive Scars" in empty.done("fighter", "show", "deacon-vesk").out

"""`gang import`: a sheet to read, a report of every fact, and nothing recorded."""

import json
import sys
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

sys.path.append(str(Path(__file__).parents[1] / "imports"))
import import_sources as sources


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    gang = sources.yaktribe(
        sources.ganger("Brakka", "Forge Tyrant", injuries=["Hobbled"], kills=3, bs=0),
        sources.ganger("Yol", "Mystery Man", status="Dead"),
        gang_rating="60",
        wonder="new",
    )
    (tmp_path / "gang.json").write_text(json.dumps(gang))
    return tmp_path


SAID = ("--player", "Kim", "--injuries", "apply", "--category", "Mystery Man=ganger")


def test_a_gang_comes_in_by_two_commands(arbitrator: Arbitrator, files: Path) -> None:
    said = arbitrator.done("gang", "import", "gang.json", *SAID).out
    assert "Rust & Ruin, from YakTribe" in said
    assert "arbitrator gang add rust-ruin.yaml" in said
    sheet = (files / "rust-ruin.yaml").read_text()
    (files / "rust-ruin.yaml").write_text(sheet.replace("BS: '-'", "BS: 4"))
    arbitrator.done("gang", "add", "rust-ruin.yaml")
    rows = arbitrator.read("roster", "show", "rust-ruin")["gangs"][0]["fighters"]
    assert [(row["name"], row["status"], row["enemies_taken_out"]) for row in rows] == [
        ("Brakka", "available", 3),
        ("Yol", "dead", 0),
    ]
    assert rows[0]["characteristics"]["movement"] == sources.NUMBERS["m"] - 1
    assert "from YakTribe, gang.json" in arbitrator.done("explain", "brakka", "movement").out


def test_the_report_is_json_with_every_fact(arbitrator: Arbitrator, files: Path) -> None:
    report = arbitrator.read("gang", "import", "gang.json", *SAID)
    assert (report["tool"], report["written"]) == ("YakTribe", "rust-ruin.yaml")
    unknown = [finding for finding in report["findings"] if finding["fate"] == "unknown"]
    assert [(finding["path"], finding["fact"]) for finding in unknown] == [("gang.wonder", "new")]
    assert (files / "rust-ruin.yaml").exists()


def test_nothing_is_recorded_and_no_campaign_is_needed(empty: Arbitrator, files: Path) -> None:
    assert files.exists()
    empty.done("gang", "import", "gang.json", *SAID)
    assert not empty.file.exists()


def test_what_nobody_answered_stands_in_the_report(arbitrator: Arbitrator, files: Path) -> None:
    assert files.exists()
    said = arbitrator.done("gang", "import", "gang.json").out
    for question in (
        "Do the numbers on the cards have the injuries already? (yes, no)",
        "Which category is Mystery Man?",
        "Who plays the gang?",
    ):
        assert question.split("?")[0] in " ".join(said.split())
    refused = arbitrator.refused(2, "gang", "add", "rust-ruin.yaml")
    assert "BS" in refused or "counted" in refused


def test_the_same_file_twice_is_the_same_sheet_and_other_words_are_kept(
    arbitrator: Arbitrator, files: Path
) -> None:
    sheet = files / "rust-ruin.yaml"
    arbitrator.done("gang", "import", "gang.json", *SAID)
    first = sheet.read_text()
    arbitrator.done("gang", "import", "gang.json", *SAID)
    assert sheet.read_text() == first
    sheet.write_text(first + "# mine\n")
    refused = arbitrator.refused(2, "gang", "import", "gang.json", *SAID)
    assert "exists already and differs" in refused
    assert sheet.read_text() == first + "# mine\n"
    arbitrator.done("gang", "import", "gang.json", *SAID, "--replace")
    assert sheet.read_text() == first


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--category", "Mystery Man"), "such as 'Drill Master=champion'"),
        (("--column", "=BS"), "such as 'Ballistic=BS'"),
        (("--to", "nowhere/sheet.yaml"), "cannot be written: No such file or directory"),
    ],
)
def test_slips_are_refused_and_nothing_is_written(
    arbitrator: Arbitrator, files: Path, options: tuple[str, ...], said: str
) -> None:
    assert said in arbitrator.refused(2, "gang", "import", "gang.json", *options)
    assert sorted(file.name for file in files.glob("*.yaml")) == []


def test_a_game_that_is_not_here_is_refused_by_name(arbitrator: Arbitrator, files: Path) -> None:
    (files / "other.json").write_text(json.dumps(sources.roster(game="Kitchen Wars")))
    assert "a roster of Kitchen Wars" in arbitrator.refused(2, "gang", "import", "other.json")


def test_a_table_that_gang_add_is_given_is_shown_the_way_to_gang_import(
    arbitrator: Arbitrator, files: Path
) -> None:
    (files / "gang.csv").write_text(sources.TABLE)
    assert "`arbitrator gang import` makes one of a table" in arbitrator.refused(2, "gang", "add", "gang.csv")


def test_questions_are_asked_on_a_terminal(
    arbitrator: Arbitrator, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.imports.on_terminal", lambda: True)
    monkeypatch.setattr("tracker.cli.imports.can_answer", lambda: True)
    ran = arbitrator("gang", "import", "gang.json", stdin="Kim\nn\nbrute\n")
    assert ran.code == 0, ran.err
    sheet = (files / "rust-ruin.yaml").read_text()
    assert "player: Kim" in sheet
    assert "injuries_counted: false" in sheet
    assert "category: brute" in sheet


ARMOURY = """\
format: armoury/1
items:
  - {name: mesh armour, kind: armour, cost: 15, save: 5+}
  - {name: furnace plates, kind: armour, cost: 10, save: 6+}
  - {name: static field, kind: field_armour, cost: 50, save: 4+}
  - {name: lantern, cost: 5}
"""


def test_armour_that_the_armoury_lists_has_its_save_and_what_it_lacks_is_named(
    arbitrator: Arbitrator, files: Path
) -> None:
    """By an American spelling too; of two the better is worn, and the other carried."""
    worn = [
        {"name": name, "qty": "1"} for name in ("Furnace Plates", "Mesh Armor", "Static Field", "Lantern")
    ]
    bare = sources.ganger("Bare", equipment=[{"name": "Odd Hat", "qty": "1"}])
    (files / "worn.json").write_text(
        json.dumps(sources.yaktribe(sources.ganger("Grit", equipment=worn), bare))
    )
    armoury = arbitrator.write(ARMOURY, name="worn-armoury.yaml")
    told = arbitrator.read("gang", "import", "worn.json", *SAID, "--armoury", armoury, "--to", "worn.yaml")
    guessed = {
        finding["fact"]: finding["why"] for finding in told["findings"] if finding["fate"] == "guessed"
    }
    assert "lists nothing of this name" in guessed["Odd Hat"]
    assert "best save of several" in guessed["Mesh Armor"]
    assert not {"Lantern", "Furnace Plates", "Static Field"} & {*guessed}
    arbitrator.done("gang", "add", "worn.yaml", "--armoury", armoury)
    shown = arbitrator.roster("rust-ruin")["grit"]
    assert shown["armour"] == {"name": "Mesh Armor", "save": 5}
    assert shown["field_armour"] == {"name": "Static Field", "save": 4}
    assert sorted(shown["wargear"]) == ["Furnace Plates", "Lantern"]


def test_the_armoury_that_the_campaign_keeps_counts_without_a_word(
    arbitrator: Arbitrator, files: Path
) -> None:
    """Beside it one that is given counts first: the campaign's has what that one lacks."""
    kept = arbitrator.write(
        ARMOURY + "  - {name: nail gun, cost: 10, weapon: {S: 3, AP: 0, D: 1, range: {long: 16}, ammo: 4}}\n",
        name="kept.yaml",
    )
    arbitrator.done("campaign", "armoury", kept)
    carried = [{"name": name, "qty": "1"} for name in ("Nail Gun", "Mesh Armor")]
    gang = sources.yaktribe(sources.ganger("Grit", equipment=carried))
    (files / "armed.json").write_text(json.dumps(gang))
    arbitrator.done("gang", "import", "armed.json", *SAID, "--to", "armed.yaml")
    other = arbitrator.write("format: armoury/1\nitems: [{name: rope, cost: 5}]\n", name="other.yaml")
    arbitrator.done("gang", "add", "armed.yaml", "--armoury", other)
    grit = arbitrator.roster("rust-ruin")["grit"]
    assert [weapon["weapon"] for weapon in grit["weapons"]] == ["nail gun"]
    assert grit["armour"] == {"name": "Mesh Armor", "save": 5}


def test_a_save_that_the_card_here_lacks_is_a_difference(arbitrator: Arbitrator, files: Path) -> None:
    worn = sources.ganger("Grit", equipment=[{"name": "Mesh armour", "qty": "1"}])
    (files / "worn.json").write_text(json.dumps(sources.yaktribe(worn)))
    arbitrator.done("gang", "import", "worn.json", *SAID, "--to", "bare.yaml")
    arbitrator.done("gang", "add", "bare.yaml")
    armoury = arbitrator.write(ARMOURY, name="worn-armoury.yaml")
    newer = arbitrator.done(
        "gang", "import", "worn.json", *SAID, "--armoury", armoury, "--to", "worn.yaml"
    ).out
    assert "armour save" in newer
    again = arbitrator.done("gang", "import", "worn.json", *SAID, "--to", "again.yaml").out
    assert "armour save" not in again


def test_a_weapon_that_the_armoury_spells_with_a_star_is_added_as_it_spells_it(
    arbitrator: Arbitrator, files: Path
) -> None:
    armed = sources.ganger("Brakka", "Forge Tyrant", equipment=[{"name": "Great Cutter*", "qty": "1"}])
    (files / "starred.json").write_text(json.dumps(sources.yaktribe(armed)), encoding="utf-8")
    weapon = "{name: Great cutter*, cost: 60, weapon: {S: 5, AP: -1, D: 2, traits: [Melee]}}"
    armoury = arbitrator.write(f"format: armoury/1\nitems: [{weapon}]\n", name="starred.yaml")
    arbitrator.done(
        "gang", "import", "starred.json", *SAID, "--armoury", armoury, "--to", "starred-gang.yaml"
    )
    arbitrator.done("gang", "add", "starred-gang.yaml", "--armoury", armoury)
    (row,) = arbitrator.read("roster", "show", "rust-ruin")["gangs"][0]["fighters"]
    assert [weapon["weapon"] for weapon in row["weapons"]] == ["Great cutter*"]


def test_things_that_the_armoury_lists_as_weapons_are_weapons(arbitrator: Arbitrator, files: Path) -> None:
    carried = [{"name": "Nail Gun*", "qty": 1}, {"name": "Rope", "qty": 1}]
    gang = sources.yaktribe(sources.ganger("Brakka", "Forge Tyrant", equipment=carried))
    (files / "armed.json").write_text(json.dumps(gang))
    armoury = str(Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml")
    arbitrator.done("gang", "import", "armed.json", *SAID, "--armoury", armoury, "--to", "armed.yaml")
    assert "needs its numbers" in arbitrator.refused(2, "gang", "add", "armed.yaml")
    arbitrator.done("gang", "add", "armed.yaml", "--armoury", armoury)
    (row,) = arbitrator.read("roster", "show", "rust-ruin")["gangs"][0]["fighters"]
    assert [(weapon["weapon"], weapon["profiles"][0]["strength"]) for weapon in row["weapons"]] == [
        ("nail gun", 3)
    ]
    assert row["wargear"] == ["Rope"]


def test_a_captive_and_the_ducats_left_are_said_by_options_or_asked(
    arbitrator: Arbitrator, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = sources.yaktribe(sources.ganger("Grit", status="Captured"))
    (files / "held.json").write_text(json.dumps(held))
    (files / "mud.json").write_text(json.dumps(sources.roster()))
    arbitrator.done(
        "gang", "import", "held.json", *SAID, "--captive", "Grit=iron-skulls", "--to", "said.yaml"
    )
    assert "captive_of: iron-skulls" in (files / "said.yaml").read_text()
    arbitrator.done("gang", "import", "mud.json", *SAID, "--credits", "17", "--to", "mud.yaml")
    assert "credits: 17" in (files / "mud.yaml").read_text()
    monkeypatch.setattr("tracker.cli.imports.on_terminal", lambda: True)
    monkeypatch.setattr("tracker.cli.imports.can_answer", lambda: True)
    asked = arbitrator("gang", "import", "held.json", *SAID, "--to", "asked.yaml", stdin="iron-skulls\n")
    assert asked.code == 0, asked.err
    assert "captive_of: iron-skulls" in (files / "asked.yaml").read_text()
    left = arbitrator("gang", "import", "held.json", *SAID, "--to", "left.yaml", stdin="\n")
    assert left.code == 0, left.err
    assert "captive_of" not in (files / "left.yaml").read_text()


# --- a gang that is here already ---------------------------------------------------------------------------


@pytest.fixture
def enlisted(arbitrator: Arbitrator, files: Path) -> Path:
    """Rust & Ruin, as their export says, in the campaign."""
    arbitrator.done("gang", "import", "gang.json", *SAID)
    arbitrator.done("gang", "add", "rust-ruin.yaml")
    return files


def newer(files: Path, *gangers: object, **more: object) -> None:
    """Another export of the same gang."""
    (files / "newer.json").write_text(json.dumps(sources.yaktribe(*gangers, **more)))  # type: ignore[arg-type]


def test_the_same_export_of_a_gang_that_is_here_differs_in_nothing(
    arbitrator: Arbitrator, enlisted: Path
) -> None:
    head = arbitrator.read("campaign", "show")["head"]
    said = arbitrator.done("gang", "import", "gang.json", *SAID).out
    assert "The file says nothing that differs from here." in said
    assert "there is nothing to do" in said
    assert "gang add" not in said
    assert arbitrator.read("campaign", "show")["head"] == head
    assert arbitrator.read("gang", "import", "gang.json", *SAID)["compared"]["differences"] == []


def test_a_newer_export_gives_a_comparison_and_records_nothing(
    arbitrator: Arbitrator, enlisted: Path
) -> None:
    head = arbitrator.read("campaign", "show")["head"]
    brakka = sources.ganger(
        "Brakka", "Forge Tyrant", injuries=["Hobbled"], kills=4, bs=4, xp=5, skills=["Hurl"]
    )
    newer(enlisted, brakka, sources.ganger("Nell"), credits="50")
    report = arbitrator.read("gang", "import", "newer.json", *SAID)
    lines = report["compared"]["differences"]
    assert {(line["about"], line["key"], line["here"], line["there"]) for line in lines} == {
        ("Rust & Ruin", "credits", "45", "50"),
        ("Brakka", "BS", "-", "4+"),
        ("Brakka", "xp", "2", "5"),
        ("Brakka", "kills", "3", "4"),
        ("Brakka", "skills", "", "hurl"),
        ("Yol", "fighter", "Mystery Man", ""),
        ("Nell", "fighter", "", "Bruiser"),
    }
    assert report["written"] == "rust-ruin-newer.yaml"
    said = arbitrator.done("gang", "import", "newer.json", *SAID).out
    assert "Nothing was recorded." in said
    assert said.rstrip().endswith("arbitrator gang amend rust-ruin-newer.yaml")
    assert arbitrator.read("campaign", "show")["head"] == head
    assert "Nothing is written" in arbitrator.done("gang", "amend", "rust-ruin-newer.yaml").out


def test_a_gang_of_another_name_is_compared_where_that_is_said(
    arbitrator: Arbitrator, enlisted: Path
) -> None:
    newer(enlisted, sources.ganger("Brakka", "Forge Tyrant"), gang_name="The Ruined")
    report = arbitrator.read("gang", "import", "newer.json", *SAID, "--against", "rust-ruin")
    assert report["sheet"]["gang"] == "rust-ruin"
    assert ("Rust & Ruin", "name") in {
        (line["about"], line["key"]) for line in report["compared"]["differences"]
    }
    assert arbitrator.read("gang", "import", "newer.json", *SAID)["compared"] is None
    assert "No gang 'nobody'" in arbitrator.refused(2, "gang", "import", "newer.json", "--against", "nobody")


def test_what_is_not_answered_yet_is_said_instead_of_a_comparison(
    arbitrator: Arbitrator, enlisted: Path
) -> None:
    said = arbitrator.done("gang", "import", "gang.json").out
    assert enlisted.exists()
    assert "They cannot be compared before what is to be answered is in the sheet" in " ".join(said.split())


def test_a_gang_without_fighters_is_said_to_be_no_sheet_yet_at_the_import(
    arbitrator: Arbitrator, files: Path
) -> None:
    gang = sources.yaktribe()
    gang["gang"]["gangers"] = []
    (files / "empty.json").write_text(json.dumps(gang))
    said = " ".join(arbitrator.done("gang", "import", "empty.json", "--player", "Kim").out.split())
    assert "The file has no fighters, and a gang sheet needs one at least" in said


def test_an_open_question_about_injuries_names_the_option_that_answers_it(
    arbitrator: Arbitrator, files: Path
) -> None:
    assert files.exists()
    fighter_types = ("--category", "Mystery Man=ganger", "--player", "Kim")
    last = arbitrator.done("gang", "import", "gang.json", *fighter_types).out.split("\n\n")[-1]
    assert "--injuries counted" in last
    assert "--injuries apply" in last
    sheet = files / "rust-ruin.yaml"
    sheet.write_text(sheet.read_text().replace("BS: '-'", "BS: 4"))
    refused = " ".join(arbitrator.refused(2, "gang", "add", "rust-ruin.yaml").split())
    assert "--injuries counted or --injuries apply" in refused
    arbitrator.done("gang", "import", "gang.json", *SAID, "--replace")
    assert "--injuries counted" not in arbitrator.done("gang", "import", "gang.json", *SAID).out

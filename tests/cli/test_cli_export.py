"""`gang export`: a gang out of a running campaign, in the forms of this program and of others."""

import csv
import errno
import json
import os
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from cli_arbitrator import Arbitrator
from cli_reports import GANGS


def test_a_sheet_enlists_the_same_gang_in_another_campaign(season: Arbitrator, tmp_path: Path) -> None:
    sheet = str(tmp_path / "skulls.yaml")
    assert season("gang", "export", "Iron Skulls", "--to", sheet).code == 0
    other = Arbitrator(tmp_path)
    other.done("campaign", "new", "Elsewhere", "--after-battle", "2")
    other.done("gang", "add", sheet)
    here = {name: row for name, row in season.roster("iron-skulls").items() if row["gang"] == "iron-skulls"}
    there = other.roster()
    assert {*here} == {*there}
    for name, row in here.items():
        differs = {key for key in row if row[key] != there[name][key]}
        # The battle in which each was suffered, and that it all was before.
        assert differs <= {"injuries", "brought_from"}
        assert [one["injury"] for one in row["injuries"]] == [
            one["injury"] for one in there[name]["injuries"]
        ]


@pytest.mark.usefixtures("wide")
def test_what_the_sheet_cannot_hold_stands_on_standard_error_and_in_json(season: Arbitrator) -> None:
    ran = season("gang", "export", "iron-skulls")
    assert ran.out.startswith("format: gang-sheet/2\n")
    assert "- Tallow: in which battles lasting injuries were suffered" in ran.err
    read = season("gang", "export", "iron-skulls", "--json").json
    assert read["content"]["gang"] == "iron-skulls"
    assert {fact["about"] for fact in read["not_held"] if fact["fact"] == "injuries"} == {"tallow"}


def test_how_somebody_died_comes_along(season: Arbitrator) -> None:
    season.done("fighter", "retire", "pip", "--reason", "moved to the coast")
    sheet = json.loads(season("gang", "export", "iron-skulls", "--json").out)["content"]
    (pip,) = [fighter for fighter in sheet["fighters"] if fighter["id"] == "pip"]
    assert (pip["so_far"]["gone"], pip["so_far"]["when"]) == ("retired", "moved to the coast")


def test_a_file_that_says_something_else_is_kept(season: Arbitrator, tmp_path: Path) -> None:
    file = tmp_path / "skulls.yaml"
    file.write_text("mine")
    assert "--replace" in season.refused(2, "gang", "export", "iron-skulls", "--to", str(file))
    assert file.read_text() == "mine"
    assert season("gang", "export", "iron-skulls", "--to", str(file), "--replace").code == 0
    assert file.read_text().startswith("format: gang-sheet/2")


def test_a_gang_that_is_not_here_is_refused(season: Arbitrator) -> None:
    season.refused(2, "gang", "export", "nobodies")


# --- for other programs ------------------------------------------------------------------------------------------


def imported(table: Arbitrator, file: Path, *options: str) -> dict[str, Any]:
    """The sheet that 'gang import' makes of a file."""
    to = file.with_suffix(".again.yaml")
    ran = table("gang", "import", str(file), "--to", str(to), "--json", *options)
    assert ran.code == 0, ran.err
    return ran.json["sheet"]


@pytest.mark.parametrize("form", ["csv", "xlsx", "yaktribe"])
def test_what_comes_back_of_an_export_is_the_sheet_but_for_what_was_named(
    season: Arbitrator, tmp_path: Path, form: str
) -> None:
    season.done("fighter", "retire", "pip", "--reason", "gone")
    file = tmp_path / f"skulls.{form}"
    said = season("gang", "export", "iron-skulls", "--format", form, "--to", str(file), "--json").json
    sheet = season("gang", "export", "iron-skulls", "--json").json["content"]
    again = imported(season, file)
    named = {(fact["about"], fact["fact"]) for fact in said["not_held"]}
    assert [fighter["name"] for fighter in again["fighters"]] == [one["name"] for one in sheet["fighters"]]
    for fighter, other in zip(sheet["fighters"], again["fighters"], strict=True):
        known = fighter["id"]
        for key in ("type", "category", "cost", "xp", "skills"):
            assert fighter.get(key) == other.get(key) or (known, key) in named
        for short, number in fighter["characteristics"].items():
            assert str(other["characteristics"][short]).strip('+"') == str(number).strip('+"')
        for key, value in fighter.get("so_far", {}).items():
            back = other.get("so_far", {}).get(key)
            if key == "injuries":
                assert [one["injury"] for one in value] == [one["injury"] for one in back]
            else:
                assert value == back or (known, key) in named
        if "weapons" in fighter:
            assert {weapon["name"] for weapon in fighter["weapons"]} <= {*other["wargear"]}
            assert (known, "weapons") in named
    for key in ("name", "house", "player", "credits", "reputation"):
        assert sheet[key] == again[key] or ("iron-skulls", key) in named


def test_a_table_holds_every_field_and_a_workbook_the_profiles_beside_it(
    season: Arbitrator, tmp_path: Path
) -> None:
    table = season("gang", "export", "iron-skulls", "--format", "csv").out
    (krug, *_) = csv.DictReader(table.splitlines())
    assert (krug["gang"], krug["name"], krug["M"], krug["armour"]) == (
        "Iron Skulls",
        "Krug the Anvil",
        '5"',
        "furnace plate 4+",
    )
    assert "pile hammer: S 6, AP -1, D 3, Melee, Unwieldy" in krug["weapon_profiles"]
    file = tmp_path / "skulls.xlsx"
    assert season("gang", "export", "iron-skulls", "--format", "xlsx", "--to", str(file)).code == 0
    workbook = openpyxl.load_workbook(file)
    assert workbook.sheetnames == ["Fighters", "Weapons"]
    head, *rows = workbook["Weapons"].iter_rows(values_only=True)
    hammer = next(dict(zip(head, row, strict=True)) for row in rows if row[1] == "pile hammer")
    assert (hammer["fighter"], hammer["S"], hammer["AP"], hammer["traits"]) == (
        "Krug the Anvil",
        6,
        -1,
        "Melee, Unwieldy",
    )


def test_a_hostile_name_is_a_word_in_every_table(empty: Arbitrator, tmp_path: Path) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    sheet = (GANGS / "iron-skulls.yaml").read_text().replace("Krug the Anvil", '\'=HYPERLINK("x";"y")\'')
    empty.done("gang", "add", empty.write(sheet))
    (krug, *_) = csv.DictReader(empty("gang", "export", "iron-skulls", "--format", "csv").out.splitlines())
    assert not krug["name"].startswith("=")
    file = tmp_path / "skulls.xlsx"
    assert empty("gang", "export", "iron-skulls", "--format", "xlsx", "--to", str(file)).code == 0
    cell = openpyxl.load_workbook(file)["Fighters"].cell(row=2, column=6)
    assert (cell.value, cell.data_type) == ('=HYPERLINK("x";"y")', "s")


def test_yaktribes_rating_is_the_sum_of_the_living_as_the_importer_checks(season: Arbitrator) -> None:
    season.done("fighter", "retire", "pip", "--reason", "gone")
    gang = json.loads(season("gang", "export", "iron-skulls", "--format", "yaktribe").out)["gang"]
    living = [ganger["cost"] for ganger in gang["gangers"] if ganger["status"] != "Retired"]
    assert gang["gang_rating"] == str(sum(living))
    assert [ganger["status"] for ganger in gang["gangers"] if ganger["name"] == "Pip"] == ["Retired"]


def test_a_form_of_another_game_is_refused(season: Arbitrator) -> None:
    said = season.refused(2, "gang", "export", "iron-skulls", "--format", "newrecruit")
    assert "Trench Crusade" in said


def test_a_warband_goes_out_as_new_recruit_writes_rosters(empty: Arbitrator, tmp_path: Path) -> None:
    empty.done("campaign", "new", "Mud", "--ruleset", "trench_crusade")
    warbands = GANGS.parent / "trench-season"
    empty.done("gang", "add", str(warbands / "iron-procession.yaml"))
    file = tmp_path / "procession.json"
    gang = "iron-procession"
    said = empty("gang", "export", gang, "--format", "newrecruit", "--to", str(file), "--json").json
    sheet = empty("gang", "export", gang, "--json").json["content"]
    again = imported(empty, file)
    named = {(fact["about"], fact["fact"]) for fact in said["not_held"]}
    for fighter, other in zip(sheet["fighters"], again["fighters"], strict=True):
        assert fighter["name"] == other["name"]
        for key in ("type", "category", "cost", "xp", "skills"):
            same = (fighter.get(key) or None) == (other.get(key) or None)
            assert same or (fighter["id"], key) in named
    assert again["credits"] == sheet["credits"]
    assert not named & {(fighter["id"], "characteristics") for fighter in sheet["fighters"]}


def test_a_name_with_a_comma_comes_back_from_a_table_as_the_name_that_it_is(
    season: Arbitrator, tmp_path: Path
) -> None:
    sheet = season("gang", "export", "iron-skulls", "--json").json["content"]
    sheet |= {"gang": "soot", "name": "Soot", "fighters": sheet["fighters"][-1:]}
    sheet["fighters"][0] |= {"id": "moth", "name": "Moth", "wargear": ["smoke, thick"]}
    (tmp_path / "soot.yaml").write_text(json.dumps(sheet))
    season.done("gang", "add", str(tmp_path / "soot.yaml"))
    season("gang", "export", "soot", "--format", "csv", "--to", str(tmp_path / "soot.csv"))
    (moth,) = imported(season, tmp_path / "soot.csv")["fighters"]
    assert "smoke, thick" in moth["wargear"]


@pytest.mark.parametrize("form", ["sheet", "xlsx"])
def test_a_disk_that_is_full_leaves_the_file_that_was_there_and_no_half_of_another(
    season: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "mine").write_text("what I wrote")
    monkeypatch.setattr(os, "fsync", full)
    for name, options in (("mine", ["--replace"]), ("new", [])):
        words = ("gang", "export", "iron-skulls", "--format", form, "--to", str(folder / name), *options)
        assert "No space left" in season.refused(2, *words)
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"mine": "what I wrote"}

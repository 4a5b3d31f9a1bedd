"""`gang export`: a gang out of a running campaign, in the forms of this program and of others."""

import json
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator


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
        assert differs <= {"injuries"}  # the battle in which each was suffered
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

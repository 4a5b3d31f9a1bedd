"""Rosters of BattleScribe and New Recruit for Necromunda."""

import copy
from typing import Any

from import_sources import zipped
from necromunda_roster import ROSTER, XML
from tables import every

from tracker.campaign import records
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.imports.answers import Answers
from tracker.imports.importing import ImportResult, imported_data
from tracker.imports.source_files import data_of

KIM = Answers(player="Kim", injuries_counted=True, captives={"Trull": "rats"})


def brought(data: Any = ROSTER, answers: Answers = KIM) -> ImportResult:
    return imported_data(data, "kings.ros", answers)


def card(came: ImportResult, name: str) -> dict[str, Any]:
    (fighter,) = [fighter for fighter in came.sheet["fighters"] if fighter["name"] == name]
    return fighter


def enlisted(came: ImportResult) -> records.EnlistGang:
    return gang_sheet_command(parse_document(as_yaml(came.sheet), file="kings.yaml"))


def test_a_gang_comes_with_its_money_stash_and_territories() -> None:
    sheet = brought().sheet
    assert (sheet["name"], sheet["house"], sheet["player"], sheet["credits"]) == (
        "Boiler Kings",
        "Forge Clans",
        "Kim",
        55,
    )
    assert sheet["stash"] == [{"name": "Spare lamp", "cost": 10}] * 2
    assert sheet["so_far"]["territories"] == [
        {"name": "Old Ruins", "kind": "old_ruins"},
        {"name": "The Pit"},
    ]


def test_a_fighter_comes_with_card_weapons_skills_xp_injuries_and_state() -> None:
    hagg = card(brought(), "Hagg")
    assert (hagg["type"], hagg["category"], hagg["cost"], hagg["xp"]) == ("Forge Boss", "leader", 225, 7)
    assert hagg["characteristics"]["M"] == '4"'
    assert hagg["characteristics"]["BS"] == "-"
    assert hagg["skills"] == ["Iron Jaw"]
    assert hagg["so_far"] == {"in_recovery": True, "injuries": [{"injury": "eye_injury"}]}
    assert sorted(hagg["wargear"]) == ["Furnace plates", "Lamp rig", "Odd lance", "Red-dot sight"]
    assert [weapon["name"] for weapon in hagg["weapons"]] == ["Nail gun", "Nail gun", "Great maul", "Boiler"]
    assert hagg["weapons"][0] == {
        "name": "Nail gun", "S": 3, "AP": "-", "D": 1, "range": {"short": "8", "long": "24"},
        "accuracy": {"short": "+1"}, "ammo": "4+", "traits": ["Rapid Fire (1)", "Plentiful"],
    }  # fmt: skip
    assert [profile["name"] for profile in hagg["weapons"][3]["profiles"]] == ["steam", "scald"]


def test_numbers_that_no_sheet_can_hold_are_lost_by_name_and_the_weapon_stays_a_thing() -> None:
    lost = {finding.fact: finding.why for finding in brought().findings if finding.fate == "lost"}
    assert lost["2D6"] == "Str of Odd lance: no number that a card here has"
    assert lost["swore off drink"] == "a card has no place for notes"
    assert "House rule: no pets" in lost


def test_several_of_a_line_are_several_and_whose_captive_somebody_is_is_said_or_asked() -> None:
    came = brought()
    assert [fighter["cost"] for fighter in came.sheet["fighters"] if fighter["name"] == "Pit Hound"] == [
        40,
        40,
    ]
    assert card(came, "Trull")["so_far"] == {"captive_of": "rats"}
    asked = brought(answers=Answers(player="Kim", injuries_counted=True))
    assert [question.key for question in asked.questions] == ["captive Trull"]


@every("source", ["json", "ros", "rosz"])
def test_every_form_is_the_same_gang_that_can_be_enlisted(source: str) -> None:
    data = {
        "json": ROSTER,
        "ros": data_of(XML.encode(), "k.ros"),
        "rosz": data_of(zipped(("k.ros", XML.encode())), "k.rosz"),
    }
    came = brought(data[source])
    assert came.book == "necromunda_2023"
    assert came.sheet == brought().sheet
    gang = enlisted(came)
    assert [fighter.fighter for fighter in gang.fighters] == ["hagg", "trull", "pit-hound", "pit-hound-2"]
    assert gang.fighters[0].weapons[0].profiles[0].strength == 3


def test_what_is_left_in_credits_and_the_reputation_are_asked_where_the_roster_is_silent() -> None:
    silent = copy.deepcopy(ROSTER)
    silent["roster"]["forces"][0]["selections"].pop(0)
    came = brought(silent)
    assert [question.text for question in came.questions] == ["How many credits has the gang left?"]
    asked = [finding.fact for finding in came.findings if finding.fate == "asked"]
    assert asked == ["the Reputation", "credits left"]

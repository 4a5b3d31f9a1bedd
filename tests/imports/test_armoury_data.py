"""Data files of New Recruit and BattleScribe become an armoury, and what does not come along is named."""

import json
import zipfile
from pathlib import Path
from typing import Any

import armoury_sources as sources
import pytest
from armoury_sources import (
    CARD,
    GUN,
    catalogue,
    credits_of,
    entry,
    fighter,
    files,
    group,
    link,
    profile,
    system,
    weapon,
)
from tables import every

from tracker.documents.armoury import Armoury, read_armoury
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.imports import armoury_data
from tracker.imports.armoury_data import ArmouryImport, armoury_of
from tracker.imports.source_files import data_of
from tracker.rules import loader


def imported(folder: Path, *given: Any, **more: Any) -> ArmouryImport:
    return armoury_of(files(folder, *given), **more)


def listed(came: ArmouryImport) -> Armoury:
    rules = loader.book(came.book)
    return read_armoury(
        parse_document(as_yaml(came.armoury), file="f"), characteristics=rules.characteristics
    )


def said(came: ArmouryImport, *fates: str) -> list[str]:
    return [f"{found.fact}: {found.why}" for found in came.findings if not fates or found.fate in fates]


def things(came: ArmouryImport) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in came.armoury.get("items", ())}


@pytest.fixture(scope="module")
def clans() -> ArmouryImport:
    return armoury_of([str(sources.SYSTEM), str(sources.CLANS)])


# --- what comes along --------------------------------------------------------------------------------------


def test_a_weapon_comes_with_its_ranges_accuracies_numbers_traits_and_price(clans: ArmouryImport) -> None:
    assert things(clans)["Rivet nailer"] == {
        "name": "Rivet nailer",
        "cost": 15,
        "weapon": {
            "S": 3, "AP": "-", "D": 1, "range": {"short": 8, "long": 24}, "accuracy": {"short": "+1"}, "ammo": "4+",
            "traits": ["Rapid Fire (1)"],
        },
    }  # fmt: skip


def test_a_weapon_with_several_profiles_has_each_by_its_own_name(clans: ArmouryImport) -> None:
    profiles = things(clans)["Slag thrower"]["weapon"]["profiles"]
    assert [each["name"] for each in profiles] == ["gout", "clot"]
    assert profiles[0]["range"] == {"long": "T"}
    assert profiles[1]["traits"] == ['Blast (3")', "Unwieldy"]


def test_a_weapon_of_two_slots_counts_as_two(clans: ArmouryImport) -> None:
    counted = {
        offer.item.name: offer.item.weapon.counts_as for offer in listed(clans).offers if offer.item.weapon
    }
    assert counted["Slag thrower"] == 2
    assert counted["Rivet nailer"] == 1


@every(
    ("name", "availability"),
    [
        ("Rivet nailer", None),  # under the group Common
        ("Slag thrower", "Rare (9)"),  # under the group Rare (9)
        ("Sump hook", "Rare (10)"),  # behind its name
        ("Ash mask", "Rare (11)"),  # as its category
        ("Glow lamp", "Illegal (8)"),  # in its profile
    ],
)
def test_rarity_is_read_wherever_the_files_say_it(name: str, availability: str | None) -> None:
    came = armoury_of([str(sources.SYSTEM), str(sources.CLANS)])
    assert things(came)[name].get("availability") == availability


def test_armour_has_its_save_and_gear_is_wargear(clans: ArmouryImport) -> None:
    assert things(clans)["Boiler plate"] == {"name": "Boiler plate", "kind": "armour", "save": 5, "cost": 20}
    assert things(clans)["Glow lamp"]["kind"] == "wargear"


def test_a_fighter_has_its_card_rank_price_house_skills_armour_and_access(clans: ArmouryImport) -> None:
    queen = clans.armoury["fighters"][0]
    assert {key: queen[key] for key in queen if key != "characteristics"} == {
        "type": "Forge Queen", "house": "Forge Clans", "category": "leader", "cost": 120, "skills": ["Gnaw"],
        "armour": {"name": "Boiler plate", "save": 5}, "primary": ["Ferocity"],
    }  # fmt: skip
    assert queen["characteristics"] == {
        "M": '4"', "WS": "3+", "BS": "3+", "S": 4, "T": 4, "W": 2, "I": "4+", "A": 2, "Ld": "5+", "Cl": "5+", "Wil": "6+",
        "Int": "6+",
    }  # fmt: skip


def test_the_card_of_a_type_says_gang_fighter_where_a_rule_does(clans: ArmouryImport) -> None:
    hand = listed(clans).fighter_type("Forge Hand")
    assert hand.card.gang_fighter is True


def test_a_houses_list_has_its_own_prices_and_not_the_trading_posts_things(clans: ArmouryImport) -> None:
    assert clans.armoury["lists"] == [
        {
            "house": "Forge Clans",
            "items": [{"name": "Rivet nailer", "cost": 12}, {"name": "Pipe maul"}, {"name": "Boiler plate"}],
        }
    ]


def test_a_set_of_six_skills_comes_in_the_files_order_and_says_that_it_is(clans: ArmouryImport) -> None:
    assert clans.armoury["skills"] == [
        {"name": "Ferocity", "skills": ["Gnaw", "Howl", "Lunge", "Mauling", "Nettle", "Outlast"]}
    ]
    assert any("the order of the skills" in line for line in said(clans, "guessed"))


def test_a_weapon_that_is_part_of_a_fighter_can_be_named_on_a_sheet(clans: ArmouryImport) -> None:
    assert things(clans)["Iron teeth"]["cost"] == 0
    assert "a weapon that is part of Rust hound" in " ".join(said(clans, "guessed"))


def test_every_element_with_a_name_is_taken_or_named(clans: ArmouryImport) -> None:
    spoken = " ".join(found.fact for found in clans.findings)
    for name in ("Forge Elder", "Experience", "Stash"):
        assert name in spoken
    assert "Words that nobody keeps" not in as_yaml(clans.armoury) + " ".join(said(clans))


# --- forms of the files ------------------------------------------------------------------------------------


def test_the_same_comes_from_xml_json_and_zipped_files(tmp_path: Path, clans: ArmouryImport) -> None:
    pair = (sources.SYSTEM, sources.CLANS)
    in_json = imported(tmp_path, *(data_of(file.read_bytes(), "f") for file in pair))
    assert in_json.armoury == clans.armoury
    zipped = []
    for file in pair:
        target = tmp_path / f"{file.name}z"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(file.name, file.read_bytes())
        zipped.append(str(target))
    assert armoury_of(zipped).armoury == clans.armoury


def test_older_files_that_write_numbers_as_attributes_are_read_alike(
    tmp_path: Path, clans: ArmouryImport
) -> None:
    """BattleScribe 2.01: `value`, `characteristicTypeId`, `profileTypeName`, `costTypeId`, empty lists."""
    older = []
    for file in (sources.SYSTEM, sources.CLANS):
        data = data_of(file.read_bytes(), "f")
        waiting: list[Any] = [data]
        while waiting:
            here = waiting.pop()
            if isinstance(here, list):
                waiting += here
            elif isinstance(here, dict):
                waiting += here.values()
                if "$text" in here:
                    here |= {"value": here.pop("$text"), "characteristicTypeId": here.pop("typeId")}
                if "typeName" in here:
                    here |= {"profileTypeName": here.pop("typeName"), "profileTypeId": here.pop("typeId")}
                if "value" in here and "typeId" in here:
                    here["costTypeId"] = here.pop("typeId")
                here |= {"rules": here.get("rules", ""), "infoLinks": here.get("infoLinks", "")}
        older.append(data)
    assert imported(tmp_path, *older).armoury == clans.armoury


def test_a_folder_is_all_data_files_in_it_and_what_is_none_is_named(
    tmp_path: Path, clans: ArmouryImport
) -> None:
    for file in (sources.SYSTEM, sources.CLANS):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "README.md").write_text("words")
    came = armoury_of([str(tmp_path)])
    assert came.armoury == clans.armoury
    assert any("package.json" in line for line in said(came, "left_out"))


def test_the_same_file_twice_counts_once(tmp_path: Path, clans: ArmouryImport) -> None:
    again = tmp_path / "copy.cat"
    again.write_bytes(sources.CLANS.read_bytes())
    came = armoury_of([str(sources.SYSTEM), str(sources.CLANS), str(again), str(sources.CLANS)])
    assert came.armoury == clans.armoury
    assert any("is the same one" in line for line in said(came))


# --- links between files -----------------------------------------------------------------------------------


def test_a_missing_game_system_is_named_with_who_needs_it() -> None:
    came = armoury_of([str(sources.CLANS)])
    assert came.missing == (("the game system (.gst) with the id sys-1", "Forge Clans"),)
    lost = " ".join(said(came, "lost"))
    assert "Rivet nailer" in lost
    assert [each["type"] for each in came.armoury["fighters"]] == ["Forge Queen", "Forge Hand", "Rust hound"]


def test_a_catalogue_that_was_not_given_is_named_and_comes_along_once_it_is(tmp_path: Path) -> None:
    library = catalogue("Common arms", library=True, sharedSelectionEntries=[weapon("Scrap gun")])
    to_library = {"id": "cl", "name": "Common arms", "targetId": "c-Common arms", "type": "catalogue",
                  "importRootEntries": True}  # fmt: skip
    guns = group("Weapons", entryLinks=[link("e-Scrap gun", "Scrap gun", costs=credits_of(8))])
    house = catalogue(
        catalogueLinks=[to_library], selectionEntries=[fighter("Hand", selectionEntryGroups=[guns])]
    )
    alone = imported(tmp_path, system(), house)
    assert alone.missing == (("the catalogue Common arms", "Forge Clans"),)
    assert "items" not in alone.armoury
    whole = imported(tmp_path, system(), house, library)
    assert whole.missing == ()
    assert things(whole)["Scrap gun"]["cost"] == 10
    assert whole.armoury["lists"] == [{"house": "Forge Clans", "items": [{"name": "Scrap gun", "cost": 8}]}]


def test_fighters_of_a_library_are_anybodys(tmp_path: Path) -> None:
    guns_for_hire = catalogue("Hired guns", library=True, selectionEntries=[fighter("Bounty Hunter")])
    came = imported(tmp_path, system(), guns_for_hire, catalogue(selectionEntries=[fighter("Hand")]))
    assert {each["type"]: each.get("house") for each in came.armoury["fighters"]} == {
        "Bounty Hunter": None,
        "Hand": "Forge Clans",
    }


def test_a_fighter_whom_one_house_alone_shows_is_that_houses(tmp_path: Path) -> None:
    shared = system(sharedSelectionEntries=[fighter("Clan smith"), fighter("Pit slave")])
    one = catalogue("Forge Clans", entryLinks=[link("e-Clan smith"), link("e-Pit slave")])
    other = catalogue("Tide Wardens", entryLinks=[link("e-Pit slave")])
    came = imported(tmp_path, shared, one, other)
    assert {each["type"]: each.get("house") for each in came.armoury["fighters"]} == {
        "Clan smith": "Forge Clans",
        "Pit slave": None,
    }


def test_one_catalogue_can_be_taken_of_many(tmp_path: Path) -> None:
    given = (
        system(),
        catalogue("Forge Clans", selectionEntries=[fighter("Hand")]),
        catalogue("Tide Wardens", selectionEntries=[fighter("Oar")]),
    )
    came = imported(tmp_path, *given, catalogues=["tide wardens"])
    assert [each["type"] for each in came.armoury["fighters"]] == ["Oar"]
    with pytest.raises(armoury_data.NoSuchCatalogue, match="Tide Wardens"):
        imported(tmp_path, *given, catalogues=["Tide Warden"])


# --- prices and lists --------------------------------------------------------------------------------------


def test_a_price_is_set_raised_and_lowered_where_no_condition_is(tmp_path: Path) -> None:
    def asked(kind: str, value: str, **more: Any) -> dict[str, Any]:
        return {"modifiers": [{"type": kind, "field": "ct-Credits", "value": value} | more]}

    scrap, spike, nail = weapon("Scrap gun"), weapon("Spike gun"), weapon("Nail gun")
    guns = group("Weapons", entryLinks=[
        link(scrap, **asked("increment", "5")), link(spike, **asked("decrement", "3")),
        link(nail, **asked("set", "99", conditions=[{"type": "atLeast"}])),
    ])  # fmt: skip
    house = catalogue(selectionEntries=[fighter("Hand", selectionEntryGroups=[guns])],
                      sharedSelectionEntries=[scrap, spike, nail])  # fmt: skip
    came = imported(tmp_path, system(), house)
    assert came.armoury["lists"][0]["items"] == [
        {"name": "Scrap gun", "cost": 15},
        {"name": "Spike gun", "cost": 7},
        {"name": "Nail gun"},
    ]
    assert any("what changes Nail gun" in line for line in said(came, "lost"))


def test_a_thing_without_a_price_of_its_own_costs_what_the_lists_ask(tmp_path: Path) -> None:
    scrap = weapon("Scrap gun", cost=None)
    guns = group("Weapons", entryLinks=[link(scrap, costs=credits_of(25))])
    house = catalogue(
        selectionEntries=[fighter("Hand", selectionEntryGroups=[guns])], sharedSelectionEntries=[scrap]
    )
    assert things(imported(tmp_path, system(), house))["Scrap gun"]["cost"] == 25


def test_a_thing_that_nobody_prices_is_listed_for_nothing_and_named(tmp_path: Path) -> None:
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[weapon("Scrap gun", cost=None)]))
    assert things(came)["Scrap gun"]["cost"] == 0
    assert "the price of Scrap gun: 0, for the files say none" in said(came, "guessed")


def test_two_prices_on_one_list_are_named(tmp_path: Path) -> None:
    scrap = weapon("Scrap gun")
    one = fighter("Hand", entryLinks=[link(scrap, costs=credits_of(12))])
    other = fighter("Boss", entryLinks=[link(scrap, costs=credits_of(14))])
    house = catalogue(selectionEntries=[one, other], sharedSelectionEntries=[scrap])
    came = imported(tmp_path, system(), house)
    assert came.armoury["lists"][0]["items"] == [{"name": "Scrap gun", "cost": 12}]
    assert any("Scrap gun on the list of Forge Clans: 12 counts" in line for line in said(came, "guessed"))


def test_ammo_with_a_price_is_a_thing_and_without_one_a_profile(tmp_path: Path) -> None:
    slug = entry("Slug", profile("Slug", "Weapon", GUN | {"Str": "4"}))
    burning = entry("Burning shell", profile("Burning shell", "Weapon", GUN | {"Str": "5"}), cost=30)
    gun = entry("Long gun", profile("Long gun", "Weapon", GUN), cost=20, selectionEntries=[slug, burning])
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[gun]))
    assert [each["name"] for each in things(came)["Long gun"]["weapon"]["profiles"]] == ["profile 1", "Slug"]
    assert things(came)["Burning shell"]["cost"] == 30
    assert "Slug" not in things(came)


def test_things_of_one_name_with_other_numbers_are_both_listed(tmp_path: Path) -> None:
    one = catalogue("Forge Clans", sharedSelectionEntries=[weapon("Scrap gun")])
    other = catalogue("Tide Wardens", sharedSelectionEntries=[weapon("Scrap gun", numbers={"Str": "4"})])
    came = imported(tmp_path, system(), one, other)
    assert things(came)["Scrap gun"]["weapon"]["S"] == 3
    assert things(came)["Scrap gun (Tide Wardens)"]["weapon"]["S"] == 4
    assert any("its numbers differ" in line for line in said(came, "guessed"))


LONG_NAME = "Ornate hunting rifle of the ancient house with a telescopic sight and marksman's stock"
"""86 characters: six more than a name has."""


def test_a_name_that_is_too_long_ends_where_a_word_ends(tmp_path: Path) -> None:
    one = catalogue("Forge Clans of the Lower Sumps and Beyond", sharedSelectionEntries=[weapon(LONG_NAME)])
    other = catalogue(
        "Tide Wardens of the Outer Sinkholes of the Spoil",
        sharedSelectionEntries=[weapon(LONG_NAME, numbers={"Str": "4"})],
    )
    came = imported(tmp_path, system(), one, other)
    assert {*things(came)} == {
        "Ornate hunting rifle of the ancient house with a telescopic sight and marksman's",
        "Ornate hunting rifle of the ancient (Tide Wardens of the Outer Sinkholes of)",
    }


def test_a_word_alone_that_is_too_long_is_cut(tmp_path: Path) -> None:
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[weapon("a" * 90)]))
    assert {*things(came)} == {"a" * 80}


@every(
    ("written", "availability"),
    [
        ("R10", "Rare (10)"), ("Rare (10)", "Rare (10)"), ("Rare 10", "Rare (10)"), ("rare(10+)", "Rare (10)"),
        ("Illegal 8", "Illegal (8)"), ("I8", "Illegal (8)"), ("IL8", "Illegal (8)"), ("illegal (8)", "Illegal (8)"),
        ("Common", None), ("C", None), ("9", "Rare (9)"), ("-", None),
    ],
)  # fmt: skip
def test_rarity_is_read_however_it_is_written(written: str, availability: str | None, tmp_path: Path) -> None:
    lamp = entry("Lamp", profile("Lamp", "Wargear", {"Rarity": written}), cost=5)
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[lamp]))
    assert things(came)["Lamp"].get("availability") == availability


@every("written", ["Rare", "Illegal", "sometimes", "E", "R100"])
def test_rarity_that_an_armoury_cannot_hold_is_named(written: str, tmp_path: Path) -> None:
    lamp = entry("Lamp", profile("Lamp", "Wargear", {"Rarity": written}), cost=5)
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[lamp]))
    assert "availability" not in things(came)["Lamp"]
    assert any("the rarity" in line and "Lamp" in line for line in said(came, "lost"))


def test_rarity_as_a_cost_or_behind_a_name_counts_and_files_without_any_say_so(tmp_path: Path) -> None:
    lamp = entry("Lamp", cost=None, costs=[*credits_of(5), *credits_of(9, "Illegal")])
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[lamp, weapon("Hook [Rare (8)]")]))
    assert things(came)["Lamp"]["availability"] == "Illegal (9)"
    assert things(came)["Hook"]["availability"] == "Rare (8)"
    none = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[weapon("Scrap gun")]))
    assert any("all things are Common" in line for line in said(none, "guessed"))


# --- what is hidden, changed, or no number -----------------------------------------------------------------


def test_what_is_hidden_for_good_is_left_out_and_what_a_condition_shows_is_not(tmp_path: Path) -> None:
    shown = {
        "modifiers": [
            {"type": "set", "field": "hidden", "value": "false", "conditions": [{"type": "atLeast"}]}
        ]
    }
    gone, there = weapon("Gone gun", hidden=True), weapon("Late gun", hidden="true", **shown)
    always = {"modifiers": [{"type": "set", "field": "hidden", "value": True}]}
    came = imported(
        tmp_path, system(), catalogue(sharedSelectionEntries=[gone, there, weapon("Shut gun", **always)])
    )
    assert [*things(came)] == ["Late gun"]
    assert {"Gone gun", "Shut gun"} <= {found.fact for found in came.findings if found.fate == "left_out"}


def test_a_profile_is_changed_where_no_condition_is(tmp_path: Path) -> None:
    changes = [
        {"type": "set", "field": "t-Str", "value": "5"},
        {"type": "increment", "field": "t-D", "value": 1},
        {"type": "append", "field": "t-Traits", "value": ", Blaze"},
        {"type": "set", "field": "t-AP", "value": "-3", "conditions": [{"type": "atLeast"}]},
    ]
    shared = profile("Scrap gun", "Weapon", GUN)
    own = entry("Scrap gun", cost=10, infoLinks=[{"id": "i", "name": "Scrap gun", "hidden": False, "type": "profile",
                                                 "targetId": shared["id"], "modifiers": changes}])  # fmt: skip
    came = imported(tmp_path, system(sharedProfiles=[shared]), catalogue(sharedSelectionEntries=[own]))
    numbers = things(came)["Scrap gun"]["weapon"]
    assert (numbers["S"], numbers["AP"], numbers["D"], numbers["traits"]) == (5, "-", 2, ["Scarce", "Blaze"])
    assert any("what changes Scrap gun" in line for line in said(came, "lost"))


@every(
    ("key", "written"),
    [
        ("Rng L", "SxD6"),
        ("Str", "D6+1"),
        ("D", "D3"),
        ("Am", "special"),
        ("Acc S", "+99"),
        ("Rng S", "a lot"),
    ],
)
def test_a_number_that_no_armoury_holds_is_named_and_the_weapon_comes_all_the_same(
    key: str, written: str, tmp_path: Path
) -> None:
    came = imported(
        tmp_path, system(), catalogue(sharedSelectionEntries=[weapon("Scrap gun", numbers={key: written})])
    )
    assert "Scrap gun" in things(came)
    assert any(f"{key} {written} of Scrap gun" in line for line in said(came, "lost"))
    listed(came)


def test_ranges_of_strength_and_an_ap_of_plus_1_come_along(tmp_path: Path) -> None:
    knife = weapon("Throwing knife", numbers={"Rng S": "Sx2", "Rng L": "Sx4", "AP": "+1"})
    came = imported(tmp_path, system(), catalogue(sharedSelectionEntries=[knife]))
    assert not [line for line in said(came, "lost") if "Throwing knife" in line]
    (offer,) = [offer for offer in listed(came).offers if offer.item.name == "Throwing knife"]
    (profile,) = offer.item.weapon.profiles
    assert (profile.range_short_inches, profile.range_long_inches, profile.range_of_strength) == (2, 4, True)
    assert profile.armour_penetration == 1


def test_a_short_range_beyond_the_long_one_is_named(tmp_path: Path) -> None:
    numbers = {"Rng S": '24"', "Rng L": '8"'}
    came = imported(
        tmp_path, system(), catalogue(sharedSelectionEntries=[weapon("Scrap gun", numbers=numbers)])
    )
    assert any("of Scrap gun" in line for line in said(came, "lost"))
    listed(came)


def test_a_characteristic_that_is_no_number_is_a_dash_and_named(tmp_path: Path) -> None:
    odd = entry("Blob", profile("Blob", "Model", CARD | {"WS": "auto", "BS": "–"}), cost=50, type="model")
    came = imported(tmp_path, system(), catalogue(selectionEntries=[odd]))
    numbers = came.armoury["fighters"][0]["characteristics"]
    assert (numbers["WS"], numbers["BS"]) == ("-", "-")
    assert "WS auto of Blob: no number: a dash instead" in said(came, "lost")


def test_a_fighter_whose_card_no_armoury_holds_is_named_with_why(tmp_path: Path) -> None:
    odd = entry("Blob", profile("Blob", "Model", CARD | {"M": "2D6"}), cost=50, type="model")
    came = imported(tmp_path, system(), catalogue(selectionEntries=[odd, fighter("Hand")]))
    assert [each["type"] for each in came.armoury["fighters"]] == ["Hand"]
    assert any(
        line.startswith("Blob: no type that an armoury can hold: characteristics.M")
        for line in said(came, "lost")
    )
    with pytest.raises(armoury_data.NoArmouryInData, match=r"Blob: no type .*characteristics\.M"):
        imported(tmp_path, system(), catalogue(selectionEntries=[odd]))


def test_a_vehicle_is_named_and_its_gear_is_listed(tmp_path: Path) -> None:
    card = {"M": '8"', "Front": "6", "Side": "5", "Rear": "4", "HP": "4", "Hnd": "6+", "Sv": "4+"}
    rig = entry("Rig", profile("Rig", "Vehicle", card), cost=150, type="model")
    ram = entry("Ram", profile("Ram", "Vehicle upgrade", {"Description": "Words."}), cost=30)
    came = imported(tmp_path, system(), catalogue(selectionEntries=[rig], sharedSelectionEntries=[ram]))
    assert any(line.startswith("the vehicle Rig") for line in said(came, "lost"))
    assert things(came)["Ram"]["kind"] == "vehicle_upgrade"
    assert "fighters" not in came.armoury


# --- fighters ----------------------------------------------------------------------------------------------


def test_a_category_is_told_by_its_list_its_name_or_what_was_said_and_else_asked(tmp_path: Path) -> None:
    listed_as = [{"id": "k", "name": "Champions", "targetId": "gone", "primary": True}]
    house = catalogue(selectionEntries=[
        fighter("Stoker", categoryLinks=listed_as), fighter("Juve"), fighter("Cinder"), fighter("Mystery"),
    ])  # fmt: skip
    came = imported(tmp_path, system(), house, categories={"cinder": "brute"})
    ranks = {each["type"]: each["category"] for each in came.armoury["fighters"]}
    assert ranks == {"Stoker": "champion", "Juve": "juve", "Cinder": "brute", "Mystery": "ganger"}
    assert ["Mystery" in line and "--category" in line for line in said(came, "asked")] == [True]


def test_a_category_that_the_book_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(armoury_data.data_fighters.NoSuchRank, match="champion"):
        imported(
            tmp_path, system(), catalogue(selectionEntries=[fighter("Hand")]), categories={"Hand": "champ"}
        )


def test_a_unit_around_one_model_gives_it_its_price(tmp_path: Path) -> None:
    unit = entry("Hand squad", cost=10, type="unit", selectionEntries=[fighter("Hand")])
    came = imported(tmp_path, system(), catalogue(selectionEntries=[unit]))
    assert [(each["type"], each["cost"]) for each in came.armoury["fighters"]] == [("Hand", 60)]


def test_choices_of_a_card_within_a_model_are_types_by_their_profiles(tmp_path: Path) -> None:
    walker, flyer = (entry(name, profile(f"{name} thrall", "Model", CARD)) for name in ("Ground", "Winged"))
    kinds = group("Kind of thrall", selectionEntries=[walker, flyer])
    came = imported(tmp_path, system(), catalogue(selectionEntries=[
        entry("Thrall", cost=20, type="model", selectionEntryGroups=[kinds])
    ]))  # fmt: skip
    assert [(each["type"], each["cost"]) for each in came.armoury["fighters"]] == [
        ("Ground thrall", 20),
        ("Winged thrall", 20),
    ]


def test_a_save_on_the_card_is_armour_and_two_of_them_are_named(tmp_path: Path) -> None:
    rule = {"id": "r", "name": "Mesh armour", "hidden": False}
    one = entry("Stoker", profile("Stoker", "Model", CARD | {"Sv": "5+"}), cost=1, type="model", rules=[rule])
    two = entry("Cinder", profile("Cinder", "Model", CARD | {"Sv": "6+ / 5+"}), cost=1, type="model")
    came = imported(tmp_path, system(), catalogue(selectionEntries=[one, two]))
    assert [each.get("armour") for each in came.armoury["fighters"]] == [
        {"name": "Mesh armour", "save": 5},
        None,
    ]
    assert any("6+ and 5+ of Cinder" in line for line in said(came, "lost"))


def test_a_special_rule_that_is_no_skill_is_named(tmp_path: Path) -> None:
    odd = fighter("Hand", rules=[{"id": "r", "name": "Bad breath", "hidden": False, "description": "Words."}])
    came = imported(tmp_path, system(), catalogue(selectionEntries=[odd]))
    assert any(line.startswith("Bad breath of Hand") for line in said(came, "lost"))


def test_skills_that_are_no_six_are_named(tmp_path: Path) -> None:
    five = group("Cunning Skills", selectionEntries=[entry(name) for name in "ABCDE"])
    came = imported(
        tmp_path, system(), catalogue(selectionEntries=[fighter("Hand")], sharedSelectionEntryGroups=[five])
    )
    assert "the skills Cunning: it has 5 skills, and a set has 6" in said(came, "lost")
    assert "skills" not in came.armoury


# --- Trench Crusade ----------------------------------------------------------------------------------------


def warband() -> list[dict[str, Any]]:
    unit = {"Movement": '6"/Infantry', "Ranged": "+2 Dice", "Melee": "N/A", "Armour": "-1", "Base": "32mm"}
    ability = profile("Stubborn", "Ability", {"Description": "Words."})
    keywords = [
        {"id": str(at), "name": name, "targetId": "", "primary": at == 0}
        for at, name in enumerate(("Elite", "Tough"))
    ]
    musket = entry("Musket", profile("Musket", "Weapon", {
        "Type": "2-Handed", "Range": '18"', "Keywords": "HEAVY, -1 INJURY DICE", "Rules": "Words.",
    }), costs=credits_of(12, "Ducats"))  # fmt: skip
    relic = entry(
        "Relic", profile("Relic", "Battlekit", {"Rules": "Words."}), costs=credits_of(3, "Glory Points")
    )
    priest = entry("Ash priest", profile("Ash priest", "Unit", unit), ability, type="model",
                   costs=credits_of(80, "Ducats"), categoryLinks=keywords, entryLinks=[link(musket)])  # fmt: skip
    costs = [{"id": "ct-Ducats", "name": "Ducats"}, {"id": "ct-Glory Points", "name": "Glory Points"}]
    return [
        system("Trench Crusade, made up", costTypes=costs),
        catalogue("Ash Pilgrims", selectionEntries=[priest], sharedSelectionEntries=[musket, relic]),
    ]


def test_a_warbands_models_and_weapons_come_by_the_book_of_trench_crusade(tmp_path: Path) -> None:
    came = imported(tmp_path, *warband())
    assert came.book == "trench_crusade"
    assert came.armoury["fighters"] == [
        {
            "type": "Ash priest", "house": "Ash Pilgrims", "category": "elite", "cost": 80, "skills": ["Stubborn", "Tough"],
            "characteristics": {"Mv": '6"', "Rng": "+2 DICE", "Mel": "-", "Arm": -1},
        }
    ]  # fmt: skip
    assert things(came)["Musket"] == {
        "name": "Musket", "cost": 12, "weapon": {"range": {"long": 18}, "traits": ["2-Handed", "HEAVY", "-1 INJURY DICE"]},
    }  # fmt: skip
    assert came.armoury["lists"] == [{"house": "Ash Pilgrims", "items": [{"name": "Musket"}]}]
    assert any("3 Glory Points for Relic" in line for line in said(came, "lost"))
    listed(came)


# --- games and books ---------------------------------------------------------------------------------------


def test_another_game_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(armoury_data.DataOfAnotherGame, match="Kitchen wars"):
        imported(tmp_path, system("Kitchen wars"), catalogue(selectionEntries=[fighter("Hand")]))


def test_without_a_game_system_the_profiles_say_which_game_it_is(tmp_path: Path) -> None:
    assert imported(tmp_path, catalogue(selectionEntries=[fighter("Hand")])).book == "necromunda_2023"
    assert (
        imported(tmp_path, catalogue(sharedSelectionEntries=[weapon("Scrap gun")])).book == "necromunda_2023"
    )
    assert imported(tmp_path, warband()[1]).book == "trench_crusade"
    with pytest.raises(armoury_data.GameNotSaid):
        imported(tmp_path, catalogue(sharedSelectionEntries=[entry("Rope", cost=5)]))


def test_files_without_anything_for_an_armoury_are_refused_with_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(armoury_data.NoArmouryInData, match="the catalogue Arms, which Forge Clans needs"):
        imported(
            tmp_path, system(), catalogue(catalogueLinks=[{"id": "x", "name": "Arms", "targetId": "nowhere"}])
        )


def test_the_same_files_give_the_same_armoury(clans: ArmouryImport) -> None:
    again = armoury_of([str(sources.SYSTEM), str(sources.CLANS)])
    assert json.dumps(again.armoury) == json.dumps(clans.armoury)
    assert again.findings == clans.findings

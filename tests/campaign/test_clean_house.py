"""Clean house: what becomes of the gear of the dead, and of who retires. Source: D5.7."""

from __future__ import annotations

from scenario import KRUG, SAINTS, SKULLS, VEX, card, given
from tables import every
from trading_scenario import (
    BOOMER_ITEM,
    FLAK_ITEM,
    MESH_ITEM,
    RIDE,
    STUB,
    balance,
    buy,
    d6,
    fought,
    rich,
    stash,
)

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.campaign.profiles import Item
from tracker.records import replace


@every(("dead", "kept"), [((VEX,), ["stub gun", "goggles"]), ((VEX, KRUG), [])])
def test_the_gear_of_the_dead_is_saved_by_whoever_remained_on_the_field(
    dead: tuple[str, ...], kept: list[str]
) -> None:
    table = fought(card(VEX, weapons=(STUB,), wargear=("goggles",)), dead=dead)
    table = table.when(records.CleanHouse(gang=SKULLS))
    assert stash(table) == kept
    assert table.fighter(VEX).weapons == ()
    assert stash(table, SAINTS) == []


def test_whether_gear_was_saved_can_be_stated_and_a_house_is_cleaned_once() -> None:
    table = fought(card(VEX, weapons=(STUB,)), dead=(VEX, KRUG)).when(
        records.CleanHouse(gang=SKULLS, saved=True)
    )
    assert stash(table) == ["stub gun"]
    table = table.when(records.CleanHouse(gang=SKULLS, saved=True))
    assert stash(table) == ["stub gun"]


def test_a_fighter_who_retires_leaves_everything_to_the_stash() -> None:
    vex = card(VEX, weapons=(STUB,), armour=MESH_ITEM.armour, wargear=("goggles",))
    table = given(vex, battle=False).when(
        records.RetireFighter(fighter=VEX, reason="old", gear_to_stash=True)
    )
    assert [item.name for item in table.state.gangs[SKULLS].stash] == ["stub gun", "Mesh armour", "goggles"]
    assert rating(table.state.gangs[SKULLS]) == 100


def test_an_older_entry_that_says_nothing_of_gear_leaves_it_on_the_card() -> None:
    table = given(card(VEX, weapons=(STUB,)), battle=False).when(
        records.RetireFighter(fighter=VEX, reason="old")
    )
    assert (table.state.gangs[SKULLS].stash, table.fighter(VEX).weapons) == ((), (STUB,))


@every(("saved", "stash"), [(True, ["stub gun", "goggles"]), (False, [])], ids=["saved", "nobody there"])
def test_the_gear_of_the_dead_but_for_armour_goes_to_the_stash_if_somebody_saved_it(
    saved: bool, stash: list[str]
) -> None:
    from tracker.campaign.steps.decision import Decision
    from tracker.campaign.steps.gangs import gear_of_the_dead
    from tracker.dice import DiceTray
    from tracker.rules import loader

    vex = card(
        VEX, weapons=(STUB,), armour=MESH_ITEM.armour, field_armour=FLAK_ITEM.armour, wargear=("goggles",)
    )
    decision = Decision(given(vex, battle=False).state, loader.rulebook("necromunda_2023", ()), DiceTray(()))
    gear_of_the_dead(decision, VEX, saved=saved)
    assert [item.name for item in decision.state.gangs[SKULLS].stash] == stash
    left = decision.fighter(VEX)
    assert (left.weapons, left.armour, left.field_armour, left.wargear) == ((), None, None, ())


def test_a_damaged_vehicle_is_scrapped_for_a_quarter_rounded_up_to_5_and_its_weapons_are_kept() -> None:
    ram = Item(name="ram", kind="vehicle_upgrade", cost_credits=21)
    table = rich().when(records.BuyVehicle(gang=SKULLS, card=RIDE))
    table = table.when(buy(ram, "own_list", vehicle="rig")).when(buy(BOOMER_ITEM, "own_list", vehicle="rig"))
    table.when(records.ScrapVehicle(vehicle="rig")).then_refused(records.VehicleNotDamaged)
    damaged = replace(table.state.gangs[SKULLS].vehicles["rig"], in_repair=True)
    table = replace(table, state=table.state.with_vehicle(damaged)).when(records.ScrapVehicle(vehicle="rig"))
    # 1000 - 100 - 21 - 120 = 759; a quarter of 100 + 21 is 30.25, rounded up to 35.
    assert balance(table) == 759 + 35
    assert table.state.gangs[SKULLS].stash == (BOOMER_ITEM,)
    assert table.state.gangs[SKULLS].vehicles["rig"].gone


@every(("face", "kept"), [(1, False), (2, True), (6, True)])
def test_an_upgrade_taken_off_breaks_on_a_1(face: int, kept: bool) -> None:
    ram = Item(name="ram", kind="vehicle_upgrade", cost_credits=20)
    table = rich().when(records.BuyVehicle(gang=SKULLS, card=RIDE)).when(buy(ram, "own_list", vehicle="rig"))
    assert table.state.gangs[SKULLS].vehicles["rig"].cost_credits == 120
    table = table.when(records.RemoveUpgrade(vehicle="rig", upgrade="ram"), d6("upgrade_removal", face))
    assert table.state.gangs[SKULLS].stash == ((ram,) if kept else ())
    assert table.state.gangs[SKULLS].vehicles["rig"].cost_credits == 100

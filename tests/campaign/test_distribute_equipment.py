"""Distribute equipment: what may be carried, handed out, taken off and thrown away. Source: rules D5.7, D6.3."""

from __future__ import annotations

from scenario import KRUG, MAGS, SKULLS, VEX, card, given
from tables import every
from trading_scenario import (
    BOOMER_ITEM,
    FLAK_ITEM,
    GOGGLES,
    MESH_ITEM,
    STASH,
    STUB,
    STUB_ITEM,
    buy,
    give,
    rich,
)

from tracker.campaign import records
from tracker.campaign.fighters import Standing
from tracker.campaign.holdings import rating, wealth
from tracker.records import replace


def test_a_thing_out_of_the_stash_raises_what_its_bearer_costs_and_the_wealth_stays() -> None:
    stocked = rich().when(buy(BOOMER_ITEM))
    table = stocked.when(give("boomer", VEX))
    assert table.fighter(VEX).cost_credits == 220
    assert rating(table.state.gangs[SKULLS]) == 320
    assert wealth(table.state.gangs[SKULLS]) == wealth(stocked.state.gangs[SKULLS])


def test_the_price_of_the_own_list_counts_for_the_card() -> None:
    table = rich().when(buy(GOGGLES)).when(give("goggles", VEX, worth=15))
    assert table.fighter(VEX).cost_credits == 115


def test_a_fighter_carries_three_weapons_and_one_marked_counts_as_two() -> None:
    table = rich().when(buy(STUB_ITEM)).when(buy(STUB_ITEM)).when(buy(BOOMER_ITEM))
    table = table.when(give("boomer", VEX)).when(give("stub gun", VEX))
    table.when(give("stub gun", VEX)).then_refused(records.WeaponsOverTheLimit, weapons=4, limit=3)


@every(("mounted", "category"), [(True, "ganger"), (False, "crew")])
def test_mounted_fighters_and_crew_carry_two_weapons(mounted: bool, category: str) -> None:
    vex = card(VEX, mounted=mounted, category=category, weapons=(STUB, STUB))
    table = given(vex, battle=False).when(buy(STUB_ITEM))
    table.when(give("stub gun", VEX)).then_refused(records.WeaponsOverTheLimit, weapons=3, limit=2)


def test_armour_takes_the_place_of_armour_when_it_is_said() -> None:
    table = rich().when(buy(MESH_ITEM)).when(buy(FLAK_ITEM)).when(give("flak armour", VEX))
    table.when(give("Mesh armour", VEX)).then_refused(records.CannotCarry)
    table = table.when(give("Mesh armour", VEX, replaces="Flak armour"))
    assert table.fighter(VEX).armour == MESH_ITEM.armour
    assert table.state.gangs[SKULLS].stash == (FLAK_ITEM,)
    assert table.fighter(VEX).cost_credits == 115


def test_equipment_is_not_taken_off_a_fighter_without_a_replacement() -> None:
    vex = card(VEX, weapons=(STUB,))
    off = records.MoveItem(item="stub gun", source=f"fighter:{VEX}", target=STASH)
    given(vex, battle=False).when(off).then_refused(records.NotTakenOff)
    assert (
        given(vex, battle=False)
        .when(replace(off, reason="sheet was wrong", beyond_rules=True))
        .state.gangs[SKULLS]
        .stash
    )


def test_swap_equipment_lets_fighters_swap_unless_in_recovery() -> None:
    table = given(card(VEX, weapons=(STUB,)), battle=False, knobs={"equipment.taken_off": "freely"})
    swap = records.MoveItem(item="stub gun", source=f"fighter:{VEX}", target=f"fighter:{KRUG}")
    swapped = table.when(swap)
    assert (swapped.fighter(VEX).weapons, swapped.fighter(KRUG).weapons) == ((), (STUB,))
    assert (swapped.fighter(VEX).cost_credits, swapped.fighter(KRUG).cost_credits) == (95, 105)
    injured = replace(table.fighter(VEX), recovering_since=1)
    replace(table, state=table.state.with_fighter(injured)).when(swap).then_refused(records.NotTakenOff)


def test_weapons_are_never_discarded_and_wargear_may_be() -> None:
    table = rich().when(buy(STUB_ITEM)).when(buy(GOGGLES))
    table.when(records.MoveItem(item="stub gun", source=STASH, target="@lost")).then_refused(
        records.NeverDiscarded
    )
    assert table.when(records.MoveItem(item="goggles", source=STASH, target="@lost")).state.gangs[
        SKULLS
    ].stash == (STUB_ITEM,)


def test_things_go_between_gangs_only_by_word() -> None:
    table = rich().when(buy(GOGGLES))
    gift = records.MoveItem(item="goggles", source=STASH, target=f"fighter:{MAGS}")
    table.when(gift).then_refused(records.OtherGangs)
    assert table.when(replace(gift, reason="a gift")).fighter(MAGS).wargear == ("goggles",)


@every("standing", ["dead", "retired", "sold"])
def test_nothing_is_handed_to_who_is_dead_or_gone(standing: Standing) -> None:
    table = rich().when(buy(GOGGLES))
    gone = replace(table.fighter(VEX), standing=standing)
    replace(table, state=table.state.with_fighter(gone)).when(give("goggles", VEX)).then_refused(
        records.FighterGone
    )


def test_two_things_of_one_name_keep_each_its_price() -> None:
    dear = replace(GOGGLES, cost_credits=35)
    table = rich(knobs={"equipment.taken_off": "freely"}).when(buy(GOGGLES)).when(buy(dear))
    table = table.when(give("goggles", VEX)).when(give("goggles", VEX))
    back = records.MoveItem(item="goggles", source=f"fighter:{VEX}", target=STASH)
    table = table.when(back).when(back)
    assert sorted(item.cost_credits for item in table.state.gangs[SKULLS].stash) == [20, 35]
    assert table.fighter(VEX).cost_credits == 100
    assert table.fighter(VEX).prices == {}

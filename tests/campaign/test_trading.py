"""Money and things: hiring, buying, selling, handing out, scrapping. Source: rules D5.7, D6.1, D6.2, D6.3."""

from __future__ import annotations

from affairs import (
    BOOMER_ITEM,
    FLAK_ITEM,
    GOGGLES,
    MESH_ITEM,
    STASH,
    STUB,
    STUB_ITEM,
    balance,
    buy,
    d6,
    give,
    hire,
    rich,
    sell,
)
from scenario import KRUG, MAGS, SAINTS, SKULLS, VEX, card, given
from tables import every

from tracker.campaign import records
from tracker.campaign.fighters import Standing
from tracker.campaign.holdings import rating, wealth
from tracker.campaign.profiles import Item
from tracker.records import replace

POST = "Core Rulebook (2023) · The Post-battle Sequence · Update Roster · Visit the Trading Post"
RIDE = records.VehicleCard(
    vehicle="rig",
    name="Rig",
    cost_credits=100,
    movement=7,
    toughness_front=5,
    toughness_side=5,
    toughness_rear=4,
    hit_points=3,
    handling=6,
    crew="",
)


# --- credits ---------------------------------------------------------------------------------------------


def test_credits_have_two_sides_and_a_reason() -> None:
    table = given(battle=False).when(
        records.MoveCredits(source=SKULLS, target=SAINTS, amount=30, reason="a wager")
    )
    table.then(
        records.CreditsMoved(source=SKULLS, target=SAINTS, amount=30, why="a wager", section="the Arbitrator")
    )
    assert (balance(table, SKULLS), balance(table, SAINTS)) == (70, 130)


def test_no_gang_goes_below_zero() -> None:
    table = given(battle=False)
    table.when(records.MoveCredits(source=SKULLS, target="@doc", amount=101, reason="test")).then_refused(
        records.NotEnoughCredits, credits=100, needed=101
    )
    assert (
        balance(table.when(records.MoveCredits(source=SKULLS, target="@doc", amount=100, reason="test"))) == 0
    )


def test_only_the_arbitrators_word_lets_a_gang_owe() -> None:
    word = records.MoveCredits(
        source=SKULLS, target="@doc", amount=150, reason="a debt agreed on", overdraw=True
    )
    assert balance(given(battle=False).when(word)) == -50


@every(
    ("source", "target", "amount", "refusal"),
    [
        (SKULLS, SKULLS, 5, records.NothingMoves),
        (SKULLS, SAINTS, -5, records.NothingMoves),
        ("@bank", SAINTS, 5, records.UnknownAccount),
        ("rats", SAINTS, 5, records.UnknownAccount),
        ("@doc", "@nowhere", 5, records.UnknownAccount),
    ],
)
def test_a_movement_needs_two_accounts_and_an_amount(
    source: str, target: str, amount: int, refusal: type[Exception]
) -> None:
    moved = records.MoveCredits(source=source, target=target, amount=amount, reason="test")
    given(battle=False).when(moved).then_refused(refusal)  # type: ignore[arg-type]


def test_nothing_is_traded_while_a_battle_is_under_way() -> None:
    given().when(buy(GOGGLES)).then_refused(records.BattleUnderWayAlready)


# --- buying ----------------------------------------------------------------------------------------------


def test_a_common_item_is_paid_for_and_goes_to_the_stash() -> None:
    table = rich().when(buy(GOGGLES))
    table.then(
        records.CreditsMoved(
            source=SKULLS,
            target="@trading_post",
            amount=20,
            why="goggles bought",
            section=POST,
            item="goggles",
        ),
        records.ItemMoved(
            item=GOGGLES,
            source="@trading_post",
            target=STASH,
            source_gang=None,
            target_gang=SKULLS,
            why="goggles bought",
            section=POST,
        ),
    )
    assert table.state.gangs[SKULLS].stash == (GOGGLES,)
    rich().when(buy(GOGGLES, fighter=KRUG)).then_refused(records.GoesToStash)


def test_the_own_list_goes_straight_to_a_model_and_raises_its_cost() -> None:
    table = rich().when(buy(STUB_ITEM, "own_list", fighter=VEX))
    assert table.fighter(VEX).weapons == (STUB,)
    assert table.fighter(VEX).cost_credits == 105
    assert records.FighterCostChanged(fighter=VEX, before=100, after=105, why="stub gun") in table.outcome
    rich().when(buy(STUB_ITEM, "own_list")).then_refused(records.WhoTakesIt)


def test_what_costs_more_than_the_gang_has_is_not_bought() -> None:
    given(battle=False).when(buy(BOOMER_ITEM)).then_refused(records.NotEnoughCredits, credits=100, needed=120)


@every("market", ["rare", "illegal"])
@every(("found", "allowed"), [(10, True), (9, True), (8, False), (None, False)])
def test_rare_and_illegal_items_are_bought_where_the_search_reached_them(
    market: str, found: int | None, allowed: bool
) -> None:
    table = rich().when(buy(GOGGLES, market, number=9, found=found))
    if allowed:
        assert table.state.gangs[SKULLS].stash == (GOGGLES,)
    else:
        table.then_refused(records.NotFound, found=found)


def test_a_rare_item_needs_its_number() -> None:
    rich().when(buy(GOGGLES, "rare", found=12)).then_refused(records.AvailabilityMissing)


# --- selling ---------------------------------------------------------------------------------------------


@every(("face", "price"), [(1, 110), (6, 60)])
def test_a_thing_is_sold_for_its_worth_less_ten_times_a_die(face: int, price: int) -> None:
    table = rich().when(buy(BOOMER_ITEM)).when(sell("boomer"), d6("sale", face))
    assert balance(table) == 1000 - 120 + price
    assert table.state.gangs[SKULLS].stash == ()


def test_a_thing_is_never_sold_for_less_than_5() -> None:
    table = rich().when(buy(GOGGLES)).when(sell("goggles"), d6("sale", 2))
    assert balance(table) == 1000 - 20 + 5


def test_what_is_not_in_the_stash_cannot_be_sold() -> None:
    rich().when(sell("goggles")).then_refused(records.ItemNotThere)
    table = rich().when(buy(GOGGLES)).when(sell("goggles"), d6("sale", 2))
    table.when(sell("goggles")).then_refused(records.ItemNotThere)


# --- handing out -----------------------------------------------------------------------------------------


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


# --- hiring ----------------------------------------------------------------------------------------------


def test_a_fighter_is_hired_for_what_the_card_costs() -> None:
    table = rich().when(hire("pip", "ganger", 55))
    assert balance(table) == 945
    assert isinstance(table.outcome[0], records.CreditsMoved)
    assert table.outcome[0].target == "@hiring"
    assert isinstance(table.outcome[1], records.FighterEnlisted)
    assert rating(table.state.gangs[SKULLS]) == 255


def test_a_fighter_who_comes_free_costs_nothing_and_counts_in_full() -> None:
    table = rich().when(hire("pip", "juve", 25, price=0))
    assert balance(table) == 1000
    assert table.fighter("pip").cost_credits == 25


# --- leaving ---------------------------------------------------------------------------------------------


def test_who_retires_leaves_everything_to_the_stash() -> None:
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


# --- vehicles --------------------------------------------------------------------------------------------


def test_a_vehicle_is_bought_into_the_stash_and_counts_in_the_rating_once_it_is_driven() -> None:
    table = rich().when(records.BuyVehicle(gang=SKULLS, card=RIDE))
    assert (balance(table), rating(table.state.gangs[SKULLS])) == (900, 200)
    assert wealth(table.state.gangs[SKULLS]) == 1200
    driven = table.when(records.CrewVehicle(vehicle="rig", fighter=VEX))
    assert rating(driven.state.gangs[SKULLS]) == 300
    retired = driven.when(records.RetireFighter(fighter=VEX, reason="old", gear_to_stash=True))
    assert retired.state.gangs[SKULLS].vehicles["rig"].crew == ""
    retired.when(records.CrewVehicle(vehicle="rig", fighter=VEX)).then_refused(records.FighterGone)


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

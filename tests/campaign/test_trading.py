"""Money and things: credits, buying, selling, hiring. Source: rules D5.7, D6.1, D6.3."""

from __future__ import annotations

from scenario import KRUG, SAINTS, SKULLS, VEX, given
from tables import every
from trading_scenario import (
    BOOMER_ITEM,
    GOGGLES,
    RIDE,
    STASH,
    STUB,
    STUB_ITEM,
    balance,
    buy,
    d6,
    hire,
    rich,
    sell,
)

from tracker.campaign import records
from tracker.campaign.holdings import rating, wealth

POST = "Core Rulebook (2023) · The Post-battle Sequence · Update Roster · Visit the Trading Post"


# --- credits ---------------------------------------------------------------------------------------------


def test_every_movement_of_credits_has_two_sides_and_a_reason() -> None:
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
def test_a_movement_of_credits_needs_two_accounts_and_an_amount(
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


def test_an_item_that_costs_more_than_the_gang_has_is_not_bought() -> None:
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
def test_an_item_is_sold_for_its_worth_less_ten_times_a_d6(face: int, price: int) -> None:
    table = rich().when(buy(BOOMER_ITEM)).when(sell("boomer"), d6("sale", face))
    assert balance(table) == 1000 - 120 + price
    assert table.state.gangs[SKULLS].stash == ()


def test_an_item_is_never_sold_for_less_than_5() -> None:
    table = rich().when(buy(GOGGLES)).when(sell("goggles"), d6("sale", 2))
    assert balance(table) == 1000 - 20 + 5


def test_an_item_that_is_not_in_the_stash_cannot_be_sold() -> None:
    rich().when(sell("goggles")).then_refused(records.ItemNotThere)
    table = rich().when(buy(GOGGLES)).when(sell("goggles"), d6("sale", 2))
    table.when(sell("goggles")).then_refused(records.ItemNotThere)


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

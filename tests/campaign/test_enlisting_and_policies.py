"""Gangs join, fighters leave, house rules come and go: from which battle on, and what is refused."""

from typing import Any

from scenario import (
    CLOSING,
    MAGS,
    ORDINARY,
    SAINTS,
    SKULLS,
    VEX,
    campaign,
    card,
    enlist,
    given,
    injuries,
    injury,
    lasting,
    opening,
    out_of_action,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.profiles import Item
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import ImpossibleKnobValue

NEWCOMER = card("newt")


def text(policy: str, version: int = 1, **knobs: str) -> records.PolicyText:
    patch = {name.replace("__", "."): value for name, value in knobs.items()}
    return records.PolicyText(policy=policy, version=version, title=policy, source="test", patch=patch)


ONE_ROLL = text("one-roll", lasting_injuries__rolls="once")
EACH_ROLL = text("each-roll", lasting_injuries__rolls="each_out_of_action")
TWO_OUT = injury("ooa", "ooa")


def adopt(policy: records.PolicyText, *, from_battle: int) -> records.AdoptPolicy:
    return records.AdoptPolicy(text=policy, from_battle=from_battle, reason="club vote")


def repeal(policy: str, *, from_battle: int) -> records.RepealPolicy:
    return records.RepealPolicy(policy=policy, from_battle=from_battle, reason="club vote")


# --- enlisting -------------------------------------------------------------------------------------------


def test_a_fighter_joins_with_the_card_as_written() -> None:
    newt = given(battle=False).when(records.EnlistFighter(gang=SKULLS, card=NEWCOMER)).fighter("newt")
    assert (newt.gang, newt.characteristics, newt.cost_credits) == (SKULLS, ORDINARY, 100)
    assert (newt.experience, newt.injuries, newt.standing) == (0, (), "enlisted")


def test_ids_of_fighters_and_gangs_are_unique() -> None:
    ready = given(battle=False)
    ready.when(records.EnlistFighter(gang=SAINTS, card=card(VEX))).then_refused(
        records.FighterEnlistedAlready, gang=SKULLS
    )
    again = enlist(SKULLS)
    ready.when(again).then_refused(records.GangEnlistedAlready)


@every(
    ("characteristic", "value", "said"),
    [
        ("movement", 9, 'M 9" is kept as the card has it; the book prints 1" to 8"'),
        ("weapon_skill", 1, "WS 1+ is kept as the card has it; the book prints 6+ to 2+"),
        ("weapon_skill", 7, "WS 7+ is kept as the card has it; the book prints 6+ to 2+"),
        ("strength", 7, "S 7 is kept as the card has it; the book prints 1 to 6"),
        ("toughness", 7, "T 7 is kept as the card has it; the book prints 1 to 6"),
        ("attacks", 11, "A 11 is kept as the card has it; the book prints 1 to 10"),
        ("cool", 2, "Cl 2+ is kept as the card has it; the book prints 10+ to 3+"),
    ],
)
def test_a_number_that_the_book_does_not_print_is_kept_and_said(
    characteristic: str, value: int, said: str
) -> None:
    odd = replace(NEWCOMER, characteristics={**ORDINARY, characteristic: value})
    enlisting = records.EnlistFighter(gang=SKULLS, card=odd)
    table = given(battle=False).when(enlisting)
    assert table.fighter(odd.fighter).characteristics[characteristic] == value
    assert beyond_printed([enlisting], loader.book("necromunda_2023")) == (f"{odd.name}: {said}.",)


def test_a_number_beyond_the_best_is_worsened_as_any_other() -> None:
    # A Spinal Injury takes 1 of Strength: 9 becomes 8, though 6 is the best printed.
    table = given(card(VEX, strength=9)).when(out_of_action(VEX, by=MAGS), lasting(5, 1))
    assert table.fighter(VEX).characteristics["strength"] == 8


@every("characteristic", ["weapon_skill", "toughness", "strength", "wounds", "attacks", "cool"])
def test_a_number_that_no_roll_or_comparison_can_use_is_refused(characteristic: str) -> None:
    odd = replace(NEWCOMER, characteristics={**ORDINARY, characteristic: 0})
    given(battle=False).when(records.EnlistFighter(gang=SKULLS, card=odd)).then_refused(
        records.CharacteristicOutOfRange
    )


def test_a_card_has_the_characteristics_of_the_book_and_no_others() -> None:
    short = replace(NEWCOMER, characteristics={k: v for k, v in ORDINARY.items() if k != "cool"})
    given(battle=False).when(records.EnlistFighter(gang=SKULLS, card=short)).then_refused(
        records.OtherCharacteristics, missing=("cool",), unknown=()
    )
    odd = replace(NEWCOMER, characteristics={**ORDINARY, "speed": 3})
    given(battle=False).when(records.EnlistFighter(gang=SKULLS, card=odd)).then_refused(
        records.OtherCharacteristics, missing=(), unknown=("speed",)
    )


def test_nobody_joins_or_retires_during_a_battle() -> None:
    given().when(records.EnlistFighter(gang=SKULLS, card=NEWCOMER)).then_refused(
        records.BattleUnderWayAlready
    )
    given().when(records.RetireFighter(fighter=VEX, reason="old")).then_refused(records.BattleUnderWayAlready)


def test_a_renamed_fighter_is_the_same_fighter() -> None:
    table = given().when(records.RenameFighter(fighter=VEX, name="Vexxa"))
    table.then(records.FighterRenamed(fighter=VEX, before="Vex", after="Vexxa"))
    assert table.fighter(VEX).name == "Vexxa"


def test_a_campaign_opens_once() -> None:
    given(battle=False).when(records.OpenCampaign(name="-", slug="-", book="necromunda_2023")).then_refused(
        records.CampaignOpenAlready
    )


# --- policies --------------------------------------------------------------------------------------------


def test_a_policy_holds_from_its_battle_on_and_not_before() -> None:
    table = given(battle=False).when(adopt(ONE_ROLL, from_battle=2)).when(opening(1))
    table = table.when(injuries(VEX, dice=2), TWO_OUT, lasting(2, 1), lasting(2, 1)).when(CLOSING)
    table = table.when(opening(2)).when(injuries(VEX, dice=2), TWO_OUT, lasting(2, 1))
    assert len(table.fighter(VEX).injuries) == 2 + 1


def test_a_repealed_policy_holds_until_its_battle() -> None:
    table = given(knobs={"lasting_injuries.rolls": "once"}).when(repeal("of-this-table", from_battle=2))
    table = table.when(injuries(VEX, dice=2), TWO_OUT, lasting(2, 1)).when(CLOSING)
    table = table.when(opening(2)).when(injuries(VEX, dice=2), TWO_OUT, lasting(2, 1), lasting(2, 1))
    assert len(table.fighter(VEX).injuries) == 1 + 2


def test_a_newer_version_takes_the_place_of_the_older_from_its_battle_on() -> None:
    second = text("one-roll", 2, lasting_injuries__rolls="each_out_of_action")
    table = given(battle=False).when(adopt(ONE_ROLL, from_battle=1)).when(adopt(second, from_battle=2))
    table = table.when(opening(1)).when(injuries(VEX, dice=2), TWO_OUT, lasting(2, 1)).when(CLOSING)
    table = table.when(opening(2)).when(injuries(MAGS, dice=2), TWO_OUT, lasting(2, 1), lasting(2, 1))
    assert [len(table.fighter(name).injuries) for name in (VEX, MAGS)] == [1, 2]


def test_of_several_versions_one_holds_for_each_battle() -> None:
    table = given(battle=False)
    for version, first in ((1, 1), (2, 5), (3, 3)):
        table = table.when(
            adopt(text("one-roll", version, lasting_injuries__rolls="once"), from_battle=first)
        )
    held = [
        [policy.version for policy in table.state.policies if policy.holds_for(battle)]
        for battle in range(1, 7)
    ]
    assert held == [[1], [1], [3], [3], [3], [3]]


def test_what_was_decided_stays_decided_under_the_rules_of_its_day() -> None:
    table = given().when(CLOSING)
    table.when(adopt(ONE_ROLL, from_battle=1)).then_refused(records.BattleInThePast, next_battle=2)
    given().when(adopt(ONE_ROLL, from_battle=1)).then_refused(records.BattleInThePast, next_battle=2)
    given().when(repeal("one-roll", from_battle=1)).then_refused(records.BattleInThePast)


def test_two_policies_never_move_one_knob() -> None:
    table = given(battle=False).when(adopt(ONE_ROLL, from_battle=1))
    table.when(adopt(EACH_ROLL, from_battle=1)).then_refused(records.KnobMovedAlready, other="one-roll")
    table.when(adopt(ONE_ROLL, from_battle=2)).then_refused(records.PolicyInForceAlready)
    table.when(repeal("each-roll", from_battle=1)).then_refused(records.PolicyNotInForce)


def test_a_repealed_policy_leaves_its_knob_free_from_its_last_battle_on_and_not_before() -> None:
    table = given(battle=False).when(adopt(ONE_ROLL, from_battle=1)).when(repeal("one-roll", from_battle=3))
    table.when(adopt(EACH_ROLL, from_battle=2)).then_refused(records.KnobMovedAlready, other="one-roll")
    freed = table.when(adopt(EACH_ROLL, from_battle=3))
    assert [policy.policy for policy in freed.state.policies] == ["one-roll", "each-roll"]


def test_a_version_that_was_adopted_never_sets_anything_else() -> None:
    table = given(battle=False).when(adopt(ONE_ROLL, from_battle=1)).when(repeal("one-roll", from_battle=1))
    edited = text("one-roll", 1, lasting_injuries__rolls="each_out_of_action")
    table.when(adopt(edited, from_battle=2)).then_refused(records.PolicyChanged, version=1, next_version=2)
    table.when(adopt(ONE_ROLL, from_battle=2))
    table.when(adopt(replace(edited, version=2), from_battle=2))


def test_a_policy_must_fit_the_book() -> None:
    ready = given(battle=False)
    ready.when(adopt(text("odd", stray_arrows__hits_on="6"), from_battle=1)).then_refused(
        records.PolicyForAnotherBook, knob="stray_arrows.hits_on"
    )
    ready.when(adopt(text("odd", lasting_injuries__rolls="twice"), from_battle=1)).then_refused(
        ImpossibleKnobValue
    )


# --- the founding budget ---------------------------------------------------------------------------------


def founded(budget: int | None, *, left: int = 0, **past: Any) -> records.EnlistGang:
    """Two fighters of 100 credits each."""
    gang = enlist("third", card("ned"), replace(card("pip"), **past), credits=left)
    return replace(gang, founding_budget=budget)


@every(("budget", "left", "allowed"), [
    (200, 0, True), (199, 0, False), (240, 40, True), (240, 41, False), (None, 5000, True),
])  # fmt: skip
def test_a_new_gang_costs_no_more_than_its_founding_budget_with_what_it_keeps(
    budget: int | None, left: int, allowed: bool
) -> None:
    table = campaign().when(founded(budget, left=left))
    if allowed:
        assert table.state.gangs["third"].credits == left
    else:
        table.then_refused(records.FoundingBudgetExceeded, spent=200, left=left, budget=budget)


def test_the_stash_of_a_new_gang_is_paid_from_its_founding_budget() -> None:
    stocked = replace(founded(210), stash=(Item(name="rope", kind="wargear", cost_credits=11),))
    campaign().when(stocked).then_refused(records.FoundingBudgetExceeded, spent=211)


def test_a_gang_that_is_brought_along_has_outgrown_its_founding_budget() -> None:
    season = records.GangSoFar(battles=3)
    assert not campaign().when(replace(founded(100), so_far=season)).refusal
    assert not campaign().when(founded(100, so_far=records.FighterSoFar(advances=3))).refusal

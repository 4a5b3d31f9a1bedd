"""Unresolved entries that rest on XP and credits: what a ruling takes away was spent already, and nothing is clipped at 0."""

from fractions import Fraction

from rides import ram, riding
from scenario import (
    CLOSING,
    KRUG,
    MAGS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    given,
    hit,
    injury,
    lasting,
    opening,
    out_of_action,
    wound,
)

from tracker.campaign import records
from tracker.campaign.rulings.keep_as_recorded import replay_recorded
from tracker.campaign.rulings.outcome_distribution import outcome_distribution
from tracker.campaign.rulings.redecision import Redecision, SlotInstruction, redecide
from tracker.campaign.state import CampaignState
from tracker.records import replace
from tracker.rules import loader

VOID, KEEP = SlotInstruction(void=True), SlotInstruction(keep=True)
AWARD, BOUGHT = 6, 7


def ruled(
    table: Table, instructions: dict[int, SlotInstruction], strategy: records.Strategy = "carry"
) -> Redecision:
    return redecide(CampaignState(), table.slots(), instructions, loader.rulebook, strategy=strategy)


def results(found: Redecision) -> dict[int, str]:
    return {redecided.slot.slot: redecided.result for redecided in found.slots}


def the_xp_bought_an_advancement() -> Table:
    """4 XP are awarded to Krug, who has none, and buy a better Cool (4 XP)."""
    return (
        given()
        .when(CLOSING)
        .when(records.AwardExperience(fighter=KRUG, amount=4, reason="held the bridge"))
        .when(records.BuyAdvancement(fighter=KRUG, advancement="cool"))
    )


def test_xp_that_bought_an_advancement_and_was_never_earned_leaves_an_unresolved_entry() -> None:
    table = the_xp_bought_an_advancement()
    assert (table.fighter(KRUG).experience, table.fighter(KRUG).characteristics["cool"]) == (0, 6)
    found = ruled(table, {AWARD: VOID})
    assert results(found) == {AWARD: "voided", BOUGHT: "refused"}


def test_an_advancement_that_was_never_earned_cannot_be_kept_as_played() -> None:
    table = the_xp_bought_an_advancement()
    found = ruled(table, {AWARD: VOID, BOUGHT: KEEP})
    (entry,) = found.unsettled
    assert "Krug would have -4 XP, below 0" in entry.why
    krug = found.state.fighter(KRUG)
    assert krug is not None
    assert krug.experience == 0


def test_the_strategy_that_keeps_voids_what_cannot_be_kept() -> None:
    for strategy in ("keep-later", "void-later"):
        found = ruled(the_xp_bought_an_advancement(), {AWARD: VOID}, strategy)  # type: ignore[arg-type]
        assert results(found) == {AWARD: "voided", BOUGHT: "voided"}
        krug = found.state.fighter(KRUG)
        assert krug is not None
        assert (krug.characteristics["cool"], krug.advancements) == (7, 0)


def test_credits_that_were_spent_and_never_came_in_leave_an_unresolved_entry() -> None:
    """The gang has 100; 50 come in and 140 are spent."""
    table = (
        given(battle=False)
        .when(records.MoveCredits(source="@arbitrator", target=SKULLS, amount=50, reason="found"))
        .when(records.MoveCredits(source=SKULLS, target="@arbitrator", amount=140, reason="spent"))
    )
    found = ruled(table, {4: VOID})
    assert results(found) == {4: "voided", 5: "refused"}
    (entry,) = ruled(table, {4: VOID, 5: KEEP}).unsettled
    assert "the stash of Skulls would be -40" in entry.why


def test_credits_of_a_gang_that_never_enlisted_are_not_kept_moving() -> None:
    table = given(battle=False).when(
        records.MoveCredits(source="@arbitrator", target=SKULLS, amount=50, reason="found")
    )
    enlisting = next(
        slot.slot
        for slot in table.slots()
        if any(
            isinstance(event, records.GangEnlisted) and event.gang == SKULLS for event in slot.domain_events
        )
    )
    found = ruled(table, {enlisting: VOID, 4: KEEP})
    (entry,) = found.unsettled
    assert f"it speaks of {SKULLS}, who is not enlisted any more" in entry.why


def test_a_die_about_a_vehicle_is_kept_as_played() -> None:
    """The Saints wound on 2 and roll a 1: all that stands of the slot is a die about the rig."""
    table = riding().when(ram(), wound(1))
    hit_on_the_rig = table.slots()[-1].slot
    assert results(ruled(table, {hit_on_the_rig: KEEP})) == {hit_on_the_rig: "kept"}


def test_a_closing_is_not_kept_where_its_battle_never_began() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), lasting(2, 1)).when(CLOSING)
    found = ruled(table, {4: VOID, 5: VOID, 6: KEEP})
    (entry,) = found.unsettled
    assert "battle battle-1, which it closes, is not under way" in entry.why


def test_a_battle_is_not_kept_twice() -> None:
    table = given().when(CLOSING).when(opening(2)).when(CLOSING)
    again = table.slots()[5]
    twice = SlotInstruction(restore=table.slots()[3], keep=True)
    found = ruled(table, {again.slot: twice})
    assert "battle battle-1 would be fought twice" in next(redecided.why for redecided in found.unsettled)


def test_a_gang_is_not_kept_enlisting_a_second_time_without_those_it_had() -> None:
    """A ruling that struck out who enlisted first is taken back, and the gang has enlisted anew with fewer."""
    table = given(battle=False).when(
        records.MoveCredits(source="@arbitrator", target=SKULLS, amount=5, reason="found")
    )
    anew = campaign(enlist(SKULLS, card(KRUG), credits=100)).slots()[-1]
    found = ruled(table, {4: SlotInstruction(restore=anew, keep=True)})
    (entry,) = found.unsettled
    assert "It cannot be kept as played: Skulls would enlist a second time, without Vex." in entry.why


def test_a_gang_is_not_kept_enlisting_a_second_time_without_its_vehicle() -> None:
    table = riding(battle=False).when(
        records.MoveCredits(source="@arbitrator", target=SKULLS, amount=5, reason="found")
    )
    anew = campaign(enlist(SKULLS, card(KRUG), card(VEX), credits=100)).slots()[-1]
    found = ruled(table, {4: SlotInstruction(restore=anew, keep=True)})
    (entry,) = found.unsettled
    assert "It cannot be kept as played: Skulls would enlist a second time, without Rig." in entry.why


def test_the_outcomes_of_unrolled_dice_are_exact_and_sum_to_one() -> None:
    """A wound roll of 4 wounds; the Injury die (2 Flesh Wound, 3 Serious, 1 Out of Action in 6) was never rolled."""
    table = given().when(hit(VEX, by=MAGS), wound(1))
    found = ruled(table, {5: SlotInstruction(correct=(0, wound(4)))})
    (unsettled,) = found.unsettled
    assert unsettled.state is not None
    assert unsettled.command is not None
    brought = outcome_distribution(
        unsettled.state, unsettled.command, unsettled.dice, loader.rulebook, entry=5
    )
    assert brought is not None
    assert sum(end.chance for end in brought.ends) == 1
    chances: dict[str, Fraction] = {}
    for end in brought.ends:
        assert end.state.under_way is not None
        vex = end.state.under_way.combatants[VEX]
        how = "out" if vex.out_of_action else "serious" if vex.seriously_injured else "flesh"
        chances[how] = chances.get(how, Fraction(0)) + end.chance
    assert chances == {"flesh": Fraction(1, 3), "serious": Fraction(1, 2), "out": Fraction(1, 6)}


def test_dice_that_lie_there_are_taken_before_any_is_thrown() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh"))
    header = table.slots()[4].header
    assert header is not None
    brought = outcome_distribution(table.before, header.command, header.dice, loader.rulebook, entry=5)
    assert brought is not None
    assert [(end.chance, end.state) for end in brought.ends] == [(Fraction(1), table.state)]


def test_what_is_kept_in_place_of_a_later_filling_names_its_causes_as_it_did() -> None:
    """An event's cause is its place within the entry: what the header led to, and what that led to."""
    *before, missed = given().when(hit(VEX, by=MAGS), wound(1)).slots()
    *_, fleshed = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh")).slots()
    first = fleshed.events[0].seq
    in_turn = tuple(
        replace(recorded, causation=None if recorded.seq == first else recorded.seq - 1)
        for recorded in fleshed.events
    )
    kept = SlotInstruction(restore=replace(fleshed, events=in_turn), keep=True)
    found = redecide(CampaignState(), [*before, missed], {missed.slot: kept}, loader.rulebook)
    (redecided,) = found.slots
    assert redecided.result == "kept"
    assert redecided.fill is not None
    assert [decided.cause for decided in redecided.fill] == [0, *range(len(in_turn) - 1)]


def test_an_entry_that_spends_what_is_there_is_kept_and_one_that_spends_more_is_not() -> None:
    state = given().when(CLOSING).state
    paid, too_much = (
        replay_recorded(
            state,
            [records.CreditsMoved(source=SKULLS, target="@doc", amount=amount, why="test", section="")],
        )
        for amount in (100, 101)
    )
    assert isinstance(paid, CampaignState)
    assert paid.gangs[SKULLS].credits == 0
    assert too_much == "the stash of Skulls would be -1, below 0"

"""Every die that a ruling will ask for is named before the first of them is rolled, over all entries."""

from typing import Any

import pytest
from scenario import CLOSING, DOT, MAGS, VEX, Table, given, hit, injury, lasting, wound

from tracker.campaign import records
from tracker.campaign.rulings import dice_forecast
from tracker.campaign.rulings.dice_forecast import LOOKED_AT_MAX, DiceForecast, forecast_dice
from tracker.campaign.rulings.redecision import SlotInstruction, redecide
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.dispatch import HANDLERS
from tracker.records import replace
from tracker.rules import loader

WOUNDS = SlotInstruction(correct=(0, wound(4)))
"""The wound roll was a 4: Strength 4 against Toughness 3, which wounds."""
FIRST, SECOND = 5, 6


def foreseen(table: Table, instructions: dict[int, SlotInstruction]) -> DiceForecast:
    found = redecide(CampaignState(), table.slots(), instructions, loader.rulebook)
    first = next(slot for slot in found.slots if slot.result == "needs_dice")
    return forecast_dice(first, table.slots(), instructions, loader.rulebook)


def named(found: DiceForecast, *, certain: bool) -> set[tuple[int, str, str | None]]:
    return {
        (forecast.entry, forecast.die.purpose, forecast.die.fighter)
        for forecast in found.dice
        if forecast.certain == certain
    }


def test_the_injury_die_is_sure_and_what_it_may_call_for_is_named_with_it() -> None:
    """A hit that wounds after all: an Injury die, whatever it shows. Out of Action calls for a Lasting Injury
    roll, a Serious Injury for the roll at the end of the battle, two entries later."""
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(hit(MAGS, by=VEX), wound(1)).when(CLOSING)
    found = foreseen(table, {FIRST: WOUNDS})
    assert named(found, certain=True) == {(FIRST, "injury", VEX)}
    assert {(FIRST, "lasting_injury", VEX), (7, "succumb", VEX)} <= named(found, certain=False)
    assert all(entry != SECOND for entry, _, _ in named(found, certain=False))


def test_dice_of_several_entries_are_named_together() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(hit(DOT, by=MAGS), wound(1))
    found = foreseen(table, {FIRST: WOUNDS, SECOND: WOUNDS})
    assert named(found, certain=True) == {(FIRST, "injury", VEX), (SECOND, "injury", DOT)}


def test_a_die_of_who_may_be_out_by_then_is_not_sure() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(hit(MAGS, by=VEX), wound(1))
    found = foreseen(table, {FIRST: WOUNDS, SECOND: WOUNDS})
    assert named(found, certain=True) == {(FIRST, "injury", VEX)}
    assert (SECOND, "injury", MAGS) in named(found, certain=False)
    assert [entry for entry, _ in found.refused] == [SECOND]


def test_who_may_be_out_by_then_may_not_be_hit_again() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(hit(VEX, by=MAGS), wound(4), injury("flesh"))
    found = foreseen(table, {FIRST: WOUNDS})
    ((entry, why),) = found.refused
    assert entry == SECOND
    assert "Out of Action earlier" in why


def test_an_entry_that_only_waited_because_the_one_before_it_was_open_asks_for_no_more() -> None:
    """Vex lay Seriously Injured, and was finished by a hit that is void now. As it stands the closing asks
    whether he succumbs; but if the first Injury die took him out, he lies there no more."""
    table = (
        given()
        .when(hit(VEX, by=MAGS), wound(4), injury("serious"))
        .when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(2, 1))
        .when(CLOSING)
    )
    instructions = {FIRST: SlotInstruction(correct=(1, injury("out")[0])), SECOND: SlotInstruction(void=True)}
    redecided = redecide(CampaignState(), table.slots(), instructions, loader.rulebook)
    assert [unsettled.slot.slot for unsettled in redecided.unsettled] == [FIRST, 7]
    found = foreseen(table, instructions)
    assert named(found, certain=True) == {(FIRST, "lasting_injury", VEX)}
    assert found.asks_no_more(7)
    assert not found.asks_no_more(FIRST)


def test_a_die_names_what_it_needs() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(CLOSING)
    found = foreseen(table, {FIRST: WOUNDS})
    why = {forecast.die.purpose: forecast.die.why for forecast in found.dice}
    assert why["succumb"] == "Seriously Injured at the end of the battle, needs 3+"


def test_no_more_commands_are_decided_than_a_preview_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several commands of one entry count each for itself: else a season full of them would never come back."""
    misses = records.PlayInTurn(commands=tuple(hit(MAGS, by=DOT) for _ in range(50)))
    table = given().when(hit(VEX, by=MAGS), wound(1))
    for _ in range(20):
        table = table.when(misses, *(replace(wound(1), part=part) for part in range(50)))
    found = redecide(CampaignState(), table.slots(), {FIRST: WOUNDS}, loader.rulebook)
    first = next(slot for slot in found.slots if slot.result == "needs_dice")

    decided, usual = 0, HANDLERS[records.ResolveHit]

    def counted(*facts: Any) -> records.Command | None:
        nonlocal decided
        decided += 1
        return usual(*facts)

    monkeypatch.setitem(HANDLERS, records.ResolveHit, counted)
    foreseen_now = forecast_dice(first, table.slots(), {FIRST: WOUNDS}, loader.rulebook)
    assert 0 < decided <= LOOKED_AT_MAX
    assert not foreseen_now.whole
    assert FIRST < foreseen_now.last < FIRST + 20


def test_nothing_behind_an_entry_that_is_too_much_is_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What that entry may do is not known, so neither is who lies there at the end of the battle."""
    monkeypatch.setattr(dice_forecast, "LOOKED_AT_MAX", 300)
    misses = records.PlayInTurn(commands=tuple(hit(MAGS, by=DOT) for _ in range(50)))
    table = given().when(hit(VEX, by=MAGS), wound(1))
    table = table.when(misses, *(replace(wound(1), part=part) for part in range(50))).when(CLOSING)
    found = foreseen(table, {FIRST: WOUNDS})
    assert not found.whole
    assert found.last == FIRST
    assert {forecast.entry for forecast in found.dice} == {FIRST}

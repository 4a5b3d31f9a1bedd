"""Counterfactuals: the result of a slot under another ruling, as far as its own dice decide it."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign.rulings.redecision import Slot
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray, ways_of
from tracker.errors import Refusal
from tracker.records import Record, replace


class Counterfactual(Record):
    """The state after a slot, or, where a die would be rolled that never was, for whom."""

    state: CampaignState | None
    rolls_for: str | None = None


def counterfactuals(
    before: CampaignState, slot: Slot, number: int | None, library: Library
) -> Iterator[Counterfactual]:
    """The slot voided; and, where the die of that number is disputed, decided again with each other fall."""
    yield Counterfactual(state=before)
    header = slot.header
    if header is None or number is None:
        return
    die = header.dice[number]
    for faces in ways_of(die.die):
        if faces == die.faces:
            continue
        fallen = replace(die, faces=faces, symbol=None)
        tray = DiceTray((*header.dice[:number], fallen, *header.dice[number + 1 :], *header.spare))
        try:
            yield Counterfactual(
                state=decide_keeping_spare_dice(before, header.command, tray, library, entry=slot.slot).state
            )
        except DiceNeeded as needed:
            yield Counterfactual(state=None, rolls_for=needed.fighter)
        except Refusal:
            continue  # no ruling can be made so

"""Touching: what an entry reads and writes of the state before it, found by deciding it on one that notes it.

An entry that does not come out as it is recorded, or goes past what can be noted, touches everything.
"""

from __future__ import annotations

from tracker.campaign.rulings.keep_as_recorded import replay_recorded
from tracker.campaign.rulings.redecision import WORDS, Slot
from tracker.campaign.rulings.tracing import EVERYTHING, Reads, traced
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray
from tracker.errors import Refusal

ASTRAY = (AssertionError, AttributeError, KeyError, TypeError, ValueError)
"""What comes of asking a state that only stands in for one what it does not know how to answer."""


def touched_by(state: CampaignState, slot: Slot, library: Library) -> Reads:
    """What deciding a slot reads and writes, from the state before it."""
    reads = Reads()
    header = slot.header
    stand_in = traced(state, reads)
    try:
        if header is None or isinstance(header.command, WORDS):
            follows = not isinstance(replay_recorded(stand_in, slot.said), str)
        else:
            judgement = decide_keeping_spare_dice(
                stand_in,
                header.command,
                DiceTray((*header.dice, *header.spare)),
                library,
                entry=slot.slot,
                note=header.note,
                sent=header.sent,
            )
            follows = slot.said == tuple(decided.event for decided in judgement.events)
    except (Refusal, DiceNeeded, *ASTRAY):
        follows = False
    if not follows:
        reads.note(EVERYTHING)
    return reads

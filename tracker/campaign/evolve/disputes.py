"""What disputes and rulings do to the state: open disputes, slots kept by ruling, rulings taken back.

Never refuses. Knows no slot's contents: what a ruling decided again is in the events of those slots.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.records import replace

DisputeEvent: TypeAlias = (
    records.RollDisputed
    | records.DisputeWithdrawn
    | records.DisputeReopened
    | records.DisputeSettledAgain
    | records.RollConfirmed
    | records.RulingMade
    | records.SlotVoided
    | records.SlotKept
    | records.SlotReleased
)


def evolve_dispute(state: CampaignState, event: DisputeEvent) -> CampaignState:
    """The state after one event about disputes or rulings."""
    match event:
        case records.RollDisputed() | records.DisputeReopened():
            return replace(state, disputes={**state.disputes, event.dispute: _open(event)})
        case records.DisputeWithdrawn() | records.DisputeSettledAgain():
            return replace(state, disputes=_without(state, event.dispute))
        case records.RulingMade():
            taken_back = tuple(sorted({*state.rulings_taken_back} ^ {*event.turns}))
            return replace(state, disputes=_without(state, event.dispute), rulings_taken_back=taken_back)
        case records.SlotKept():
            return replace(state, kept={**state.kept, event.kept_slot: event.insisted})
        case records.SlotReleased():
            left_kept = {slot: how for slot, how in state.kept.items() if slot != event.released_slot}
            return replace(state, kept=left_kept)
        case records.RollConfirmed() | records.SlotVoided():
            return state
        case _:
            assert_never(event)


def _open(event: records.RollDisputed | records.DisputeReopened) -> OpenDispute:
    return OpenDispute(
        dispute=event.dispute,
        target_seq=event.target_seq,
        target_entry=event.target_entry,
        target_position=event.target_position,
        target_slot=event.target_slot,
        raised_by=event.raised_by,
        reason=event.reason,
        rule=event.rule,
    )


def _without(state: CampaignState, dispute: int) -> dict[int, OpenDispute]:
    if dispute not in state.disputes:
        return state.disputes
    return {number: one for number, one in state.disputes.items() if number != dispute}

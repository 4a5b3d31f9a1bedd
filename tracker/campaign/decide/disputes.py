"""Disputes are opened here; they are ruled on in `campaign/rulings.py`."""

from __future__ import annotations

from tracker.campaign.commands import DisputeRoll
from tracker.campaign.decide.decision import Decision
from tracker.campaign.events import RollDisputed
from tracker.campaign.refusals import DisputedAlready


def dispute_roll(decision: Decision, command: DisputeRoll, entry: int) -> None:
    """Doubt an event. It stays in force until a ruling. Refuses an event that is disputed already."""
    for open_dispute in decision.state.disputes.values():
        if open_dispute.target_seq == command.target_seq:
            address = f"{command.target_entry}.{command.target_position}"
            raise DisputedAlready(address=address, dispute=open_dispute.dispute)
    decision.note(
        RollDisputed(
            dispute=entry,
            target_seq=command.target_seq,
            target_entry=command.target_entry,
            target_position=command.target_position,
            target_slot=command.target_slot,
            raised_by=command.raised_by,
            reason=command.reason,
            rule=command.rule,
        )
    )

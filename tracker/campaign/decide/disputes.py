"""Disputes are opened and withdrawn here, rolls confirmed; rulings are decided in `campaign/rulings.py`."""

from __future__ import annotations

from tracker.campaign.commands import ConfirmRoll, DisputeRoll, RuleOnDispute, WithdrawDispute
from tracker.campaign.decide.decision import Decision
from tracker.campaign.decide.dispute_refusals import DisputedAlready, NoOpenDispute, OwnWordOnly
from tracker.campaign.events import DisputeWithdrawn, RollConfirmed, RollDisputed


def dispute_roll(decision: Decision, command: DisputeRoll) -> None:
    """Doubt an event. It stays in force until a ruling. Refuses an event that is disputed already."""
    for open_dispute in decision.state.disputes.values():
        if open_dispute.target_seq == command.target_seq:
            address = f"{command.target_entry}.{command.target_position}"
            raise DisputedAlready(address=address, dispute=open_dispute.dispute)
    decision.note(
        RollDisputed(
            dispute=decision.entry,
            target_seq=command.target_seq,
            target_entry=command.target_entry,
            target_position=command.target_position,
            target_slot=command.target_slot,
            raised_by=command.raised_by,
            reason=command.reason,
            rule=command.rule,
        )
    )


def withdraw_dispute(decision: Decision, command: WithdrawDispute) -> None:
    """Take a doubt back. Refuses one that is not open."""
    if command.dispute not in decision.state.disputes:
        raise NoOpenDispute(dispute=str(command.dispute))
    decision.note(
        DisputeWithdrawn(dispute=command.dispute, withdrawn_by=command.withdrawn_by, reason=command.reason)
    )


def confirm_roll(decision: Decision, command: ConfirmRoll) -> None:
    """A second person confirms a roll. Refuses the word of whoever typed it in."""
    if command.confirmed_by.casefold() == command.entered_by.casefold():
        raise OwnWordOnly(who=command.confirmed_by)
    decision.note(
        RollConfirmed(
            target_seq=command.target_seq,
            target_entry=command.target_entry,
            target_position=command.target_position,
            target_slot=command.target_slot,
            number=command.number,
            die=command.die,
            witness=command.confirmed_by,
        )
    )


def rule_on_dispute(_decision: Decision, _command: RuleOnDispute) -> None:
    """Never asked: a ruling needs to see the slots, which a decision does not."""
    raise AssertionError("a ruling is decided by campaign/rulings.py, which sees the slots")

"""Opens and withdraws disputes, confirms rolls. Rulings are decided in `campaign/rulings/redecision.py`."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.handlers import handles


@handles(records.DisputeRoll)
def dispute_roll(decision: Decision, command: records.DisputeRoll) -> None:
    """Doubt an event. It stays in force until a ruling. Refuses an event that is disputed already."""
    for open_dispute in decision.state.disputes.values():
        if open_dispute.target_seq == command.target_seq:
            address = f"{command.target_entry}.{command.target_position}"
            raise records.DisputedAlready(address=address, dispute=open_dispute.dispute)
    decision.emit(
        records.RollDisputed(
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


@handles(records.WithdrawDispute)
def withdraw_dispute(decision: Decision, command: records.WithdrawDispute) -> None:
    """Take a doubt back. Refuses one that is not open."""
    if command.dispute not in decision.state.disputes:
        raise records.NoOpenDispute(dispute=str(command.dispute))
    decision.emit(
        records.DisputeWithdrawn(
            dispute=command.dispute, withdrawn_by=command.withdrawn_by, reason=command.reason
        )
    )


@handles(records.ConfirmRoll)
def confirm_roll(decision: Decision, command: records.ConfirmRoll) -> None:
    """A second person confirms a roll. Refuses the word of whoever typed it in."""
    if command.confirmed_by.casefold() == command.entered_by.casefold():
        raise records.OwnWordOnly(who=command.confirmed_by)
    decision.emit(
        records.RollConfirmed(
            target_seq=command.target_seq,
            target_entry=command.target_entry,
            target_position=command.target_position,
            target_slot=command.target_slot,
            number=command.number,
            die=command.die,
            witness=command.confirmed_by,
        )
    )


@handles(records.RuleOnDispute)
def rule_on_dispute(_decision: Decision, _command: records.RuleOnDispute) -> None:
    """Never asked: a ruling needs to see the slots, which a decision does not."""
    raise AssertionError("a ruling is decided by campaign/rulings/redecision.py, which sees the slots")

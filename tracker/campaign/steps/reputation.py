"""Reputation: over one sequence gains count before losses, and it never falls below its floor.

Source: Core Rulebook (2023) · The Post-battle Sequence · 3. Rewards.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.handlers import handles
from tracker.campaign.steps.sequence import reach


@handles(records.ChangeReputation)
def change_reputation_stated(decision: Decision, command: records.ChangeReputation) -> None:
    """What the scenario, a stake or the Arbitrator gives or takes."""
    gang = decision.gang(command.gang)
    if not 1 <= abs(command.by) <= 100:
        raise records.NoReputation(gang=gang.name)
    reached = reach(decision, command.gang, "reputation")
    change_reputation(decision, command.gang, command.by, why=command.why, section="rewards", cause=reached)


def change_reputation(
    decision: Decision, gang: str, by: int, *, why: str, section: str, cause: int = 0
) -> int:
    """Move a gang's Reputation; gives the place of the event. In whatever order a sequence's gains and losses
    are told, the outcome is that of all gains first and all losses after them.
    """
    card = decision.gang(gang)
    floor = decision.rulebook.book.post_battle.reputation_floor
    after = decision.state.after_battle.get(gang)
    before, gained, lost = card.reputation, 0, 0
    if after is not None and after.reputation_before is not None:
        before, gained, lost = after.reputation_before, after.reputation_gained, after.reputation_lost
    total = max(floor, before + gained + max(by, 0) - lost - max(-by, 0))
    return decision.emit(
        records.ReputationChanged(
            gang=gang,
            by=by,
            before=card.reputation,
            after=total,
            why=why,
            section=decision.rulebook.section(section),
        ),
        cause=cause,
    )

"""By word: what an Arbitrator's reason changes about a step that a gang takes.

Knows that a reason takes a step out of the sequence, and stands in what is told of it. Knows no step.
"""

from __future__ import annotations

from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.sequence import reach


def in_sequence(decision: Decision, gang: str, activity: str, reason: str | None) -> None:
    """Bring a gang to the step of its sequence, unless an Arbitrator's reason takes it out of it."""
    if reason is None:
        reach(decision, gang, activity)


def because(what: str, reason: str | None) -> str:
    """What happened, and the Arbitrator's reason behind it."""
    return what if reason is None else f"{what}: {reason}"

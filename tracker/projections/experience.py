"""The experience board: every gain of XP that counts now, with its cause, and what was spent, below zero.

Knows gains and spending. Knows no total: that stands on the roster, and both must agree.
"""

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import Placed


class ExperienceRow(Placed):
    """One gain of XP, or what was spent."""

    fighter: str
    amount: int
    reason: str
    victim: str | None
    activation: str | None
    section: str


def experience_row(
    recorded: RecordedEvent, event: records.ExperienceGained | records.ExperienceSpent, battle: str | None
) -> ExperienceRow:
    """The row of one gain, or of one spending."""
    gained = event if isinstance(event, records.ExperienceGained) else None
    return ExperienceRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        fighter=event.fighter,
        amount=event.amount if gained else -event.amount,
        reason=event.reason if isinstance(event, records.ExperienceGained) else event.why,
        victim=gained.victim if gained else None,
        activation=gained.activation if gained else None,
        section=event.section,
    )

"""The experience board: every gain of XP that counts now, with its cause.

Knows `ExperienceGained`. Knows no total: that stands on the roster, and the two must agree.
"""

from tracker.campaign.events import ExperienceGained
from tracker.campaign.recorded import Recorded
from tracker.projections import Placed


class ExperienceRow(Placed):
    """One gain of XP."""

    fighter: str
    amount: int
    reason: str
    victim: str | None
    activation: str | None
    section: str


def experience_row(recorded: Recorded, event: ExperienceGained, battle: str | None) -> ExperienceRow:
    """The row of one gain."""
    return ExperienceRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        fighter=event.fighter,
        amount=event.amount,
        reason=event.reason,
        victim=event.victim,
        activation=event.activation,
        section=event.section,
    )

"""The injury board: every lasting injury that counts now, with the roll table row it came from.

Knows `LastingInjurySuffered`. Knows no effect: what an injury did to a card stands on the roster.
"""

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import Placed


class InjuryRow(Placed):
    """One lasting injury. `battle` is an id, `battle_number` the number that the event states."""

    fighter: str
    by: str | None
    table: str
    cell: str | None
    injury: str
    name: str
    counts_as: str | None
    occurrence: int
    within: str | None
    battle_number: int | None
    section: str


def injury_row(
    recorded: RecordedEvent, event: records.LastingInjurySuffered, battle: str | None
) -> InjuryRow:
    """The row of one lasting injury."""
    return InjuryRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        fighter=event.fighter,
        by=event.by,
        table=event.table,
        cell=event.cell,
        injury=event.injury,
        name=event.name,
        counts_as=event.counts_as,
        occurrence=event.occurrence,
        within=event.within,
        battle_number=event.battle,
        section=event.section,
    )

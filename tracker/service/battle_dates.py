"""Battle dates: remarks on an odd date in a report. Only the order of entries counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.queries import Row


def date_warnings(entry: Sequence[RecordedEvent], before: Sequence[Row]) -> Iterator[str]:
    """Remarks on the date of a battle that was recorded after these. It counts in its place anyway."""
    header = entry[0]
    opening = header.event.command if isinstance(header.event, records.DecisionTaken) else None
    if not isinstance(opening, records.OpenBattle):
        return
    # Somebody's clock may be a day ahead of UTC.
    tomorrow = (date.fromisoformat(header.at[:10]) + timedelta(days=1)).isoformat()
    if opening.date > tomorrow:
        yield f"{opening.battle} is dated {opening.date}, which is still to come: is the date right?"
    later = [row for row in before if row["date"] > opening.date and row["battle"] != opening.battle]
    if later:
        latest = max(later, key=lambda row: str(row["date"]))
        yield (
            f"{opening.battle} is dated {opening.date}, before battle {latest['number']} ({latest['battle']},"
            f" {latest['date']}), which was recorded earlier: is the date right? Battles count in the order"
            " in which they are recorded."
        )

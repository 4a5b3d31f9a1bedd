"""The mark on numbers that depend on an open dispute, and the lines that name the disputes.

Knows rows and dependent events. The mark is a question mark after the number, so that it reads the same in
print, in a chat and in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tracker.reports import people
from tracker.reports.escaping import sanitize
from tracker.reports.names import address_words
from tracker.reports.page import Bullets, Cell, Row

if TYPE_CHECKING:
    # Not at run time: reading boards needs no events.
    from tracker.projections.dependent_events import DependentEvent

Shown = TypeVar("Shown", str, Cell)

MARK = " ?"
IN_DISPUTE = "in_dispute"
"""The column of a sheet that names the numbers which depend on a dispute."""
LEGEND = "Values marked ? depend on an open dispute and may change."


def in_dispute(shown: Shown, row: Row, *numbers: str) -> Shown | str:
    """The value, with the mark if one of these numbers of the row depends on a dispute."""
    pending = row.get("pending", ())
    return f"{shown}{MARK}" if any(number in pending for number in numbers) else shown


def disputed_numbers(row: Row, columns: Iterable[str]) -> str:
    """The columns of a row that depend on a dispute, for a sheet whose numbers have no mark."""
    pending = row.get("pending", ())
    return ", ".join(number for number in columns if number in pending)


def with_pending(rows: Iterable[Row], dependents: Sequence[DependentEvent]) -> list[dict[str, Any]]:
    """Rows of fighters or gangs, each with the numbers that depend on disputes under 'pending'."""
    moved: dict[tuple[str, str | None], dict[str, None]] = {}
    for dependent in dependents:
        for number in dependent.moved:
            moved.setdefault((number.gang, number.fighter), {})[number.number] = None
    return [{**row, "pending": [*moved.get((row["gang"], row.get("fighter")), ())]} for row in rows]


def pending_lines(disputes: Sequence[Row]) -> list[str]:
    """The open disputes and the legend of the mark, for pages with numbers that may change."""
    lines = [
        f"Dispute {row['dispute']} is open: {sanitize(people.person(row['raised_by'], row['at']))} disputes"
        f" {dispute_target(row)}: {sanitize(row['reason'])}"
        for row in disputes
    ]
    return [*lines, LEGEND] if lines else []


def dispute_notices(disputes: Sequence[Row]) -> list[Bullets]:
    """The same as parts of a page; empty without disputes."""
    return [Bullets(pending_lines(disputes))] if disputes else []


def dispute_target(row: Row) -> str:
    """'57.3', or 'entry 57' if the whole entry is disputed."""
    return address_words(row["target_entry"], row["target_position"])


def dispute_data(pending: Iterable[Row], dependents: Sequence[DependentEvent]) -> dict[str, Any]:
    """Open disputes, and the events that depend on each, with the numbers that they changed."""
    return {
        "pending": [dict(row) for row in pending],
        "resting": [
            {
                "dispute": dependent.dispute,
                "event": dependent.event.address,
                "moved": [
                    {"gang": number.gang, "fighter": number.fighter, "number": number.number}
                    for number in dependent.moved
                ],
            }
            for dependent in dependents
        ],
    }

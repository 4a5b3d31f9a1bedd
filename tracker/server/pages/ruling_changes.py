"""The changes of a recorded ruling, fighter by fighter, and the rulings that changed a gang.

Knows rulings by their entries. A preview shows the changes of a ruling that is not made yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tracker.campaign import records
from tracker.reports.page import Row
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rulings import CardChange, changed

RECENT: Final = 5
"""The most recent rulings that are searched for a gang."""


class RulingOnGang(NamedTuple):
    """A ruling with its changes to a gang."""

    entry: int
    dispute: int
    """0 for a ruling without a dispute."""
    reason: str
    changes: Sequence[CardChange]
    taken_back: bool


def changes_of(request: PageRequest, ruling: int) -> Sequence[CardChange]:
    """The changes card by card, from just before the ruling to just after it."""
    request.require("roster diff")

    def compared() -> list[Row]:
        diff: Any = request.data("roster diff", before=f"entry:{ruling - 1}", after=f"entry:{ruling}")
        return list(diff["differences"])

    return changed(request.kept(f"changes of ruling {ruling}", compared))


def rulings_on(request: PageRequest, gang: str) -> list[RulingOnGang]:
    """The recent rulings that changed the gang, newest first."""
    board = request.boards.holding(request.known_campaign, {records.RulingMade.__name__})
    made = [
        (one.entry, one.event)
        for entry in board.entries
        for one in entry
        if isinstance(one.event, records.RulingMade) and one.event.verdict != "confirmed"
    ]
    gone = request.boards.state_at(request.known_campaign).rulings_taken_back
    found = []
    for number, event in sorted(made, key=lambda row: -row[0])[:RECENT]:
        own = [change for change in changes_of(request, number) if change.gang == gang]
        if own:
            found.append(
                RulingOnGang(
                    entry=number,
                    dispute=event.dispute,
                    reason=event.reason,
                    changes=own,
                    taken_back=number in gone,
                )
            )
    return found

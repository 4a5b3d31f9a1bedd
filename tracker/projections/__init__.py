"""Boards: read models, made from the state and the log, and rebuilt at any time.

Each board is one file of pure functions: a fighter, a gang or a recorded event in, a row out. A row is a
plain dict of JSON values whose names are the events' and the state's own words; `--json` prints it, reports
read it. Boards know how a row is made and refuse to know a rule: nothing but reading depends on them. Only
`boards` writes and only `queries` reads the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from tracker.campaign.recorded_event import RecordedEvent


class LogPosition(TypedDict):
    """The place of something in the log."""

    entry: int
    position: int
    seq: int
    slot: int
    at: str


def position_of(recorded: RecordedEvent) -> LogPosition:
    return LogPosition(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
    )


class RowPosition(LogPosition):
    """The place of a row in the log. `battle` is the battle that its slot belongs to in live history."""

    battle: str | None

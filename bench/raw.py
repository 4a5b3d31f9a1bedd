"""The yardstick: `sqlite3` itself, doing the same durable work on the same tables with the same settings.

No SQLAlchemy, no guards, no boards, no envelope, no hash: rows that somebody else made are written or read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracker.log.database import SQLITE_SETTINGS
from tracker.schema import SQLITE_GUARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """The rows that one append came to: its events, the head after it, its command."""

    first_seq: int
    events: tuple[tuple[Any, ...], ...]
    head: tuple[Any, ...]
    command: tuple[Any, ...]


@contextmanager
def connected(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection with the settings that the tracker uses, closed at the end."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        for setting, wanted in SQLITE_SETTINGS:
            connection.execute(f"PRAGMA {setting}={wanted}").close()
        yield connection
    finally:
        connection.close()


def without_guards(connection: sqlite3.Connection) -> None:
    """Take the triggers off: the yardstick writes what it is told."""
    for guard in SQLITE_GUARDS:
        connection.execute(f"DROP TRIGGER {guard}")


def appended_since(connection: sqlite3.Connection, seq: int) -> list[Appended]:
    """What was appended from event `seq` on, append by append."""
    found = []
    receipts = connection.execute("SELECT * FROM commands WHERE first_seq >= ? ORDER BY first_seq", (seq,))
    for command in receipts.fetchall():
        campaign, _, _, first_seq, last_seq, _, last_entry = command
        events = connection.execute(
            "SELECT campaign_id, seq, entry, slot, type, event_id, body, leaf FROM events"
            " WHERE campaign_id = ? AND seq BETWEEN ? AND ? ORDER BY seq",
            (campaign, first_seq, last_seq),
        ).fetchall()
        # A frontier of the length that belongs there; the yardstick asks no hash what is in it.
        frontier = bytes(8 + 32 * (last_seq + 1).bit_count())
        head = (last_seq + 1, last_entry, events[-1][-1], frontier, campaign)
        found.append(Appended(first_seq=first_seq, events=tuple(events), head=head, command=command))
    return found


def append(connection: sqlite3.Connection, appended: Appended) -> None:
    """One transaction: the head read, the events, the head moved, the command."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("SELECT size, leaf FROM heads WHERE campaign_id = ?", appended.head[-1:]).fetchone()
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", appended.events)
    connection.execute(
        "UPDATE heads SET size = ?, entries = ?, leaf = ?, frontier = ? WHERE campaign_id = ?", appended.head
    )
    connection.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)", appended.command)
    connection.execute("COMMIT")


def read_and_decode(connection: sqlite3.Connection) -> int:
    """Every event row read, its body decoded with the standard library's json. Gives how many there were."""
    count = 0
    rows = connection.execute(
        "SELECT seq, entry, slot, type, body, leaf FROM events ORDER BY campaign_id, seq"
    )
    for *_, body, _leaf in rows:
        json.loads(body)
        count += 1
    return count

"""The yardstick: `sqlite3` itself, doing the same durable work on the same tables with the same settings.

No SQLAlchemy, no guards, no boards, no envelope, no hash: rows that somebody else made are written or read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from tracker.log.database import SQLITE_SETTINGS

LOG_TABLES = ("events", "heads", "commands")


def empty_like(file: Path, original: Path) -> sqlite3.Connection:
    """A new file with the log's tables and indexes as the original has them, and none of its guards."""
    connection = connected(file)
    with sqlite3.connect(original) as source:
        wanted = source.execute(
            "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL AND tbl_name IN"
            f" ({', '.join('?' * len(LOG_TABLES))}) ORDER BY type DESC",
            LOG_TABLES,
        ).fetchall()
    source.close()
    for (statement,) in wanted:
        connection.execute(statement)
    return connection


def connected(file: Path) -> sqlite3.Connection:
    """A connection with the settings that the tracker uses."""
    connection = sqlite3.connect(file, isolation_level=None)
    for setting, wanted in SQLITE_SETTINGS:
        connection.execute(f"PRAGMA {setting}={wanted}").close()
    return connection


class Entry:
    """The rows that one recorded entry came to: its events, the head after it, its command."""

    def __init__(self, events: Sequence[tuple[object, ...]], head: tuple[object, ...], command: tuple[object, ...]):
        self.events = events
        self.head = head
        self.command = command


def entries_of(file: Path, *, newest: int) -> list[Entry]:
    """The newest entries of a log, as rows."""
    with sqlite3.connect(file) as source:
        found = []
        head = source.execute("SELECT * FROM heads").fetchone()
        receipts = source.execute("SELECT * FROM commands ORDER BY first_seq DESC LIMIT ?", (newest,)).fetchall()
        for command in reversed(receipts):
            first, last = command[3], command[4]
            events = source.execute(
                "SELECT campaign_id, seq, entry, slot, type, event_id, body, leaf FROM events"
                " WHERE seq BETWEEN ? AND ?",
                (first, last),
            ).fetchall()
            found.append(Entry(events, (last + 1, command[6], events[-1][-1], head[4], command[0]), command))
    source.close()
    return found


def append(connection: sqlite3.Connection, entry: Entry) -> None:
    """One transaction: the head read, the events, the head moved, the command."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("SELECT size, leaf FROM heads WHERE campaign_id = ?", (entry.head[-1],)).fetchone()
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", entry.events)
    connection.execute(
        "UPDATE heads SET size = ?, entries = ?, leaf = ?, frontier = ? WHERE campaign_id = ?", entry.head
    )
    connection.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)", entry.command)
    connection.execute("COMMIT")


def open_head(connection: sqlite3.Connection, campaign: str) -> None:
    """The row that every append moves."""
    connection.execute("INSERT OR REPLACE INTO heads VALUES (?, 0, 0, x'', x'')", (campaign,))


def read_and_decode(file: Path) -> int:
    """Every event row read, its body decoded with the standard library's json. Gives how many there were."""
    connection = connected(file)
    count = 0
    for _seq, _entry, _slot, _type, body, _leaf in connection.execute(
        "SELECT seq, entry, slot, type, body, leaf FROM events ORDER BY campaign_id, seq"
    ):
        json.loads(body)
        count += 1
    connection.close()
    return count

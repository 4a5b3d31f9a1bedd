"""The yardstick: `sqlite3` and `psycopg` themselves, doing the same durable work on the same tables.

No SQLAlchemy, no guards, no rule, no envelope, no hash: what somebody else made is written or read. Twofold:
the very statements that the tracker gave its driver, boards and snapshots among them; and the rows of the log
alone. On PostgreSQL it too waits for no answer between one write and the next.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event, select

from tracker.log import database
from tracker.log.append_function import NAME
from tracker.schema import SQLITE_GUARDS, commands, events

Driver = sqlite3.Connection | psycopg.Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """The rows that one append came to: its events, the head after it, its command."""

    first_seq: int
    events: tuple[tuple[Any, ...], ...]
    head: tuple[Any, ...]
    command: tuple[Any, ...]


Written = list[tuple[str, Any, bool]]
"""The statements of one transaction: words, parameters, and whether they are many."""


class Listener:
    """Hears what an engine of ours gives its driver in transactions that write."""

    def __init__(self, engine: Engine) -> None:
        self._heard: Written = []
        event.listen(engine, "before_cursor_execute", self._hear)

    def _hear(
        self, connection: Connection, _cursor: object, words: str, given: Any, _context: object, many: bool
    ) -> None:
        if connection.get_execution_options().get("arbitrator_writes") and not words.startswith("BEGIN"):
            self._heard.append((words, given, many))

    def taken(self) -> Written:
        """What was heard since it was last asked."""
        heard, self._heard = self._heard, []
        return heard


def repeat(connection: Driver, written: Written) -> None:
    """The same statements with the same parameters, in one transaction, by the driver alone."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("BEGIN IMMEDIATE")
        _say(connection.cursor(), written)
        connection.execute("COMMIT")
    else:
        reads = [
            statement
            for statement in written
            if statement[0].startswith("SELECT") and NAME not in statement[0]
        ]
        with ExitStack() as stack:
            if not reads:  # all of it, its beginning and its end too, is waited for once
                stack.enter_context(connection.pipeline())
            stack.enter_context(connection.transaction())
            _say(connection.cursor(), reads)
            with connection.pipeline():
                _say(
                    connection.cursor(),
                    [statement for statement in written if statement not in reads],
                    answers=False,
                )


def _say(cursor: Any, written: Written, *, answers: bool = True) -> None:
    for words, given, many in written:
        if many:
            cursor.executemany(words, given)
            continue
        cursor.execute(words, given)
        if answers and cursor.description is not None:
            cursor.fetchall()


@contextmanager
def connected(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection with the settings that the tracker uses, closed at the end."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        for setting, wanted in database.SQLITE_SETTINGS:
            connection.execute(f"PRAGMA {setting}={wanted}").close()
        yield connection
    finally:
        connection.close()


def without_guards(connection: Driver) -> None:
    """Take the triggers off: the yardstick writes what it is given."""
    if isinstance(connection, sqlite3.Connection):
        for guard in SQLITE_GUARDS:
            connection.execute(f"DROP TRIGGER {guard}")
    else:
        connection.execute("DROP FUNCTION events_refuse_change, events_refuse_gap CASCADE")


def appended_since(engine: Engine, campaign: str, seq: int) -> list[Appended]:
    """What was appended from event `seq` on, append by append."""
    wanted = (
        select(commands)
        .where(commands.c.campaign_id == campaign, commands.c.first_seq >= seq)
        .order_by(commands.c.first_seq)
    )
    found = []
    with database.reading(engine) as connection:
        for command in connection.execute(wanted).all():
            first, last = command.first_seq, command.last_seq
            rows = connection.execute(
                select(events)
                .where(events.c.campaign_id == campaign, events.c.seq.between(first, last))
                .order_by(events.c.seq)
            )
            written = tuple(tuple(row) for row in rows)
            head = (last + 1, command.last_entry, written[-1][-1], frontier(last + 1), campaign)
            found.append(Appended(first_seq=first, events=written, head=head, command=tuple(command)))
    return found


def frontier(size: int) -> bytes:
    """A frontier of the length that belongs there; the yardstick asks no hash what is in it."""
    return bytes(8 + 32 * size.bit_count())


def append(connection: Driver, appended: Appended) -> None:
    """One transaction: the head read under its lock, the events, the head moved, the command."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "SELECT size, leaf FROM heads WHERE campaign_id = ?", appended.head[-1:]
        ).fetchone()
        _write(connection, appended, "?")
        connection.execute("COMMIT")
    else:
        with connection.transaction():
            _locked_head(connection, appended.head[-1])
            with connection.pipeline():
                _write(connection.cursor(), appended, "%s")


def append_next(connection: psycopg.Connection, campaign: str, like: Appended) -> None:
    """One transaction that appends rows like these wherever the log now ends, as a writer among writers
    must.
    """
    with connection.transaction():
        size, entries = _locked_head(connection, campaign)
        entry = entries + 1
        rows = tuple(
            (campaign, size + at, entry, entry, event[4], f"{campaign}-{size + at}", event[6], event[7])
            for at, event in enumerate(like.events)
        )
        last = size + len(rows) - 1
        head = (last + 1, entry, rows[-1][-1], frontier(last + 1), campaign)
        command = (campaign, f"raw:{size}", like.command[2], size, last, entry, entry)
        moved = replace(like, first_seq=size, events=rows, head=head, command=command)
        with connection.pipeline():
            _write(connection.cursor(), moved, "%s")


def _locked_head(connection: psycopg.Connection, campaign: str) -> tuple[int, int]:
    row = connection.execute(
        "SELECT size, entries FROM heads WHERE campaign_id = %s FOR UPDATE", (campaign,)
    ).fetchone()
    assert row is not None, "the campaign was opened by the tracker"
    return row[0], row[1]


def _write(to: Any, appended: Appended, mark: str) -> None:
    def marks(columns: int) -> str:
        return ", ".join([mark] * columns)

    to.executemany(f"INSERT INTO events VALUES ({marks(8)})", appended.events)
    to.execute(
        f"UPDATE heads SET size = {mark}, entries = {mark}, leaf = {mark}, frontier = {mark}"
        f" WHERE campaign_id = {mark}",
        appended.head,
    )
    to.execute(f"INSERT INTO commands VALUES ({marks(7)})", appended.command)


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

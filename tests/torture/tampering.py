"""The log, edited past every guard: each edit is found, and at the exact event; a log left alone is never accused."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tracker.log.store import EventStore
from tracker.projections import statements

from . import club
from .runner import Run

STEPS = 40
EDITS_A_LOG = 60


def edits(run: Run) -> None:
    """One edit at a time, each taken back by a fresh copy of the file."""
    file = run.folder / "club.db"
    campaign, whole = "", b""
    for number, dice in enumerate(run.each_round()):
        if number % EDITS_A_LOG == 0:
            campaign, whole = _a_log(file, dice)
            run.count("clean logs")
        file.write_bytes(whole)
        edit = dice.choice(EDITS)
        with closing(sqlite3.connect(file)) as connection:
            _without_guards(connection)
            expected = edit(connection, campaign, dice)
            connection.commit()
        _found(file, campaign, edit.__name__, expected)
        run.count(edit.__name__.replace("_", " ").strip())


def boards(run: Run) -> None:
    """A row of a board, edited: `verify` names the board, and a rebuild mends it."""
    file = run.folder / "club.db"
    campaign, whole = "", b""
    for number, dice in enumerate(run.each_round()):
        if number % EDITS_A_LOG == 0:
            campaign, whole = _a_log(file, dice)
        file.write_bytes(whole)
        board = dice.choice([one.name for one in statements.BOARDS if one.name != "board_campaigns"])
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute(f"SELECT count(*) FROM {board}").fetchone()[0]
            if not rows:
                continue
            nth = dice.randrange(rows)
            key = ", ".join(f'"{column[1]}"' for column in _columns(connection, board) if column[5])
            at = connection.execute(f"SELECT {key} FROM {board} LIMIT 1 OFFSET {nth}").fetchone()
            where = f"({key}) = ({', '.join('?' * len(at))})"
            change = "DELETE FROM" if dice.random() < 0.5 else "UPDATE"
            put = (
                "" if change != "UPDATE" else """SET "row" = replace("row", substr("row", 3, 6), 'forged')"""
            )
            connection.execute(f"{change} {board} {put} WHERE {where}", at)
            connection.commit()
        with club.opened(club.sqlite(file)) as hall:
            audit = hall.verify(campaign)
            assert audit.boards, f"{change} in {board} was not seen"
            assert any(board.removeprefix("board_") in told for told in audit.boards), (board, audit.boards)
            hall.rebuild_boards(campaign)
            club.everything_holds(hall, campaign)
        run.count(board)


def _a_log(file: Path, dice: random.Random) -> tuple[str, bytes]:
    file.unlink(missing_ok=True)
    with club.opened(club.sqlite(file), seed=dice.randrange(10**9)) as hall:
        campaign = club.begin(hall)
        for number in range(STEPS):
            club.something(hall, campaign, dice, key=f"key-{number}")
        club.everything_holds(hall, campaign)
    return campaign, file.read_bytes()


def _found(file: Path, campaign: str, edit: str, expected: int) -> None:
    with club.opened(club.sqlite(file)) as hall:
        report = EventStore(hall.engine).verify(campaign)
        assert not report.ok, f"{edit} at event {expected} was not seen"
        assert report.fault is not None
        assert report.fault.seq == expected, (
            f"{edit} at event {expected} was seen at {report.fault.seq}: {report}"
        )


def _without_guards(connection: sqlite3.Connection) -> None:
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[int, str, str, int, str, int]]:
    return connection.execute(f"PRAGMA table_info({table})").fetchall()


def _size(connection: sqlite3.Connection, campaign: str) -> int:
    found = connection.execute("SELECT size FROM heads WHERE campaign_id = ?", (campaign,)).fetchone()
    return int(found[0])


# --- the edits: each gives the event at which it must be seen ------------------------------------------------


def _bit_of_a_body(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    return _flip(connection, campaign, dice, "body")


def _bit_of_a_leaf(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    return _flip(connection, campaign, dice, "leaf")


def _flip(connection: sqlite3.Connection, campaign: str, dice: random.Random, column: str) -> int:
    seq = dice.randrange(_size(connection, campaign))
    where = "WHERE campaign_id = ? AND seq = ?"
    (held,) = connection.execute(f"SELECT {column} FROM events {where}", (campaign, seq)).fetchone()
    changed = bytearray(held)
    at = dice.randrange(len(changed))
    changed[at] ^= 1 << dice.randrange(8)
    connection.execute(f"UPDATE events SET {column} = ? {where}", (bytes(changed), campaign, seq))
    return seq


def _another_word_in_a_column(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    seq = dice.randrange(_size(connection, campaign))
    column = dice.choice(["type", "event_id"])
    connection.execute(
        f"UPDATE events SET {column} = {column} || 'x' WHERE campaign_id = ? AND seq = ?", (campaign, seq)
    )
    return seq


def _an_event_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    seq = dice.randrange(_size(connection, campaign))
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND seq = ?", (campaign, seq))
    return seq


def _two_events_exchanged(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    one, other = sorted(dice.sample(range(_size(connection, campaign)), 2))
    columns = "entry, slot, type, event_id, body, leaf"
    rows = [
        connection.execute(
            f"SELECT {columns} FROM events WHERE campaign_id = ? AND seq = ?", (campaign, seq)
        ).fetchone()
        for seq in (one, other)
    ]
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND seq IN (?, ?)", (campaign, one, other))
    for seq, row in ((one, rows[1]), (other, rows[0])):
        connection.execute(
            f"INSERT INTO events (campaign_id, seq, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (campaign, seq, *row),
        )
    return one


EDITS: list[Callable[[sqlite3.Connection, str, random.Random], int]] = [
    _bit_of_a_body,
    _bit_of_a_body,
    _bit_of_a_leaf,
    _another_word_in_a_column,
    _an_event_gone,
    _two_events_exchanged,
]

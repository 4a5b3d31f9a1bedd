"""The log, edited past every guard: each edit is found, and at the exact event; a log left alone is never accused."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tracker.errors import Refusal
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


def command_rows(run: Run) -> None:
    """A row of the command table, edited: `verify` names the command, or the entry that lost its own."""
    file = run.folder / "club.db"
    campaign, whole = "", b""
    for number, dice in enumerate(run.each_round()):
        if number % EDITS_A_LOG == 0:
            campaign, whole = _a_log(file, dice)
        file.write_bytes(whole)
        column = dice.choice(["key", "digest", "first_seq", "last_seq", "first_entry", "last_entry", "row"])
        with closing(sqlite3.connect(file)) as connection:
            _without_guards(connection)
            rows = connection.execute("SELECT * FROM commands ORDER BY first_seq").fetchall()
            columns = [name for _, name, *_ in _columns(connection, "commands")]
            row = dict(zip(columns, dice.choice(rows), strict=True))
            where, at = "WHERE campaign_id = ? AND key = ?", (row["campaign_id"], row["key"])
            if column == "row":
                connection.execute(f"DELETE FROM commands {where}", at)
                named = f"entry {row['first_entry']} has no command"
            else:
                other = _another(row[column], dice)
                connection.execute(f"UPDATE commands SET {column} = ? {where}", (other, *at))
                named = f"command {other if column == 'key' else row['key']!r}"
            connection.commit()
        with club.opened(club.sqlite(file)) as hall:
            audit = hall.verify(campaign)
            assert audit.log.ok, "the log itself is whole"
            assert any(told.startswith(named) for told in audit.commands), (column, row, audit.commands)
        run.count(f"another {column}" if column != "row" else "a row gone")


def _another(value: int | str, dice: random.Random) -> int | str:
    if isinstance(value, int):
        return value + dice.choice([-1, 1])
    place = dice.randrange(len(value))
    return value[:place] + ("a" if value[place] != "a" else "b") + value[place + 1 :]


def flips(run: Run) -> None:
    """One bit of the file itself: seen, as a verdict or in a clear word, or nothing that counts is otherwise."""
    file = run.folder / "club.db"
    campaign, whole, root = "", b"", ""
    for number, dice in enumerate(run.each_round()):
        if number % EDITS_A_LOG == 0:
            campaign, whole = _a_log(file, dice)
            with club.opened(club.sqlite(file)) as hall:
                root = hall.verify(campaign).log.root_hex
        changed = bytearray(whole)
        changed[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        file.write_bytes(changed)
        try:
            with club.opened(club.sqlite(file)) as hall:
                audit = hall.verify(campaign)
        except Refusal as refusal:
            run.count(f"refused: {type(refusal).__name__}")
            continue
        if audit.ok:
            assert audit.log.root_hex == root, "another log, and nothing seen"
        run.count("nothing that counts" if audit.ok else "seen")


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


def _the_end_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    left = _size(connection, campaign) - dice.randint(1, 20)
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND seq >= ?", (campaign, left))
    return left


def _some_of_the_middle_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    size = _size(connection, campaign)
    seq = dice.randrange(size - 1)
    connection.execute(
        "DELETE FROM events WHERE campaign_id = ? AND seq BETWEEN ? AND ?",
        (campaign, seq, dice.randrange(seq, size - 1)),
    )
    return seq


def _an_event_put_in(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    seq = dice.randrange(1, _size(connection, campaign))
    # Keys are unique, so what follows moves out of the way first.
    for change in ("seq = seq + 1000000", "seq = seq - 999999"):
        where = "seq >= ?" if "+" in change else "seq >= 1000000 + ?"
        connection.execute(f"UPDATE events SET {change} WHERE campaign_id = ? AND {where}", (campaign, seq))
    connection.execute(
        "INSERT INTO events (campaign_id, seq, entry, slot, type, event_id, body, leaf)"
        " SELECT campaign_id, ?, entry, slot, type, event_id || 'x', body, leaf FROM events"
        " WHERE campaign_id = ? AND seq = ?",
        (seq, campaign, seq - 1),
    )
    return seq


EDITS: list[Callable[[sqlite3.Connection, str, random.Random], int]] = [
    _bit_of_a_body,
    _bit_of_a_body,
    _bit_of_a_leaf,
    _another_word_in_a_column,
    _an_event_gone,
    _two_events_exchanged,
    _the_end_gone,
    _some_of_the_middle_gone,
    _an_event_put_in,
]

"""Edits of the log, past every guard: each gives the event at which it must be seen; None where it is the head itself."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable


def without_guards(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")


def another(value: int | str, dice: random.Random) -> int | str:
    if isinstance(value, int):
        return value + dice.choice([-1, 1])
    place = dice.randrange(len(value))
    return value[:place] + ("a" if value[place] != "a" else "b") + value[place + 1 :]


def size_of(connection: sqlite3.Connection, campaign: str) -> int:
    found = connection.execute("SELECT size FROM heads WHERE campaign_id = ?", (campaign,)).fetchone()
    return int(found[0])


def _bit_of_a_body(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    return _flip(connection, campaign, dice, "body")


def _bit_of_a_leaf(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    return _flip(connection, campaign, dice, "leaf")


def _flip(connection: sqlite3.Connection, campaign: str, dice: random.Random, column: str) -> int:
    seq = dice.randrange(size_of(connection, campaign))
    where = "WHERE campaign_id = ? AND seq = ?"
    (held,) = connection.execute(f"SELECT {column} FROM events {where}", (campaign, seq)).fetchone()
    changed = bytearray(held)
    at = dice.randrange(len(changed))
    changed[at] ^= 1 << dice.randrange(8)
    connection.execute(f"UPDATE events SET {column} = ? {where}", (bytes(changed), campaign, seq))
    return seq


def _another_value_in_a_column(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    """One letter, or one more or less; the campaign's id too: then the event is another campaign's."""
    seq = dice.randrange(size_of(connection, campaign))
    column = dice.choice(["type", "event_id", "entry", "slot", "campaign_id"])
    where = "WHERE campaign_id = ? AND seq = ?"
    (held,) = connection.execute(f"SELECT {column} FROM events {where}", (campaign, seq)).fetchone()
    changed = another(held, dice)
    connection.execute(f"UPDATE events SET {column} = ? {where}", (changed, campaign, seq))
    return seq


def _another_value_in_the_head(
    connection: sqlite3.Connection, campaign: str, dice: random.Random
) -> int | None:
    """The end that the log is said to have: where it is another length, that is where."""
    where = "WHERE campaign_id = ?"
    column = dice.choice(["size", "entries", "leaf", "frontier", "row"])
    size = size_of(connection, campaign)
    if column == "row":
        connection.execute(f"DELETE FROM heads {where}", (campaign,))
        return None
    (held,) = connection.execute(f"SELECT {column} FROM heads {where}", (campaign,)).fetchone()
    if isinstance(held, bytes):
        changed = bytearray(held)
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        forged: int | str | bytes = bytes(changed)
    else:
        forged = another(held, dice)
    connection.execute(f"UPDATE heads SET {column} = ? {where}", (forged, campaign))
    return min(size, int(forged)) if column == "size" and not isinstance(forged, bytes) else None


def _an_event_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    seq = dice.randrange(size_of(connection, campaign))
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND seq = ?", (campaign, seq))
    return seq


def _two_events_exchanged(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    first, second = sorted(dice.sample(range(size_of(connection, campaign)), 2))
    columns = "entry, slot, type, event_id, body, leaf"
    rows = [
        connection.execute(
            f"SELECT {columns} FROM events WHERE campaign_id = ? AND seq = ?", (campaign, seq)
        ).fetchone()
        for seq in (first, second)
    ]
    connection.execute(
        "DELETE FROM events WHERE campaign_id = ? AND seq IN (?, ?)", (campaign, first, second)
    )
    for seq, row in ((first, rows[1]), (second, rows[0])):
        connection.execute(
            f"INSERT INTO events (campaign_id, seq, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (campaign, seq, *row),
        )
    return first


def _the_end_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    left = size_of(connection, campaign) - dice.randint(1, 20)
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND seq >= ?", (campaign, left))
    return left


def _some_of_the_middle_gone(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    size = size_of(connection, campaign)
    seq = dice.randrange(size - 1)
    connection.execute(
        "DELETE FROM events WHERE campaign_id = ? AND seq BETWEEN ? AND ?",
        (campaign, seq, dice.randrange(seq, size - 1)),
    )
    return seq


def _an_event_put_in(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    seq = dice.randrange(1, size_of(connection, campaign))
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


EDITS: list[Callable[[sqlite3.Connection, str, random.Random], int | None]] = [
    _bit_of_a_body,
    _bit_of_a_body,
    _bit_of_a_leaf,
    _another_value_in_a_column,
    _another_value_in_the_head,
    _an_event_gone,
    _two_events_exchanged,
    _the_end_gone,
    _some_of_the_middle_gone,
    _an_event_put_in,
]

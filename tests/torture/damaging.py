"""Everything but the log, damaged: every command gives a documented answer and none takes the blame, what
`boards verify` calls whole is whole, and `boards rebuild` brings back what was there.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, Ran
from cli_reports import GANG_SHEETS, SEASON
from command_lines import DOCUMENTED, fits, typed

from tracker import schema

from .inputs import season_in
from .runner import Run

CAMPAIGNS = ("ash-wastes", "sump-city")
LOG = ("events", "heads", "commands")
TABLES = tuple(table.name for table in schema.CACHES)
ANSWERS = {0, 1, 2, 4}
COMMANDS_A_ROUND = 6
FAR = 9_223_372_036_854_775_807
VALUES: tuple[Any, ...] = (None, True, 0, -1, 7, FAR, -FAR - 1, 10**30, 1.5, "", "krug", "b1", "\x1b[2J", "x" * 5_000, [], {}, [[]], {"a": 1})  # fmt: skip
DEEP = (5, 300, 990, 60_000)
"""So deep an array is put in: what is read easily, what is read and not written again, what is not read."""
SHOWING = [
    ("roster", "show"), ("roster", "show", "--json"), ("roster", "show", "krug"), ("roster", "show", "--as-of-battle", "b1"),
    ("roster", "diff", "--from", "battle:1"), ("gang", "list"), ("gang", "show", "iron-skulls"), ("gang", "ledger", "iron-skulls"),
    ("gang", "stash", "iron-skulls"), ("fighter", "show", "krug"), ("fighter", "show", "quill", "--json"), ("standings", "show"),
    ("battle", "list"), ("battle", "show", "b2"), ("battle", "show", "b2", "--format", "html"), ("log", "show"), ("log", "entry", "10"),
    ("explain", "krug", "xp"), ("dispute", "list"), ("dispute", "preview", "12", "--void"), ("campaign", "list"), ("campaign", "show"),
    ("policy", "history"), ("audit", "report"), ("audit", "dice"), ("audit", "heads"), ("audit", "verify"), ("boards", "verify"), ("doctor",), ("db", "current"),
    ("rollback", "preview", "--battle", "b2"), ("rollback", "rule", "--battle", "b2", "--force", "nobody minds", "--reason", "x"),
    ("dispute", "rule", "12", "--void", "--force", "nobody minds", "--strategy", "void-later", "--reason", "x"),
    ("fighter", "rename", "krug", "--name", "Krugg"), ("campaign", "new", "Rust Row"), ("battle", "record", "third.yaml", "--roll"),
]  # fmt: skip

Held = dict[str, list[tuple[Any, ...]]]


def everything_but_the_log(run: Run) -> None:
    """One to three kinds of damage at a time, each round on a fresh copy of the file."""
    with pytest.MonkeyPatch.context() as patch:
        season = season_in(run.folder, patch)
        season.done("campaign", "new", "Sump City")
        season.done("gang", "add", str(GANG_SHEETS[0]))
        season.done("-c", "ash-wastes", "dispute", "open", "9.2", "--reason", "cocked")
        for campaign in CAMPAIGNS:
            season.done("-c", campaign, "boards", "rebuild")
        files = [season.write(SEASON[2], name="third.yaml"), "new.db"]
        whole, before = season.contents(), held(season.file, TABLES)
        for dice in run.each_round():
            season.file.write_bytes(whole)
            for _ in range(dice.choice([1, 1, 2, 3])):
                damage = dice.choice(DAMAGE)
                # A strict table refuses a type, a key is taken.
                with suppress(sqlite3.IntegrityError), closing(sqlite3.connect(season.file)) as file, file:
                    damage(file, dice)
                    run.count(damage.__name__.replace("_", " ").strip())
            _what_is_called_whole_is_whole(season, before)
            for _ in range(COMMANDS_A_ROUND):
                known = dice.random() < 0.7
                words = dice.choice(SHOWING) if known else tuple(typed(dice, files))
                ran = season("-c", dice.choice([*CAMPAIGNS, CAMPAIGNS[0]]), *words)
                assert ran.code in (ANSWERS if known else DOCUMENTED), (words, output_of(ran))
                fits(ran.code, ran.out, ran.err, list(words))
                run.count(f"exit {ran.code}")
            _is_mended(season, whole, before)


def _what_is_called_whole_is_whole(season: Arbitrator, before: Held) -> None:
    verdicts = [season("-c", campaign, "boards", "verify") for campaign in CAMPAIGNS]
    assert {verdict.code for verdict in verdicts} <= {0, 2, 4}, "".join(map(output_of, verdicts))
    if not any(verdict.code for verdict in verdicts):
        boards = [name for name in TABLES if not name.startswith("snapshots")]
        assert held(season.file, boards) == {name: before[name] for name in boards}, "wrong, and called whole"


def _is_mended(season: Arbitrator, whole: bytes, before: Held) -> None:
    for campaign in CAMPAIGNS:
        ran = season("-c", campaign, "boards", "rebuild")
        assert ran.code == 0, output_of(ran)
    for campaign in CAMPAIGNS:
        for words in (("boards", "verify"), ("audit", "verify")):
            ran = season("-c", campaign, *words)
            assert ran.code == 0, output_of(ran)
    now = held(season.file, LOG)
    original = season.folder / "whole.db"
    original.write_bytes(whole)
    if now == held(original, LOG):
        assert held(season.file, TABLES) == before, "made anew, and otherwise"


def output_of(ran: Ran) -> str:
    """What a command said, and what it laid by where it took a fault upon itself."""
    faults = [Path(word.rstrip(".\n")) for word in ran.err.split(" ") if "fault-" in word]
    return "\n".join([f"exit {ran.code}", ran.out, ran.err, *(file.read_text() for file in faults)])


def held(file: Path, tables: tuple[str, ...] | list[str]) -> Held:
    with closing(sqlite3.connect(file)) as connection:
        # What is of no campaign may stay: nobody reads it.
        its = "WHERE campaign_id IN (SELECT campaign_id FROM heads)"
        return {name: sorted(connection.execute(f"SELECT * FROM {name} {its}"), key=repr) for name in tables}


# --- damage --------------------------------------------------------------------------------------------


def _a_table_with_rows(connection: sqlite3.Connection, dice: random.Random) -> tuple[str, list[str], int]:
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    found = []
    for name in TABLES:
        if name in there:
            (rows,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            if rows:
                found.append((name, rows))
    name, rows = dice.choice(found)
    return name, [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")], rows


Place = tuple[str, tuple[Any, ...]]
"""Which row: words for WHERE, and their values."""


def _nth(connection: sqlite3.Connection, table: str, at: int) -> Place:
    """By its key: not every table has a rowid."""
    keys = ", ".join(
        f'"{name}"' for _, name, *_, in_key in connection.execute(f"PRAGMA table_info({table})") if in_key
    )
    values = connection.execute(f"SELECT {keys} FROM {table} LIMIT 1 OFFSET {at}").fetchone()
    return f"({keys}) = ({', '.join('?' * len(values))})", values


def _rows_gone(connection: sqlite3.Connection, dice: random.Random) -> None:
    table, _, rows = _a_table_with_rows(connection, dice)
    if dice.random() < 0.3:
        connection.execute(f"DELETE FROM {table}")
    else:
        where, at = _nth(connection, table, dice.randrange(rows))
        connection.execute(f"DELETE FROM {table} WHERE {where}", at)


def _values_exchanged(connection: sqlite3.Connection, dice: random.Random) -> None:
    table, columns, rows = _a_table_with_rows(connection, dice)
    column = dice.choice(columns)
    keys = [name for _, name, *_, in_key in connection.execute(f"PRAGMA table_info({table})") if in_key]
    first, second = (_nth(connection, table, dice.randrange(rows)) for _ in range(2))
    (ones,), (others,) = (
        connection.execute(f'SELECT "{column}" FROM {table} WHERE {where}', at).fetchone()
        for where, at in (first, second)
    )
    free = "gone for now" if isinstance(ones, str) else -77
    # Where the column is of the key, the row is found by what it was called meanwhile.
    freed = tuple(free if name == column else value for name, value in zip(keys, first[1], strict=True))
    for (where, at), value in ((first, free), (second, ones), ((first[0], freed), others)):
        connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE {where}', (value, *at))


def _another_value(connection: sqlite3.Connection, dice: random.Random) -> None:
    table, columns, rows = _a_table_with_rows(connection, dice)
    column, (where, at) = dice.choice(columns), _nth(connection, table, dice.randrange(rows))
    value = dice.choice([None, "", "krug", "another", 0, -1, FAR, b"", b"\xff\x00", 1.5])
    connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE {where}', (value, *at))


def _a_text_that_is_no_text(connection: sqlite3.Connection, dice: random.Random) -> None:
    table, columns, rows = _a_table_with_rows(connection, dice)
    column, (where, at) = dice.choice(columns), _nth(connection, table, dice.randrange(rows))
    connection.execute(f"UPDATE {table} SET \"{column}\" = CAST(x'ff00c3' AS TEXT) WHERE {where}", at)


def _a_row_of_another_campaign(connection: sqlite3.Connection, dice: random.Random) -> None:
    table, _, rows = _a_table_with_rows(connection, dice)
    ids = [campaign for (campaign,) in connection.execute("SELECT campaign_id FROM heads")]
    where, at = _nth(connection, table, dice.randrange(rows))
    where, at = ("true", ()) if dice.random() < 0.2 else (where, at)
    connection.execute(
        f"UPDATE {table} SET campaign_id = ? WHERE {where}", (dice.choice([*ids, "another"]), *at)
    )


def _another_word_in_a_row(connection: sqlite3.Connection, dice: random.Random) -> None:
    for name in dice.sample(TABLES, len(TABLES)):
        if name != "board_campaigns" and not name.startswith("snapshots"):
            with suppress(sqlite3.OperationalError):  # no such table any more
                rows = connection.execute(f"SELECT rowid, row FROM {name}").fetchall()
                if rows:
                    at, text = dice.choice(rows)
                    changed = _otherwise(text, dice)
                    connection.execute(f"UPDATE {name} SET row = ? WHERE rowid = ?", (changed, at))
                    return


def _otherwise(text: Any, dice: random.Random) -> str:
    try:
        row = json.loads(text)
        assert isinstance(row, dict)
    except (ValueError, TypeError, AssertionError, RecursionError):
        return "{"
    chance = dice.random()
    if chance < 0.1:
        return dice.choice(
            ["", "{}", "[]", "null", "7", '"krug"', "{", text + text, text[: len(text) // 2], "\x00"]
        )
    name = dice.choice([*row])
    if chance < 0.2:
        deep = dice.choice(DEEP)
        return text[:-1] + f',"{dice.choice([name, "more"])}":' + "[" * deep + "]" * deep + "}"
    if chance < 0.35:
        del row[name]
    elif chance < 0.45:
        row["more"] = dice.choice(VALUES)
    elif chance < 0.6 and isinstance(row[name], list) and row[name]:
        row[name][dice.randrange(len(row[name]))] = dice.choice(VALUES)
    elif chance < 0.6 and isinstance(row[name], dict) and row[name]:
        row[name][dice.choice([*row[name]])] = dice.choice(VALUES)
    elif chance < 0.7 and isinstance(row[name], int):
        row[name] = row[name] + dice.choice([-1, 1, 1000])
    else:
        row[name] = dice.choice(VALUES)
    return json.dumps(row, sort_keys=True, separators=(",", ":"))


def _another_bit_of_a_snapshot(connection: sqlite3.Connection, dice: random.Random) -> None:
    with suppress(sqlite3.OperationalError, IndexError):
        table = dice.choice(["snapshots", "snapshots_parts"])
        at, body = dice.choice(connection.execute(f"SELECT rowid, body FROM {table}").fetchall())
        changed = bytearray(body)
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        connection.execute(f"UPDATE {table} SET body = ? WHERE rowid = ?", (bytes(changed), at))


def _the_revision(connection: sqlite3.Connection, dice: random.Random) -> None:
    with suppress(sqlite3.OperationalError):
        connection.execute(
            dice.choice(
                [
                    "DROP TABLE alembic_version",
                    "DELETE FROM alembic_version",
                    "UPDATE alembic_version SET version_num = '0001'",
                    "UPDATE alembic_version SET version_num = '0002'",
                    "UPDATE alembic_version SET version_num = x'ff'",
                    "UPDATE alembic_version SET version_num = 7.5",
                    "INSERT INTO alembic_version VALUES ('0001')",
                ]
            )
        )


def _a_table_gone(connection: sqlite3.Connection, dice: random.Random) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {dice.choice(TABLES)}")


def _an_index_gone(connection: sqlite3.Connection, dice: random.Random) -> None:
    indexes = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name LIKE 'board%' AND sql NOT NULL"
    ).fetchall()
    connection.execute(f"DROP INDEX {dice.choice(indexes)[0]}")


DAMAGE: list[Callable[[sqlite3.Connection, random.Random], None]] = [
    _rows_gone,
    _rows_gone,
    _values_exchanged,
    _values_exchanged,
    _another_value,
    _another_value,
    _a_text_that_is_no_text,
    _a_row_of_another_campaign,
    _another_word_in_a_row,
    _another_word_in_a_row,
    _another_word_in_a_row,
    _another_bit_of_a_snapshot,
    _the_revision,
    _a_table_gone,
    _an_index_gone,
]

"""One value of one row at its extreme, a row gone or doubled, in every table: each reading command answers as before
or exits 4 and says what to do, and where an answer is another one a verifier says that something is wrong.

Somebody who owns the file keeps no rule of it: strictness, checks and guards are lifted, and put back behind the edit.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import postgres_server
import psycopg
import pytest
from cli_arbitrator import Arbitrator, Ran
from cli_reports import SEASON
from psycopg import sql

from tracker import schema
from tracker.service import log_verdicts

from .damaging import output_of
from .inputs import begin, season_in
from .runner import Run

FAR = 2**63 - 1
VALUES: dict[str, Any] = {
    "0": 0, "-1": -1, "2^63-1": FAR, "-2^63": -FAR - 1, "NULL": None, "a text": "krug", "a float": 1.5, "a blob": b"\xff\x00",
}  # fmt: skip
ANOTHERS, GONE, DOUBLED = "another row's value", "gone", "doubled"
PLACES = ("first", "middle", "last")
LOG = ("events", "heads", "commands", "signed_notes")
CACHES = tuple(table.name for table in schema.CACHES)
TABLES = tuple(schema.metadata.tables)
ANSWERS = {0, 4}
BESIDE = {0, 1, 2, 4}
"""What a command may say where rows beside the log are otherwise: they are the truth themselves."""

READING = [
    ("audit", "verify"), ("audit", "verify", "--deep"), ("boards", "verify"), ("doctor",), ("roster", "show"), ("roster", "show", "--json"),
    ("roster", "show", "--as-of-battle", "b1"), ("roster", "diff", "--from", "battle:b1"), ("gang", "list"), ("gang", "ledger", "iron-skulls"),
    ("gang", "territories"), ("gang", "export", "iron-skulls", "--json"), ("fighter", "show", "krug"), ("standings", "show"),
    ("battle", "list"), ("battle", "show", "b2"), ("log", "show"), ("log", "entry", "10"), ("explain", "krug", "xp"), ("dispute", "list"),
    ("dispute", "preview", "9.2", "--void"), ("rollback", "preview", "--battle", "b2"), ("campaign", "list"), ("campaign", "show"),
    ("policy", "history"), ("audit", "report"), ("audit", "dice"), ("audit", "heads"), ("audit", "key", "show"), ("audit", "witnesses"),
    ("member", "list"), ("member", "invites"), ("draft", "list"), ("battle", "proposals"),
    ("webhook", "list"), ("db", "current"),
]  # fmt: skip
VERIFYING = READING[:4]


@dataclass(frozen=True)
class Edit:
    """What becomes of one row, or of a value of it."""

    table: str
    column: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column or 'row'}, the {self.place} row: {self.what}"


def edits(tables: Sequence[str] = TABLES, *, numbers_only: bool = False) -> Iterator[Edit]:
    """Every edit there is, table by table."""
    for name in tables:
        columns = schema.metadata.tables[name].columns
        wanted = [column.name for column in columns if not numbers_only or column.type.python_type is int]
        for place in PLACES:
            for column, what in itertools.product(wanted, (*VALUES, ANOTHERS)):
                yield Edit(table=name, column=column, place=place, what=what)
            for what in () if numbers_only else (GONE, DOUBLED):
                yield Edit(table=name, column="", place=place, what=what)


# --- a season with a row in every table that commands write ---------------------------------------------------


class OnServer(Arbitrator):
    """The command line on a database of a server."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.url = url

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


def season_with_everything(folder: Path, patch: pytest.MonkeyPatch, url: str | None = None) -> Arbitrator:
    season = season_in(folder, patch)
    if url is not None:
        season = OnServer(season.folder, url)
        season.done("db", "upgrade")
        begin(season)
        for report in SEASON[:2]:
            season.record(report)
    season.done("dispute", "open", "9.2", "--reason", "cocked")
    for words in (
        ("audit", "key", "new", "--no-passphrase"),
        ("audit", "checkpoint"),
        ("member", "invite", "--role", "player", "--gang", "iron-skulls"),
        ("webhook", "add", "https://example.org/hook", "--kind", "json"),
        ("draft", "begin", "battle"),
        ("battle", "propose", season.write(SEASON[2], name="third.yaml")),
        ("boards", "rebuild"),
    ):
        ran = season(*words)
        assert ran.code == 0, (words, output_of(ran))
    return season


# --- the edits --------------------------------------------------------------------------------------------


def applied(connection: sqlite3.Connection, edit: Edit) -> bool:
    """Whether there was such a row, which is now otherwise."""
    with _lenient(connection):
        keys = [column.name for column in schema.metadata.tables[edit.table].primary_key]
        rows = connection.execute(f"SELECT * FROM {edit.table} ORDER BY {', '.join(keys)}")
        names = [column[0] for column in rows.description]
        found = rows.fetchall()
        if not found:
            return False
        at = {"first": 0, "middle": len(found) // 2, "last": len(found) - 1}[edit.place]
        row, other = (dict(zip(names, found[place], strict=True)) for place in (at, at - 1))
        return _change(connection, edit, row, other, keys)


def _change(
    connection: sqlite3.Connection, edit: Edit, row: dict[str, Any], other: dict[str, Any], keys: list[str]
) -> bool:
    where = " AND ".join(f'"{key}" = ?' for key in keys)
    at = [row[key] for key in keys]
    if edit.what == GONE:
        connection.execute(f"DELETE FROM {edit.table} WHERE {where}", at)
        return True
    if edit.what == DOUBLED:
        double = double_of(row, keys)
        marks = ", ".join("?" * len(double))
        connection.execute(f"INSERT INTO {edit.table} VALUES ({marks})", [*double.values()])
        return True
    value = other[edit.column] if edit.what == ANOTHERS else VALUES[edit.what]
    if value == row[edit.column] and type(value) is type(row[edit.column]):
        return False
    try:
        connection.execute(f'UPDATE {edit.table} SET "{edit.column}" = ? WHERE {where}', (value, *at))
    except sqlite3.IntegrityError:  # two rows of one key: that no table can hold
        return False
    return True


def double_of(row: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """The row once more, under a key of its own."""
    last = row[keys[-1]]
    double = row | {keys[-1]: last + 1_000 if isinstance(last, int) else f"{last}x"}
    unique = {"event_id", "secret_hash", "slug"} - {keys[-1]}
    return double | {name: f"{double[name]}x" for name in unique & set(double)}


@contextmanager
def _lenient(connection: sqlite3.Connection) -> Iterator[None]:
    """The tables without what they refuse; with it again afterwards, whatever they hold by then."""
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    declared = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT NULL"
    ).fetchall()
    guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        connection.execute(f"DROP TRIGGER {name}")
    for name, words in declared:
        loose = re.sub(r",?\s*STRICT\b", "", words.replace(" NOT NULL", ""))
        connection.execute(
            "UPDATE sqlite_master SET sql = ? WHERE name = ? AND type = 'table'", (loose, name)
        )
    _reread(connection)
    try:
        yield
    finally:
        for name, words in declared:
            connection.execute(
                "UPDATE sqlite_master SET sql = ? WHERE name = ? AND type = 'table'", (words, name)
            )
        _reread(connection)
        for _, words in guards:
            connection.execute(words)
        connection.commit()


def _reread(connection: sqlite3.Connection) -> None:
    connection.commit()
    (version,) = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute(f"PRAGMA schema_version = {version + 1}")


# --- what is asked of it -----------------------------------------------------------------------------------


def answers(season: Arbitrator, commands: Sequence[tuple[str, ...]] = READING) -> dict[tuple[str, ...], Ran]:
    return {words: season("-c", "ash-wastes", *words) for words in commands}


def check(edit: Edit, before: dict[tuple[str, ...], Ran], now: dict[tuple[str, ...], Ran]) -> str:
    """What came of it, in a word. Asserts that nobody is told anything wrong in silence."""
    beside = edit.table not in (*LOG, *CACHES)
    for words, ran in now.items():
        allowed = (
            BESIDE if beside else ANSWERS | {before[words].code} | ({1} if words == ("doctor",) else set())
        )
        if edit.table == "signed_notes":
            allowed = allowed | {*log_verdicts.EXIT_CODES.values(), log_verdicts.FEWER_WITNESSES}
        assert ran.code in allowed, (str(edit), words, output_of(ran))
        if ran.code == 4:
            assert "arbitrator" in ran.err or "backup" in ran.err or ran.out, (str(edit), words, ran.err)
    if beside or edit.table == "signed_notes":
        return "beside the log"
    # The doctor is a verifier too: what it says is otherwise has been said.
    otherwise = [
        words
        for words, ran in now.items()
        if ran.code == 0 and ran.out != before[words].out and words != ("doctor",)
    ]
    seen = any(now[words].code != before[words].code for words in VERIFYING if words in now)
    assert seen or not otherwise, (str(edit), "no verifier says so", otherwise)
    return "seen" if seen else "nothing that counts"


def sqlite(run: Run) -> None:
    """One edit a round, in the order of the tables, each on a fresh copy of the file."""
    with pytest.MonkeyPatch.context() as patch:
        season = season_with_everything(run.folder, patch)
        whole, before = season.contents(), answers(season)
        every = [*edits()]
        for _ in run.each_round():
            edit = every[run.at % len(every)]
            season.file.write_bytes(whole)
            with closing(sqlite3.connect(season.file)) as connection:
                there = applied(connection, edit)
            run.count(check(edit, before, answers(season)) if there else "no such row")


def postgres(run: Run) -> None:
    """The same on PostgreSQL, as far as its types and checks let the owner of the database, guards asleep."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        with (
            pytest.MonkeyPatch.context() as patch,
            psycopg.connect(url.replace("+psycopg", "")) as connection,
        ):
            season = season_with_everything(run.folder, patch, url)
            before, every = answers(season), [*edits()]
            for _ in run.each_round():
                edit = every[run.at % len(every)]
                undo = applied_on_server(connection, edit)
                run.count(check(edit, before, answers(season)) if undo else "not let, or no such row")
                for words, values in undo:
                    connection.execute(words, values)
                connection.commit()
    finally:
        postgres_server.discard(home)


Undo = list[tuple[Any, list[Any]]]


def applied_on_server(connection: psycopg.Connection[Any], edit: Edit) -> Undo:
    """What takes the edit back; nothing where there is no such row, or the server does not let it."""
    connection.execute("SET session_replication_role = replica")
    keys = [column.name for column in schema.metadata.tables[edit.table].primary_key]
    rows = connection.execute(sql.SQL("SELECT * FROM {} ORDER BY {}").format(
        sql.Identifier(edit.table), sql.SQL(", ").join(map(sql.Identifier, keys))
    ))  # fmt: skip
    names = [column.name for column in rows.description or ()]
    found = rows.fetchall()
    if not found:
        return []
    at = {"first": 0, "middle": len(found) // 2, "last": len(found) - 1}[edit.place]
    row, other = (dict(zip(names, found[place], strict=True)) for place in (at, at - 1))
    insert, delete = _insert(edit.table, row), _delete(edit.table, keys, row)
    if edit.what == GONE:
        doing, undo = [delete], [insert]
    else:
        value = other.get(edit.column) if edit.what == ANOTHERS else VALUES.get(edit.what)
        changed = double_of(row, keys) if edit.what == DOUBLED else row | {edit.column: value}
        if changed == row:
            return []
        doing, undo = [_insert(edit.table, changed)], [_delete(edit.table, keys, changed)]
        if edit.what != DOUBLED:
            doing, undo = [delete, *doing], [*undo, insert]
    try:
        for words, values in doing:
            connection.execute(words, values)
        connection.commit()
    except psycopg.Error:
        connection.rollback()
        return []
    return undo


def _insert(table: str, row: dict[str, Any]) -> tuple[Any, list[Any]]:
    marks = sql.SQL(", ").join([sql.Placeholder()] * len(row))
    names = sql.SQL(", ").join(map(sql.Identifier, row))
    words = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, marks)
    return words, [*row.values()]


def _delete(table: str, keys: list[str], row: dict[str, Any]) -> tuple[Any, list[Any]]:
    where = sql.SQL(" AND ").join(
        sql.SQL("{} = {}").format(sql.Identifier(key), sql.Placeholder()) for key in keys
    )
    return sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), where), [row[key] for key in keys]


EVERY_EDIT = len([*edits()])

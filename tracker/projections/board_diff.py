"""Compares the boards with what a rebuild would write, in a database of its own, so that writers need not
wait.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    NullPool,
    Select,
    Table,
    Text,
    bindparam,
    create_engine,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from tracker.campaign import records
from tracker.log.database import reading
from tracker.projections import row_json, sql
from tracker.schema import events


@contextmanager
def scratch_boards() -> Iterator[Connection]:
    """A connection to a database with empty boards, inside a transaction."""
    with _scratch().begin() as connection:
        file: Any = connection.connection.driver_connection
        for statement in _empty_boards():
            file.execute(statement)
        yield connection


@cache
def _scratch() -> Engine:
    """An engine that gives every connection an empty database of its own, and compiles a statement once."""
    # An SQLite database without a name is a file that SQLite removes itself; most of it never leaves memory.
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(""), poolclass=NullPool)


@cache
def _empty_boards() -> tuple[str, ...]:
    dialect = sqlite.dialect()
    tables = [str(CreateTable(table).compile(dialect=dialect)) for table in sql.BOARDS]
    indexes = [CreateIndex(index) for table in sql.BOARDS for index in table.indexes]
    return (*tables, *(str(index.compile(dialect=dialect)) for index in indexes))


STEP = 2_000
"""Rows copied in one transaction, which takes some ten milliseconds."""

TRIES = 5
"""The number of attempts to copy in steps; if rulings interrupt all of them, the copy is made at once."""


def copy_boards(engine: Engine, campaign: str, copy: Connection) -> int:
    """Copy the boards into `copy`, which has none yet. Returns the last entry that they include."""
    for at_once in (*([False] * TRIES), True):
        last_entry = _copied(engine, campaign, copy, at_once=at_once)
        if last_entry is not None:
            return last_entry
        for table in sql.BOARDS:
            copy.execute(sql.DELETE_ALL[table], {"its_campaign_id": campaign})
    raise AssertionError("no ruling interrupts a copy that is made at once")


def _copied(engine: Engine, campaign: str, copy: Connection, *, at_once: bool) -> int | None:
    """The last entry that the copy includes; None if a ruling changed rows that were copied."""
    bound: dict[str, Any] = {"campaign": campaign, "step": STEP}
    with reading(engine) as connection:
        bound["last_seq"], bound["last_entry"] = connection.execute(_LAST, bound).first() or (-1, 0)
        for table in sql.BOARDS:
            if at_once or table not in sql.BY_ENTRY:
                result = connection.execute(_WHOLE[table], bound)
                for rows in result.partitions():
                    sql.insert_values(copy, table, rows)
    for table in () if at_once else sql.BY_ENTRY:
        query, is_more = _FIRST_STEP[table], True
        while is_more:
            with reading(engine) as connection:
                if connection.execute(_RULED_SINCE, bound).first() is not None:
                    return None
                page = connection.execute(query, bound).all()
            sql.insert_values(copy, table, page)
            query, is_more = _STEP[table], len(page) == STEP
            if is_more:
                bound |= {column.name: getattr(page[-1], column.name) for column in _key(table)}
    return int(bound["last_entry"])


def _key(table: Table) -> list[Any]:
    return [column for column in table.primary_key if column.name != "campaign_id"]


def _of_campaign(table: Table) -> Select[Any]:
    return select(table).where(table.c.campaign_id == bindparam("campaign"))


_LAST = (
    select(events.c.seq, events.c.entry)
    .where(events.c.campaign_id == bindparam("campaign"))
    .order_by(events.c.seq.desc())
    .limit(1)
)
_NOW = (
    select(events.c.entry)
    .where(events.c.campaign_id == bindparam("campaign"))
    .order_by(events.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_RULED_SINCE = (
    select(events.c.seq)
    .where(
        events.c.campaign_id == bindparam("campaign"),
        events.c.seq > bindparam("last_seq"),
        or_(
            events.c.slot != events.c.entry,
            events.c.type.in_([records.NAMES[records.SlotVoided], records.NAMES[records.SlotKept]]),
        ),
    )
    .limit(1)
)
_WHOLE = {table: _of_campaign(table).execution_options(yield_per=STEP) for table in sql.BOARDS}
_FIRST_STEP = {
    # A row of a slot that was empty at the start is complete, so it is copied too.
    table: _of_campaign(table)
    .where(or_(table.c.slot <= bindparam("last_entry"), table.c.slot > _NOW))
    .order_by(*_key(table))
    .limit(bindparam("step"))
    for table in sql.BY_ENTRY
}
_STEP = {
    table: query.where(tuple_(*_key(table)) > tuple_(*(bindparam(column.name) for column in _key(table))))
    for table, query in _FIRST_STEP.items()
}


def differences(
    connection: Connection, campaign: str, *, rebuild: Callable[[Connection, str], object]
) -> list[str]:
    """The rows of the boards that are missing, wrong or should not exist, one line for each.

    Writes nothing here: `rebuild` makes the boards again in a scratch database, and the two are compared row
    by row.
    """
    with scratch_boards() as remade:
        rebuild(remade, campaign)
        return [line for table in sql.BOARDS for line in _differences_in(table, campaign, connection, remade)]


def _differences_in(table: Table, campaign: str, board: Connection, remade: Connection) -> Iterator[str]:
    name = table.name.removeprefix("board_")
    names, keys = [column.name for column in _key_first(table)], slice(len(_key(table)))
    is_rows, should_rows = (_in_key_order(table, campaign, connection) for connection in (board, remade))
    row, should = next(is_rows, None), next(should_rows, None)
    while row is not None or should is not None:
        if row != should:
            if should is None or (row is not None and row[keys] < should[keys]):
                assert row is not None
                yield f"{name} {_key_words(row[keys])}: is there and should not be"
                row = next(is_rows, None)
                continue
            if row is None or should[keys] < row[keys]:
                yield f"{name} {_key_words(should[keys])}: is missing"
                should = next(should_rows, None)
                continue
            unlike = _unlike(dict(zip(names, row, strict=True)), dict(zip(names, should, strict=True)))
            yield f"{name} {_key_words(row[keys])}: {'; '.join(unlike)}"
        row, should = next(is_rows, None), next(should_rows, None)


def _key_first(table: Table) -> list[Column[Any]]:
    return [*_key(table), *(column for column in table.columns if not column.primary_key)]


def _in_key_order(table: Table, campaign: str, connection: Connection) -> Iterator[tuple[Any, ...]]:
    query = _ordered(table, connection.dialect.name)
    return map(tuple, connection.execute(query, {"campaign": campaign}))


@cache
def _ordered(table: Table, dialect: str) -> Select[Any]:
    # Both engines must name keys in the order in which Python compares them.
    bytewise = "C" if dialect == "postgresql" else "BINARY"
    order = [column.collate(bytewise) if isinstance(column.type, Text) else column for column in _key(table)]
    query = select(*_key_first(table)).where(table.c.campaign_id == bindparam("campaign"))
    return query.order_by(*order).execution_options(yield_per=sql.PAGE)


def _key_words(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key) or "itself"


def _unlike(row: Mapping[str, Any], should: Mapping[str, Any]) -> Iterator[str]:
    for column in should:
        if row[column] == should[column]:
            continue
        if column != "row":
            yield f"column {column} is {row[column]!r}, should be {should[column]!r}"
            continue
        try:
            stored, other = row_json.from_json(row["row"]), row_json.from_json(should["row"])
        except (msgspec.DecodeError, RecursionError):
            yield "its row is not JSON"
            continue
        if not isinstance(stored, dict) or stored == other:
            yield "its row is encoded differently"
            continue
        for name in sorted({*stored, *other}):
            if name not in stored or name not in other or stored[name] != other[name]:
                yield f"{name} is {_shown(stored, name)}, should be {_shown(other, name)}"


def _shown(row: Mapping[str, Any], name: str) -> str:
    try:
        text = row_json.as_json(row[name]) if name in row else "absent"
    except RecursionError:
        return "nested too deep to be shown"
    return text if len(text) <= 60 else text[:57] + "..."

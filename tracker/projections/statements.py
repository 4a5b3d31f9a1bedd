"""The statements of the boards, made once so that SQLAlchemy finds each compiled, and rows as JSON."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy import update as sql_update

from tracker import schema

Bound: TypeAlias = dict[str, Any]
"""The values of one statement, by column."""

PAGE = 1000
"""Rows held in memory before they are written, and slots asked for at once."""

BOARDS: tuple[Table, ...] = (
    schema.board_campaigns,
    schema.board_gangs,
    schema.board_fighters,
    schema.board_injuries,
    schema.board_experience,
    schema.board_ledger,
    schema.board_rolls,
    schema.board_battles,
    schema.board_disputes,
    schema.board_entries,
)
OF_WHAT_COUNTS = (schema.board_injuries, schema.board_experience, schema.board_ledger)
"""The boards by event that keep nothing of what was struck."""
BY_EVENT = (*OF_WHAT_COUNTS, schema.board_rolls, schema.board_entries)
"""The boards with one row or more for an event, in the order in which they are written."""

_to_json = msgspec.json.Encoder(order="sorted").encode
from_json = msgspec.json.Decoder().decode


def as_json(row: Any) -> str:
    return _to_json(row).decode()


def write(connection: Connection, statement: Insert | Update | Delete, bounds: list[Bound]) -> None:
    if bounds:
        connection.execute(statement, bounds)


def write_changes(
    connection: Connection, table: Table, *, gone: list[Bound], new: list[Bound], changed: list[Bound]
) -> None:
    # What goes makes room first: a name may come back under another gang.
    keys = {column.name for column in table.primary_key}
    write(connection, DELETE[table], [_as_keys(bound, keys) for bound in gone])
    write(connection, INSERT[table], new)
    write(connection, UPDATE[table], [_as_keys(bound, keys) for bound in changed])


def _as_keys(bound: Bound, keys: Collection[str]) -> Bound:
    return {f"its_{name}" if name in keys else name: given for name, given in bound.items()}


def _its_key(table: Table) -> list[ColumnElement[bool]]:
    return [column == bindparam(f"its_{column.name}") for column in table.primary_key]


def _in_slots(table: Table) -> ColumnElement[bool]:
    return table.c.slot.in_(bindparam("slots", expanding=True))


def _in_span(table: Table) -> ColumnElement[bool]:
    return table.c.slot.between(bindparam("first"), bindparam("last"))


def _rows(table: Table) -> Select[Any]:
    return select(table.c.row).where(table.c.campaign_id == bindparam("campaign_id"))


INSERT = {table: insert(table) for table in BOARDS}
UPDATE = {table: sql_update(table).where(*_its_key(table)) for table in BOARDS}
DELETE = {table: delete(table).where(*_its_key(table)) for table in BOARDS}
DELETE_ALL = {
    table: delete(table).where(table.c.campaign_id == bindparam("its_campaign_id")) for table in BOARDS
}
DELETE_SLOTS = {table: DELETE_ALL[table].where(_in_slots(table)) for table in OF_WHAT_COUNTS}
SELECT_SLOTS = {
    table: _rows(table).where(_in_slots(table)) for table in (schema.board_rolls, schema.board_entries)
}
SELECT_SPAN = {table: _rows(table).where(_in_span(table)) for table in BY_EVENT}
LAST_ENTRY = select(func.max(schema.board_entries.c.entry)).where(
    schema.board_entries.c.campaign_id == bindparam("campaign_id")
)

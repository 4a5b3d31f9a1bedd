"""The statements of the boards, made once so that SQLAlchemy finds each compiled, and rows as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
)
from sqlalchemy import update as sql_update

from tracker import schema
from tracker.log.prepared_statements import PreparedStatement, insertion

Bound: TypeAlias = dict[str, Any]
"""The values of one statement, by column."""

PAGE = 1000
"""Rows held in memory before they are written, and slots queried at once."""

BOARDS: tuple[Table, ...] = (
    schema.board_campaigns,
    schema.board_gangs,
    schema.board_fighters,
    schema.board_battles,
    schema.board_disputes,
    schema.board_entries,
)
BY_ENTRY = (schema.board_entries,)
"""The boards with at least one row for each entry."""
SELDOM = {
    schema.board_gangs: frozenset({"position"}),
    schema.board_fighters: frozenset({"gang_id", "gone", "position"}),
    schema.board_battles: frozenset({"number", "slot"}),
}
"""Columns that hardly ever change. Setting them to the same value would still write a page of each of their
indexes.
"""


def insert_rows(connection: Connection, table: Table, bounds: Sequence[Bound]) -> None:
    """Insert whole rows."""
    _write(connection, _INSERT[table], bounds)


def insert_values(connection: Connection, table: Table, rows: Sequence[Any]) -> None:
    """Insert whole rows, their values in the order of the table's columns."""
    _INSERT[table].write(connection, [tuple(row) for row in rows])


def _write(connection: Connection, statement: PreparedStatement, bounds: Sequence[Bound]) -> None:
    if bounds:
        values = itemgetter(*statement.order)
        statement.write(connection, [values(bound) for bound in bounds])


def write_changes(
    connection: Connection,
    table: Table,
    *,
    gone: list[Bound],
    new: list[Bound],
    changed: list[Bound],
    moved: Sequence[Bound] = (),
) -> None:
    """Delete, insert and update rows. Deletions come first, because an id may come back under another gang.

    `gone` has only the keys; `new`, `changed` and `moved` have whole rows. `changed` leaves the SELDOM
    columns alone, `moved` sets them too.
    """
    _write(connection, _DELETE[table], gone)
    _write(connection, _INSERT[table], new)
    _write(connection, _UPDATE[table], changed)
    _write(connection, _UPDATE_WHOLE[table], moved)


def update_rows(connection: Connection, table: Table, bounds: Sequence[Bound]) -> None:
    """Update some columns of rows. A key column is bound as `its_` and its name. Raises RowsNotWritten."""
    if bounds:
        changed = tuple(name for name in bounds[0] if not name.startswith("its_"))
        _write(connection, _update_of(table, changed), bounds)


@cache
def _update_of(table: Table, changed: tuple[str, ...]) -> PreparedStatement:
    statement = sql_update(table).values({name: bindparam(name) for name in changed}).where(*_its_key(table))
    return PreparedStatement(statement, (*changed, *(f"its_{column.name}" for column in table.primary_key)))


def _its_key(table: Table) -> list[ColumnElement[bool]]:
    return [column == bindparam(f"its_{column.name}") for column in table.primary_key]


def _change(table: Table, but: frozenset[str] = frozenset(), *, name: str) -> PreparedStatement:
    keys = [column.name for column in table.primary_key]
    rest = [column.name for column in table.columns if column.name not in {*keys, *but}]
    statement = sql_update(table).values({name: bindparam(name) for name in rest}).where(*_key_is(table))
    return PreparedStatement(statement, (*rest, *keys), name=f"{table.name}_{name}")


def _deletion(table: Table) -> PreparedStatement:
    return PreparedStatement(
        delete(table).where(*_key_is(table)), [column.name for column in table.primary_key]
    )


def _key_is(table: Table) -> list[ColumnElement[bool]]:
    return [column == bindparam(column.name) for column in table.primary_key]


_INSERT = {table: insertion(table) for table in BOARDS}
_UPDATE = {table: _change(table, SELDOM.get(table, frozenset()), name="changed") for table in BOARDS}
_UPDATE_WHOLE = {table: _change(table, name="moved") for table in BOARDS}
_DELETE = {table: _deletion(table) for table in BOARDS}
DELETE_ALL = {
    table: delete(table).where(table.c.campaign_id == bindparam("its_campaign_id")) for table in BOARDS
}

"""Read queries as plain SQL, for SQLAlchemy's connections and the standard library's alike.

The SQL is common to both databases, with `?` for each value. Such queries need no import of SQLAlchemy, which
takes longer than reading a roster; a test checks every one of them against `schema`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from sqlalchemy import Connection

AnyConnection: TypeAlias = "Connection | sqlite3.Connection"
"""A connection with an open transaction."""


def rows(connection: AnyConnection, sql: str, *parameters: object) -> Sequence[Sequence[Any]]:
    """All rows of a query."""
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(sql, parameters).fetchall()
    return connection.exec_driver_sql(in_dialect(connection.dialect.name, sql), parameters).all()


def scalars(connection: AnyConnection, sql: str, *parameters: object) -> list[Any]:
    """The first column of all rows."""
    return [row[0] for row in rows(connection, sql, *parameters)]


def first(connection: AnyConnection, sql: str, *parameters: object) -> Sequence[Any] | None:
    """The first row, or None."""
    return next(iter(rows(connection, sql, *parameters)), None)


def scalar(connection: AnyConnection, sql: str, *parameters: object) -> Any:
    """The first column of the first row, or None."""
    row = first(connection, sql, *parameters)
    return None if row is None else row[0]


def is_sqlite(connection: AnyConnection) -> bool:
    """Whether the connection leads to an SQLite database."""
    return isinstance(connection, sqlite3.Connection) or connection.dialect.name == "sqlite"


def in_dialect(dialect: str, sql: str) -> str:
    """The statement with the parameter style of that database's driver."""
    return sql.replace("?", "%s") if dialect == "postgresql" else sql

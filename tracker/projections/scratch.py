"""A database thrown away when it is closed, with the tables of the boards and nothing in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from sqlalchemy import Connection, Engine, NullPool, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from tracker.projections.sql import BOARDS


@contextmanager
def scratch_boards() -> Iterator[Connection]:
    """A connection to such a database, inside a transaction."""
    with _scratch().begin() as connection:
        for statement in _empty_boards():
            connection.exec_driver_sql(statement)
        yield connection


@cache
def _scratch() -> Engine:
    """An engine that gives every connection an empty database of its own, and compiles a statement once."""
    # An SQLite database without a name is a file that SQLite removes itself; most of it never leaves memory.
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(""), poolclass=NullPool)


@cache
def _empty_boards() -> tuple[str, ...]:
    dialect = sqlite.dialect()
    tables = [str(CreateTable(table).compile(dialect=dialect)) for table in BOARDS]
    indexes = [CreateIndex(index) for table in BOARDS for index in table.indexes]
    return (*tables, *(str(index.compile(dialect=dialect)) for index in indexes))

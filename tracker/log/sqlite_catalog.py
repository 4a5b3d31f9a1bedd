"""The schema of our tables as an SQLite file describes it, and as the migrations make it."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from tracker import schema
from tracker.log.schema_parts import SchemaPart, our_tables

_DESCRIBED = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
_REFERS = (
    'SELECT DISTINCT described.name, lower(foreign_key."table") FROM sqlite_master AS described,'
    " pragma_foreign_key_list(described.name) AS foreign_key WHERE described.type = 'table'"
)


def actual_parts(connection: Connection) -> Mapping[SchemaPart, str]:
    """The parts found: of our tables, and tables and views of other programs that name one of ours."""
    rows = connection.exec_driver_sql(_DESCRIBED).all()
    references = connection.exec_driver_sql(_REFERS).all()
    return dict(_parts(map(tuple, rows))) | dict(_referring(map(tuple, references)))


@cache
def expected_parts() -> Mapping[SchemaPart, str]:
    """The parts of a file that the migrations made: a test compares the two."""
    dialect = sqlite.dialect()
    tables = schema.metadata.sorted_tables
    wordings = [str(CreateTable(table).compile(dialect=dialect)) for table in tables]
    indexes = [CreateIndex(index) for table in tables for index in table.indexes]
    wordings += [str(index.compile(dialect=dialect)) for index in indexes]
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (*wordings, schema.REVISION_TABLE_WORDING, *schema.SQLITE_GUARDS.values()):
            connection.execute(statement)
        return dict(_parts(connection.execute(_DESCRIBED)))


def _parts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[SchemaPart, str]]:
    ours = set(our_tables())
    for kind, name, table, wording in rows:
        # SQLite keeps the name of a trigger's table as it was typed.
        on = str(table).lower()
        if kind == "view":
            named = ours.intersection(_WORD.findall(str(wording).lower())) | ours.intersection({on})
            yield from ((SchemaPart(within, f"view {name}"), _plain(wording)) for within in named)
        elif on in ours:
            yield SchemaPart(on, f"{kind} {name}"), _plain(wording or "made with its table")


def _referring(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[SchemaPart, str]]:
    ours = set(our_tables())
    for name, table in rows:
        if table in ours:
            yield SchemaPart(str(table), f"foreign key of {name}"), "refers to it"


_WORD = re.compile(r"\w+")


@lru_cache(maxsize=256)  # nearly all definitions are those of the migrations
def _plain(wording: str) -> str:
    """A definition without its spacing, needless quotes and the order of its columns and constraints."""
    text = re.sub(r'"([a-z_]+)"', r"\1", " ".join(str(wording).split()))
    head, opened, rest = text.partition("(")
    if not (opened and head.upper().startswith("CREATE TABLE")):
        return text
    inside, _, tail = rest.rpartition(")")
    return f"{head.strip()} ({', '.join(sorted(_definitions(inside)))}) {tail.strip()}"


def _definitions(inside: str) -> Iterator[str]:
    """The comma-separated parts of a table's definition; commas within brackets do not separate."""
    depth, start = 0, 0
    for at, letter in enumerate(inside):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield inside[start:at].strip()
            start = at + 1
    yield inside[start:].strip()

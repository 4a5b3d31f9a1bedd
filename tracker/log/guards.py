"""Guards: what the database itself describes of our tables, and whether that is as the migrations made it.

Knows what of a description may differ. Making tables, triggers and rules is for the migrations.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Engine

from tracker import schema
from tracker.log.database import reading

WORDING_MOST = 40
"""So long is a description that is shown whole."""


class Part(NamedTuple):
    """One thing that is described of a table of ours: a column, a key, an index, a trigger, a rule."""

    table: str
    name: str

    def __str__(self) -> str:
        return self.name if self.name.startswith("table ") else f"{self.name} on {self.table}"


def guards_wrong(engine: Engine, tables: Collection[str] | None = None) -> tuple[str, ...]:
    """What stands on our tables and is missing, changed, switched off or not ours. Empty when all is well.

    `tables`: only what stands on these.
    """
    if engine.dialect.name == "sqlite":
        from tracker.log import sqlite_parts as parts  # one engine's catalog is never asked of the other
    else:
        from tracker.log import postgres_parts as parts  # type: ignore[no-redef]
    with reading(engine) as connection:
        found = parts.found(connection)
    wrong = _unlike(found, parts.made())
    return tuple(line for part, line in wrong if tables is None or part.table in tables)


def _unlike(found: Mapping[Part, str], made: Mapping[Part, str]) -> Iterator[tuple[Part, str]]:
    for part in sorted({*found, *made}):
        if part not in found:
            yield part, f"{part}: is missing"
        elif part not in made:
            yield part, f"{part}: is not ours"
        elif found[part] != made[part]:
            brief = max(len(found[part]), len(made[part])) <= WORDING_MOST
            yield part, f"{part}: is {found[part]!r}, not {made[part]!r}" if brief else f"{part}: is changed"


def our_tables() -> Iterable[str]:
    """The tables that readers and writers name, and Alembic's own."""
    return (*schema.metadata.tables, schema.REVISION_TABLE)

"""Compares the database's schema of our tables with the schema that the migrations make.

Knows which differences are allowed. Only migrations make tables, triggers and rules.
"""

from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import Engine

from tracker.log import postgres_catalog, sqlite_catalog
from tracker.log.database import reading
from tracker.log.schema_parts import SchemaPart

WORDING_MOST = 40
"""The longest description that is shown whole, in characters."""


def schema_faults(engine: Engine, tables: Collection[str] | None = None) -> tuple[str, ...]:
    """The parts of our tables that are missing, changed, switched off or not ours; empty if there are none.

    `tables`: check only these.
    """
    catalog = sqlite_catalog if engine.dialect.name == "sqlite" else postgres_catalog
    with reading(engine) as connection:
        parts = catalog.actual_parts(connection)
    differences = _differences(parts, catalog.expected_parts())
    return tuple(line for part, line in differences if tables is None or part.table in tables)


def _differences(
    parts: Mapping[SchemaPart, str], expected: Mapping[SchemaPart, str]
) -> Iterator[tuple[SchemaPart, str]]:
    for part in sorted({*parts, *expected}):
        if part not in parts:
            yield part, f"{part}: is missing"
        elif part not in expected:
            yield part, f"{part}: is not ours"
        elif parts[part] != expected[part]:
            brief = max(len(parts[part]), len(expected[part])) <= WORDING_MOST
            yield (
                part,
                f"{part}: is {parts[part]!r}, not {expected[part]!r}" if brief else f"{part}: is changed",
            )

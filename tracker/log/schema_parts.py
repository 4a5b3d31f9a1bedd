"""The parts of a database's schema, each with a name that people can read."""

from collections.abc import Iterable
from typing import NamedTuple

from tracker import schema


class SchemaPart(NamedTuple):
    """One part of a table of ours: a column, a key, an index, a trigger, a rule."""

    table: str
    name: str

    def __str__(self) -> str:
        return self.name if self.name.startswith("table ") else f"{self.name} on {self.table}"


def our_tables() -> Iterable[str]:
    """The tables of this program, and Alembic's own."""
    return (*schema.metadata.tables, schema.REVISION_TABLE)

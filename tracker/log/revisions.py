"""Revisions: the one that a database records (Alembic's), and the one that its tables show.

Knows what each migration added. Makes no table; `database` upgrades.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tracker import schema_versions
from tracker.errors import LogDamaged
from tracker.log import raw_sql

if TYPE_CHECKING:
    from sqlalchemy import Connection

SCHEMA_MARKS = {
    "0015": ("campaign_drafts", "taken_out"),
    "0014": ("campaign_emblems", "digest"),
    "0012": ("snapshots_parts", "name"),
    "0011": ("segments", "body"),
    "0010": ("events", "events_refilled"),
    "0009": ("board_entries", "fighters"),
    "0008": ("campaign_fences", "kind"),
    "0007": ("campaign_drafts", "draft"),
    "0006": ("webhook_outbox", "entry"),
    "0005": ("people", "person"),
    "0004": ("signed_notes", "note"),
    "0003": ("board_campaigns", "shape"),
    "0002": ("board_ledger", "row"),
    "0001": ("events", "body"),
}
"""A table and a column or index of it that only a migration brings; the newest first."""

SAME_TABLES = {"0013": "0012"}
"""Migrations without a new table, each with the revision that the tables show."""
ADDED_FUNCTION = {"0013": "append_entry"}
"""The function that each of them added on PostgreSQL; nothing on SQLite."""


_REVISION = re.compile("[0-9]{4}")


class RevisionLost(LogDamaged):
    """The recorded revision of a database is missing, or differs from the one that its tables show."""

    database: str
    revision: str | None
    standing: str

    def message(self) -> str:
        says = (
            f"says that it is at revision {self.revision}" if self.revision else "does not say its revision"
        )
        return (
            f"The database {self.database} {says}, but its tables are those of {self.standing}. Its log was"
            " not touched. Run `arbitrator boards rebuild` to correct the revision, then"
            " `arbitrator audit verify`."
        )


def recorded_revision(connection: raw_sql.AnyConnection) -> str | None:
    """The recorded revision; None if there is none, or the text cannot be one."""
    if raw_sql.is_sqlite(connection):
        exists = "SELECT name FROM sqlite_master WHERE name = 'alembic_version'"
    else:
        exists = "SELECT to_regclass('alembic_version')"
    if raw_sql.scalar(connection, exists) is None:
        return None
    revision = raw_sql.scalar(connection, "SELECT version_num FROM alembic_version")
    return revision if isinstance(revision, str) and _REVISION.fullmatch(revision) else None


def revision_of_tables(connection: Connection) -> str | None:
    """The revision that the existing tables belong to; None without any table of ours."""
    from sqlalchemy import inspect  # not above: a database at head does not need it

    inspector = inspect(connection)
    tables = {*inspector.get_table_names()}
    for revision, (table, part) in SCHEMA_MARKS.items():
        if table not in tables:
            continue
        parts = (*inspector.get_columns(table), *inspector.get_indexes(table))
        if part in {part["name"] for part in parts}:
            return _with_functions(connection, revision)
    return None


def _with_functions(connection: Connection, tables_of: str) -> str:
    """The newest revision whose tables are those of that one, and whose function is there if it needs one."""
    for revision, function in ADDED_FUNCTION.items():
        if SAME_TABLES[revision] == tables_of and (
            raw_sql.is_sqlite(connection)
            or raw_sql.scalar(connection, f"SELECT to_regproc('{function}')") is not None
        ):
            return revision
    return tables_of


def lost_revision(connection: Connection, revision: str | None) -> str | None:
    """The revision that the tables show, if another one is recorded, or none; None if the two agree."""
    tables_of = SAME_TABLES.get(revision, revision) if revision is not None else None
    if revision == schema_versions.HEAD_REVISION or (tables_of is not None and tables_of not in SCHEMA_MARKS):
        return None
    standing = revision_of_tables(connection)
    agrees = standing is not None and SAME_TABLES.get(standing, standing) == tables_of
    return None if agrees else standing

"""Opens SQLite files of ours: checks the path, applies the settings, and refuses files of other programs.

Needs only the standard library, because files are opened with SQLAlchemy and without it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from tracker import schema_versions
from tracker.log import refusals

# Chosen by a power-cut simulation: SQLite's own defaults, and WAL with NORMAL, lose acknowledged events.
SETTINGS: tuple[tuple[str, str | int], ...] = (
    ("journal_mode", "truncate"),
    ("synchronous", 3),  # EXTRA
    ("fullfsync", 1),  # means something on macOS only
    ("foreign_keys", 1),
    ("trusted_schema", 0),
    ("cell_size_check", 1),
    ("mmap_size", 0),
)

OUR_TABLES = {"alembic_version", "events", "heads", "commands"}
"""A file with all these tables is ours even without the mark in its header, which an SQL dump leaves out."""


def check_path(path: Path, shown: str, *, make: bool) -> None:
    """Check that a file can exist at this path; with `make`, it may be new.

    Raises DatabaseUnreachable and DatabaseMissing, which name it as `shown`.
    """
    if "\0" in str(path):
        raise refusals.DatabaseUnreachable("with a NUL in its name", "no file has such a name")
    try:
        directory, homeless, missing = path.is_dir(), not path.parent.is_dir(), not path.exists()
    except OSError as error:  # a name too long, a folder that may not be entered
        raise refusals.DatabaseUnreachable(shown, str(error)) from error
    if directory:
        raise refusals.DatabaseUnreachable(shown, "it is a directory; name a file in it")
    if homeless:
        raise refusals.DatabaseUnreachable(shown, f"the folder {path.parent} does not exist; make it first")
    if missing and not make:
        raise refusals.DatabaseMissing(shown)


def apply_settings(
    connection: sqlite3.Connection,
    shown: str,
    *,
    busy_milliseconds: int,
    settings: Iterable[tuple[str, str | int]],
    in_memory: bool = False,
) -> None:
    """Apply our settings to a new connection. Raises NotOurDatabase and SettingRefused, which name it as
    `shown`.
    """
    connection.execute(f"PRAGMA busy_timeout={busy_milliseconds:d}")
    _refuse_other_programs(connection, shown)
    for setting, wanted in settings:
        connection.execute(f"PRAGMA {setting}={wanted}").close()
        row = connection.execute(f"PRAGMA {setting}").fetchone()
        is_now = row[0] if row else 0  # a build without memory maps answers nothing
        if is_now != wanted and not (setting == "journal_mode" and in_memory):
            raise refusals.SettingRefused(shown, setting, str(wanted), str(is_now))


def _refuse_other_programs(connection: sqlite3.Connection, shown: str) -> None:
    connection.execute("BEGIN")  # one snapshot: another process may be making the file
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    objects = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.execute("COMMIT")
    from_a_dump = not owner and objects >= OUR_TABLES
    if owner != schema_versions.SQLITE_APPLICATION_ID and (owner or objects) and not from_a_dump:
        raise refusals.NotOurDatabase(shown, "it is an SQLite file of another program")

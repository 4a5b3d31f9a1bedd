"""Reads boards: from an SQLite file of ours with the standard library alone, from any other database with
SQLAlchemy, whose import takes longer than everything else that a roster needs.

An older revision, another program's file, damage or a writer in the way makes it read everything again
through SQLAlchemy, which raises the proper refusal.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tracker import schema_versions
from tracker.errors import Refusal
from tracker.log import campaigns, revisions, sqlite_files
from tracker.log.raw_sql import AnyConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Answer = TypeVar("Answer")

_LEFT_TO_SQLALCHEMY = (sqlite3.Error, UnicodeDecodeError, Refusal, AssertionError, LookupError)
"""After one of these errors everything is read again through SQLAlchemy."""


def open_with_stdlib(url: str) -> sqlite3.Connection | None:
    """A connection to an SQLite file of ours that is at head and takes our settings; else None."""
    place = url.removeprefix("sqlite://")
    # These characters have a meaning in an address or in an SQLite URI.
    if not place.startswith("//") or place.startswith("///") or {*place} & {*"%?#\\"}:
        return None
    file = place[1:]
    with suppress(*_LEFT_TO_SQLALCHEMY):
        sqlite_files.check_path(Path(file), file, make=False)
        connection = sqlite3.connect(f"file:{file}?mode=rw", uri=True, isolation_level=None)
        if _is_ready(connection, file):
            return connection
        connection.close()
    return None


def _is_ready(connection: sqlite3.Connection, file: str) -> bool:
    with suppress(*_LEFT_TO_SQLALCHEMY):
        # Waiting for a writer is left to SQLAlchemy's engine.
        sqlite_files.apply_settings(connection, file, busy_milliseconds=0, settings=sqlite_files.SETTINGS)
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        is_ours = mark == schema_versions.SQLITE_APPLICATION_ID
        return is_ours and revisions.recorded_revision(connection) == schema_versions.HEAD_REVISION
    return False


class BoardSource:
    """A database to read boards from: a standard-library connection while possible, then an engine."""

    def __init__(self, engine: Callable[[], Engine], *, plain: sqlite3.Connection | None = None) -> None:
        self._engine = engine
        self._plain = plain

    @property
    def is_plain(self) -> bool:
        """Whether SQLAlchemy was not needed so far."""
        return self._plain is not None

    def leave_plain(self) -> None:
        """Read through SQLAlchemy from now on."""
        plain, self._plain = self._plain, None
        if plain is not None:
            plain.close()

    @contextmanager
    def through_sqlalchemy(self) -> Iterator[Connection]:
        """A read-only transaction for queries made with SQLAlchemy."""
        engine = self._engine()
        from tracker.log import database  # not above: a plain file is read without SQLAlchemy

        with database.reading(engine) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[AnyConnection]:
        """A read-only transaction. A plain one raises the errors of the standard library as they are."""
        plain = self._plain
        if plain is None:
            with self.through_sqlalchemy() as connection:
                yield connection
            return
        plain.execute("BEGIN")
        try:
            yield plain
        finally:
            plain.rollback()

    def read(self, read: Callable[[AnyConnection], Answer]) -> Answer:
        """The result of `read` in one transaction. `read` may be called twice, so it must not write."""
        if self._plain is not None:
            with suppress(*_LEFT_TO_SQLALCHEMY), self.reading() as connection:
                return read(connection)
            self.leave_plain()
        with self.reading() as connection:
            return read(connection)

    def read_consistently(self, read: Callable[[], Answer]) -> Answer:
        """The result of `read`, with all its queries at one head. `read` may be called again, so it must not
        write.
        """
        if self._plain is not None:
            with suppress(*_LEFT_TO_SQLALCHEMY):
                before, made = self._events(), read()
                if self._events() == before:
                    return made
            self.leave_plain()
        engine = self._engine()
        from tracker.log.consistent_reads import read_consistently  # not above: the same

        return read_consistently(engine, read)

    def _events(self) -> object:
        with self.reading() as connection:
            return campaigns.events(connection)

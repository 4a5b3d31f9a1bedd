"""Where boards are read: in an SQLite file of ours by the standard library alone, in any other database by
SQLAlchemy, whose import takes longer than all else that a roster needs.

A file is read without it as long as there is nothing to say about it. At an older revision, another program's
file, damage or a writer in the way, all is asked again through SQLAlchemy, which says what there is to say.
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
"""What is found out of the ordinary comes as one of these, and is asked again through SQLAlchemy."""


def open_with_stdlib(url: str) -> sqlite3.Connection | None:
    """A connection to an SQLite file of ours that is at head and takes our settings; None to all else."""
    place = url.removeprefix("sqlite://")
    # In an address or in SQLite's own, these have a meaning.
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
        # Who has to wait for a writer waits in SQLAlchemy's way.
        sqlite_files.apply_settings(connection, file, busy_milliseconds=0, settings=sqlite_files.SETTINGS)
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        is_ours = mark == schema_versions.SQLITE_APPLICATION_ID
        return is_ours and revisions.recorded_revision(connection) == schema_versions.HEAD_REVISION
    return False


class BoardSource:
    """A database for whoever reads boards: a plain connection as long as there is one, then an engine."""

    def __init__(self, engine: Callable[[], Engine], *, plain: sqlite3.Connection | None = None) -> None:
        self._engine = engine
        self._plain = plain

    @property
    def is_plain(self) -> bool:
        """Whether it is read without SQLAlchemy so far."""
        return self._plain is not None

    def leave_plain(self) -> None:
        """Read through SQLAlchemy from now on."""
        plain, self._plain = self._plain, None
        if plain is not None:
            plain.close()

    @contextmanager
    def through_sqlalchemy(self) -> Iterator[Connection]:
        """A transaction that only reads, for what is asked in SQLAlchemy's terms."""
        engine = self._engine()
        from tracker.log import database  # not above: that is what a file is read without

        with database.reading(engine) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[AnyConnection]:
        """A transaction that only reads. What a plain one finds out of the ordinary is raised as it comes."""
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
        """What is read in one transaction. `read` may be called again, so it only reads."""
        if self._plain is not None:
            with suppress(*_LEFT_TO_SQLALCHEMY), self.reading() as connection:
                return read(connection)
            self.leave_plain()
        with self.reading() as connection:
            return read(connection)

    def read_consistently(self, read: Callable[[], Answer]) -> Answer:
        """What `read` gives, all its reads of one moment. It may be called again, so it only reads."""
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

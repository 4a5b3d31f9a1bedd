"""The same durable work by PyPI `eventsourcing`: aggregates whose events carry what ours tell, ten to a save.

What ours tell is the `data` of an event: ids, places, moments and the chain around it are our envelope, and
that library has one of its own.

Knows how to make that library write with our settings: of itself it writes an SQLite file as WAL with
synchronous FULL. It keeps no boards, no chain and no command keys; what it is asked for is what its users ask
of it.
"""

from __future__ import annotations

import importlib.util
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

AVAILABLE = importlib.util.find_spec("eventsourcing") is not None
MISSING = "`eventsourcing` is not installed: `make bench` installs it"


def settings_for(journal: str, synchronous: str) -> tuple[tuple[str, str], ...]:
    """The two settings that decide what a commit costs."""
    return (("journal_mode", journal), ("synchronous", synchronous))


@contextmanager
def on_sqlite(
    file: Path, settings: Sequence[tuple[str, str]], *, recorder: str | None = None
) -> Iterator[Any]:
    """An application of that library on an SQLite file, whose connections are given these settings.

    `recorder` is the topic of a class of ours that writes in place of its own.
    """
    from eventsourcing import sqlite

    usual = sqlite.SQLiteConnectionPool._create_connection  # the one place where it connects

    def connect(pool: Any) -> Any:
        connection = usual(pool)
        for setting, wanted in settings:
            (found,) = connection._sqlite_conn.execute(f"PRAGMA {setting}={wanted}").fetchone() or (wanted,)
            assert setting != "journal_mode" or found == wanted, f"{setting} is {found}, not {wanted}"
        return connection

    sqlite.SQLiteConnectionPool._create_connection = connect  # type: ignore[method-assign]
    try:
        environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)}
        with _application(environment, recorder) as found:
            yield found
    finally:
        sqlite.SQLiteConnectionPool._create_connection = usual  # type: ignore[method-assign]


@contextmanager
def on_postgres(folder_of_socket: Path, database: str, *, recorder: str | None = None) -> Iterator[Any]:
    """An application of that library on a database of a PostgreSQL that listens in this folder."""
    environment = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": database,
        "POSTGRES_HOST": str(folder_of_socket),
        "POSTGRES_PORT": "5432",
        "POSTGRES_USER": "postgres",
        "POSTGRES_PASSWORD": os.environ.get("PGPASSWORD", "-"),
    }
    with _application(environment, recorder) as found:
        yield found


@contextmanager
def _application(environment: dict[str, str], recorder: str | None) -> Iterator[Any]:
    from eventsourcing.application import Application

    if recorder is not None:
        environment["APPLICATION_RECORDER_TOPIC"] = recorder
    application: Any = Application(env=environment)
    try:
        yield application
    finally:
        application.close()


def aggregate() -> Any:
    """A new aggregate: a log that things happen to."""
    return _log_class()()


class ReadyEvents:
    """An aggregate whose events are made ready before the clock runs: the recorder's insert alone."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._log = aggregate()

    def made(self, payloads: Sequence[str]) -> list[Any]:
        """As many stored events as there are texts."""
        for payload in payloads:
            self._log.happened(payload)
        return [self._application.mapper.to_stored_event(event) for event in self._log.collect_events()]

    def insert(self, ready: Sequence[Any]) -> None:
        """One insert of them."""
        self._application.recorder.insert_events(ready)


def save(application: Any, log: Any, payloads: Sequence[str]) -> None:
    """One save of as many events as there are texts."""
    for payload in payloads:
        log.happened(payload)
    application.save(log)


class _Body(msgspec.Struct):
    data: msgspec.Raw


_DATA = msgspec.json.Decoder(_Body)


def payload_of(body: bytes) -> str:
    """What one of our events tells, without its envelope."""
    return bytes(_DATA.decode(body).data).decode()


def filled(application: Any, file: Path, events: int) -> Any:
    """An aggregate with as many events as one of our logs has, a hundred to a save (a thousand hang the
    PostgreSQL recorder).
    """
    log = aggregate()
    with closing(sqlite3.connect(file)) as connection:
        bodies = connection.execute("SELECT body FROM events ORDER BY seq LIMIT ?", (events,))
        while page := bodies.fetchmany(100):
            save(application, log, [payload_of(bytes(body)) for (body,) in page])
    return log


def load(application: Any, log: Any) -> int:
    """The aggregate from its events; gives how many there were."""
    return int(application.repository.get(log.id).version)


def _log_class() -> Any:
    global _LOG  # noqa: PLW0603  # made once, and only where the library is there
    if _LOG is None:
        from eventsourcing.domain import Aggregate
        from eventsourcing.domain import event as on

        class Log(Aggregate):
            """What happened last; what is recorded travels in the event, as ours does."""

            @on("Happened")
            def happened(self, payload: str) -> None:
                self.last = payload

        # Found again by its name when it is loaded.
        Log.__qualname__ = "Log"
        globals()["Log"] = Log
        _LOG = Log
    return _LOG


_LOG: Any = None

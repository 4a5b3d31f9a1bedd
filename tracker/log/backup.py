"""Backups: a copy that was verified before it got its name.

Knows how to copy an SQLite file while it is in use. Knows no PostgreSQL: its own tools do that well.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import URL

from tracker import schema
from tracker.log.database import engine_for, in_memory, open_database, reading
from tracker.log.driver_errors import shown, translated
from tracker.log.guards import guards_wrong
from tracker.log.refusals import BackupDamaged, BackupExists, BackupNotOurs, DatabaseUnreachable
from tracker.log.store import EventStore
from tracker.log.verifying import VerifyReport
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """Where the copy stands, and for each campaign in it how far its log goes and under which root."""

    target: Path
    size_bytes: int
    campaigns: tuple[VerifyReport, ...]


def backup(url: str | URL, target: Path) -> BackupReport:
    """Copy an SQLite database that may be in use, verify every chain in the copy, then give it its name.

    Refuses a target that exists, a copy that does not verify, and PostgreSQL, with advice.
    """
    source = open_database(url, migrate=False)
    try:
        _check(source.url, target)
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
        try:
            _copy(source, unfinished)
            reports = _verify(unfinished, shown(source.url))
            _sync(unfinished)
            if target.exists():
                raise BackupExists(str(target))
            unfinished.rename(target)
            _sync(target.parent)
        finally:
            for left in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
                left.unlink(missing_ok=True)
    except OSError as error:
        raise DatabaseUnreachable(str(target), str(error)) from error
    finally:
        source.dispose()
    return BackupReport(target=target, size_bytes=target.stat().st_size, campaigns=reports)


def _check(source: URL, target: Path) -> None:
    if source.get_backend_name() != "sqlite":
        advice = (
            "use `pg_dump --format=custom`, and `arbitrator audit verify` on what `pg_restore` made of it"
        )
        raise BackupNotOurs(shown(source), advice)
    if in_memory(source):
        raise BackupNotOurs(shown(source), "it lives in memory and ends with the program")
    if target.exists() or target.is_symlink():
        raise BackupExists(str(target))
    if not target.parent.is_dir():
        raise DatabaseUnreachable(str(target), f"the folder {target.parent} does not exist; make it first")


def _copy(source: Engine, unfinished: Path) -> None:
    # SQLite's own backup sees one moment of the source; a plain copy of the file may see two.
    with translated(source.url), source.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        with closing(sqlite3.connect(unfinished)) as copy:
            driver.backup(copy)


def _verify(unfinished: Path, original: str) -> tuple[VerifyReport, ...]:
    engine = engine_for(URL.create("sqlite", database=str(unfinished)), make=False)
    try:
        with reading(engine) as connection:
            (pages,) = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalars()
        if pages != "ok":
            raise BackupDamaged(original, f"SQLite says of its pages: {pages}")
        if wrong := guards_wrong(engine, (schema.events.name,)):
            raise BackupDamaged(original, f"the guards over its log are not in place: {', '.join(wrong)}")
        store = EventStore(engine)
        reports = tuple(store.verify(campaign) for campaign in store.campaigns())
    finally:
        engine.dispose()
    for report in reports:
        if report.fault is not None:
            reason = f"campaign {report.campaign} does not verify, {report.fault}"
            raise BackupDamaged(original, reason)
    return reports


def _sync(path: Path) -> None:
    if path.is_dir() and os.name == "nt":
        return  # Windows cannot open a directory to sync it
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

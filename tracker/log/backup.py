"""Backups: a copy that is verified before it gets its name.

Knows how to copy an SQLite file while it is in use. PostgreSQL has its own tools for that.
"""

import errno
import os
import re
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import URL

from tracker import schema
from tracker.errors import Refusal
from tracker.log import refusals
from tracker.log.database import engine_for, in_memory, open_database, reading
from tracker.log.driver_errors import display_address, translated_errors
from tracker.log.schema_check import schema_faults
from tracker.log.store import EventStore
from tracker.log.verification import VerifyReport
from tracker.records import Record


class BackupReport(Record):
    """The file of the copy, and the length and root of each campaign's log in it."""

    target: Path
    size_bytes: int
    campaigns: tuple[VerifyReport, ...]


def backup(url: str | URL, target: Path) -> BackupReport:
    """Copy an SQLite database that may be in use, verify every chain in the copy, then give it its name.

    The copy has the original's permissions. Leftovers of a killed backup in the target's folder are removed.
    Refuses a target that exists or that SQLite would take for a part of another database, a copy that does
    not verify, and PostgreSQL, with advice.
    """
    source = open_database(url, migrate=False)
    try:
        _check(source.url, target)
        remove_leftovers(target.parent)
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
        try:
            os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            mode = _copy(source, unfinished, target)
            reports = _verify(unfinished, display_address(source.url))
            _sync(unfinished, mode=mode)
            if target.exists():
                raise refusals.BackupExists(str(target))
            unfinished.rename(target)
            _sync(target.parent)
        finally:
            for left in (unfinished, *(unfinished.with_name(unfinished.name + end) for end in _ENDS)):
                left.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in _FULL:
            raise refusals.DiskFull(str(target)) from error
        raise refusals.BackupNotWritten(str(target), error.strerror or str(error)) from error
    finally:
        source.dispose()
    return BackupReport(target=target, size_bytes=target.stat().st_size, campaigns=reports)


_FULL = {errno.ENOSPC, errno.EDQUOT}
_ENDS = ("-journal", "-wal", "-shm")
"""The suffixes of the files that SQLite keeps beside a database."""
_UNFINISHED = re.compile(rf"\..+\.(?P<process>[0-9]+)\.unfinished(?:{'|'.join(_ENDS)})?")
_UNFINISHED_SECONDS = 24 * 60 * 60
"""The age in seconds from which a file is a leftover if nothing tells whether its process still runs."""


def _check(source: URL, target: Path) -> None:
    if source.get_backend_name() != "sqlite":
        advice = "use `pg_dump --format=custom`, and run `arbitrator audit verify` on the restored database"
        raise refusals.BackupNotOurs(display_address(source), advice)
    if in_memory(source):
        raise refusals.BackupNotOurs(display_address(source), "it lives in memory and ends with the program")
    if target.name.lower().endswith(_ENDS):
        raise refusals.BackupNameTaken(
            str(target), "SQLite gives such names to files of its own beside a database"
        )
    if target.exists() or target.is_symlink():
        raise refusals.BackupExists(str(target))
    if not target.parent.is_dir():
        raise refusals.BackupNotWritten(
            str(target), f"the folder {target.parent} does not exist; make it first"
        )
    for end in _ENDS:
        beside = target.with_name(target.name + end)
        if beside.exists() and beside.stat().st_size:
            reason = f"{beside} exists, and SQLite would take it for a part of this copy"
            raise refusals.BackupNameTaken(str(target), reason)


def remove_leftovers(folder: Path) -> None:
    """Remove the leftovers of killed processes from a folder."""
    for file in folder.iterdir():
        match = _UNFINISHED.fullmatch(file.name)
        if match is not None and _is_left(file, int(match["process"])):
            file.unlink(missing_ok=True)


def _is_left(file: Path, process: int) -> bool:
    if process == os.getpid():
        return True  # of another that had this number
    if os.name == "nt":  # to ask would end it
        return time.time() - file.stat().st_mtime > _UNFINISHED_SECONDS
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _copy(source: Engine, unfinished: Path, target: Path) -> int:
    """Copy all pages; returns the original's file mode."""
    # SQLite's own backup copies one state of the source; a plain copy of the file may mix two.
    with translated_errors(source.url), source.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        ((_, _, original), *_) = driver.execute("PRAGMA database_list")
        with closing(_opened(unfinished)) as copy:
            try:
                driver.backup(copy)
            except sqlite3.Error as error:
                if (refusal := _fault_of_target(error, target)) is not None:
                    raise refusal from error
                raise
    return stat.S_IMODE(os.stat(original).st_mode)  # noqa: PTH116 -- SQLite's own word for it


def _opened(unfinished: Path) -> sqlite3.Connection:
    return sqlite3.connect(unfinished)


def _fault_of_target(error: sqlite3.Error, target: Path) -> Refusal | None:
    """The fault of the copy's place; None if the original could not be read."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return refusals.DiskFull(str(target))
    reading = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
    wrote = code & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    return refusals.BackupNotWritten(str(target), str(error)) if wrote and code not in reading else None


def _verify(unfinished: Path, original: str) -> tuple[VerifyReport, ...]:
    engine = engine_for(URL.create("sqlite", database=str(unfinished)), make=False)
    try:
        with reading(engine) as connection:
            (pages,) = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalars()
        if pages != "ok":
            raise refusals.BackupDamaged(original, f"SQLite found damaged pages: {pages}")
        if wrong := schema_faults(engine, (schema.events.name,)):
            raise refusals.BackupDamaged(
                original, f"the guards over its log are not in place: {', '.join(wrong)}"
            )
        store = EventStore(engine)
        reports = tuple(store.verify(campaign) for campaign in store.campaigns())
    finally:
        engine.dispose()
    for report in reports:
        if report.fault is not None:
            reason = f"campaign {report.campaign} does not verify, {report.fault}"
            raise refusals.BackupDamaged(original, reason)
    return reports


def _sync(path: Path, *, mode: int | None = None) -> None:
    if path.is_dir() and os.name == "nt":
        return  # Windows cannot open a directory to sync it
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        if mode is not None:
            path.chmod(mode)
        os.fsync(handle)
    finally:
        os.close(handle)

"""The doctor's checks, each with a verdict and advice. Writes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import sqlalchemy
from sqlalchemy import Engine

import tracker
from tracker.errors import Refusal
from tracker.log import database, driver_errors, integrity_check, schema_check
from tracker.records import Record
from tracker.service.application import Tracker

MINIMUM_FREE_BYTES = 50 * 1024 * 1024
PYTHON_MINIMUM = (3, 11)
SQLITE_MINIMUM = (3, 37, 0)  # the first that knows STRICT tables
CLOCK_MAY_DIFFER = timedelta(minutes=5)
BACKUP_DAYS = 7
SHARED_FILE_SYSTEMS = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "afs", "ncpfs")
"""Network file systems, whose locks are not reliable."""
MEND_PAGES = (
    "make a copy of the database first; 'arbitrator boards rebuild' rebuilds indexes; if that does"
    " not help, restore a backup that verifies"
)
FORGETFUL_FILE_SYSTEMS = ("tmpfs", "ramfs")


class ServiceLocation(Protocol):
    """The place of a database, and the service on it, opened on demand."""

    @property
    def url(self) -> str: ...
    @property
    def makes_folder(self) -> bool: ...
    @property
    def tracker(self) -> Tracker: ...


LastBackup: TypeAlias = Callable[[Path], tuple[Path, datetime] | None]
"""Returns the last known copy of a database's file, and its time."""


class CheckResult(Record):
    """The result of one check."""

    what: str
    verdict: Literal["ok", "warn", "fail"]
    found: str
    mend: str = ""


def checked(
    what: str, found: str, mend: str, *, good: bool, otherwise: Literal["warn", "fail"]
) -> CheckResult:
    """A result that is good, or `otherwise`; only a bad one has advice."""
    return CheckResult(what=what, verdict="ok" if good else otherwise, found=found, mend="" if good else mend)


# --- the program -------------------------------------------------------------------------------------------


def program_findings() -> list[CheckResult]:
    """The program and what it runs on."""
    return [
        CheckResult(what="program", verdict="ok", found=f"campaign-tracker {tracker.__version__}"),
        checked(
            "Python",
            platform.python_version(),
            f"install Python {version_text(PYTHON_MINIMUM)} or newer",
            good=sys.version_info >= PYTHON_MINIMUM,
            otherwise="fail",
        ),
        checked(
            "SQLite",
            sqlite3.sqlite_version,
            f"SQLite {version_text(SQLITE_MINIMUM)} or newer is needed: install a Python that brings it",
            good=sqlite3.sqlite_version_info >= SQLITE_MINIMUM,
            otherwise="fail",
        ),
        CheckResult(what="SQLAlchemy", verdict="ok", found=sqlalchemy.__version__),
    ]


def version_text(version: tuple[int, ...]) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))


# --- the database ----------------------------------------------------------------------------------------


def database_findings(session: ServiceLocation, *, chosen: str, last_backup: LastBackup) -> list[CheckResult]:
    """The checks of the database: its place, its state, and its content."""
    file = _sqlite_file(session)
    if file is not None and not file.exists():
        mend = "'arbitrator serve' makes it, and so does the first 'arbitrator campaign new NAME'"
        return [CheckResult(what="database", verdict="warn", found=f"{file} does not exist yet", mend=mend)]
    findings = [] if file is None else _place(file)
    try:
        revision, newest = database.current(session.url)
        shown = driver_errors.display_address(sqlalchemy.make_url(session.url))
        if revision != newest:
            what = f"{shown}, revision {revision}, not {newest}"
            mend = "make a backup, then: arbitrator db upgrade"
            findings.append(CheckResult(what="database", verdict="warn", found=what, mend=mend))
            if file is not None:  # a damaged file is better known before it is upgraded
                findings.append(_pages_as_they_are(session.url))
            return findings
        findings.append(CheckResult(what="database", verdict="ok", found=f"{shown}, revision {revision}"))
        findings += _engine(session.tracker.engine)
        findings += _contents(session.tracker, chosen)
        if file is not None:
            findings.append(_backup(last_backup(file), session.tracker))
    except Refusal as refusal:
        findings.append(
            CheckResult(
                what="database",
                verdict="fail",
                found=refusal.message(),
                mend="what to do is said above; --db or TRACKER_DATABASE_URL names another database",
            )
        )
    return findings


def _sqlite_file(session: ServiceLocation) -> Path | None:
    """The file that exists or can be made; None if opening it will report what is wrong with the address."""
    try:
        address = database.address_of(session.url)
        if address.get_backend_name() != "sqlite" or not address.database:
            return None
        file = Path(address.database)
        return file if file.exists() or file.parent.is_dir() or session.makes_folder else None
    except (Refusal, ValueError, OSError):
        return None


def _place(file: Path) -> list[CheckResult]:
    """The disk and the folder that the file lies in."""
    free = shutil.disk_usage(file.parent).free
    findings = [
        checked(
            "free space",
            f"{free // 2**20:,} MiB",
            "make room: a full disk refuses every entry",
            good=free >= MINIMUM_FREE_BYTES,
            otherwise="warn",
        )
    ]
    kind = file_system(file)
    if kind is not None:
        findings.append(_file_system(kind))
    writable = os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
    findings.append(
        checked(
            "rights",
            "file and folder can be written" if writable else "the file or its folder cannot be written",
            "reading works; to record, give yourself the right to write both",
            good=writable,
            otherwise="warn",
        )
    )
    return findings


def _file_system(kind: str) -> CheckResult:
    if kind.startswith(SHARED_FILE_SYSTEMS):
        mend = "keep the database on a disk of this machine: locks over a network are not reliable"
        return CheckResult(what="file system", verdict="warn", found=kind, mend=mend)
    if kind in FORGETFUL_FILE_SYSTEMS:
        mend = "it is gone when the machine stops: keep the database on a disk"
        return CheckResult(what="file system", verdict="warn", found=kind, mend=mend)
    return CheckResult(what="file system", verdict="ok", found=kind)


def file_system(file: Path, mounts: Path = Path("/proc/self/mounts")) -> str | None:
    """The kind of file system of a file; None if the system does not say."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
        place = file.resolve()
    except OSError:
        return None
    mounted = [(mount, kind) for _, mount, kind, *_ in map(str.split, lines) if place.is_relative_to(mount)]
    return max(mounted, key=lambda pair: len(pair[0]))[1] if mounted else None


def _engine(engine: Engine) -> list[CheckResult]:
    """The settings that protect acknowledged entries, the pages, and the guards over the log."""
    findings = []
    if engine.dialect.name == "sqlite":
        with database.reading(engine) as connection:
            names = [name for name, _ in database.SQLITE_SETTINGS]
            pragmas = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}
        # Opening refuses any other setting, so what is found here is what was asked for.
        settings = ", ".join(f"{name} {value}" for name, value in pragmas.items())
        findings.append(CheckResult(what="settings", verdict="ok", found=f"{settings}; no write-ahead log"))
        findings.append(_pages(engine))
    else:
        findings += [_postgres_settings(engine), _postgres_text(engine), _indexes(engine)]
    wrong = schema_check.schema_faults(engine)
    findings.append(
        checked(
            "guards",
            ", ".join(wrong) if wrong else "the database refuses changes to the log",
            "somebody changed the database: remove what this program did not make, and restore missing or"
            " changed parts from a backup",
            good=not wrong,
            otherwise="fail",
        )
    )
    return findings


def _pages(engine: Engine) -> CheckResult:
    with database.reading(engine) as connection:
        damage = list(connection.exec_driver_sql("PRAGMA integrity_check(3)").scalars())
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return checked(
        "pages",
        "SQLite finds no damage in its file" if damage == ["ok"] else "; ".join(map(str, damage)),
        MEND_PAGES,
        good=damage == ["ok"] and not orphans,
        otherwise="fail",
    )


def _indexes(engine: Engine) -> CheckResult:
    wrong = integrity_check.integrity_faults(engine)
    named = [f"{table}: {findings[0]}" for table, findings in wrong.items()]
    return checked(
        "pages",
        "PostgreSQL finds no damage in its indexes" if not named else "; ".join(named[:3]),
        MEND_PAGES,
        good=not named,
        otherwise="fail",
    )


def _pages_as_they_are(url: str) -> CheckResult:
    """The pages of a file that is not upgraded."""
    engine = database.engine_for(url, make=False)
    try:
        return _pages(engine)
    finally:
        engine.dispose()


def _postgres_settings(engine: Engine) -> CheckResult:
    keeping = ("fsync", "full_page_writes", "synchronous_commit")
    with database.reading(engine) as connection:
        shown = {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in keeping}
        version = connection.exec_driver_sql("SHOW server_version").scalar()
        follows = connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar()
    settings = ", ".join(f"{name} {value}" for name, value in shown.items())
    role = "a replica: it is read, not written" if follows else "the primary"
    off = [name for name, value in shown.items() if value == "off"]
    return checked(
        "settings",
        f"PostgreSQL {version}, {role}, {settings}",
        f"switch {', '.join(off)} on: a power cut may take acknowledged entries back",
        good=not off,
        otherwise="warn",
    )


def _postgres_text(engine: Engine) -> CheckResult:
    with database.reading(engine) as connection:
        kept = str(connection.exec_driver_sql("SHOW server_encoding").scalar())
        sent = str(connection.exec_driver_sql("SHOW client_encoding").scalar())
        schema = connection.exec_driver_sql("SELECT current_schema()").scalar()
    lacks = "nobody checks its text" if kept == "SQL_ASCII" else "a name in other letters is refused"
    return checked(
        "text",
        f"kept as {kept}, sent as {sent}, schema {schema}",
        f"{lacks}: make a database with ENCODING 'UTF8' and move there by pg_dump and pg_restore",
        good=(kept, sent) == ("UTF8", "UTF8"),
        otherwise="warn",
    )


# --- what is in it ---------------------------------------------------------------------------------------


def _contents(tracker_: Tracker, chosen: str) -> list[CheckResult]:
    campaigns = tracker_.directory.campaigns_logged()
    listed = _directory(tracker_, [*campaigns])
    if not campaigns:
        return [listed]
    findings = [
        listed,
        checked(
            "chosen campaign",
            chosen or "none",
            "arbitrator campaign use NAME",
            good=chosen in campaigns or len(campaigns) == 1,
            otherwise="warn",
        ),
    ]
    verified = {name: _verified(tracker_, name, campaign) for name, campaign in campaigns.items()}
    findings += verified.values()
    whole = [campaigns[name] for name, finding in verified.items() if finding.verdict == "ok"]
    return [*findings, _witnesses(tracker_, whole), _clock(tracker_)]


def _directory(tracker_: Tracker, names: list[str]) -> CheckResult:
    """The campaigns that have a log, and whether the list of them is the same."""
    try:
        tracker_.directory.rows()
    except Refusal as refusal:
        mend = "arbitrator boards rebuild"
        return CheckResult(what="campaigns", verdict="fail", found=refusal.message(), mend=mend)
    if not names:
        mend = "arbitrator serve, to begin one in a browser; or arbitrator campaign new NAME"
        return CheckResult(what="campaigns", verdict="warn", found="none", mend=mend)
    return CheckResult(what="campaigns", verdict="ok", found=", ".join(names))


def _verified(tracker_: Tracker, name: str, campaign: str) -> CheckResult:
    """Bytes, chain, every entry decided again, boards and snapshots held against the log."""
    audit = tracker_.audit.verify(campaign, whole_database=False)  # looked at above
    return checked(
        f"campaign {name}",
        f"{audit.log.events} events verified, boards equal the log" if audit.ok else "does not verify",
        f"arbitrator -c {name} audit verify",
        good=audit.ok,
        otherwise="fail",
    )


def _witnesses(tracker_: Tracker, campaigns: list[str]) -> CheckResult:
    """The number of typed dice that only one person saw. That is no fault: they count as any other."""
    rolls = [roll for campaign in campaigns for roll in tracker_.audit.typed_rolls(campaign)]
    standing = [witnesses for *_, witnesses, struck in rolls if struck is None]
    alone = sum(not witnesses for witnesses in standing)
    return CheckResult(
        what="witnesses",
        verdict="ok",
        found=f"{alone} of {len(standing)} typed dice were seen by nobody else: see 'audit dice'",
    )


def last_entry_at(tracker_: Tracker) -> datetime | None:
    """The time of the newest entry of all campaigns, by the clock of the machine that wrote it."""
    newest = (
        next(tracker_.repository.log.moments(campaign), None)
        for campaign in tracker_.repository.store.campaigns()
    )
    return max((datetime.fromisoformat(entry[1]) for entry in newest if entry is not None), default=None)


def _clock(tracker_: Tracker) -> CheckResult:
    now, last = datetime.now(UTC), last_entry_at(tracker_)
    ahead = last is not None and last > now + CLOCK_MAY_DIFFER
    shown = f"{now:%Y-%m-%dT%H:%M:%SZ}"
    return checked(
        "clock",
        f"{shown}, and the last entry says {last:%Y-%m-%dT%H:%M:%SZ}" if ahead else shown,
        "set this machine's clock, or find out whose was wrong; the order of entries does not depend on it",
        good=not ahead,
        otherwise="warn",
    )


def _backup(last: tuple[Path, datetime] | None, tracker_: Tracker) -> CheckResult:
    written = last_entry_at(tracker_)
    mend = "arbitrator db backup FILE"
    if last is None:
        return CheckResult(
            what="backup", verdict="warn", found="none that this user made is known", mend=mend
        )
    file, made_at = last
    if not file.exists():
        return CheckResult(what="backup", verdict="warn", found=f"{file} no longer exists", mend=mend)
    days = (datetime.now(UTC) - made_at).days
    unsaved = written is not None and written > made_at
    return checked(
        "backup",
        f"{file}, {days} days old" + (", and entries were made since" if unsaved else ""),
        mend,
        good=not (unsaved and days >= BACKUP_DAYS),
        otherwise="warn",
    )

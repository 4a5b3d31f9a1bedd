"""Backups: a copy that verifies, or none."""

import errno
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from log_events import ASH_WASTES, UNDERHIVE, as_intruder, write_entry
from sqlalchemy import Engine

from tracker import schema
from tracker.log import backup as backups
from tracker.log import refusals
from tracker.log.backup import backup
from tracker.log.database import current, open_database, writing
from tracker.log.schema_check import schema_faults
from tracker.log.store import EventStore


@pytest.fixture
def original(sqlite_url: str) -> Engine:
    """Two campaigns, six and three events long."""
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    for campaign in (ASH_WASTES, ASH_WASTES, UNDERHIVE):
        write_entry(store, campaign)
    return engine


def test_a_backup_holds_the_same_logs(original: Engine, sqlite_url: str, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    report = backup(sqlite_url, target)
    assert report.target == target
    assert report.size_bytes == target.stat().st_size
    assert [(kept.campaign, kept.events, kept.ok) for kept in report.campaigns] == [
        (ASH_WASTES, 6, True),
        (UNDERHIVE, 3, True),
    ]
    copy = open_database(f"sqlite:///{target}", migrate=False)
    assert not schema_faults(copy)
    assert EventStore(copy).head(ASH_WASTES) == EventStore(original).head(ASH_WASTES)
    assert list(EventStore(copy).read(ASH_WASTES)) == list(EventStore(original).read(ASH_WASTES))
    assert {path.name for path in tmp_path.glob("*copy*")} == {"copy.db"}
    copy.dispose()


def test_a_backup_during_a_write_holds_what_was_committed(
    original: Engine, sqlite_url: str, tmp_path: Path
) -> None:
    with writing(original) as connection:
        EventStore(original).save_snapshot(connection, ASH_WASTES, 1, "f", b"not committed yet")
        backup(sqlite_url, tmp_path / "copy.db")
    copy = open_database(f"sqlite:///{tmp_path / 'copy.db'}", migrate=False)
    assert EventStore(copy).nearest_snapshot(ASH_WASTES, "f") is None
    copy.dispose()


def test_a_backup_never_overwrites(original: Engine, sqlite_url: str, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("last week's backup")
    with pytest.raises(refusals.BackupExists, match="never overwrites"):
        backup(sqlite_url, target)
    assert target.read_text() == "last week's backup"
    with pytest.raises(refusals.BackupExists):
        backup(sqlite_url, tmp_path / "log.db")


def test_a_log_that_does_not_verify_makes_no_backup(
    original: Engine, sqlite_url: str, tmp_path: Path
) -> None:
    guards = guards_sql(tmp_path / "log.db")
    as_intruder(original, "UPDATE events SET type = 'RollForged' WHERE seq = 4")
    with pytest.raises(refusals.BackupDamaged, match="events_no_delete"):
        backup(sqlite_url, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        connection.executescript(";".join(guards))
    with pytest.raises(
        refusals.BackupDamaged, match="ash-wastes does not verify, event 4: its column type"
    ) as refused:
        backup(sqlite_url, tmp_path / "copy.db")
    assert refused.value.exit_code == 4
    assert list(tmp_path.glob("*copy*")) == []


def guards_sql(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [
            sql
            for (sql,) in connection.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
            )
        ]


def test_a_missing_folder_or_database_is_named(original: Engine, sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(refusals.BackupNotWritten, match="nowhere does not exist"):
        backup(sqlite_url, tmp_path / "nowhere" / "copy.db")
    with pytest.raises(refusals.DatabaseMissing):
        backup(f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "copy.db")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o400])
def test_a_backup_is_for_whom_the_original_is(
    original: Engine, sqlite_url: str, tmp_path: Path, mode: int
) -> None:
    (tmp_path / "log.db").chmod(mode)
    backup(sqlite_url, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == mode


def test_nobody_else_can_read_a_copy_that_is_being_made(
    original: Engine, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.db").chmod(0o664)
    modes = []

    def looking(file: Path) -> sqlite3.Connection:
        modes.append(stat.S_IMODE(file.stat().st_mode))
        return sqlite3.connect(file)

    monkeypatch.setattr(backups, "_opened", looking)
    backup(sqlite_url, tmp_path / "copy.db")
    assert modes == [0o600]


@pytest.mark.parametrize("name", ["log.db-journal", "log.db-wal", "log.db-shm", "new.db-journal", "x-WAL"])
def test_a_name_that_sqlite_gives_to_files_of_its_own_is_refused(
    original: Engine, sqlite_url: str, tmp_path: Path, name: str
) -> None:
    before = contents(tmp_path)
    with pytest.raises(refusals.BackupNameTaken, match="files of its own"):
        backup(sqlite_url, tmp_path / name)
    assert contents(tmp_path) == before


def test_a_journal_of_an_older_copy_is_not_given_to_the_new_one(
    original: Engine, sqlite_url: str, tmp_path: Path
) -> None:
    (tmp_path / "copy.db-journal").write_bytes(b"of a copy that was deleted")
    with pytest.raises(refusals.BackupNameTaken, match=r"copy\.db-journal exists, and SQLite"):
        backup(sqlite_url, tmp_path / "copy.db")


def test_a_full_disk_under_the_copy_is_shown_as_such(
    original: Engine, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(file: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA max_page_count = 3")
        return connection

    monkeypatch.setattr(backups, "_opened", small)
    with pytest.raises(refusals.DiskFull) as refused:
        backup(sqlite_url, tmp_path / "copy.db")
    assert refused.value.database == str(tmp_path / "copy.db")
    assert list(tmp_path.glob("*copy*")) == []


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, refusals.DiskFull),
        (errno.EDQUOT, refusals.DiskFull),
        (errno.EIO, refusals.BackupNotWritten),
    ],
)
def test_a_copy_that_cannot_be_brought_to_the_disk_is_shown_as_such(
    original: Engine,
    sqlite_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    kind: type[Exception],
) -> None:
    def failing(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(backups.os, "fsync", failing)
    with pytest.raises(kind, match=r"copy\.db"):
        backup(sqlite_url, tmp_path / "copy.db")
    assert list(tmp_path.glob("*copy*")) == []


def test_leftovers_of_a_killed_backup_are_removed_by_the_next_and_nothing_else(
    original: Engine, sqlite_url: str, tmp_path: Path
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = [f".monday.db.{gone.pid}.unfinished", f".monday.db.{gone.pid}.unfinished-journal"]
    left.append(f".copy.db.{os.getpid()}.unfinished")
    kept = [f".tuesday.db.{os.getppid()}.unfinished", ".notes.unfinished", "monday.db.7.unfinished"]
    before = contents(tmp_path)
    for name in (*left, *kept):
        (tmp_path / name).write_bytes(b"half a copy")
    backup(sqlite_url, tmp_path / "copy.db")
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} - {*before} == {"copy.db", *kept}


@pytest.mark.parametrize("by", ["the shell", "Python"])
def test_what_was_dumped_as_sql_and_read_back_opens_again(
    original: Engine, sqlite_url: str, tmp_path: Path, by: str
) -> None:
    again = tmp_path / "again.db"
    if by == "Python":
        with closing(sqlite3.connect(tmp_path / "log.db")) as source, closing(sqlite3.connect(again)) as read:
            read.executescript("\n".join(source.iterdump()))
    else:
        shell = shutil.which("sqlite3")
        if shell is None:
            pytest.skip("the sqlite3 shell is not installed")
        dumped = subprocess.run([shell, tmp_path / "log.db", ".dump"], capture_output=True, check=True).stdout
        subprocess.run([shell, again], input=dumped, check=True, capture_output=True)
    url = f"sqlite:///{again}"
    assert current(url)[0] == current(sqlite_url)[0]
    with closing(sqlite3.connect(again)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0,)  # to look changes nothing
    copy = open_database(url, migrate=True)
    assert EventStore(copy).verify(ASH_WASTES).root_hex == EventStore(original).verify(ASH_WASTES).root_hex
    assert not schema_faults(copy)
    write_entry(EventStore(copy), ASH_WASTES)
    copy.dispose()
    with closing(sqlite3.connect(again)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (schema.SQLITE_APPLICATION_ID,)
    backup(url, tmp_path / "copy.db")


@pytest.mark.postgres
def test_postgres_has_better_tools(postgres_at_head: str, tmp_path: Path) -> None:
    with pytest.raises(refusals.BackupNotOurs, match="pg_dump"):
        backup(postgres_at_head, tmp_path / "copy.db")

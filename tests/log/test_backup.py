"""Backups: a copy that verifies, or none."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from log_events import ASH_WASTES, UNDERHIVE, as_intruder, write_entry
from sqlalchemy import Engine

from tracker.log.backup import backup
from tracker.log.database import open_database, upgrade, writing
from tracker.log.guards import guards_wrong
from tracker.log.refusals import (
    BackupDamaged,
    BackupExists,
    BackupNotOurs,
    DatabaseMissing,
    DatabaseUnreachable,
)
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
    assert not guards_wrong(copy)
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
    with pytest.raises(BackupExists, match="never overwrites"):
        backup(sqlite_url, target)
    assert target.read_text() == "last week's backup"
    with pytest.raises(BackupExists):
        backup(sqlite_url, tmp_path / "log.db")


def test_a_log_that_does_not_verify_makes_no_backup(
    original: Engine, sqlite_url: str, tmp_path: Path
) -> None:
    guards = guards_sql(tmp_path / "log.db")
    as_intruder(original, "UPDATE events SET type = 'RollForged' WHERE seq = 4")
    with pytest.raises(BackupDamaged, match="events_no_delete"):
        backup(sqlite_url, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        connection.executescript(";".join(guards))
    with pytest.raises(
        BackupDamaged, match="ash-wastes does not verify, event 4: its column type"
    ) as refused:
        backup(sqlite_url, tmp_path / "copy.db")
    assert refused.value.exit_code == 4
    assert list(tmp_path.glob("*copy*")) == []


def guards_sql(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]


def test_a_missing_folder_or_database_is_named(original: Engine, sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match="nowhere does not exist"):
        backup(sqlite_url, tmp_path / "nowhere" / "copy.db")
    with pytest.raises(DatabaseMissing):
        backup(f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "copy.db")


@pytest.mark.postgres
def test_postgres_has_better_tools(postgres_database: str, tmp_path: Path) -> None:
    upgrade(postgres_database)
    with pytest.raises(BackupNotOurs, match="pg_dump"):
        backup(postgres_database, tmp_path / "copy.db")

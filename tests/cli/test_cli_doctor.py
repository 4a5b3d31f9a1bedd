"""The doctor: each line says ok, warn or fail, and what to do when it is not ok."""

import json
import os
import re
import sqlite3
import uuid
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pyarrow as pa
import pytest
import sqlalchemy
from cli_arbitrator import Arbitrator, begin

from tracker.analytics import findings
from tracker.cli import db
from tracker.log import database, revisions
from tracker.service import diagnostics

LOOKED_AT = [
    "program", "Python", "SQLite", "SQLAlchemy", "all campaigns", "free space", "file system", "rights", "database", "settings", "pages",
    "guards", "campaigns", "chosen campaign", "campaign ash-wastes", "witnesses", "clock",
    "backup",
]  # fmt: skip


def found(table: Arbitrator, *, code: int = 0) -> dict[str, dict[str, Any]]:
    """What the doctor says, by what was looked at."""
    ran = table("doctor", "--json")
    assert (ran.code, ran.err) == (code, ""), ran.err
    read = ran.json
    assert read["ok"] == (code == 0)
    return {finding["what"]: finding for finding in read["findings"]}


def test_everything_is_looked_at_and_what_is_not_ok_says_what_to_do(season: Arbitrator) -> None:
    findings = found(season)
    assert [*findings] == LOOKED_AT
    assert {finding["verdict"] for finding in findings.values()} <= {"ok", "warn"}
    assert all(bool(finding["mend"]) == (finding["verdict"] != "ok") for finding in findings.values())


@pytest.mark.usefixtures("wide")
def test_the_text_says_what_the_json_says(season: Arbitrator) -> None:
    lines = season.done("doctor").out.splitlines()
    assert [line[:5].strip() for line in lines] == [one["verdict"] for one in found(season).values()]
    assert lines[0].startswith("ok    program: campaign-tracker ")


def test_the_settings_in_force_are_shown(season: Arbitrator) -> None:
    settings = found(season)["settings"]
    assert settings["verdict"] == "ok"
    assert "journal_mode truncate, synchronous 3" in settings["found"]


def test_what_counts_over_all_campaigns_is_named_with_its_version_or_what_installs_it(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "java"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text("#!/bin/sh")
    (home / "bin" / "java").chmod(0o755)
    (home / "release").write_text('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\n')
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setitem(findings.PACKAGES, "no-such-package", "spark")
    looked = found(season)["all campaigns"]
    assert looked["verdict"] == "ok"
    assert f"duckdb {duckdb.__version__}, pyarrow {pa.__version__}, " in looked["found"]
    assert looked["found"].endswith(
        "no no-such-package (pip install 'campaign-tracker[spark]'), Java 17.0.15"
    )
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "no Java (Spark runs on 17 or newer" in found(season)["all campaigns"]["found"]


def test_before_the_first_campaign_there_is_a_warning_only(empty: Arbitrator) -> None:
    assert found(empty)["database"]["verdict"] == "warn"
    assert not empty.file.exists()


def test_a_backup_is_known_until_it_is_gone(season: Arbitrator) -> None:
    assert found(season)["backup"]["found"] == "none that this user made is known"
    copy = season.folder / "copy.db"
    season.done("db", "backup", str(copy))
    assert found(season)["backup"]["verdict"] == "ok"
    copy.unlink()
    gone = found(season)["backup"]
    assert (gone["verdict"], gone["mend"]) == ("warn", "arbitrator db backup FILE")
    assert "no longer exists" in gone["found"]


@pytest.mark.parametrize(
    ("days", "written_since", "verdict"), [(8, True, "warn"), (8, False, "ok"), (6, True, "ok")]
)
@pytest.mark.usefixtures("wide")
def test_a_backup_is_old_when_a_week_passed_and_entries_were_made_since(
    season: Arbitrator, days: int, written_since: bool, verdict: str
) -> None:
    season.done("db", "backup", str(season.folder / "copy.db"))
    page = db._page()
    noted = json.loads(page.read_text())
    then = datetime.now(UTC) - timedelta(days=days, hours=1)
    noted[str(season.file)]["at"] = then.isoformat()
    page.write_text(json.dumps(noted))
    if not written_since:
        backdated(season.file, then - timedelta(days=1))
    (line,) = (line for line in season("doctor").out.splitlines() if " backup: " in line)
    assert line.split()[0] == verdict
    assert ("and entries were made since" in line) is written_since


def backdated(file: Path, moment: datetime) -> None:
    """Stamp every entry with another moment, as a log of that day would be."""
    stamp = f'"at":"{moment:%Y-%m-%dT%H:%M:%SZ}"'
    with closing(sqlite3.connect(file)) as connection, connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        rows = connection.execute("SELECT seq, body FROM events").fetchall()
        for seq, body in rows:
            stamped = re.sub('"at":"[^"]*"', stamp, bytes(body).decode(), count=1)
            connection.execute("UPDATE events SET body = ? WHERE seq = ?", (stamped.encode(), seq))
        for _, wording in guards:
            connection.execute(wording)


def test_dice_that_nobody_else_saw_are_counted(season: Arbitrator) -> None:
    def witnesses() -> tuple[int, int]:
        alone, typed = re.findall(r"\d+", found(season)["witnesses"]["found"])
        return int(alone), int(typed)

    alone, typed = witnesses()
    assert alone == typed > 0
    season.done("log", "confirm", "10.2", "--by", "Robin")
    assert witnesses() == (alone - 1, typed)


def test_an_entry_of_tomorrow_says_that_a_clock_is_wrong(season: Arbitrator) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    backdated(season.file, tomorrow)
    clock = found(season, code=1)["clock"]  # 1: the bytes were altered to stamp them so
    assert clock["verdict"] == "warn"
    assert f"{tomorrow:%Y-%m-%dT%H:%M:%SZ}" in clock["found"]
    assert "clock" in clock["mend"]


def test_a_full_disk_is_shown_before_it_refuses(season: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "MINIMUM_FREE_BYTES", 2**70)
    assert found(season)["free space"]["verdict"] == "warn"


def damage_an_index(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'board_fighters_gang'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as damaged:
        damaged.seek((page - 1) * size + 8)
        damaged.write(b"\xff" * 64)


@pytest.mark.parametrize(("damage", "pages", "code"), [(False, "ok", 0), (True, "fail", 1)])
def test_a_database_of_an_older_release_is_looked_at_and_not_upgraded(
    season: Arbitrator, damage: bool, pages: str, code: int
) -> None:
    with closing(sqlite3.connect(season.file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
        connection.execute("ALTER TABLE board_campaigns DROP COLUMN shape")
        for revision, (table, _) in revisions.SCHEMA_MARKS.items():
            if revision > "0003":
                connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.execute("CREATE TABLE board_ledger (campaign_id TEXT, row TEXT)")  # which 0009 took away
    if damage:
        damage_an_index(season.file)
    findings = found(season, code=code)
    assert (findings["database"]["verdict"], findings["pages"]["verdict"]) == ("warn", pages)
    assert "arbitrator db upgrade" in findings["database"]["mend"]
    with closing(sqlite3.connect(season.file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)


def test_pages_that_sqlite_cannot_read_fail(season: Arbitrator) -> None:
    damage_an_index(season.file)
    ran = season("doctor")
    assert ran.code == 1
    assert "fail" in ran.out
    assert "restore" in ran.out


def test_a_missing_guard_fails(season: Arbitrator) -> None:
    with closing(sqlite3.connect(season.file)) as connection:
        connection.execute("DROP TRIGGER events_no_delete")
    guards = found(season, code=1)["guards"]
    assert (guards["verdict"], guards["found"]) == (
        "fail",
        "trigger events_no_delete on events: is missing",
    )


def test_boards_that_differ_from_the_log_fail(season: Arbitrator) -> None:
    with closing(sqlite3.connect(season.file)) as connection, connection:
        connection.execute("UPDATE board_fighters SET xp = xp + 1")
    campaign = found(season, code=1)["campaign ash-wastes"]
    assert (campaign["verdict"], campaign["mend"]) == ("fail", "arbitrator -c ash-wastes audit verify")


def test_a_file_that_cannot_be_written_is_shown(season: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path != season.file.parent)
    assert found(season)["rights"]["verdict"] == "warn"


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [("ext4", "ok"), ("nfs4", "warn"), ("cifs", "warn"), ("tmpfs", "warn"), ("apfs", "ok")],
)
def test_file_systems_that_lose_locks_or_files_are_warned_of(tmp_path: Path, kind: str, verdict: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/a / overlayfs rw 0 0\nserver:/b {tmp_path} {kind} rw 0 0\n")
    assert diagnostics.file_system(tmp_path / "campaigns.db", mounts) == kind
    assert diagnostics._file_system(kind).verdict == verdict


def test_where_the_system_tells_nothing_of_its_disks_nothing_is_said(tmp_path: Path) -> None:
    assert diagnostics.file_system(tmp_path, tmp_path / "no-such-file") is None


@pytest.mark.postgres
def test_on_postgresql_a_server_that_may_forget_is_warned_of(
    empty: Arbitrator, postgres_at_head: str
) -> None:
    ran = empty("doctor", "--json", db=postgres_at_head)
    findings = {finding["what"]: finding for finding in ran.json["findings"]}
    assert findings["settings"]["verdict"] == "warn"  # the tests' own server runs without fsync
    assert "the primary" in findings["settings"]["found"]
    assert "fsync" in findings["settings"]["mend"]
    assert "file system" not in findings


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("encoding", "verdict", "why"),
    [("UTF8", "ok", ""), ("SQL_ASCII", "warn", "nobody checks"), ("LATIN1", "warn", "is refused")],
)
def test_on_postgresql_the_encoding_of_the_text_is_looked_at(
    encoding: str, verdict: str, why: str, empty: Arbitrator, postgres_url: str
) -> None:
    name = f"test_{uuid.uuid4().hex}"
    url = sqlalchemy.make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
        database.upgrade(url)
        found = next(
            finding
            for finding in empty("doctor", "--json", db=url).json["findings"]
            if finding["what"] == "text"
        )
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)")
    assert (found["verdict"], found["found"]) == (verdict, f"kept as {encoding}, sent as UTF8, schema public")
    assert why in found["mend"]


def test_a_season_begun_is_well(empty: Arbitrator) -> None:
    begin(empty)
    assert found(empty)["campaign ash-wastes"]["verdict"] == "ok"

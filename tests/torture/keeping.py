"""What keeps a database: backups under load, upgrades that break off, disks that are full or may not be written."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import postgres_server
import psycopg
import pytest
from alembic import command
from sqlalchemy import event

from tracker.errors import Refusal
from tracker.log import database
from tracker.log.backup import backup
from tracker.log.refusals import DatabaseReadOnly, DiskFull
from tracker.log.store import EventStore

from . import club
from .crashes import DURABLE
from .runner import Run, Unable

LOG = ("events", "heads", "commands")
"""The tables that hold what cannot be made again."""


def backups(run: Run) -> None:
    """A copy made while a writer appends holds a log that was true at one moment, and goes on from there.

    It is for whom the original is, and of a copy that is killed nothing is left behind the next.
    """
    for dice in run.each_round():
        with run.empty_folder() as folder:
            file, copy = folder / "club.db", folder / "copy.db"
            with club.opened(club.sqlite(file)) as tracker:
                campaign = club.begin(tracker)
            child = _fork(lambda file=file, campaign=campaign: _write(file, campaign, run.seed))
            try:
                time.sleep(dice.random())
                for _ in range(3):
                    file.chmod(dice.choice([0o600, 0o640, 0o644]))
                    _one_that_is_killed(run, file, folder / "killed.db", dice)
                    _one_backup(run, file, copy, campaign, dice)
                    assert not list(folder.glob(".*unfinished*")), "half a copy was left"
            finally:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


def _one_that_is_killed(run: Run, file: Path, copy: Path, dice: random.Random) -> None:
    child = _fork(lambda: backup(club.sqlite(file), copy))
    time.sleep(dice.random() * 0.1)
    _kill(child)
    run.count("copies killed half-way", by=bool(list(copy.parent.glob(".*unfinished*"))))
    copy.unlink(missing_ok=True)


def _one_backup(run: Run, file: Path, copy: Path, campaign: str, dice: random.Random) -> None:
    with club.opened(club.sqlite(file)) as tracker:
        before = tracker.repository.store.head(campaign)
        backup(club.sqlite(file), copy)
        after = tracker.repository.store.head(campaign)
        assert copy.stat().st_mode == file.stat().st_mode, "the copy is for others than the original"
        if dice.random() < 0.3:
            _through_a_dump(copy)
            run.count("copies dumped as SQL and read back")
        with club.opened(club.sqlite(copy)) as restored:
            kept = restored.repository.store.head(campaign)
            assert before.size <= kept.size <= after.size, "the copy was true at no moment of its making"
            # A head stands for all that is before it: the log where it was copied ended with that very event.
            (last,) = tracker.repository.store.read(campaign, first_seq=kept.size - 1, last_seq=kept.size - 1)
            assert last.leaf.hex() == kept.leaf_hex, "the copy is another log"
            club.everything_holds(restored, campaign)
            club.something(restored, campaign, dice, key="after the restore")
            club.everything_holds(restored, campaign)
    copy.unlink()
    run.count("copies")
    run.count("copies while the log grew", by=after.size > before.size)


def _through_a_dump(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as source:
        dumped = "\n".join(source.iterdump())
    copy.unlink()
    with closing(sqlite3.connect(copy)) as again:
        again.executescript(dumped)


def _write(file: Path, campaign: str, seed: int) -> None:
    dice = random.Random(seed)
    with club.opened(club.sqlite(file), seed=seed) as tracker:
        while True:
            club.something(tracker, campaign, dice, key=f"key-{dice.getrandbits(64):x}")
            time.sleep(0.001)


def upgrades(run: Run) -> None:
    """Databases of every released shape, their upgrade killed at any moment: then it is done again, and holds."""
    old: dict[str, tuple[bytes, str]] = {}
    for dice in run.each_round():
        revision = dice.choice(_revisions())
        with run.empty_folder() as folder:
            file = folder / "club.db"
            if revision not in old:
                old[revision] = _as_of(file, revision)
            content, root = old[revision]
            file.write_bytes(content)
            child = _fork(lambda file=file: database.upgrade(club.sqlite(file)))
            time.sleep(dice.random() * 0.08)
            _kill(child)
            _count(run, club.sqlite(file))
            _done_again(club.sqlite(file), revision, root)
        run.count(f"from {revision}")


def upgrades_on_postgres(run: Run) -> None:
    """The same on PostgreSQL, where whoever upgrades is killed, or the whole server."""
    home = postgres_server.make_home()
    try:
        with _connected(postgres_server.server_url(home, DURABLE)) as server:
            roots = {revision: _made_as_of(run, home, server, revision) for revision in _revisions()}
        for dice in run.each_round():
            revision = dice.choice(_revisions())
            name = f"club_{run.at}"
            url = postgres_server.database_url(home, name)
            _say(home, f'CREATE DATABASE "{name}" TEMPLATE "as_of_{revision}"')
            the_server_too = dice.random() < 0.25
            child = _fork(lambda url=url: database.upgrade(url))
            time.sleep(dice.random() * 0.12)
            if the_server_too:
                postgres_server.kill(home)
            _kill(child)
            if the_server_too:
                run.count("the server was killed")
                postgres_server.start(home, DURABLE)
            _count(run, url)
            database.upgrade(url)
            _done_again(url, revision, roots[revision])
            _say(home, f'DROP DATABASE "{name}" WITH (FORCE)')
            run.count(f"from {revision}")
    finally:
        postgres_server.discard(home)


def _made_as_of(run: Run, home: Path, server: psycopg.Connection, revision: str) -> str:
    """A database of that revision with a log in it, made once, to be copied; gives the log's root."""
    with run.empty_folder() as folder:
        file = folder / "club.db"
        content, root = _as_of(file, revision)
        file.write_bytes(content)
        server.execute(f'CREATE DATABASE "as_of_{revision}"')
        url = postgres_server.database_url(home, f"as_of_{revision}")
        _upgraded_to(url, revision)
        with closing(sqlite3.connect(file)) as source, _connected(url) as target, target.transaction():
            for table in LOG:
                rows = source.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
                marks = ", ".join(["%s"] * len(rows[0]))
                target.cursor().executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return root


def _say(home: Path, words: str) -> None:
    with _connected(postgres_server.database_url(home, "postgres")) as server:
        server.execute(words)


def _connected(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True)


def _revisions() -> list[str]:
    """Every released one, the newest too: there an upgrade has nothing to do, and must do nothing."""
    return [revision for revision in database.known_revisions() if revision != "base"]


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _count(run: Run, url: str) -> None:
    """How far it had come: a killed upgrade has done all of it or nothing."""
    found, newest = database.current(url)
    run.count("it was done" if found == newest else "it was not done")


def _done_again(url: str, revision: str, root: str) -> None:
    with club.opened(url) as tracker:
        (campaign,) = tracker.repository.store.campaigns()
        assert tracker.repository.store.verify(campaign).root_hex == root, (
            f"the upgrade from {revision} changed the log"
        )
        tracker.audit.rebuild_boards(campaign)
        club.everything_holds(tracker, campaign)


def _as_of(file: Path, revision: str) -> tuple[bytes, str]:
    """A database of that revision with a log in it, and the log's root."""
    with club.opened(club.sqlite(file)) as tracker:
        campaign = club.begin(tracker)
        dice = random.Random(1)
        for number in range(20):
            club.something(tracker, campaign, dice, key=f"key-{number}")
        root = tracker.repository.store.verify(campaign).root_hex
    older = file.with_name("older.db")
    _upgraded_to(club.sqlite(older), revision)
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("ATTACH ? AS newer", (str(file),))
        for table in LOG:
            connection.execute(f"INSERT INTO {table} SELECT * FROM newer.{table} ORDER BY 1, 2")
        connection.commit()
    return older.read_bytes(), root


def _upgraded_to(url: str, revision: str) -> None:
    engine = database.engine_for(url, make=True)
    try:
        with database.writing(engine) as connection:
            command.upgrade(database._alembic_config(connection), revision)
    finally:
        engine.dispose()


def full_disks(run: Run) -> None:
    """A disk that fills up: a clear word, and everything said before is there, also once there is room again."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            file = folder / "club.db"
            with club.opened(club.sqlite(file), seed=1) as tracker:
                campaign = club.begin(tracker)
                pages = _pages(file) + dice.randint(1, 12)

                def limit(connection: Any, _record: Any, pages: int = pages) -> None:
                    connection.execute(f"PRAGMA max_page_count = {pages}")

                event.listen(tracker.engine, "connect", limit)
                tracker.engine.dispose()
                said = tracker.repository.store.head(campaign)
                with pytest.raises(DiskFull) as full:
                    for number in range(2_000):
                        club.something(tracker, campaign, dice, key=f"key-{number}", rulings=False)
                        said = tracker.repository.store.head(campaign)
                run.count(f"filled up, exit {full.value.exit_code}")
                assert tracker.repository.store.head(campaign) == said, "something refused was written"
                event.remove(tracker.engine, "connect", limit)
                tracker.engine.dispose()
                club.everything_holds(tracker, campaign)
                club.something(tracker, campaign, dice, key="there is room again")


def read_only(run: Run) -> None:
    """A disk that may not be written: reading and verifying go on, writing is refused with a clear word."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise Unable("only root may mount a disk read-only")
    for dice in run.each_round():
        with run.empty_folder() as folder:
            (folder / "disk").mkdir()
            if os.system(f"mount -t tmpfs -o size=8m tmpfs '{folder}/disk' 2>/dev/null"):  # noqa: S605
                raise Unable("nothing can be mounted here")
            try:
                file = folder / "disk" / "club.db"
                with club.opened(club.sqlite(file)) as tracker:
                    campaign = club.begin(tracker)
                    club.something(tracker, campaign, dice, key="before")
                    size = tracker.repository.store.head(campaign).size
                os.system(f"mount -o remount,ro '{folder}/disk'")  # noqa: S605
                engine = database.open_database(club.sqlite(file), migrate=False)
                try:
                    assert EventStore(engine).verify(campaign).ok
                finally:
                    engine.dispose()
                with club.opened(club.sqlite(file)) as tracker:
                    with pytest.raises(DatabaseReadOnly):
                        for number in range(20):
                            club.something(tracker, campaign, dice, key=f"after-{number}")
                    run.count("refused")
                    assert tracker.repository.store.head(campaign).size == size
            finally:
                os.system(f"umount --lazy '{folder}/disk'")  # noqa: S605


def _pages(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("PRAGMA page_count").fetchone()[0])


def _fork(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        work()
    except (Refusal, OSError):
        pass
    finally:
        os._exit(0)

"""Opening databases: what is made, what is left alone, and what a person is reported when it fails."""

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from tables import every

from tracker import schema
from tracker.errors import Refusal
from tracker.log import database, refusals
from tracker.log.database import current, open_database, reading, upgrade, writing
from tracker.log.driver_errors import translated_errors
from tracker.log.store import EventStore


def made(url: str) -> None:
    """A database at head with one entry in it."""
    engine = open_database(url, migrate=True)
    write_entry(EventStore(engine))
    engine.dispose()


# --- making and finding --------------------------------------------------------------------------------------


def test_a_new_file_is_made_and_then_found(sqlite_url: str) -> None:
    made(sqlite_url)
    engine = open_database(sqlite_url, migrate=False)
    assert EventStore(engine).head(ASH_WASTES).size == 3
    engine.dispose()
    assert current(sqlite_url) == (schema.HEAD_REVISION, schema.HEAD_REVISION)


def test_an_empty_file_is_as_good_as_none(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "log.db").touch()
    with pytest.raises(refusals.DatabaseBehind, match="no tables of ours yet"):
        open_database(sqlite_url, migrate=False)
    made(sqlite_url)


def test_looking_makes_no_file(sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(refusals.DatabaseMissing, match="no database at"):
        open_database(sqlite_url, migrate=False)
    with pytest.raises(refusals.DatabaseMissing):
        current(sqlite_url)
    assert not (tmp_path / "log.db").exists()


def test_the_database_file_names_its_application(sqlite_url: str, tmp_path: Path) -> None:
    made(sqlite_url)
    assert (tmp_path / "log.db").read_bytes()[68:72] == b"ARBT"


def test_every_connection_has_the_settings_that_survive_a_power_cut(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    with reading(engine) as connection:
        for setting, wanted in (("busy_timeout", 10_000), *database.SQLITE_SETTINGS):
            assert connection.exec_driver_sql(f"PRAGMA {setting}").scalar() == wanted
    engine.dispose()


def test_a_setting_that_does_not_hold_is_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SQLITE_SETTINGS", (("mmap_size", -7),))
    with pytest.raises(refusals.SettingRefused, match="mmap_size"):
        open_database(sqlite_url, migrate=True)


@pytest.mark.postgres
def test_postgres_does_not_acknowledge_before_it_is_safe(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    with writing(engine) as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
        assert connection.execute(text("SHOW lock_timeout")).scalar() == "10s"
    engine.dispose()


def test_a_database_at_head_is_opened_without_alembic(sqlite_url: str) -> None:
    made(sqlite_url)
    code = (
        "import sys; from tracker.log.database import open_database;"
        f"open_database({sqlite_url!r}, migrate=True).dispose(); assert 'alembic' not in sys.modules"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_a_second_writer_waits_and_then_is_shown(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made(sqlite_url)
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 20)
    first, second = open_database(sqlite_url, migrate=False), open_database(sqlite_url, migrate=False)
    with writing(first):
        assert EventStore(second).head(ASH_WASTES).size == 3  # readers are not held up
        with pytest.raises(refusals.DatabaseBusy, match="try again") as refused, writing(second):
            pass
    assert refused.value.exit_code == 3
    first.dispose()
    second.dispose()


def test_a_file_locked_by_another_program_is_busy(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(sqlite_url)
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 20)
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as rival:
        rival.execute("BEGIN EXCLUSIVE")
        with pytest.raises(refusals.DatabaseBusy):
            open_database(sqlite_url, migrate=False)


# --- what is not ours ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"plain text, and more of it", b"\0" * 4096, b"SQLite format 3\0" + b"x" * 4080]
)
def test_a_file_that_is_not_sqlite_is_left_alone(content: bytes, sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "log.db").write_bytes(content)
    with pytest.raises((refusals.NotOurDatabase, refusals.DatabaseCorrupt)):
        open_database(sqlite_url, migrate=True)
    assert (tmp_path / "log.db").read_bytes() == content


@pytest.mark.parametrize(
    "making",
    [
        "CREATE TABLE bookmarks (url TEXT)",
        "PRAGMA application_id = 7",
        "PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT)",
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('0001')",
    ],
)
def test_another_programs_sqlite_file_is_left_alone(making: str, sqlite_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        connection.executescript(making)
    before = (tmp_path / "log.db").read_bytes()
    with pytest.raises(refusals.NotOurDatabase, match="left as it is"):
        open_database(sqlite_url, migrate=True)
    assert (tmp_path / "log.db").read_bytes() == before


def test_a_directory_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(refusals.DatabaseUnreachable, match="is a directory"):
        open_database(f"sqlite:///{tmp_path}", migrate=True)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(refusals.DatabaseUnreachable, match="nowhere does not exist; make it first"):
        open_database(f"sqlite:///{tmp_path / 'nowhere' / 'log.db'}", migrate=True)


@pytest.mark.parametrize("name", ["x" * 300 + "/log.db", "x" * 300, "nul\0name"])
def test_a_path_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(refusals.DatabaseUnreachable):
        open_database(f"sqlite:///{tmp_path / name}", migrate=True)


@every("url", ["", "log.db", "mysql://host/name", "postgresql+nodriver", "://", "oracle+x://h"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(refusals.DatabaseAddressUnreadable, match=r"sqlite:///path/to/file\.db"):
        open_database(url, migrate=True)


# --- trouble while it is open --------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    with writing(engine) as connection:  # the limit is one of the connection that writes
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 8}")
    with pytest.raises(refusals.DiskFull, match="make room"):
        write_until_refused(store)
    assert store.head(ASH_WASTES).size > 0
    assert store.verify(ASH_WASTES).ok
    engine.dispose()


def test_writers_of_a_file_follow_each_other_on_one_connection_until_it_is_let_go(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    used: list[Any] = []
    for _ in range(2):
        with writing(engine) as connection:
            used.append(connection.connection.driver_connection)
    assert used[0] is used[1]
    with suppress(ZeroDivisionError), writing(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE half (done INTEGER)")
        raise ZeroDivisionError
    with writing(engine) as connection:  # what failed left neither rows nor a transaction behind
        assert not connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'half'").all()
        last = connection.connection.driver_connection
    engine.dispose()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        last.execute("SELECT 1")


def write_until_refused(store: EventStore) -> None:
    for _ in range(100):
        write_entry(store)


@contextmanager
def as_plain_user() -> Iterator[None]:
    """Root may write everything; the tests of rights are somebody else for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def reachable_folder() -> Iterator[Path]:
    """A folder that any user can walk to, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_a_file_that_may_only_be_read_can_be_read(reachable_folder: Path) -> None:
    file = reachable_folder / "log.db"
    made(f"sqlite:///{file}")
    file.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    reachable_folder.chmod(0o555)
    with as_plain_user():
        engine = open_database(f"sqlite:///{file}", migrate=False)
        store = EventStore(engine)
        assert store.verify(ASH_WASTES).ok
        with pytest.raises(refusals.DatabaseReadOnly, match="can only be read"):
            write_entry(store)
        engine.dispose()


def test_a_file_that_may_not_be_read_is_unreachable(reachable_folder: Path) -> None:
    file = reachable_folder / "log.db"
    made(f"sqlite:///{file}")
    file.chmod(0)
    with as_plain_user(), pytest.raises(refusals.DatabaseUnreachable, match="check your rights"):
        open_database(f"sqlite:///{file}", migrate=False)


def test_a_folder_that_may_not_be_written_is_unreachable(reachable_folder: Path) -> None:
    reachable_folder.chmod(0o555)
    with as_plain_user(), pytest.raises(refusals.DatabaseUnreachable, match="check your rights"):
        open_database(f"sqlite:///{reachable_folder / 'log.db'}", migrate=True)


def test_a_torn_page_is_damage_not_a_traceback(sqlite_url: str, tmp_path: Path) -> None:
    made(sqlite_url)
    file = tmp_path / "log.db"
    content = bytearray(file.read_bytes())
    for page in range(1, len(content) // 4096):  # all but the first, which holds the tables' names
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    file.write_bytes(content)
    with pytest.raises(refusals.DatabaseCorrupt, match="restore from a backup") as refused:
        open_database(sqlite_url, migrate=False)
    assert refused.value.exit_code == 4


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, refusals.DiskFailing),
        (sqlite3.SQLITE_IOERR, refusals.DiskFailing),
        (sqlite3.SQLITE_READONLY_ROLLBACK, refusals.DatabaseReadOnly),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, refusals.DatabaseBusy),
        (sqlite3.SQLITE_CORRUPT_INDEX, refusals.DatabaseCorrupt),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, refusals.DatabaseUnreachable),
        (sqlite3.SQLITE_PERM, refusals.DatabaseUnreachable),
        (sqlite3.SQLITE_AUTH_USER, refusals.DatabaseUnreachable),
        (sqlite3.SQLITE_FULL, refusals.DiskFull),
    ],
)
def test_every_sqlite_code_has_its_sentence(code: int, refusal: type[Refusal], sqlite_url: str) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    with pytest.raises(refusal, match=r"log\.db"), translated_errors(sqlite_url):
        raise error


def called_damaged(url: str) -> None:
    """SQLite calls a file damaged, whether a page of it makes no sense or the disk did not give it."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with translated_errors(url):
        raise error


def test_a_read_that_failed_once_is_the_disks_and_no_damage(sqlite_url: str) -> None:
    made(sqlite_url)
    with pytest.raises(refusals.DiskFailing, match="a second read found nothing wrong") as refused:
        called_damaged(sqlite_url)
    assert refused.value.exit_code == 3


class ReadAgain:
    """What SQLite says of a whole file when it reads it again."""

    def __init__(self, *text: str, code: int | None = None) -> None:
        self.text, self.code = text, code

    def execute(self, _statement: str) -> list[tuple[str]]:
        if self.code is not None:
            error = sqlite3.DatabaseError("as it came")
            error.sqlite_errorcode = self.code
            raise error
        return [(one,) for one in self.text]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("again", "refusal"),
    [
        (ReadAgain(code=sqlite3.SQLITE_IOERR_CORRUPTFS), refusals.DiskFailing),
        (
            ReadAgain("Tree 4 page 9: unable to get the page. error code=8458", "wrong # of entries"),
            refusals.DiskFailing,
        ),
        (ReadAgain(code=sqlite3.SQLITE_CORRUPT), refusals.DatabaseCorrupt),
        (ReadAgain(code=sqlite3.SQLITE_BUSY), refusals.DatabaseCorrupt),
        (ReadAgain("Tree 4 page 9: unable to get the page. error code=11"), refusals.DatabaseCorrupt),
        (ReadAgain("Tree 4 page 9 cell 2: Rowid 7 out of order"), refusals.DatabaseCorrupt),
    ],
)
def test_pages_that_cannot_be_read_are_distinguished_from_pages_that_make_no_sense(
    again: ReadAgain, refusal: type[Refusal], sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", lambda *_address, **_options: again)
    with pytest.raises(refusal, match=r"log\.db"):
        called_damaged(sqlite_url)


def test_a_column_that_is_gone_from_the_files_own_description_is_damage(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    with writing(engine) as connection:
        connection.execute(text("ALTER TABLE board_gangs RENAME COLUMN position TO tosition"))
    with (
        pytest.raises(refusals.DatabaseCorrupt, match=r"no such column: position.* restore from a backup"),
        reading(engine) as connection,
    ):
        connection.execute(text("SELECT position FROM board_gangs"))
    engine.dispose()


def test_a_name_that_is_no_text_any_more_is_damage(sqlite_url: str) -> None:
    open_database(sqlite_url, migrate=True).dispose()
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET name = CAST(x'62d262' AS TEXT), rootpage = 0 WHERE name = 'board_fighters_gang'"
        )
    with pytest.raises(refusals.DatabaseCorrupt, match="not UTF-8"):
        open_database(sqlite_url, migrate=True)


def test_an_error_of_our_own_is_not_dressed_up(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    with pytest.raises(OperationalError, match="no such table"), reading(engine) as connection:
        connection.execute(text("SELECT * FROM nowhere"))
    engine.dispose()


# --- other revisions -----------------------------------------------------------------------------------------


def at_revision(url: str, revision: str) -> None:
    made(url)
    engine = open_database(url, migrate=False)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :r"), {"r": revision})
    engine.dispose()


@pytest.mark.parametrize("migrate", [True, False])
def test_a_newer_database_is_left_alone(migrate: bool, sqlite_url: str) -> None:
    at_revision(sqlite_url, "9999")
    with pytest.raises(refusals.DatabaseNewer, match="install a newer"):
        open_database(sqlite_url, migrate=migrate)
    with pytest.raises(refusals.DatabaseNewer):
        upgrade(sqlite_url)
    assert current(sqlite_url) == ("9999", schema.HEAD_REVISION)


@pytest.mark.postgres
def test_a_newer_postgres_is_left_alone(postgres_at_head: str) -> None:
    at_revision(postgres_at_head, "9999")
    with pytest.raises(refusals.DatabaseNewer):
        open_database(postgres_at_head, migrate=True)


@pytest.mark.postgres
def test_postgres_is_upgraded_only_when_asked(postgres_database: str) -> None:
    with pytest.raises(refusals.DatabaseBehind, match="arbitrator db upgrade"):
        open_database(postgres_database, migrate=True)
    assert current(postgres_database) == (None, schema.HEAD_REVISION)
    upgrade(postgres_database)
    upgrade(postgres_database)
    open_database(postgres_database, migrate=False).dispose()


# --- PostgreSQL's own trouble ----------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("/test_", "/missing_", 'database "missing_'),
        ("postgres@", "nobody@", 'role "nobody" does not exist'),
        ("/socket", "/nowhere", "No such file"),
    ],
)
def test_a_server_that_does_not_let_us_in_is_unreachable(
    old: str, new: str, text: str, postgres_database: str
) -> None:
    with pytest.raises(refusals.DatabaseUnreachable, match=text):
        open_database(postgres_database.replace(old, new), migrate=False)


def test_a_server_that_is_not_there_is_unreachable_and_keeps_the_password() -> None:
    with pytest.raises(refusals.DatabaseUnreachable, match="refused") as refused:
        open_database("postgresql://anna:hunter2@127.0.0.1:1/league?password=hunter3", migrate=False)
    assert "postgresql://anna@127.0.0.1:1/league" in str(refused.value)
    assert "hunter" not in str(refused.value)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(refusals.DriverMissing, match=r"campaign-tracker\[postgres\]"):
        open_database("postgresql://host/league", migrate=False)


@pytest.mark.postgres
def test_a_terminated_session_is_a_lost_connection(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    with pytest.raises(refusals.ConnectionLost), reading(engine) as connection:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    with reading(engine) as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    engine.dispose()


@pytest.mark.postgres
def test_a_lock_held_too_long_is_busy(postgres_at_head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made(postgres_at_head)
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 50)
    engine = open_database(postgres_at_head, migrate=False)
    with writing(engine) as rival:
        rival.execute(text("SELECT * FROM heads FOR UPDATE"))
        with pytest.raises(refusals.DatabaseBusy):
            write_entry(EventStore(engine))
    engine.dispose()


@pytest.mark.postgres
def test_a_server_that_only_reads_is_read_only(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    with pytest.raises(refusals.ServerReadOnly, match="name the primary"), writing(engine) as connection:
        connection.execute(text("SET TRANSACTION READ ONLY; DELETE FROM snapshots"))
    engine.dispose()


@pytest.mark.postgres
def test_a_role_without_the_right_is_shown_so(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    looking = text("CREATE ROLE onlooker; SET LOCAL ROLE onlooker; SELECT count(*) FROM events")
    with (
        pytest.raises(refusals.RoleMayNot, match="permission denied for table events"),
        writing(engine) as connection,
    ):
        connection.execute(looking)
    engine.dispose()

"""Databases that cannot be used: said what is wrong and what to do, and left as they are."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import forked
import pytest
from cli_arbitrator import Arbitrator, Command
from cli_reports import FIRST, GANG_SHEETS, report

from tracker.log import database

WRITING = [
    ("campaign", "new", "Sump City"),
    ("battle", "record", "-"),
    ("fighter", "rename", "pip", "--name", "Big Pip"),
    ("dispute", "open", "2.3", "--reason", "x"),
    ("policy", "adopt", "one-lasting-injury-roll", "--reason", "x"),
    ("boards", "rebuild"),
]
READING = [("roster", "show"), ("log", "show"), ("campaign", "show"), ("audit", "verify")]


def altered(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_database_that_is_a_directory_is_refused(empty: Arbitrator) -> None:
    ran = empty("roster", "show", db=str(empty.folder))
    assert (ran.code, ran.out) == (2, "")
    assert "it is a directory; name a file in it" in ran.err


def test_a_database_in_a_folder_that_is_not_there_is_refused(empty: Arbitrator) -> None:
    ran = empty("campaign", "new", "x", db=str(empty.folder / "no" / "such.db"))
    assert ran.code == 2
    assert "does not exist; make it first" in ran.err
    assert empty("doctor", db=str(empty.folder / "no" / "such.db")).code == 1


@pytest.mark.parametrize(
    "words",
    [*READING, ("campaign", "list"), ("campaign", "use", "x"), ("gang", "add", str(GANG_SHEETS[0]))],
    ids=" ".join,
)
@pytest.mark.parametrize("address", ["mis typed.db", "sqlite:///file:mistyped.db?uri=true"])
def test_a_mistyped_name_makes_no_database(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], address: str
) -> None:
    monkeypatch.chdir(season.folder)
    before = sorted(season.folder.iterdir())
    ran = season(*words, db=address)
    assert (ran.code, ran.out) == (2, "")
    if ":" not in address:
        file = season.folder / address
        assert f"There is no database at {file}, and none was made." in ran.err
        assert f"arbitrator --db '{file}' campaign new NAME" in ran.err
    assert sorted(season.folder.iterdir()) == before
    assert season("campaign", "new", "Rust Row", db=address).code == 0


def test_a_file_of_another_program_is_left_alone(empty: Arbitrator) -> None:
    altered(empty.file, "CREATE TABLE contacts (name TEXT)")
    for words in (
        *READING,
        ("campaign", "new", "x"),
        ("db", "upgrade"),
        ("db", "backup", str(empty.folder / "b.db")),
    ):
        assert "is not a campaign database" in empty.refused(2, *words)


@pytest.mark.usefixtures("wide")
def test_a_file_that_is_no_database_is_left_alone(empty: Arbitrator) -> None:
    empty.file.write_text("dear diary, " * 1_000)
    for words in (*READING, ("campaign", "new", "x"), ("db", "upgrade")):
        assert "is not a campaign database: it is not an SQLite file" in empty.refused(2, *words)
    ran = empty("doctor")
    assert (ran.code, ran.err) == (1, "")
    assert "not an SQLite file" in ran.out


def test_a_database_of_a_newer_program_is_left_alone(season: Arbitrator) -> None:
    altered(season.file, "UPDATE alembic_version SET version_num = '9999'")
    for words in (*READING, *WRITING, ("db", "upgrade")):
        said = season.refused(2, *words, stdin=FIRST)
        assert "9999" in said
        assert "install a newer campaign-tracker" in said


@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_a_locked_database_is_shown_and_may_be_tried_again(
    arbitrator: Arbitrator, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 20)
    with closing(sqlite3.connect(arbitrator.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = arbitrator.refused(3, *words, stdin=FIRST)
    assert "in use by another program" in said
    arbitrator.done(*words, stdin=FIRST)


def test_a_database_may_be_read_while_another_program_is_about_to_write(arbitrator: Arbitrator) -> None:
    with closing(sqlite3.connect(arbitrator.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for words in READING:
            arbitrator.done(*words)


# --- full and read-only: the operating system's own refusals -----------------------------------------------


LIMITED = """\
import resource, sys
from tracker.cli.main import run
bytes_max = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max))
run()
"""
"""The command where no file may grow beyond so many bytes: what a full disk is to a process."""


def test_a_full_disk_is_shown_and_nothing_is_half_written(arbitrator: Arbitrator, command: Command) -> None:
    before = arbitrator.head, arbitrator.contents()
    file = arbitrator.write(report("b1", *["experience: {fighter: pip, amount: 1, reason: held on}"] * 400))
    words = [str(len(before[1])), "battle", "record", file]
    ran = forked.program(LIMITED, words, command.environment()).ended()
    assert (ran.returncode, ran.stdout) == (3, b"")
    assert b"Traceback" not in ran.stderr
    assert b"disk" in ran.stderr
    assert (arbitrator.head, arbitrator.contents()) == before
    arbitrator.done("audit", "verify")
    arbitrator.done("battle", "record", file)


def test_a_database_as_large_as_it_may_be_is_shown(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = len(season.contents()) // 4096
    settings = (*database.SQLITE_SETTINGS, ("max_page_count", pages))
    monkeypatch.setattr(database, "SQLITE_SETTINGS", settings)
    long = report("b3", *["experience: {fighter: pip, amount: 1, reason: held on}"] * 400)
    said = season.refused(3, "battle", "record", season.write(long))
    assert "is full" in said
    assert "make room and try again" in said


@pytest.fixture
def read_only(arbitrator: Arbitrator) -> str:
    """The same file, opened so that nothing can be written; rights mean nothing to root."""
    return f"sqlite:///file:{arbitrator.file}?mode=ro&uri=true"


@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_a_database_that_can_only_be_read_is_shown(
    arbitrator: Arbitrator, read_only: str, words: tuple[str, ...]
) -> None:
    before = arbitrator.contents()
    ran = arbitrator(*words, db=read_only, stdin=FIRST)
    assert (ran.code, ran.out) == (2, "")
    assert "can only be read. Nothing was written" in ran.err
    assert arbitrator.contents() == before


def test_a_database_that_can_only_be_read_can_be_read(arbitrator: Arbitrator, read_only: str) -> None:
    for words in READING:
        assert arbitrator(*words, db=read_only).code == 0


# --- damage ----------------------------------------------------------------------------------------------

GUARDS_OFF = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"


def tampered(file: Path, statement: str, *values: object) -> None:
    """What somebody with the file and a little SQL can do."""
    with closing(sqlite3.connect(file)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement, values)
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()


def test_an_edited_event_is_found_by_its_number(season: Arbitrator) -> None:
    edited = b'"faces":[5]', b'"faces":[6]'
    with closing(sqlite3.connect(season.file)) as connection:
        rows = connection.execute("SELECT seq, body FROM events WHERE type = 'RollMade'").fetchall()
    seq, body = next(row for row in rows if edited[0] in row[1])
    tampered(season.file, "UPDATE events SET body = ? WHERE seq = ?", body.replace(*edited), seq)
    ran = season("audit", "verify")
    assert ran.code == 4
    assert f"DAMAGED at event {seq}" in ran.out
    listed = season("audit", "verify", "--json")
    assert (listed.code, listed.json["fault"]["seq"]) == (4, seq)
    assert season("doctor").code == 1


def test_a_deleted_tail_is_found(season: Arbitrator) -> None:
    tampered(season.file, "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
    assert season("audit", "verify").code == 4


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff\xfe", b"[" * 10_000, b'{"v":1}'])
def test_an_event_that_cannot_be_read_is_named_by_every_reader(season: Arbitrator, body: bytes) -> None:
    tampered(season.file, "UPDATE events SET body = ? WHERE seq = 40", body)
    assert season("audit", "verify").code == 4
    for words in (
        ("campaign", "show"),
        ("log", "show", "--all"),
        ("log", "entry", "9"),
        ("roster", "show", "--as-of-battle", "b2"),
    ):
        ran = season(*words)
        assert (ran.code, ran.out) == (4, ""), words
        assert "40" in ran.err
    said = season.refused(4, "battle", "record", season.write(report("b3")))
    assert "40" in said


def test_a_head_that_cannot_be_read_is_shown(season: Arbitrator) -> None:
    altered(season.file, "UPDATE heads SET frontier = x'00'")
    for words in (("campaign", "show"), ("log", "show"), ("audit", "verify")):
        assert season(*words).code == 4
    season.refused(4, "fighter", "rename", "pip", "--name", "Big Pip")


def test_boards_that_differ_from_the_log_are_found_and_made_again(season: Arbitrator) -> None:
    before = season.roster()
    altered(
        season.file, "UPDATE board_fighters SET row = replace(row, '\"experience\":2', '\"experience\":99')"
    )
    assert season.roster() != before
    ran = season("boards", "verify")
    assert ran.code == 4
    assert "fighters hob" in ran.out
    assert "arbitrator boards rebuild" in ran.out
    listed = season("boards", "verify", "--json")
    assert (listed.code, listed.json["ok"]) == (4, False)
    assert season("audit", "verify").code == 4
    season.done("boards", "rebuild")
    season.done("audit", "verify")
    assert season.roster() == before


def test_a_missing_guard_is_found(season: Arbitrator) -> None:
    with closing(sqlite3.connect(season.file)) as connection:
        name = connection.execute(GUARDS_OFF).fetchone()[0]
    altered(season.file, f"DROP TRIGGER {name}")
    ran = season("audit", "verify")
    assert ran.code == 4
    assert name in ran.out
    assert season("doctor").code == 1


@pytest.mark.parametrize("at", [100, 4_096, 20_000, 60_000, 120_000])
def test_a_damaged_file_never_leads_to_a_traceback_or_a_wrong_answer(season: Arbitrator, at: int) -> None:
    before = season.roster()
    content = bytearray(season.contents())
    content[at : at + 600] = b"\xa5" * 600
    season.file.write_bytes(content)
    assert season("audit", "verify").code in (0, 1, 2, 4)
    for words in (
        ("roster", "show", "--json"),
        ("log", "show", "--all"),
        ("doctor",),
        ("boards", "verify"),
        ("battle", "list"),
    ):
        ran = season(*words)
        assert ran.code in (0, 1, 2, 4), words
    kept = season("boards", "verify").code == 0
    if kept and season("audit", "verify").code == 0:
        assert season.roster() == before


def test_a_cut_off_file_is_shown(season: Arbitrator) -> None:
    season.file.write_bytes(season.contents()[:30_000])
    for words in READING:
        assert season(*words).code in (2, 4)


def test_a_backup_of_a_damaged_log_is_not_kept(season: Arbitrator) -> None:
    tampered(season.file, "UPDATE events SET body = x'00' WHERE seq = 40")
    copy = season.folder / "copy.db"
    said = season.refused(4, "db", "backup", str(copy))
    assert "No backup" in said
    assert not copy.exists()


@pytest.mark.parametrize(
    "address",
    [
        "foo://x",
        "mysql://h/d",
        "postgresql+foo:///x",
        "://",
        "sqlite://host/x.db",
        "sqlite:////tmp/x.db?foo=bar",
        "http://[",
        "",
    ],
)
def test_an_address_that_is_none_is_refused(empty: Arbitrator, address: str) -> None:
    for words in (("campaign", "list"), ("db", "current"), ("db", "upgrade")):
        ran = empty("--db", address, *words)
        assert (ran.code, ran.out) == (2, ""), ran
    assert empty("--db", address, "doctor").code == 1


@pytest.mark.parametrize(
    "name", ["a b.db", "a%20b.db", "what?.db", "hash#tag.db", "a@b:c.db", "é.db", "x" * 200]
)
def test_a_bare_path_is_taken_as_it_stands(empty: Arbitrator, name: str) -> None:
    file = empty.folder / name
    assert empty("campaign", "new", "x", db=str(file)).code == 0
    assert file.exists()
    assert empty("gang", "add", str(GANG_SHEETS[0]), db=str(file)).code == 0
    shutil.rmtree(empty.folder)


def test_a_path_too_long_for_any_file_is_refused(empty: Arbitrator) -> None:
    for words in (("campaign", "list"), ("db", "current"), ("db", "upgrade")):
        assert empty(*words, db="x" * 5_000).code == 2
    assert empty("doctor", db="x" * 5_000).code == 1

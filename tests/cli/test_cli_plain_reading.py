"""A roster is read off an SQLite file without SQLAlchemy: the same words as through it, and everything out of the
ordinary is said as it always was.
"""

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, Ran
from tables import every

sys.path.insert(0, str(Path(__file__).parents[1] / "log"))

import golden_logs

from tracker.log import board_source, database
from tracker.log.chain import leaf_hash
from tracker.service import application
from tracker.service.application import Tracker


@pytest.fixture
def through_sqlalchemy(monkeypatch: pytest.MonkeyPatch) -> Callable[[Arbitrator, tuple[str, ...]], Ran]:
    """Run a command that reads no file plainly."""

    def run(table: Arbitrator, words: tuple[str, ...]) -> Ran:
        with monkeypatch.context() as patched:
            patched.setattr(application, "open_with_stdlib", lambda _: None)
            return table(*words)

    return run


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The databases that were opened through SQLAlchemy."""
    urls: list[str] = []
    usual = database.open_database

    def opens(url: str, *, migrate: bool, make: bool | None = None) -> object:
        urls.append(url)
        return usual(url, migrate=migrate, make=make)

    monkeypatch.setattr(database, "open_database", opens)
    return urls


def test_rosters_of_golden_logs_are_the_same_byte_for_byte(
    empty: Arbitrator,
    opened: list[str],
    through_sqlalchemy: Callable[[Arbitrator, tuple[str, ...]], Ran],
) -> None:
    plain = []
    for name in golden_logs.names():
        file = empty.folder / f"{name}.db"
        tracker = Tracker(f"sqlite:///{file}", actor="test")
        leaves = [leaf_hash(body) for body in golden_logs.bodies(name)]
        tracker.audit.rebuild_boards(golden_logs.put_into(tracker.engine, name, leaves))
        tracker.close()
        for form in ("json", "text"):
            words = ("roster", "show", "--all", "--format", form, "--db", str(file))
            opened.clear()
            ran = empty(*words)
            plain += [name] if not opened else []
            assert ran == through_sqlalchemy(empty, words), name
            assert (ran.code, ran.err) == (0, "")
    # What is open is looked for in the log, which takes the rules.
    assert len({*plain}) > len(golden_logs.names()) / 2, f"only {plain} were read plainly"


def test_which_campaign_there_is_and_which_was_chosen_is_read_plainly_too(
    season: Arbitrator, opened: list[str]
) -> None:
    assert "Iron Skulls" in season.done("roster", "show").out
    assert "ash-wastes" in season.done("campaign", "list").out
    assert opened == []


# --- out of the ordinary -----------------------------------------------------------------------------------


def _sql(words: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with sqlite3.connect(file, isolation_level=None) as connection:
            connection.execute(words)
        connection.close()

    return change


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:20_000])


def _no_database(file: Path) -> None:
    file.write_text("gang: iron-skulls\n", encoding="utf-8")


OUT_OF_THE_ORDINARY: dict[str, Callable[[Path], None]] = {
    "no file": Path.unlink,
    "an empty file": lambda file: file.write_bytes(b"") and None,
    "no database": _no_database,
    "half a file": _cut,
    "another program's": _sql("PRAGMA application_id = 7"),
    "read back from a dump": _sql("PRAGMA application_id = 0"),
    "a later revision": _sql("UPDATE alembic_version SET version_num = '9999'"),
    "an older revision, by its word": _sql("UPDATE alembic_version SET version_num = '0003'"),
    "no revision": _sql("DELETE FROM alembic_version"),
    "boards of another shape": _sql("UPDATE board_campaigns SET shape = 1"),
    "a row that is none": _sql("UPDATE board_fighters SET row = '{}' WHERE fighter_id = 'krug'"),
    "a text that is none": _sql("UPDATE board_gangs SET row = CAST(x'ff' AS TEXT)"),
    "a board that is gone": _sql("DROP TABLE board_gangs"),
    "no list of campaigns": _sql("DELETE FROM board_campaigns"),
    "a campaign that moved": _sql(
        "INSERT INTO campaign_fences SELECT campaign_id, 'moved', 'there', 'x', NULL FROM heads"
    ),
    "a log without its head": _sql("DELETE FROM heads"),
    "a journal of another kind": _sql("PRAGMA journal_mode = wal"),
}
ASKED = (("roster", "show"), ("roster", "show", "krug", "--json"))


@every("name", OUT_OF_THE_ORDINARY)
def test_what_is_out_of_the_ordinary_is_said_as_through_sqlalchemy(
    name: str,
    season: Arbitrator,
    through_sqlalchemy: Callable[[Arbitrator, tuple[str, ...]], Ran],
) -> None:
    whole = season.contents()
    try:
        for words in ASKED:
            came = []
            for plainly in (True, False):
                _put_back(season, whole)
                OUT_OF_THE_ORDINARY[name](season.file)
                ran = season(*words) if plainly else through_sqlalchemy(season, words)
                came.append((ran, season.contents()))
            assert came[0] == came[1]
    finally:
        _put_back(season, whole)


def _put_back(season: Arbitrator, whole: bytes) -> None:
    for beside in season.folder.glob("campaigns.db*"):
        beside.unlink()
    season.file.write_bytes(whole)


@every(
    "words",
    [
        ("roster", "show", "--as-of-battle", "b1"),
        ("roster", "show", "--format", "html"),
        ("roster", "show", "nobody"),
        ("-c", "elsewhere", "roster", "show"),
    ],
)
def test_what_the_boards_alone_do_not_say_is_the_same_through_sqlalchemy(
    words: tuple[str, ...],
    season: Arbitrator,
    through_sqlalchemy: Callable[[Arbitrator, tuple[str, ...]], Ran],
) -> None:
    assert season(*words) == through_sqlalchemy(season, words)


@every("address", ["sqlite://", "sqlite:///{0}?mode=ro", "sqlite:///%7E", "postgresql://{0}", "{0}"])
def test_an_address_with_more_to_it_than_a_file_is_opened_by_sqlalchemy(
    address: str, season: Arbitrator
) -> None:
    assert board_source.open_with_stdlib(address.format(season.file)) is None


def test_a_file_that_somebody_writes_to_meanwhile_is_read_again_through_sqlalchemy(
    season: Arbitrator,
) -> None:
    tracker = Tracker(f"sqlite:///{season.file}", actor="test", plainly=True)
    rival = Arbitrator(season.folder)
    seen: list[int] = []

    def read() -> int:
        with tracker.source.reading() as connection:
            assert connection is not None
        seen.append(len(tracker.directory.rows()))
        if len(seen) == 1:
            rival.done("gang", "reputation", "iron-skulls", "--by", "1", "--reason", "x")
        return len(seen)

    assert tracker.source.is_plain
    assert tracker.source.read_consistently(read) == 2
    assert not tracker.source.is_plain
    tracker.close()

"""Bytes hashed against the root beside other work: what it finds, and that processes find the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from log_events import ASH_WASTES, as_intruder, write_entry
from sqlalchemy import Engine, text
from tables import every

from tracker.log import hashing_worker, parallel_hashing, verification, worker_processes
from tracker.log.chain import EMPTY_FRONTIER, leaf_hash
from tracker.log.database import open_database, reading
from tracker.log.hashing_worker import HashResult, HashTask, hash_rows
from tracker.log.parallel_hashing import start_hashing
from tracker.log.sealing import Head
from tracker.log.store import EventStore
from tracker.log.verification import VerifyReport, log_end


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing_worker, "CHUNK", 4)
    monkeypatch.setattr(parallel_hashing, "CHUNK", 4)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'a #1.db'}", migrate=True)
    for _ in range(7):
        write_entry(EventStore(engine))
    yield engine
    engine.dispose()


def report(engine: Engine, *, processes: int = 1) -> VerifyReport:
    with reading(engine) as connection:
        end = log_end(connection, ASH_WASTES)
    with start_hashing(engine, ASH_WASTES, end, processes=processes) as hashing:
        return hashing.report()


def rows(count: int) -> list[tuple[int, bytes, bytes]]:
    return [(seq, b"%d" % seq, leaf_hash(b"%d" % seq)) for seq in range(count)]


@every("count", range(40))
def test_subtrees_put_together_are_the_frontier_however_many_parts_there_are(count: int) -> None:
    wanted = EMPTY_FRONTIER.append(*(leaf for _, _, leaf in rows(count)))
    for processes in (1, 2, 3):
        engine = open_database("sqlite://", migrate=True)
        parts = [*parallel_hashing._parts(engine, ASH_WASTES, count, processes)]
        assert [part.first for part in parts] == [0, *(part.end for part in parts[:-1])]
        assert parts[-1].end == count
        came = [hash_rows(rows(count)[part.first : part.end], part.first, part.end) for part in parts]
        assert parallel_hashing._joined(came, count) == wanted
        engine.dispose()


def test_a_whole_log_has_the_root_that_verifying_finds(engine: Engine) -> None:
    for _ in range(5):
        write_entry(EventStore(engine))

    found = report(engine)

    assert found == EventStore(engine).verify(ASH_WASTES)
    assert found.ok


def test_a_process_reads_the_file_and_says_the_same(log: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a name that an address would have to quote."""
    monkeypatch.setattr(parallel_hashing, "WORTH_A_PROCESS", 1)
    (part,) = parallel_hashing._parts(log, ASH_WASTES, 21, 1)
    read = list(hashing_worker._of_file(part))
    assert hash_rows(read, 0, 21) == hash_rows(verification.bytes_and_leaves(log, ASH_WASTES, 21), 0, 21)

    # In a process of its own chunks are as long as ever: the log is shorter than one.
    monkeypatch.setattr(parallel_hashing, "CHUNK", 4096)
    assert report(log) == EventStore(log).verify(ASH_WASTES)


def test_a_process_that_says_nothing_is_done_without(log: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_hashing, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(hashing_worker, "__name__", "tracker.log.no_such_module")

    assert report(log) == EventStore(log).verify(ASH_WASTES)


@pytest.mark.parametrize(
    ("statement", "seq", "kind"),
    [
        ("UPDATE events SET body = zeroblob(20) WHERE seq = 9", 9, "leaf"),
        ("UPDATE events SET leaf = zeroblob(32) WHERE seq = 20", 20, "leaf"),
        ("DELETE FROM events WHERE seq = 4", 4, "gap"),
        ("DELETE FROM events WHERE seq >= 18", 18, "tail"),
        ("UPDATE heads SET size = 22", 21, "tail"),
        ("UPDATE heads SET frontier = zeroblob(length(frontier))", None, "head"),
        ("UPDATE heads SET frontier = x'00'", None, "head"),
        ("DELETE FROM heads", None, "head"),
    ],
)
def test_what_does_not_hash_to_the_root_is_named(
    statement: str, seq: int | None, kind: str, log: Engine
) -> None:
    as_intruder(log, statement)

    fault = report(log).fault

    assert fault is not None
    assert (fault.seq, fault.kind) == (seq, kind)


def test_what_it_does_not_look_at_is_left_to_verifying(log: Engine) -> None:
    """The name of the test is what the help says: columns and canonical form are not looked at."""
    as_intruder(log, "UPDATE events SET type = 'Another' WHERE seq = 3")
    assert report(log).ok
    assert not EventStore(log).verify(ASH_WASTES).ok


@every(
    ("statement", "holds"),
    [
        ("UPDATE events SET type = 'Another' WHERE seq = 20", True),  # columns are left to verifying
        ("UPDATE events SET body = zeroblob(20) WHERE seq = 3", True),  # what was signed is not read again
        ("UPDATE events SET body = zeroblob(20) WHERE seq = 12", False),
        ("UPDATE events SET leaf = zeroblob(32) WHERE seq = 20", False),
        ("DELETE FROM events WHERE seq = 14", False),
        ("UPDATE heads SET size = 20", False),
        ("UPDATE heads SET frontier = zeroblob(length(frontier))", False),
        ("DELETE FROM heads", False),
    ],
)
def test_the_bytes_since_a_signed_head_hash_to_the_root_of_today(
    statement: str, holds: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("log")
    engine = open_database(f"sqlite:///{folder / 'a.db'}", migrate=True)
    store = EventStore(engine)
    for _ in range(4):
        write_entry(store)
    signed = store.head(ASH_WASTES)
    for _ in range(4):
        write_entry(store)

    def hold(start: Head) -> bool:
        with reading(engine) as connection:
            end = log_end(connection, ASH_WASTES)
        return verification.hashes_hold(engine, ASH_WASTES, end, start=start)

    assert hold(signed)
    assert hold(Head(campaign=ASH_WASTES))
    as_intruder(engine, statement)
    assert hold(signed) is holds
    engine.dispose()


def test_a_process_that_ends_before_it_was_asked_anything_fails_by_itself_alone() -> None:
    more_than_waits_in_a_pipe = b" " * 1_000_000
    process = worker_processes.start_worker("no_such_module_of_ours", more_than_waits_in_a_pipe)
    assert process.wait(timeout=60) != 0
    worker_processes.stop_worker(process)


def test_nothing_is_made_where_there_is_no_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    with pytest.raises(hashing_worker.sqlite3.OperationalError):
        list(hashing_worker._of_file(HashTask("sqlite", str(missing), ASH_WASTES, 0, 4)))
    assert not missing.exists()


@pytest.mark.postgres
def test_a_process_reads_a_server_too(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    for _ in range(3):
        write_entry(EventStore(engine))
    (part,) = parallel_hashing._parts(engine, ASH_WASTES, 9, 1)

    found = hash_rows(hashing_worker._of_server(part), 0, 9)

    assert found == hash_rows(verification.bytes_and_leaves(engine, ASH_WASTES, 9), 0, 9)
    assert found != HashResult()
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 9
    engine.dispose()

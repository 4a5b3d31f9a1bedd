"""The service as a process: it stops within its time, and what it was doing is done whole or not at all."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from running_service import Running, running

from tracker.service.application import Tracker

HERE = "/v1/campaigns/ash-wastes"


def token_of_mara(file: Path) -> str:
    """Whoever keeps the machine is the Arbitrator."""
    tracker = Tracker(f"sqlite:///{file}", actor="mara")
    person = tracker.people.of_machine("mara")
    made = tracker.people.tokens.new(person.person, label="tests", scope="write")
    tracker.close()
    return made.secret


@pytest.fixture
def grace_seconds() -> str:
    return "2"


@pytest.fixture
def service(table: Arbitrator, tmp_path: Path, grace_seconds: str) -> Iterator[Running]:
    token = token_of_mara(table.file)
    options = ("--grace-seconds", grace_seconds, "--work-processes", "1", "--log-json")
    with running(f"sqlite:///{table.file}", tmp_path, *options) as started:
        started.token = token
        yield started


def entries(table: Arbitrator) -> int:
    return int(table.read("campaign", "show")["entries"])


@pytest.mark.slow
def test_a_stop_ends_streams_finishes_what_has_begun_and_cuts_off_nothing(
    service: Running, table: Arbitrator, tmp_path: Path
) -> None:
    before = entries(table)
    listening, writing = service.connection(), service.connection()
    stream = service.begin(listening, "GET", f"{HERE}/events").getresponse()
    assert stream.readline() == b"retry: 2000\n"
    heard: list[bytes] = []
    listener = threading.Thread(target=lambda: heard.append(stream.read()))
    listener.start()
    with closing(sqlite3.connect(table.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        service.begin(writing, "POST", f"{HERE}/fighters/krug/rename", json.dumps({"name": "Old Krug"}))
        service.ask("GET", "/healthz")  # it has been read by then
        threading.Timer(0.5, service.process.terminate).start()
        assert service.process.poll() is None
        listener.join(10)
        assert not listener.is_alive()  # the stream ended by itself, while the write still waits
        other.execute("ROLLBACK")
    answer = writing.getresponse()
    assert (answer.status, json.loads(answer.read())["entries"][0]["entry"]) == (200, before + 1)
    assert service.process.wait(10) == 0
    assert entries(table) == before + 1
    assert heard[0].endswith(b"\n\n")
    lines = [json.loads(line) for line in (tmp_path / "served.log").read_text("utf-8").splitlines()]
    assert {line["event"] for line in lines} == {"request"}
    listening.close()
    writing.close()


@pytest.mark.slow
@pytest.mark.parametrize("grace_seconds", ["1"])
def test_a_write_that_cannot_finish_is_cut_off_and_leaves_nothing(
    service: Running, table: Arbitrator
) -> None:
    before = entries(table)
    writing = service.connection()
    with closing(sqlite3.connect(table.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        service.begin(writing, "POST", f"{HERE}/fighters/krug/rename", json.dumps({"name": "Old Krug"}))
        service.ask("GET", "/healthz")
        code, seconds = service.stop()
        assert code == 0
        assert seconds < 10
        other.execute("ROLLBACK")
    writing.close()
    assert entries(table) == before
    assert table.done("audit", "verify").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("grace_seconds", ["5"])
def test_who_comes_after_a_stop_finds_nobody_while_what_has_begun_is_finished(
    service: Running, table: Arbitrator
) -> None:
    writing = service.connection()
    with closing(sqlite3.connect(table.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        service.begin(writing, "POST", f"{HERE}/fighters/krug/rename", json.dumps({"name": "Old Krug"}))
        service.ask("GET", "/healthz")
        service.process.terminate()
        with suppress(OSError):  # refused or cut off, as the moment has it
            while True:
                service.ask("GET", "/healthz")
        assert service.process.poll() is None
        other.execute("ROLLBACK")
    assert writing.getresponse().status == 200
    assert service.process.wait(10) == 0

"""Long reading has processes of its own, with a limit of time, memory and number; the answers are the same."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from served import CAMPAIGN, Club
from starlette.testclient import TestClient

from tracker.log.database import writing
from tracker.log.refusals import DatabaseReadOnly
from tracker.server import worker_processes
from tracker.server.access import Access, MemberAccess
from tracker.server.app import application
from tracker.server.worker_processes import WorkerPool, WorkLimits
from tracker.service.application import Tracker

WOUND_ROLL = "10.2"


def sleeps(_tracker: Tracker, _access: Access, *, seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def takes(_tracker: Tracker, _access: Access, *, megabytes: int) -> int:
    return len(bytearray(megabytes * 1024 * 1024))


def ends(_tracker: Tracker, _access: Access) -> None:
    raise SystemExit(1)


def faults(_tracker: Tracker, _access: Access) -> None:
    raise LookupError("canary")


def writes(tracker: Tracker, _access: Access) -> None:
    with writing(tracker.engine):
        pass


def writes_past_the_door(tracker: Tracker, _access: Access) -> None:
    with tracker.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM boards")


@pytest.fixture(scope="module")
def work_of(_two_battles: Path) -> Iterator[WorkerPool]:
    """Two processes that may take 100 MB."""
    made = WorkerPool(
        f"sqlite:///{_two_battles}", WorkLimits(processes=2, seconds=60, megabytes=100, wait_seconds=60)
    )
    made.start()
    yield made
    made.close()


def outcomes(made: WorkerPool, *jobs: Any) -> list[Any]:
    """What each comes to, all asked for at once."""

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(made.run(job) for job in jobs), return_exceptions=True)

    return asyncio.run(all_of_them())


def kinds(came: list[Any]) -> list[str]:
    return [type(one).__name__ if isinstance(one, BaseException) else str(one) for one in came]


@pytest.mark.slow
def test_a_job_over_its_time_or_memory_is_stopped_and_the_next_is_served(
    work_of: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    awake = partial(sleeps, seconds=0)
    assert kinds(outcomes(work_of, awake, awake)) == ["awake", "awake"]
    with monkeypatch.context() as impatient:
        impatient.setattr(work_of, "_limits", work_of.limits._replace(seconds=0.2))
        assert kinds(outcomes(work_of, partial(sleeps, seconds=600))) == ["WorkTooLong"]
    jobs = [partial(takes, megabytes=400), ends, faults, partial(takes, megabytes=1)]
    assert kinds(outcomes(work_of, *jobs)) == ["WorkTooLarge", "WorkBroken", "WorkFault", str(1024 * 1024)]
    assert kinds(outcomes(work_of, *[awake] * 4)) == ["awake"] * 4
    (fault,) = outcomes(work_of, faults)
    assert "LookupError at " in str(fault)
    assert "canary" not in str(fault)


def test_a_request_that_waits_too_long_is_told_to_retry(
    work_of: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kinds(outcomes(work_of, partial(sleeps, seconds=0))) == ["awake"]
    monkeypatch.setattr(work_of, "_limits", work_of.limits._replace(wait_seconds=-1))
    assert kinds(outcomes(work_of, partial(sleeps, seconds=0))) == ["WorkWaits"]


def test_more_than_may_wait_are_refused_at_once(work_of: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "WAITING_MAX", 2)
    came = kinds(outcomes(work_of, *[partial(sleeps, seconds=0)] * 3))
    assert came == ["awake", "awake", "WorkWaits"]


def test_a_worker_that_failed_to_start_is_started_by_the_next_request(
    table: Arbitrator, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begins = WorkerPool.process
    fails = iter([True, True])

    def process(made: WorkerPool, there: Connection) -> BaseProcess:
        if next(fails, False):
            raise OSError("no more processes")
        return begins(made, there)

    monkeypatch.setattr(WorkerPool, "process", process)
    made = WorkerPool(f"sqlite:///{table.file}", WorkLimits(processes=1, seconds=60))
    made.start()
    assert kinds(outcomes(made, partial(sleeps, seconds=0))) == ["WorkBroken"]
    assert kinds(outcomes(made, partial(sleeps, seconds=0))) == ["awake"]
    made.close()
    assert caplog.messages == ["A process for long reading could not be begun."]


def test_requests_during_a_failed_start_are_told_to_retry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_last = threading.Event()

    def process(_made: WorkerPool, _there: Connection) -> BaseProcess:
        at_last.wait()
        raise OSError("too late")

    monkeypatch.setattr(WorkerPool, "process", process)
    monkeypatch.setattr(worker_processes, "START_SECONDS", 0)
    made = WorkerPool("sqlite://", WorkLimits(processes=1, seconds=0, wait_seconds=0.1))
    made.start()
    try:
        assert kinds(outcomes(made, partial(sleeps, seconds=0))) == ["WorkWaits"]
    finally:
        at_last.set()
        made.close()


def test_nothing_is_written_by_what_reads(work_of: WorkerPool) -> None:
    first, second = outcomes(work_of, writes, writes_past_the_door)
    assert first.problem["code"] == DatabaseReadOnly("x").code
    assert "OperationalError" in str(second)


# --- over HTTP ---------------------------------------------------------------------------------------------


class Counted(WorkerPool):
    """Counts what is asked of it."""

    asked = 0

    async def run(self, job: Any) -> Any:
        self.asked += 1
        return await super().run(job)


@pytest.fixture
def working(club: Club) -> Iterator[tuple[TestClient, Counted]]:
    """The same service once more, with processes for long reading."""
    made = Counted(str(club.tracker.engine.url), WorkLimits(processes=1, seconds=30))
    with TestClient(application(club.tracker, MemberAccess(club.tracker), work=made)) as client:
        yield client, made


def lasting(text: str) -> str:
    """Without the time and the ids of what was only decided to be looked at."""
    return re.sub(
        r"\d{4}-\d\d-\d\dT[\d:]+Z|[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", text
    )


LONG: dict[str, tuple[str, str, dict[str, Any]]] = {
    "what-if": ("GET", "/policies/what-if?policies=one-lasting-injury-roll", {}),
    "preview": ("POST", f"/disputes/{WOUND_ROLL}/preview", {"json": {"void": True}}),
    "roll back": ("POST", "/rollback/preview", {"json": {"battle": "2"}}),
    "verify": ("GET", "/audit/verify", {}),
    "verdict": ("GET", "/audit", {}),
    "dice": ("GET", "/audit/dice", {}),
    "boards": ("GET", "/boards/verify", {}),
    "dry run": ("POST", "/fighters/krug/retire", {"json": {"reason": "x", "dry_run": True}}),
    "a dry run refused": ("POST", "/fighters/nobody/retire", {"json": {"reason": "x", "dry_run": True}}),
    "not theirs": ("POST", "/fighters/quill/retire", {"json": {"reason": "x", "dry_run": True}}),
    "no odds": ("POST", "/v1/odds", {"content": b"x"}),
    "no judge": ("POST", "/v1/judge", {"content": b"{}"}),
    "from afar": (
        "POST", "/v1/command-line",
        {"json": {"command": "dispute preview", "words": ["--void", "--", WOUND_ROLL], "campaign": "ash-wastes"}},
    ),
}  # fmt: skip


@pytest.mark.slow
def test_what_takes_long_is_answered_the_same_in_a_process_of_its_own(
    club: Club, working: tuple[TestClient, Counted]
) -> None:
    client, made = working
    for number, (name, (method, path, how)) in enumerate(LONG.items(), start=1):
        who = "Dana" if name == "not theirs" else "Mara"
        here = club.ask(who, method, path, **how)
        headers = {"If-Match": "*", "Authorization": f"Bearer {club.tokens[who]}"}
        url = path if path.startswith("/v1") else f"{CAMPAIGN}{path}"
        there = client.request(method, url, headers=headers, **how)
        assert (there.status_code, lasting(there.text)) == (here.status_code, lasting(here.text)), name
        assert made.asked == number, name
    for path in ("/roster", "/log", "/standings"):
        assert client.get(f"{CAMPAIGN}{path}", headers=headers).status_code == 200
    assert made.asked == len(LONG)


@pytest.mark.slow
def test_what_takes_too_long_is_a_problem_that_says_what_to_do(
    club: Club, working: tuple[TestClient, Counted], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, made = working
    monkeypatch.setattr(made, "_limits", WorkLimits(processes=1, seconds=0.001))
    headers = {"Authorization": f"Bearer {club.tokens['Dana']}"}
    answer = client.get(f"{CAMPAIGN}/audit/verify", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "work_too_long")
    assert "Ask for less" in answer.json()["detail"]

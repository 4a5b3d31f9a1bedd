"""Several processes on PostgreSQL, one killed under load: nothing acknowledged is lost, nothing is there twice.

Many are killed, one after another, by `make soak SOAK_ARGS=workers`.
"""

import random
import threading
import time
from pathlib import Path
from socket import socket

import pytest
import uvicorn
from cli_arbitrator import Arbitrator, begin_anew
from uvicorn.supervisors.multiprocess import Process
from workers_killed import workers_are_killed

from tracker.server import process

WRITERS = 3
WRITES_EACH = 5
KILLS = 1


class OnPostgres(Arbitrator):
    """The command line on that database."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.url = url

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


@pytest.mark.slow
def test_a_worker_killed_under_load_loses_and_repeats_nothing(postgres_at_head: str, tmp_path: Path) -> None:
    table = OnPostgres(tmp_path, postgres_at_head)
    begin_anew(table)
    before = table.head["entries"]
    where, dice = ("ash-wastes", "krug"), random.Random(7)
    answers = workers_are_killed(
        postgres_at_head, where, tmp_path, dice, kills=KILLS, writers=WRITERS, each=WRITES_EACH
    )
    assert answers["200"] >= WRITERS * WRITES_EACH
    entries = table.read("log", "show", "--since", str(before + 1))["entries"]
    assert len(entries) == WRITERS * WRITES_EACH
    assert table.read("audit", "verify")["ok"]


class Mute(Process):
    """A worker that never says how it is."""

    def target(self, sockets: list[socket] | None = None) -> None:  # noqa: ARG002
        time.sleep(600)


class OfMutes(process.Supervisor):
    """A supervisor that minds no signals and has one worker, which it does not replace."""

    def __init__(self, config: uvicorn.Config) -> None:
        self.config, self.sockets, self.processes_num = config, [], 1
        self.should_exit = threading.Event()
        self.processes = [Mute(config, [])]


def test_a_worker_that_dies_during_a_health_check_is_noticed_at_once() -> None:
    config = uvicorn.Config("nobody:asks", workers=2, log_config=None, timeout_worker_healthcheck=60)
    supervisor = OfMutes(config)
    (worker,) = supervisor.processes
    worker.start()
    asking = threading.Thread(target=supervisor.keep_subprocess_alive)
    asking.start()
    time.sleep(0.2)  # it has been asked by now, and has not answered
    supervisor.should_exit.set()
    worker.process.kill()
    asking.join(30)
    assert not asking.is_alive(), "a minute is for a worker that is slow, not for one that is gone"
    assert worker.exitcode is not None

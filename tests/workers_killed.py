"""Several processes of a service on PostgreSQL, killed at random under load: tests/server and the chapter `workers` share it."""

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

from running_service import Running, running
from under_load import Load, nothing_is_lost_or_twice

from tracker.service.application import Tracker

WORKERS = 2
OPTIONS = ("--workers", str(WORKERS), "--no-limits", "--work-processes", "1")


def workers(service: Running) -> list[int]:
    """The processes that answer requests: spawned by the one that was started, and listening."""
    below = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [int(one) for one in below if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text()]


def token_of_machine(tracker: Tracker) -> str:
    """One that writes, of whoever keeps the machine."""
    person = tracker.people.of_machine("mara")
    return str(tracker.people.tokens.new(person.person, label="tests", scope="write").secret)


def workers_are_killed(
    url: str,
    campaign: tuple[str, str],
    folder: Path,
    dice: random.Random,
    *,
    kills: int,
    writers: int,
    each: int,
) -> Counter[str]:
    """Under load; gives what was answered. Raises AssertionError where something is lost, or there twice.

    `campaign` is its name, and a fighter in it.
    """
    tracker = Tracker(url, actor="mara")
    try:
        token = token_of_machine(tracker)
        with running(url, folder, *OPTIONS) as service:
            service.token = token
            load = Load(service, [campaign], writers=writers, each=each)
            for _ in range(kills):
                time.sleep(dice.random())
                os.kill(dice.choice(workers(service)), signal.SIGKILL)
            load.join()
            numbers = service.ask("GET", "/metrics")[2].decode()
            assert "arbitrator_requests_total" in numbers
            assert "arbitrator_listeners 0.0" in numbers
            code, _ = service.stop()
            assert code == 0
        known = tracker.directory.campaign_id(campaign[0])
        reasons = [one.reason for one in load.acknowledged]
        assert len(reasons) == writers * each
        nothing_is_lost_or_twice(tracker, known, reasons)
        audit = tracker.audit.verify(known)
        assert audit.ok, audit
        return load.answers
    finally:
        tracker.close()

"""Several processes on PostgreSQL, killed at random under load: nothing acknowledged is lost, nothing is there twice."""

import http.client
import json
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from running_service import Running, running

from tracker.service.application import Tracker

WRITERS = 3
WRITES_EACH = 5
KILLS = 2
HERE = "/v1/campaigns/ash-wastes"


class OnPostgres(Arbitrator):
    """The command line on that database."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.url = url

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


def workers(service: Running) -> list[int]:
    """The processes that answer requests: spawned by the one that was started, and listening."""
    below = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [int(one) for one in below if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text()]


def write_until_acknowledged(service: Running, key: str, name: str) -> None:
    """Send it again under its key until it is answered."""
    while True:
        try:
            body = json.dumps({"name": name})
            status, _, text = service.ask("POST", f"{HERE}/fighters/krug/rename", body, Idempotency_Key=key)
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            continue
        if status == 200:
            return
        assert status in (412, 503), text
        time.sleep(0.05)


@pytest.mark.slow
def test_two_workers_are_killed_under_load_and_nothing_is_lost_or_twice(
    postgres_at_head: str, tmp_path: Path
) -> None:
    table = OnPostgres(tmp_path, postgres_at_head)
    begin(table)
    tracker = Tracker(postgres_at_head, actor="mara")
    person = tracker.people.of_machine("mara")
    token = tracker.people.tokens.new(person.person, label="tests", scope="write").secret
    tracker.close()
    before = table.head["entries"]
    dice = random.Random(7)
    names = {
        f"k{writer}-{number}": f"Krug {writer} {number}"
        for writer in range(WRITERS)
        for number in range(WRITES_EACH)
    }
    acknowledged: list[str] = []
    with running(
        postgres_at_head, tmp_path, "--workers", "2", "--no-limits", "--work-processes", "1"
    ) as service:
        service.token = token

        def write(writer: int) -> None:
            for key, name in names.items():
                if key.startswith(f"k{writer}-"):
                    write_until_acknowledged(service, key, name)
                    acknowledged.append(name)

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        for _ in range(KILLS):
            time.sleep(dice.random())
            os.kill(dice.choice(workers(service)), signal.SIGKILL)
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
        numbers = service.ask("GET", "/metrics")[2].decode()
        assert "arbitrator_requests_total" in numbers
        assert "arbitrator_listeners 0.0" in numbers
        code, _ = service.stop()
        assert code == 0
    assert sorted(acknowledged) == sorted(names.values())
    entries = table.read("log", "show", "--since", str(before + 1))["entries"]
    said = [entry["asked"] for entry in entries]
    assert len(said) == len(names)
    assert all(sum(name in one for one in said) == 1 for name in names.values())
    assert table.read("audit", "verify")["ok"]

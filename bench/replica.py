"""A streaming replica: boards read there, how far behind it is, and that it refuses to be written to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count

import psycopg

from bench.grown import Grown
from bench.measuring import Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, CREW, gang_of_ten_events, open_tracker
from tests import postgres_server

ROSTER = ("roster", "show")
COMMIT, SEEN = "one append acknowledged by the primary", "until the replica shows it"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    primary = grown.on_postgres(grown.middle)
    home = postgres_server.replica_of(grown.server.home)
    try:
        name = primary.rpartition("@/")[2].partition("?")[0]
        replica = postgres_server.database_url(home, name)
        return [_behind(primary, replica, runs), _rosters(grown, primary, replica, runs)]
    finally:
        postgres_server.discard(home)


def _behind(primary: str, replica: str, runs: int) -> Table:
    tracker = open_tracker(primary, ids_from=COPY_IDS_FROM)
    (campaign,) = tracker.repository.store.campaigns()
    numbers = count(1)
    at_once = []
    with _connected(replica) as there:

        def shown() -> int:
            row = there.execute("SELECT size FROM heads WHERE campaign_id = %s", (campaign,)).fetchone()
            return row[0] if row else 0

        def commit(watch: Stopwatch) -> None:
            _appended(watch, Stopwatch())

        def seen(watch: Stopwatch) -> None:
            _appended(Stopwatch(), watch)

        def _appended(committing: Stopwatch, following: Stopwatch) -> None:
            plan = gang_of_ten_events(f"late-{next(numbers)}")
            size = tracker.repository.store.head(campaign).size + len(CREW) + 2
            with committing.running():
                tracker.commands.play(campaign, [plan])
            with following.running():
                there = shown() >= size
                at_once.append(there)
                while not there:
                    time.sleep(0.0005)
                    there = shown() >= size

        for _ in range(3):
            commit(Stopwatch())
        at_once.clear()
        figures = in_turn({COMMIT: commit, SEEN: seen}, runs=4 * runs)
    tracker.close()
    fresh = sum(at_once)
    notes = [f"A read at once after the write found it on the replica in {fresh} of {len(at_once)} tries."]
    return table("Read after write, through a replica", figures, against=COMMIT, notes=notes)


def _rosters(grown: Grown, primary: str, replica: str, runs: int) -> Table:
    refused = _arbitrator(grown, replica, "campaign", "new", "Nowhere", check=False)
    assert refused.returncode == 2, refused
    figures = in_turn(
        {
            "roster show on the primary, cold": _cold(grown, primary, *ROSTER),
            "roster show on the replica, cold": _cold(grown, replica, *ROSTER),
        },
        runs=runs,
    )
    said = _without_address(refused.stderr, replica)
    note = f"A write there leaves with {refused.returncode} and says: {said}"
    return table("A board read on a replica", figures, against=figures[0].name, notes=[note])


def _cold(grown: Grown, url: str, *words: str) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            _arbitrator(grown, url, *words, check=True)

    return run


def _arbitrator(grown: Grown, url: str, *words: str, check: bool) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("TRACKER_")}
    return subprocess.run(
        [sys.executable, "-m", "tracker", "--db", url, *words],
        check=check, capture_output=True, text=True, cwd=grown.folder, env={**environment, "NO_COLOR": "1"},
    )  # fmt: skip


def _without_address(said: str, url: str) -> str:
    database = url.rpartition("@/")[2].partition("?")[0]
    return said.strip().replace(f"postgresql://postgres@/{database}", "DATABASE")


def _connected(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True)

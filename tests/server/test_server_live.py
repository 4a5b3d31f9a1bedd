"""Events as they are recorded: in order, none twice, none left out, over reconnects."""

import asyncio
import re
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from served import Served

from tracker.server.live import Live
from tracker.server.observing import Metrics
from tracker.server.writing import Threads
from tracker.service.application import Tracker


def positions(pieces: list[bytes]) -> list[int]:
    return [int(found[1]) for piece in pieces if (found := re.match(rb"id: (\d+)\n", piece))]


async def heard(file: Path, *, seen: int, stop_at: int, meanwhile: Arbitrator | None = None) -> list[bytes]:
    """The pieces of one stream until it has said so many events; something is recorded once it is quiet."""
    tracker = Tracker(f"sqlite:///{file}", actor="x")
    metrics = Metrics()
    threads = Threads(is_sqlite=True, waiting=metrics.waiting)
    live = Live(tracker, threads, listeners=metrics.listeners)
    pieces: list[bytes] = []
    size = tracker.repository.store.head(tracker.directory.campaign_id("ash-wastes")).size
    try:
        async for piece in live.stream(tracker.directory.campaign_id("ash-wastes"), seen):
            pieces.append(piece)
            said = seen + len(positions(pieces))
            if meanwhile is not None and said == size:
                meanwhile.done("fighter", "rename", "krug", "--name", "Old Krug")
                meanwhile = None
            if said >= stop_at:
                live.stop()
    finally:
        threads.close()
        tracker.close()
    return pieces


def test_all_that_stands_is_said_in_order_and_what_comes_follows(table: Arbitrator) -> None:
    size = table.read("campaign", "show")["events"]
    pieces = asyncio.run(heard(table.file, seen=0, stop_at=size + 2, meanwhile=table))
    assert positions(pieces) == [*range(1, size + 3)]
    assert b"event: FighterRenamed\n" in pieces[-1]


def test_who_comes_back_goes_on_behind_what_they_saw(table: Arbitrator) -> None:
    size = table.read("campaign", "show")["events"]
    assert positions(asyncio.run(heard(table.file, seen=size - 3, stop_at=size))) == [
        size - 2,
        size - 1,
        size,
    ]


def test_a_long_log_comes_in_pieces_without_a_gap(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracker.server.live.AT_ONCE", 7)
    size = table.read("campaign", "show")["events"]
    assert positions(asyncio.run(heard(table.file, seen=0, stop_at=size))) == [*range(1, size + 1)]


def test_a_place_that_is_no_number_is_refused(served: Served) -> None:
    for last in ("x", "-1", "1e3", "9" * 40, "²"):
        answer = served.get(f"/events?after={last}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_header")


def test_nobody_hears_a_campaign_without_a_token(served: Served) -> None:
    assert served.client.get("/v1/campaigns/ash-wastes/events").status_code == 401

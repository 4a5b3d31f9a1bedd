"""Events as they are recorded: in order, none twice, none left out, over reconnects."""

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cli_arbitrator import Arbitrator
from served import Club, Served

from tracker.campaign import records
from tracker.server import change_watcher
from tracker.server.access import MemberAccess, SentCredentials
from tracker.server.change_watcher import ChangeWatcher
from tracker.server.live import LiveStreams
from tracker.server.metrics import Metrics
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice


def pool(*, is_sqlite: bool) -> Threads:
    return Threads(is_sqlite=is_sqlite, waiting=Metrics().waiting)


def anybody() -> bool:
    return True


def positions(pieces: list[bytes]) -> list[int]:
    return [int(found[1]) for piece in pieces if (found := re.match(rb"id: (\d+)\n", piece))]


async def heard(file: Path, *, seen: int, stop_at: int, meanwhile: Arbitrator | None = None) -> list[bytes]:
    """The pieces of one stream until it has said so many events; something is recorded once it is quiet."""
    tracker = Tracker(f"sqlite:///{file}", actor="x")
    metrics = Metrics()
    threads = Threads(is_sqlite=True, waiting=metrics.waiting)
    live = LiveStreams(tracker, threads, listeners=metrics.listeners)
    pieces: list[bytes] = []
    size = tracker.repository.store.head(tracker.directory.campaign_id("ash-wastes")).size
    try:
        async for piece in live.stream(tracker.directory.campaign_id("ash-wastes"), seen, still=anybody):
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


def test_a_stream_sends_recorded_events_in_order_and_then_new_ones(table: Arbitrator) -> None:
    size = table.read("campaign", "show")["events"]
    pieces = asyncio.run(heard(table.file, seen=0, stop_at=size + 2, meanwhile=table))
    assert positions(pieces) == [*range(1, size + 3)]
    assert b"event: FighterRenamed\n" in pieces[-1]


def test_a_reconnecting_listener_continues_after_the_last_seen_event(table: Arbitrator) -> None:
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


# --- CloudEvents ------------------------------------------------------------------------------------------


def is_cloud_event(event: dict[str, Any]) -> bool:
    """Whether it has what CloudEvents 1.0 asks for: required attributes, names and types of all of them."""
    required = ("id", "source", "specversion", "type")
    assert all(isinstance(event[name], str) and event[name] for name in required)
    assert event["specversion"] == "1.0"
    assert all(re.fullmatch("[a-z0-9]{1,20}", name) for name in event if name != "data")
    assert all(isinstance(value, str) and value for name, value in event.items() if name != "data")
    assert urlsplit(event["source"]).scheme == "urn"
    assert datetime.fromisoformat(event["time"]).tzinfo is not None
    assert event["datacontenttype"] == "application/json"
    return True


BATCH = {"Accept": "application/cloudevents-batch+json"}


def test_the_events_come_as_cloud_events(table: Arbitrator, served: Served) -> None:
    answer = served.get("/events", headers=BATCH)
    assert answer.headers["content-type"] == "application/cloudevents-batch+json"
    events = answer.json()
    assert len(events) == table.head["events"]
    assert all(map(is_cloud_event, events))
    assert len({(event["source"], event["id"]) for event in events}) == len(events)
    assert [event["sequence"] for event in events] == sorted(event["sequence"] for event in events)
    assert events[0]["type"] == "arbitrator.DecisionTaken"
    assert [event["data"]["seq"] for event in events] == [*range(len(events))]


def test_a_batch_leads_to_the_next(served: Served) -> None:
    whole = served.get("/events", headers=BATCH).json()
    read, url = [], "/events?limit=7"
    while url:
        answer = served.get(url, headers=BATCH)
        read += answer.json()
        url = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert read == whole


@pytest.mark.parametrize("asked", ["limit=0", "limit=501", "limit=x", "format=xml&limit=1"])
def test_a_batch_that_is_none_is_refused(served: Served, asked: str) -> None:
    headers = BATCH if "format" not in asked else {}
    assert served.get(f"/events?{asked}", headers=headers).status_code == 422


def test_a_stream_says_cloud_events_where_it_is_asked_to(table: Arbitrator) -> None:
    async def first() -> bytes:
        tracker = Tracker(f"sqlite:///{table.file}", actor="x")
        threads = pool(is_sqlite=True)
        live = LiveStreams(tracker, threads, listeners=Metrics().listeners)
        try:
            async for piece in live.stream(
                tracker.directory.campaign_id("ash-wastes"), 0, "cloudevents", still=anybody
            ):
                if piece.startswith(b"id: "):
                    return piece
        finally:
            live.stop()
            threads.close()
            tracker.close()
        raise AssertionError("it ended")

    place, name, data = asyncio.run(first()).decode().strip().split("\n")
    assert (place, name) == ("id: 1", "event: DecisionTaken")
    assert is_cloud_event(json.loads(data.removeprefix("data: ")))


# --- who may read no more ---------------------------------------------------------------------------------


def sign_out(club: Club) -> None:
    assert club.tracker.people.sessions.end(club.people["Sol"].person) == 1


def revoke(club: Club) -> None:
    sol = club.people["Sol"].person
    club.tracker.people.tokens.revoke(sol, club.tracker.people.tokens.of(sol)[0].token)


def remove(club: Club) -> None:
    club.tracker.people.remove(club.campaign, club.people["Sol"].person)


def forget(club: Club) -> None:
    club.tracker.people.forget(club.people["Sol"].person)


@pytest.mark.parametrize(
    ("is_browser", "ended"),
    [(True, sign_out), (False, revoke), (True, remove), (False, remove), (True, forget), (False, forget)],
)
def test_a_stream_ends_once_its_listener_may_read_no_more(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, is_browser: bool, ended: Callable[[Club], None]
) -> None:
    monkeypatch.setattr("tracker.server.live.KEPT_ALIVE_SECONDS", 0.05)
    listeners = club.client.app.state.metrics.listeners  # type: ignore[attr-defined]
    client = club.browser("Sol") if is_browser else club.client
    headers = {} if is_browser else {"Authorization": f"Bearer {club.tokens['Sol']}"}
    came: list[Any] = []

    def listen() -> None:
        came.append(client.get("/v1/campaigns/ash-wastes/events", headers=headers))

    listening = threading.Thread(target=listen)
    listening.start()
    while listeners._value.get() == 0:
        assert listening.is_alive(), came[0].text
        time.sleep(0.01)
    listening.join(0.3)
    assert listening.is_alive(), "it goes on while they may read"
    ended(club)
    listening.join(20)
    assert not listening.is_alive()
    assert came[0].status_code == 200
    assert came[0].content.startswith(b"retry: 2000\n\nid: 1\n")
    assert client.get("/v1/campaigns/ash-wastes/events", headers=headers).status_code in (401, 404)


def test_a_stream_that_is_open_is_no_use_of_its_token(club: Club) -> None:
    """So what is shown as unused stays so, and nothing is counted."""
    sol, tokens = club.people["Sol"].person, club.tracker.people.tokens
    members = MemberAccess(club.tracker)
    sent = SentCredentials(f"Bearer {club.tokens['Sol']}")
    assert members.still(sent, club.campaign, "log show")
    assert tokens.of(sol)[0].last_used_at is None


# --- on PostgreSQL ----------------------------------------------------------------------------------------


def test_a_write_of_another_process_is_heard_by_notice(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The poll is slower than this test may take."""
    monkeypatch.setattr(change_watcher, "POLL_SECONDS", 600.0)

    async def heard_by_notice() -> list[int]:
        writer = Tracker(postgres_at_head, actor="x", migrate=False)
        campaign = writer.commands.open_campaign(
            name="Ash", slug="ash", book="necromunda_2023", preset=None
        ).campaign
        size = writer.repository.store.head(campaign).size
        listener = Tracker(postgres_at_head, actor="y", migrate=False)
        here, there = pool(is_sqlite=False), pool(is_sqlite=False)
        live, other = (
            LiveStreams(listener, here, listeners=Metrics().listeners),
            ChangeWatcher(writer.engine, there),
        )
        got: list[bytes] = []

        async def listen() -> None:
            async for piece in live.stream(campaign, 0, still=anybody):
                got.append(piece)
                if len(positions(got)) > size:
                    live.stop()

        listening = asyncio.create_task(listen())
        while len(positions(got)) < size:
            await asyncio.sleep(0.01)
        cycle = CommandWithDice(command=records.BeginCycle(reason="x"))
        writer.commands.play(campaign, [cycle])
        while not listening.done():  # the listener's session may still be on its way
            other.moved()
            await asyncio.wait([listening], timeout=0.2)
        other.stop()
        for threads, tracker in ((here, listener), (there, writer)):
            threads.close()
            tracker.close()
        return positions(got)

    seen = asyncio.run(asyncio.wait_for(heard_by_notice(), 30))
    assert seen == [*range(1, len(seen) + 1)]


def test_without_a_notice_the_poll_finds_new_events(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_watcher, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(ChangeWatcher, "_hear", lambda *_given: None)

    async def found() -> bool:
        tracker = Tracker(postgres_at_head, actor="x", migrate=False)
        campaign = tracker.commands.open_campaign(
            name="Ash", slug="ash", book="necromunda_2023", preset=None
        ).campaign
        threads = pool(is_sqlite=False)
        watcher = ChangeWatcher(tracker.engine, threads)
        with watcher.listening(campaign) as heard:
            await asyncio.wait_for(heard.wait(), 10)
            heard.clear()
            tracker.commands.play(campaign, [CommandWithDice(command=records.BeginCycle(reason="x"))])
            await asyncio.wait_for(heard.wait(), 10)
        watcher.stop()
        threads.close()
        tracker.close()
        return True

    assert asyncio.run(found())


def test_who_listens_to_another_campaign_is_not_woken(table: Arbitrator) -> None:
    table.done("campaign", "new", "Sump City")

    async def woken() -> tuple[bool, bool]:
        tracker = Tracker(f"sqlite:///{table.file}", actor="x")
        threads = pool(is_sqlite=True)
        watcher = ChangeWatcher(tracker.engine, threads)
        ids = tracker.directory.campaigns()
        with watcher.listening(ids["ash-wastes"]) as ash, watcher.listening(ids["sump-city"]) as sump:
            for heard in (ash, sump):
                await asyncio.wait_for(heard.wait(), 10)
                heard.clear()
            table.done("-c", "ash-wastes", "fighter", "rename", "krug", "--name", "Old Krug")
            await asyncio.wait_for(ash.wait(), 10)
            came = ash.is_set(), sump.is_set()
        watcher.stop()
        threads.close()
        tracker.close()
        return came

    assert asyncio.run(woken()) == (True, False)


def test_listeners_woken_together_share_a_single_read(table: Arbitrator) -> None:
    listeners, reads = 20, 0

    async def listened() -> int:
        nonlocal reads
        tracker = Tracker(f"sqlite:///{table.file}", actor="x")
        threads = pool(is_sqlite=True)
        live = LiveStreams(tracker, threads, listeners=Metrics().listeners)
        campaign = tracker.directory.campaign_id("ash-wastes")
        size, reads_of = tracker.repository.store.head(campaign).size, live.behind

        def behind(*given: Any) -> Any:
            nonlocal reads
            reads += 1
            return reads_of(*given)

        live.behind = behind  # type: ignore[method-assign]
        begun: list[bytes] = []

        async def listen() -> list[int]:
            pieces: list[bytes] = []
            async for piece in live.stream(campaign, size, still=anybody):
                begun.append(piece)
                pieces.append(piece)
                if positions(pieces):
                    return positions(pieces)
            return []

        listening = [asyncio.create_task(listen()) for _ in range(listeners)]
        while len(begun) < listeners or not reads:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)  # all of them have looked once, and wait
        before = reads
        await asyncio.to_thread(table.done, "fighter", "rename", "krug", "--name", "Old Krug")
        live.moved(campaign)
        heard_of = await asyncio.wait_for(asyncio.gather(*listening), 30)
        assert [positions[0] for positions in heard_of] == [size + 1] * listeners
        live.stop()
        threads.close()
        tracker.close()
        return reads - before

    assert asyncio.run(listened()) < listeners // 2

"""Eight writers at once on PostgreSQL, each a process: on eight campaigns, and all on one.

A decision is a gang of eight enlisted, ten events. The figure is wall time over appends: from the moment that
all set off until the last has ended. The driver's loop appends ten rows of the same bytes under the same lock
of the head.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psycopg

from bench import peers, raw
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import BOOK, gang_of_ten_events, open_tracker
from tracker.log import database
from tracker.service.application import Tracker

WRITERS = 8
APPENDS = 12
TRACKER = (
    "the tracker: 1 writer",
    "the tracker: 8 writers, 8 campaigns",
    "the tracker: 8 writers, 1 campaign",
)
DRIVER = (
    "psycopg itself: 1 writer",
    "psycopg itself: 8 writers, 8 campaigns",
    "psycopg itself: 8 writers, 1 campaign",
)
PEER = "eventsourcing: 8 writers, 8 databases"
BAR_PEER = 1 / 0.8
"""Eight writers of ours on one database make at least 0.8 of its events a second."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    ours, theirs = _database(grown), _database(grown)
    with grown.server.connected(theirs.url) as connection:
        raw.without_guards(connection)
    crew = _Crew()
    try:
        jobs = _jobs(crew, TRACKER, "tracker", ours) | _jobs(crew, DRIVER, "raw", theirs)
        if peers.AVAILABLE:
            jobs[PEER] = _peers(crew, grown, ours)
        figures = in_turn(jobs, runs=runs)
    finally:
        crew.dismiss()
    appended = _nothing_lost(ours, crew.appends["tracker"])
    by_name = {figure.name: figure.median for figure in figures}
    bars = [
        Bar(of=TRACKER[at], against=TRACKER[0], at_most=2 * by_name[DRIVER[at]] / by_name[DRIVER[0]])
        for at in (1, 2)
    ]
    if peers.AVAILABLE:
        bars.append(Bar(of=TRACKER[1], against=PEER, at_most=BAR_PEER))
    notes = [
        *([] if peers.AVAILABLE else [peers.MISSING]),
        f"{appended} appends by the tracker, none failed, no gap: every chain verified afterwards.",
        "The bars against one writer are twice what eight writers make of the driver's loop.",
    ]
    return [
        table(
            f"Eight writers, PostgreSQL: wall time per append of ten events ({APPENDS} a writer and run)",
            figures,
            against=DRIVER[0],
            bars=bars,
            notes=notes,
        )
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Database:
    url: str
    campaigns: tuple[str, ...]


def _database(grown: Grown) -> _Database:
    url = grown.server.empty()
    database.upgrade(url)
    tracker = open_tracker(url)
    names = [f"writers-{number}" for number in range(WRITERS + 1)]
    opened = [
        tracker.commands.open_campaign(name=name, slug=name, book=BOOK, preset=None).campaign
        for name in names
    ]
    for campaign in opened:
        tracker.commands.play(campaign, [gang_of_ten_events("first")])
    tracker.close()
    return _Database(url=url, campaigns=tuple(opened))


def _jobs(
    crew: _Crew, names: tuple[str, str, str], kind: str, on: _Database
) -> dict[str, Callable[[Stopwatch], None]]:
    *many, shared = on.campaigns
    plans = ([many[0]], many, [shared] * WRITERS)
    return {
        name: lambda watch, plan=tuple(plan): crew.write(kind, on.url, plan, watch)
        for name, plan in zip(names, plans, strict=True)
    }


def _peers(crew: _Crew, grown: Grown, ours: _Database) -> Callable[[Stopwatch], None]:
    """Each writes to a database of its own: on one, all wait for the lock of its table."""
    names = tuple(grown.server.empty_name() for _ in range(WRITERS))
    tracker = open_tracker(ours.url)
    like = next(
        entry for entry in raw.appended_since(tracker.engine, ours.campaigns[0], 0) if len(entry.events) == 10
    )
    tracker.close()
    payloads = [peers.payload_of(event[6]) for event in like.events]
    socket = str(grown.server.socket)
    return lambda watch: crew.write("peer", socket, names, watch, payloads)


def _nothing_lost(on: _Database, appends: int) -> int:
    """Every append is there, in order, and nothing else."""
    tracker = open_tracker(on.url)
    reports = [tracker.repository.store.verify(campaign) for campaign in on.campaigns]
    tracker.close()
    assert all(report.ok for report in reports), reports
    # Each campaign began with its opening and one gang.
    entries = sum(report.entries - 2 for report in reports)
    assert entries == appends, f"{appends} appends were acknowledged, {entries} entries are there"
    return appends


class _Crew:
    """Eight processes that wait for a signal; they set off together."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.appends = {"tracker": 0, "raw": 0, "peer": 0}
        self._numbers = count()
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        for _ in range(WRITERS):
            here, there = context.Pipe()
            process = context.Process(target=_serve, args=(there,), daemon=True)
            process.start()
            self._pipes.append(here)
            self._processes.append(process)

    def write(
        self,
        kind: str,
        url: str,
        campaigns: tuple[str, ...],
        watch: Stopwatch,
        payloads: Sequence[str] = (),
    ) -> None:
        """One writer for each of these campaigns; for the peer, of these databases."""
        pipes = self._pipes[: len(campaigns)]
        for pipe, campaign in zip(pipes, campaigns, strict=True):
            pipe.send((kind, url, campaign, next(self._numbers), APPENDS, payloads))
        assert all(pipe.recv() == "ready" for pipe in pipes)
        for pipe in pipes:
            pipe.send("go")
        spans = [pipe.recv() for pipe in pipes]
        failed = [span for span in spans if isinstance(span, str)]
        assert not failed, failed
        watch.seconds += max(end for _, end in spans) - min(start for start, _ in spans)
        watch.spans += APPENDS * len(campaigns)
        self.appends[kind] += (APPENDS + 1) * len(campaigns)

    def dismiss(self) -> None:
        """They go home."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=20)


def _serve(pipe: Connection) -> None:
    """What a writer does until nobody tells it anything."""
    while True:
        try:
            kind, url, campaign, number, appends, payloads = pipe.recv()
        except EOFError:
            return
        try:
            if kind == "peer":
                append, close = _peer(url, campaign, payloads)
            else:
                append, close = (_tracker if kind == "tracker" else _driver)(url, campaign, number)
            append(appends)  # statements compile once
            pipe.send("ready")
            pipe.recv()
            start = time.perf_counter()
            for at in range(appends):
                append(at)
            pipe.send((start, time.perf_counter()))
            close()
        except Exception as error:  # noqa: BLE001  # shown to whoever measures
            pipe.send(f"{type(error).__name__}: {error}")


def _tracker(url: str, campaign: str, number: int) -> tuple[Callable[[int], object], Callable[[], None]]:
    tracker = Tracker(url, actor="bench")
    tracker.repository.state(campaign)
    return (
        lambda at: tracker.commands.play(campaign, [gang_of_ten_events(f"gang-{number}-{at}")]),
        tracker.close,
    )


def _driver(url: str, campaign: str, _number: int) -> tuple[Callable[[int], object], Callable[[], None]]:
    tracker = open_tracker(url)
    like = next(entry for entry in raw.appended_since(tracker.engine, campaign, 0) if len(entry.events) == 10)
    tracker.close()
    connection = psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True)
    return lambda _: raw.append_next(connection, campaign, like), connection.close


def _peer(
    socket: str, database_name: str, payloads: Sequence[str]
) -> tuple[Callable[[int], object], Callable[[], None]]:
    stack = ExitStack()
    application = stack.enter_context(peers.on_postgres(Path(socket), database_name))
    log = peers.aggregate()
    return lambda _: peers.save(application, log, payloads), stack.close

"""One decision of ten events: through the tracker, through the store alone, by PyPI `eventsourcing`, by the
driver itself.

The tracker decides, folds, writes the boards, seals, and at times keeps a snapshot; a run holds about one.
The driver is given the statements that the tracker gave its own, boards included; and apart from that the
log's rows alone, as the store is. Each has a database that held the same log before. `eventsourcing` saves
ten events that say the same, to an aggregate of as many events that it holds in memory, as the tracker holds
its state; it keeps no boards and no chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import msgspec

from bench import peers, raw
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, hits_of_ten_events, open_tracker
from tracker.log import database
from tracker.log.sealing import Draft, seal
from tracker.log.store import EventStore
from tracker.service.application import Tracker

DECISIONS = 64
OURS = ("truncate", "extra")
THEIRS = ("wal", "full")
TRACKER, STORE, PEER = (
    "the tracker: decide, seal, append, boards",
    "the store: seal, append",
    "eventsourcing: one save of ten",
)
SAME, ALONE = "the driver: the same statements", "the driver: the log's rows alone"
BAR_PEER, BAR_DRIVER = 1 / 1.2, 2.0


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    return [
        _on_sqlite(grown, runs, OURS),
        _on_sqlite(grown, runs, THEIRS),
        _on_postgres(grown, runs),
    ]


@contextmanager
def settings_of(journal: str, synchronous: str) -> Iterator[None]:
    """Every SQLite connection of ours that is made meanwhile is given these two settings; all else stays."""
    usual = database.SQLITE_SETTINGS
    numbers = {"full": 2, "extra": 3}
    changed = {"journal_mode": journal, "synchronous": numbers[synchronous]}
    database.SQLITE_SETTINGS = tuple((name, changed.get(name, wanted)) for name, wanted in usual)
    try:
        yield
    finally:
        database.SQLITE_SETTINGS = usual


def _on_sqlite(grown: Grown, runs: int, settings: tuple[str, str]) -> Table:
    where = f"SQLite, {'/'.join(settings).upper()}"
    with ExitStack() as stack:
        stack.enter_context(settings_of(*settings))
        name = "-".join(settings)
        tracker, store, same, alone = (
            grown.copied(grown.middle, f"{who}-{name}.db") for who in ("tracker", "store", "same", "alone")
        )
        drivers = [stack.enter_context(raw.connected(file)) for file in (same, alone)]
        theirs = grown.folder / f"eventsourcing-{name}.db"
        application = (
            stack.enter_context(peers.on_sqlite(theirs, peers.settings_for(*settings)))
            if peers.AVAILABLE
            else None
        )
        return _compared(stack, (tracker, store), drivers, _filled(grown, application), where, runs)


def _filled(grown: Grown, application: Any) -> Any:
    """The application and an aggregate as long as the logs of the others; None when it is not installed."""
    if application is None:
        return None
    return application, peers.filled(application, grown.file(grown.middle), grown.season(grown.middle).events)


def _on_postgres(grown: Grown, runs: int) -> Table:
    server = grown.server
    with ExitStack() as stack:
        tracker, store, same, alone = (grown.on_postgres(grown.middle) for _ in range(4))
        drivers = [stack.enter_context(server.connected(url)) for url in (same, alone)]
        application = (
            stack.enter_context(peers.on_postgres(server.socket, server.empty_name()))
            if peers.AVAILABLE
            else None
        )
        return _compared(
            stack,
            (tracker, store),
            drivers,
            _filled(grown, application),
            f"PostgreSQL {server.version}, durable",
            runs,
        )


def _compared(
    stack: ExitStack,
    places: tuple[Any, Any],
    drivers: Sequence[raw.Driver],
    application: Any,
    where: str,
    runs: int,
) -> Table:
    tracker, other = (open_tracker(place, ids_from=COPY_IDS_FROM) for place in places)
    stack.callback(tracker.close)
    stack.callback(other.close)
    for driver in drivers:
        raw.without_guards(driver)
    contest = _Contest(tracker, other.repository.store, drivers, application)
    jobs = {TRACKER: contest.tracker, STORE: contest.store, SAME: contest.same, ALONE: contest.alone}
    bars = [Bar(of=TRACKER, against=SAME, at_most=BAR_DRIVER)]
    if application is not None:
        jobs[PEER] = contest.peer
        bars.insert(0, Bar(of=TRACKER, against=PEER, at_most=BAR_PEER))
    for job in jobs.values():  # statements compile once
        job(Stopwatch())
    title = f"One decision of ten events, {where} ({contest.events} in the log, {DECISIONS} a run)"
    notes = [] if application is not None else [peers.MISSING]
    return table(title, in_turn(jobs, runs=runs), against=SAME, bars=bars, notes=notes)


class _Contest:
    """Who appends: the tracker first, then the others what it left behind."""

    def __init__(
        self, tracker: Tracker, store: EventStore, drivers: Sequence[raw.Driver], application: Any
    ) -> None:
        self._tracker = tracker
        self._store = store
        self._same, self._alone = drivers
        self._listener = raw.Listener(tracker.engine)
        self._written: list[tuple[bool, raw.Written]] = []
        self._application, self._log = application or (None, None)
        (self._campaign,) = tracker.repository.store.campaigns()
        self._hits = hits_of_ten_events(tracker, self._campaign)
        self._measured: set[int] = set()
        self._appended: list[raw.Appended] = []
        self.events = tracker.repository.store.head(self._campaign).size

    def tracker(self, watch: Stopwatch) -> None:
        before = self._tracker.repository.store.head(self._campaign).size
        self._measured.clear()
        self._written.clear()
        for _ in range(DECISIONS):
            plan = next(self._hits)  # opens a battle now and then, unmeasured
            self._written.append((False, self._listener.taken()))
            with watch.running():
                played = self._tracker.commands.play(self._campaign, [plan])
            self._written.append((True, self._listener.taken()))
            self._measured.add(played.entries[0][0].seq)
        self._appended = raw.appended_since(self._tracker.engine, self._campaign, before)

    def store(self, watch: Stopwatch) -> None:
        for one, counted in self._in_turn(watch):
            head = self._store.head(self._campaign)
            drafts = [_draft(event) for event in one.events]
            with counted.running():
                sealed, new_head = seal(head, drafts)
                self._store.append(head, sealed, new_head, key=one.command[1], digest=one.command[2])

    def peer(self, watch: Stopwatch) -> None:
        for one, counted in self._in_turn(watch):
            payloads = [peers.payload_of(event[6]) for event in one.events]
            with counted.running():
                peers.save(self._application, self._log, payloads)

    def same(self, watch: Stopwatch) -> None:
        for is_measured, written in self._written:
            with (watch if is_measured else Stopwatch()).running():
                raw.repeat(self._same, written)

    def alone(self, watch: Stopwatch) -> None:
        for one, counted in self._in_turn(watch):
            with counted.running():
                raw.append(self._alone, one)

    def _in_turn(self, watch: Stopwatch) -> Iterator[tuple[raw.Appended, Stopwatch]]:
        """What the tracker appended; openings and endings of battles are not counted."""
        for receipt in self._appended:
            yield receipt, watch if receipt.first_seq in self._measured else Stopwatch()


def _draft(event: Sequence[Any]) -> Draft:
    """An event as it was before it was sealed."""
    body = msgspec.json.decode(event[6])  # the body, by its place in the row
    return Draft(
        type=body["type"],
        shape=body["shape"],
        entry=body["entry"],
        slot=body["slot"],
        event_id=body["id"],
        at=body["at"],
        actor=body["actor"],
        policy_version=body["policy"]["version"],
        policy_digest=body["policy"]["digest"],
        causation=body["causation"],
        data=body["data"],
    )

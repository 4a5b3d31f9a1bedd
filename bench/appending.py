"""One decision of ten events: through the tracker, through the store alone, by PyPI `eventsourcing`, by the
driver itself.

The tracker decides, folds, writes the boards, seals, and at times keeps a snapshot; a run holds about one.
The driver is given the statements that the tracker gave its own, boards included; and apart from that the
log's rows alone, as the store is. Each has a database that held the same log before. `eventsourcing` saves
ten events that say the same, to an aggregate of as many events that it holds in memory, as the tracker holds
its state; it keeps no boards and no chain. The fair peer is that library deciding the hit by its one branch
of the rules, with boards in the save's own transaction: those that ours were, or the rosters alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from bench import fair_peer, peers, raw
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, hits_of_ten_events, open_tracker
from tracker.campaign import steps
from tracker.campaign.state import CampaignState
from tracker.dice import DiceTray
from tracker.log import database
from tracker.log.sealing import Head, UnsealedEvent, seal
from tracker.log.store import EventStore
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

DECISIONS = 64
OURS = ("truncate", "extra")
THEIRS = ("wal", "full")
TRACKER, STORE, PEER = (
    "the tracker: decide, seal, append, boards",
    "the store: seal, append",
    "eventsourcing: one save of ten",
)
READY = "eventsourcing: ten ready events inserted"
FAIR, FAIR_ROSTER = "the fair peer: decide, save, all boards", "the fair peer: decide, save, rosters alone"
SAME, ALONE = "the driver: the same statements", "the driver: the log's rows alone"
DECIDED, SEALED = "the rules alone: decided in memory", "the chain alone: ten events sealed in memory"
BAR_DRIVER, BAR_READY = 2.0, 1.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """At most so much of the bare insert, and of the fair peer with all boards."""

    bare: float
    fair: float


BARS = {OURS: Bars(bare=1.5, fair=0.85), THEIRS: Bars(bare=1.8, fair=0.85)}
BARS_POSTGRES = Bars(bare=0.83, fair=0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivals:
    """What of that library takes part, each with a database of its own that holds as many events."""

    application: Any
    log: Any
    ready: peers.ReadyEvents
    fair: fair_peer.FairPeer
    roster: fair_peer.FairPeer


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
        theirs, given = grown.folder / f"eventsourcing-{name}", peers.settings_for(*settings)
        rivals = (
            _filled(
                grown,
                stack.enter_context(peers.on_sqlite(theirs.with_suffix(".db"), given)),
                *(
                    stack.enter_context(
                        fair_peer.on_sqlite(theirs.with_suffix(f".{whole}.db"), given, whole=whole)
                    )
                    for whole in (True, False)
                ),
            )
            if peers.AVAILABLE
            else None
        )
        return _compared(stack, (tracker, store), drivers, rivals, where, BARS[settings], runs)


def _filled(grown: Grown, application: Any, fair: fair_peer.FairPeer, roster: fair_peer.FairPeer) -> Rivals:
    """All with aggregates as long as the logs of the others."""
    file, events = grown.file(grown.middle), grown.season(grown.middle).events
    log = peers.filled(application, file, events)
    for peer in (fair, roster):
        peer.fill(file, events)
    ready = peers.ReadyEvents(application)
    return Rivals(application=application, log=log, ready=ready, fair=fair, roster=roster)


def _on_postgres(grown: Grown, runs: int) -> Table:
    server = grown.server
    with ExitStack() as stack:
        tracker, store, same, alone = (grown.on_postgres(grown.middle) for _ in range(4))
        drivers = [stack.enter_context(server.connected(url)) for url in (same, alone)]
        rivals = (
            _filled(
                grown,
                stack.enter_context(peers.on_postgres(server.socket, server.empty_name())),
                *(
                    stack.enter_context(
                        fair_peer.on_postgres(server.socket, server.empty_name(), whole=whole)
                    )
                    for whole in (True, False)
                ),
            )
            if peers.AVAILABLE
            else None
        )
        return _compared(
            stack,
            (tracker, store),
            drivers,
            rivals,
            f"PostgreSQL {server.version}, durable",
            BARS_POSTGRES,
            runs,
        )


def _compared(
    stack: ExitStack,
    places: tuple[Any, Any],
    drivers: Sequence[raw.Driver],
    rivals: Rivals | None,
    where: str,
    promised: Bars,
    runs: int,
) -> Table:
    tracker, copy = (open_tracker(place, ids_from=COPY_IDS_FROM) for place in places)
    stack.callback(tracker.close)
    stack.callback(copy.close)
    for driver in drivers:
        raw.without_guards(driver)
    contest = _Contest(tracker, copy.repository.store, drivers, rivals)
    jobs = {
        TRACKER: contest.tracker,
        STORE: contest.store,
        SAME: contest.same,
        ALONE: contest.alone,
        DECIDED: contest.decided,
        SEALED: contest.sealed,
    }
    floor = (SAME, DECIDED, SEALED)
    bars = [Bar(of=TRACKER, against=SAME, at_most=BAR_DRIVER, floor=floor)]
    if rivals is not None:
        jobs |= {FAIR: contest.fair, FAIR_ROSTER: contest.roster, PEER: contest.peer, READY: contest.ready}
        bars = [
            Bar(of=TRACKER, against=FAIR, at_most=promised.fair, floor=floor),
            Bar(of=TRACKER, against=PEER, at_most=promised.bare, floor=floor),
            Bar(of=STORE, against=READY, at_most=BAR_READY, floor=(ALONE, SEALED)),
            *bars,
        ]
    for job in jobs.values():  # statements compile once
        job(Stopwatch())
    title = f"One decision of ten events, {where} ({contest.events} in the log, {DECISIONS} a run)"
    notes = [] if rivals is not None else [peers.MISSING]
    return table(title, in_turn(jobs, runs=runs), against=SAME, bars=bars, notes=notes)


class _Contest:
    """Who appends: the tracker first, then the others what it left behind."""

    def __init__(
        self, tracker: Tracker, store: EventStore, drivers: Sequence[raw.Driver], rivals: Rivals | None
    ) -> None:
        self._tracker = tracker
        self._store = store
        self._same, self._alone = drivers
        self._listener = raw.Listener(tracker.engine)
        self._written: list[tuple[bool, raw.Written]] = []
        self._rivals = rivals
        (self._campaign,) = tracker.repository.store.campaigns()
        self._hits = hits_of_ten_events(tracker, self._campaign)
        self._measured: set[int] = set()
        self._appended: list[raw.Appended] = []
        self._plans: list[tuple[CampaignState, CommandWithDice]] = []
        self._drafts: list[tuple[Head, list[UnsealedEvent], bool]] = []
        self.events = tracker.repository.store.head(self._campaign).size

    def tracker(self, watch: Stopwatch) -> None:
        before = self._tracker.repository.store.head(self._campaign).size
        self._measured.clear()
        self._written.clear()
        self._plans.clear()
        for _ in range(DECISIONS):
            plan = next(self._hits)  # opens a battle now and then, unmeasured
            self._plans.append((self._tracker.repository.state(self._campaign), plan))
            self._written.append((False, self._listener.taken()))
            with watch.running():
                played = self._tracker.commands.play(self._campaign, [plan])
            self._written.append((True, self._listener.taken()))
            self._measured.add(played.entries[0][0].seq)
        self._appended = raw.appended_since(self._tracker.engine, self._campaign, before)

    def decided(self, watch: Stopwatch) -> None:
        for state, plan in self._plans:
            with watch.running():
                steps.decide(state, plan.command, DiceTray(plan.dice), loader.rulebook, entry=1)

    def sealed(self, watch: Stopwatch) -> None:
        for head, drafts, is_measured in self._drafts:
            with (watch if is_measured else Stopwatch()).running():
                seal(head, drafts)

    def store(self, watch: Stopwatch) -> None:
        self._drafts.clear()
        for appended, counted in self._in_turn(watch):
            head = self._store.head(self._campaign)
            drafts = [_draft(event) for event in appended.events]
            self._drafts.append((head, drafts, appended.first_seq in self._measured))
            with counted.running():
                sealed, new_head = seal(head, drafts)
                self._store.append(
                    head, sealed, new_head, key=appended.command[1], digest=appended.command[2]
                )

    def peer(self, watch: Stopwatch) -> None:
        assert self._rivals is not None, "it takes part"
        for appended, counted in self._in_turn(watch):
            payloads = [peers.payload_of(event[6]) for event in appended.events]
            with counted.running():
                peers.save(self._rivals.application, self._rivals.log, payloads)

    def ready(self, watch: Stopwatch) -> None:
        assert self._rivals is not None, "it takes part"
        for appended, counted in self._in_turn(watch):
            made = self._rivals.ready.made([peers.payload_of(event[6]) for event in appended.events])
            with counted.running():
                self._rivals.ready.insert(made)

    def fair(self, watch: Stopwatch) -> None:
        assert self._rivals is not None, "it takes part"
        self._hit(self._rivals.fair, watch)

    def roster(self, watch: Stopwatch) -> None:
        assert self._rivals is not None, "it takes part"
        self._hit(self._rivals.roster, watch)

    def _hit(self, peer: fair_peer.FairPeer, watch: Stopwatch) -> None:
        for appended in self._appended:
            if appended.first_seq in self._measured:
                header = msgspec.json.decode(appended.events[0][6])["data"]
                given = header["command"]["given"]
                faces = [face for die in header["dice"] for face in die["faces"]]
                with watch.running():
                    peer.hit(given["attacker"], given["target"], faces)

    def same(self, watch: Stopwatch) -> None:
        for is_measured, written in self._written:
            with (watch if is_measured else Stopwatch()).running():
                raw.repeat(self._same, written)

    def alone(self, watch: Stopwatch) -> None:
        for appended, counted in self._in_turn(watch):
            with counted.running():
                raw.append(self._alone, appended)

    def _in_turn(self, watch: Stopwatch) -> Iterator[tuple[raw.Appended, Stopwatch]]:
        """What the tracker appended; openings and endings of battles are not counted."""
        for receipt in self._appended:
            yield receipt, watch if receipt.first_seq in self._measured else Stopwatch()


def _draft(event: Sequence[Any]) -> UnsealedEvent:
    """An event as it was before it was sealed."""
    body = msgspec.json.decode(event[6])  # the body, by its place in the row
    return UnsealedEvent(
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
        data=peers.payload_of(event[6]).encode(),  # as JSON, which is how the program gives it
    )

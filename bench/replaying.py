"""A campaign replayed from its log's rows: folded; with its chain verified; with all boards written.

For a state only the events that change one are typed: dice and the headers of decisions, some two thirds, are
not. By hand is what an engineer would write who knows this log: the driver's cursor, msgspec into the same
classes and past the same events, the same fold, and for the chain the same checks. `eventsourcing` loads an
aggregate whose events tell the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from bench import peers, raw
from bench.appending import OURS
from bench.grown import Grown
from bench.measuring import Bar, Figure, Stopwatch, Table, in_turn, table
from bench.season import open_tracker
from tracker.campaign.evolve import evolve, fold
from tracker.campaign.state import CampaignState
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash
from tracker.log.codec import Codec
from tracker.log.envelopes import Bodies
from tracker.log.reader import INFORMATIONAL
from tracker.log.store import StoredEvent
from tracker.log.verifying import PLAIN_LEVELS
from tracker.service.application import Tracker

FOLDED, VERIFIED, BOARDS = "read, typed, folded", "read, chain verified, typed, folded", "all boards written"
HAND, HAND_VERIFIED = "by hand: cursor, msgspec, fold", "by hand: the same, chain verified"
PEER = "eventsourcing: repository load"
INFORMING = ", ".join(f"'{name}'" for name in sorted(INFORMATIONAL))
MOVING = (  # as though no slot was ever filled again, which here is so
    "SELECT seq, entry, slot, type, body, leaf FROM events WHERE campaign_id = {}"
    f" AND type NOT IN ({INFORMING}) ORDER BY seq"
)
BY_SEQ = "SELECT seq, entry, slot, type, body, leaf FROM events WHERE campaign_id = {} ORDER BY seq"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    grown.season(grown.replayed)
    return [_on_sqlite(grown, runs), _on_postgres(grown, runs)]


def _on_sqlite(grown: Grown, runs: int) -> Table:
    file = grown.file(grown.replayed)
    with ExitStack() as stack:
        driver = stack.enter_context(raw.connected(file))

        def rows(query: str, campaign: str) -> Iterator[tuple[Any, ...]]:
            return iter(driver.execute(query.format("?"), (campaign,)))

        application = None
        if peers.AVAILABLE:
            theirs = grown.folder / "eventsourcing-replay.db"
            application = stack.enter_context(peers.on_sqlite(theirs, peers.settings_for(*OURS)))
        return _compared(stack, grown, f"sqlite:///{file}", rows, application, "SQLite", runs)


def _on_postgres(grown: Grown, runs: int) -> Table:
    url = grown.on_postgres(grown.replayed)
    with ExitStack() as stack:
        driver = stack.enter_context(grown.server.connected(url))
        stack.enter_context(driver.transaction())

        def rows(query: str, campaign: str) -> Iterator[tuple[Any, ...]]:
            with driver.cursor(name="replay") as cursor:  # on the server's side: it need not fit in memory
                cursor.itersize = 2_000
                yield from cursor.execute(query.format("%s"), (campaign,))

        application = None
        if peers.AVAILABLE:
            name = grown.server.empty_name()
            application = stack.enter_context(peers.on_postgres(grown.server.socket, name))
        return _compared(stack, grown, url, rows, application, "PostgreSQL", runs)


def _compared(
    stack: ExitStack,
    grown: Grown,
    url: str,
    rows: Callable[[str, str], Iterator[tuple[Any, ...]]],
    application: Any,
    engine: str,
    runs: int,
) -> Table:
    tracker = open_tracker(url)
    stack.callback(tracker.close)
    (campaign,) = tracker.repository.store.campaigns()
    events = tracker.repository.store.head(campaign).size
    jobs = {
        FOLDED: lambda watch: _folded(tracker, campaign, watch),
        VERIFIED: lambda watch: _verified(tracker, campaign, watch),
        BOARDS: lambda watch: _rebuilt(tracker, campaign, watch),
        HAND: lambda watch: _by_hand(rows(MOVING, campaign), watch),
        HAND_VERIFIED: lambda watch: _by_hand_verified(rows(BY_SEQ, campaign), watch),
    }
    bars = [
        Bar(of=FOLDED, against=HAND, at_most=1 / 0.8),
        Bar(of=VERIFIED, against=HAND_VERIFIED, at_most=1 / 0.8),
    ]
    notes = []
    if application is None:
        notes.append(peers.MISSING)
    else:
        log = peers.filled(application, grown.file(grown.replayed), events)
        jobs[PEER] = lambda watch: _loaded(application, log, watch)
        bars += [Bar(of=FOLDED, against=PEER, at_most=1 / 12), Bar(of=VERIFIED, against=PEER, at_most=1 / 8)]
    figures = in_turn(jobs, runs=runs)
    notes.insert(0, "; ".join(_rate(figure, events) for figure in figures))
    return table(f"{events} events replayed, {engine}", figures, against=HAND, bars=bars, notes=notes)


def _rate(figure: Figure, events: int) -> str:
    return f"{figure.name}: {events / figure.median * 1000:,.0f} events/s"


def _folded(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    with watch.running():
        state = fold(CampaignState(), tracker.repository.log.moving(campaign))
    assert state.gangs


def _verified(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    with watch.running():
        assert tracker.repository.store.verify(campaign).ok
        state = fold(CampaignState(), tracker.repository.log.moving(campaign))
    assert state.gangs


def _rebuilt(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    with watch.running():
        tracker.audit.rebuild_boards(campaign)


def _by_hand(rows: Iterator[tuple[Any, ...]], watch: Stopwatch) -> None:
    """The campaigns of the bench hold no ruling, so every slot was filled once."""
    codec = Codec()
    with watch.running():
        state = CampaignState()
        for row in rows:
            state = evolve(state, codec.event(StoredEvent(*row)))
    assert state.gangs


def _by_hand_verified(rows: Iterator[tuple[Any, ...]], watch: Stopwatch) -> None:
    """Leaf, envelope, canonical bytes, predecessor, columns and Merkle frontier, as `audit verify` checks;
    and the fold.
    """
    codec, bodies = Codec(), Bodies(PLAIN_LEVELS)
    with watch.running():
        state, frontier, before = CampaignState(), EMPTY_FRONTIER, EMPTY_PREV
        for row in rows:
            seq, entry, slot, kind, body, leaf = row
            assert leaf_hash(body) == leaf
            envelope = bodies.envelope(body, before)
            assert envelope is not None
            assert (envelope.prev, envelope.seq, envelope.entry) == (before, seq, entry)
            assert (envelope.slot, envelope.type, frontier.size) == (slot, kind, seq)
            before, frontier = leaf.hex(), frontier.append(leaf)
            if kind not in INFORMATIONAL:
                state = evolve(state, codec.event(StoredEvent(*row)))
        assert frontier.root()
    assert state.gangs


def _loaded(application: Any, log: Any, watch: Stopwatch) -> None:
    with watch.running():
        assert peers.load(application, log) > 1

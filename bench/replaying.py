"""A campaign replayed from its log's rows: folded; with its chain verified; with all boards written.

From its sealed history a log is replayed sooner: alone, beside all its bytes being hashed (`audit verify
--bytes`), and behind all that `audit verify --deep` looks at in the log itself.

For a state only the events that change one are typed: dice and the headers of decisions, some two thirds, are
not. By hand is what an engineer would write who knows this log: the driver's cursor, msgspec into the same
classes and past the same events, the same fold, and for the chain the same checks. `eventsourcing` loads an
aggregate whose events tell the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from sqlalchemy import func, select

from bench import peers, raw
from bench.appending import OURS
from bench.grown import Grown
from bench.measuring import Bar, Figure, Stopwatch, Table, in_turn, table
from bench.season import open_tracker
from tracker.campaign.evolve import evolve, fold, fold_in_place
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash
from tracker.log.codec import Codec
from tracker.log.envelopes import Bodies
from tracker.log.reader import INFORMATIONAL
from tracker.log.sealed_history import whole_segments
from tracker.log.store import StoredEvent
from tracker.log.verification import PLAIN_LEVELS, log_end
from tracker.schema import segments
from tracker.service.application import Tracker

SEALED = "read from sealed segments, folded in place"
BYTES = "bytes hashed against the root in two processes, segments folded beside"
DEEP = "verified deeply, segments made again, segments folded"
FOLDED, VERIFIED, BOARDS = "read, typed, folded", "read, chain verified, typed, folded", "all boards written"
HAND, HAND_VERIFIED = "by hand: cursor, msgspec, fold", "by hand: the same, chain verified"
PEER = "eventsourcing: repository load"
AT_LENGTH = 1_000_000
"""So many events the bars of sealed history are set for: a process more takes half a second to begin."""
INFORMING = ", ".join(f"'{name}'" for name in sorted(INFORMATIONAL))
MOVING = (  # as though no slot was ever filled again, which here is so
    "SELECT seq, entry, slot, type, body, leaf FROM events WHERE campaign_id = {}"
    f" AND type NOT IN ({INFORMING}) ORDER BY seq"
)
BY_SEQ = "SELECT seq, entry, slot, type, body, leaf FROM events WHERE campaign_id = {} ORDER BY seq"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    grown.season(grown.replayed)
    on = {"sqlite": _on_sqlite, "postgres": _on_postgres}
    return [on[engine](grown, runs) for engine in grown.engines]


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
    made = tracker.audit.seal(campaign)
    jobs = {
        SEALED: lambda watch: _from_segments(tracker, campaign, watch),
        BYTES: lambda watch: _bytes_hashed(tracker, campaign, watch),
        DEEP: lambda watch: _deeply_verified(tracker, campaign, watch),
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
    notes = [f"sealed before: {made} segments, {_sealed_bytes(tracker, campaign) / 1e6:.1f} MB"]
    if application is None:
        notes.append(peers.MISSING)
    else:
        log = peers.filled(application, grown.file(grown.replayed), events)
        jobs[PEER] = lambda watch: _loaded(application, log, watch)
        bars += [
            Bar(of=FOLDED, against=PEER, at_most=1 / 12, floor=(HAND,)),
            Bar(of=VERIFIED, against=PEER, at_most=1 / 8, floor=(HAND_VERIFIED,)),
        ]
        if events >= AT_LENGTH:
            bars += [
                Bar(of=SEALED, against=PEER, at_most=0.065),
                Bar(of=BYTES, against=PEER, at_most=0.1),
                Bar(of=DEEP, against=PEER, at_most=0.5),
            ]
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


def _from_segments(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    with watch.running():
        state = _folded_from_segments(tracker, campaign)
    assert state.gangs


def _folded_from_segments(tracker: Tracker, campaign: str) -> CampaignState:
    return fold_in_place(CampaignState(), tracker.repository.sealed.moving(campaign))


def _bytes_hashed(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    """As `audit verify --bytes` does it, with its look at the newest snapshot."""
    with watch.running():
        assert tracker.audit.verify_bytes(campaign).ok


def _deeply_verified(tracker: Tracker, campaign: str, watch: Stopwatch) -> None:
    engine = tracker.repository.engine
    with database.reading(engine) as connection:
        end = log_end(connection, campaign)
    with watch.running():
        report = tracker.audit.verify_log(campaign, end, whole_segments(engine, campaign))
        state = _folded_from_segments(tracker, campaign)
    assert report.log.ok
    assert not report.wrong
    assert state.gangs


def _sealed_bytes(tracker: Tracker, campaign: str) -> int:
    with database.reading(tracker.repository.engine) as connection:
        query = select(func.sum(func.length(segments.c.body))).where(segments.c.campaign_id == campaign)
        return int(connection.execute(query).scalar() or 0)


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

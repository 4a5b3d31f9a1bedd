"""Whether the end of a long log costs more than the end of a short one: appends, rosters, previews.

A command is a process of its own, so the first append and the first preview of a program that has just opened
the database stand beside those that come after, which find the state in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, CREW, GANGS, hits_of_ten_events, open_tracker
from tracker.log import database
from tracker.projections import queries
from tracker.service.application import Tracker
from tracker.service.ruling_request import RulingRequest
from tracker.service.snapshots import EVERY_ENTRIES, decoded_state

PREVIEWS = 4
BEHIND = range(20, 28)
"""Entries since the last snapshot: a hit that begins a battle brings three."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    names = {events: f"{grown.season(events).events} events" for events in grown.sizes}
    appends = in_turn({name: _append(grown, events) for events, name in names.items()}, runs=runs)
    rosters = in_turn({name: _roster(grown, events) for events, name in names.items()}, runs=runs)
    living = in_turn({name: _roster(grown, events, gone=False) for events, name in names.items()}, runs=runs)
    due = _due(grown, runs)
    ends = {events: _End(grown, events) for events in grown.sizes}
    fresh = in_turn({name: ends[events].first_preview for events, name in names.items()}, runs=runs)
    previews = in_turn({name: ends[events].previews for events, name in names.items()}, runs=runs)
    # Last, because some of these hits end the battle that was looked back at.
    firsts = in_turn({name: ends[events].first_append for events, name in names.items()}, runs=runs)
    for end in ends.values():
        end.tracker.close()
    first, *longer = names.values()
    bars = [Bar(of=name, against=first, at_most=1.3) for name in longer]
    return [
        table(f"One append at the end of a campaign ({len(CREW)} a run)", appends, against=first, bars=bars),
        table("The same, the first of a program just started", firsts, against=first, bars=bars),
        table("The living of the roster of one gang", living, against=first, bars=bars),
        table("The roster of one gang, its dead and retired included", rosters, against=first),
        due,
        table(
            "Preview of a dispute in the last battle, the first of a program just started",
            fresh,
            against=first,
            bars=bars,
        ),
        table(
            f"Preview of another dispute in that battle ({PREVIEWS} a run)",
            previews,
            against=first,
            bars=bars,
        ),
    ]


@dataclass(slots=True)
class _Copy:
    """A campaign's own copy for one run, so that the short log stays short."""

    tracker: Tracker
    campaign: str


def _copy(grown: Grown, events: int, name: str = "growth") -> _Copy:
    tracker = open_tracker(grown.copied(events, f"{name}-{events}.db"), ids_from=COPY_IDS_FROM)
    (campaign,) = tracker.repository.store.campaigns()
    return _Copy(tracker, campaign)


def _append(grown: Grown, events: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        copy = _copy(grown, events)
        hits = hits_of_ten_events(copy.tracker, copy.campaign)
        for plan in islice(hits, len(CREW)):  # statements compile once
            copy.tracker.commands.play(copy.campaign, [plan])
        for plan in islice(hits, len(CREW)):
            with watch.running():
                copy.tracker.commands.play(copy.campaign, [plan])
        copy.tracker.close()

    return run


def _due(grown: Grown, runs: int) -> Table:
    """Appends with which a snapshot is due, beside those with which none is, in the longest campaign."""
    usual, due = "no snapshot due", "a snapshot due"
    jobs = {usual: _append_due(grown, is_due=False), due: _append_due(grown, is_due=True)}
    title = f"One append, a snapshot due or not: {grown.season(max(grown.sizes)).events} events"
    bars = [Bar(of=due, against=usual, at_most=3.0)]
    return table(title, in_turn(jobs, runs=runs), against=usual, bars=bars)


def _append_due(grown: Grown, *, is_due: bool) -> Callable[[Stopwatch], None]:
    copy = _copy(grown, max(grown.sizes), name="due" if is_due else "not-due")
    hits = hits_of_ten_events(copy.tracker, copy.campaign)

    def run(watch: Stopwatch) -> None:
        for plan in hits:
            entries = copy.tracker.repository.store.head(copy.campaign).entries
            falls_due = entries % EVERY_ENTRIES == EVERY_ENTRIES - 1
            with (watch if falls_due == is_due else Stopwatch()).running():
                copy.tracker.commands.play(copy.campaign, [plan])
            if falls_due:
                return

    return run


def _roster(grown: Grown, events: int, *, gone: bool | None = None) -> Callable[[Stopwatch], None]:
    tracker, campaign = grown.season(events).tracker, grown.season(events).campaign

    def run(watch: Stopwatch) -> None:
        for at in range(PREVIEWS + 1):
            with (watch if at else Stopwatch()).running(), database.reading(tracker.engine) as connection:
                rows = queries.roster(connection, campaign, GANGS[0], gone=gone)
            assert rows

    return run


class _End:
    """The last battle of a copy, under way: some hits have fallen, others are to come.

    Every copy stands as far behind its last snapshot, and hits alone lie between: whoever looks back replays
    them, and a short campaign may have grown up to entries that move less.
    """

    def __init__(self, grown: Grown, events: int) -> None:
        self._file = grown.copied(events, f"end-{events}.db")
        self.tracker = open_tracker(self._file, ids_from=COPY_IDS_FROM)
        (self._campaign,) = self.tracker.repository.store.campaigns()
        self._hits = hits_of_ten_events(self.tracker, self._campaign)
        self._started = count(2)
        store = self.tracker.repository.store
        grown = store.head(self._campaign).entries
        for plan in self._hits:
            self.tracker.commands.play(self._campaign, [plan])
            entries = store.head(self._campaign).entries
            if entries > grown + EVERY_ENTRIES and entries % EVERY_ENTRIES in BEHIND:
                break
        played = [
            self.tracker.commands.play(self._campaign, [plan]) for plan in islice(self._hits, PREVIEWS + 1)
        ]
        # The wound roll of each of the battle's first hits: what if it had failed?
        self._wounds = [receipt.entries[0][1].address for receipt in played]

    def first_append(self, watch: Stopwatch) -> None:
        """A hit by a program that has read nothing yet."""
        plan = next(self._hits)
        with self._just_started() as tracker, watch.running():
            tracker.commands.play(self._campaign, [plan])

    def first_preview(self, watch: Stopwatch) -> None:
        """A preview by a program that has read nothing yet."""
        with self._just_started() as tracker, watch.running():
            self._preview(tracker, self._wounds[0])

    def previews(self, watch: Stopwatch) -> None:
        """Previews by one that has looked at this battle before."""
        self._preview(self.tracker, self._wounds[0])
        for wound in self._wounds[1:]:
            with watch.running():
                self._preview(self.tracker, wound)

    @contextmanager
    def _just_started(self) -> Iterator[Tracker]:
        """Another tracker, connected, with no state in memory; Python and statements are there already."""
        tracker = open_tracker(self._file, ids_from=COPY_IDS_FROM * next(self._started))
        tracker.repository.store.head(self._campaign)
        decoded_state.cache_clear()
        yield tracker
        tracker.close()

    def _preview(self, tracker: Tracker, wound: str) -> None:
        tracker.rulings.preview(
            self._campaign, wound, RulingRequest(verdict="corrected", reason="cocked", faces="1")
        )

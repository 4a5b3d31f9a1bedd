"""Whether the end of a long log costs more than the end of a short one: appends, rosters, previews of
disputes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, CREW, GANGS, hits_of_ten_events, open_tracker
from tracker.log import database
from tracker.projections import queries
from tracker.service import Answer, Tracker

PREVIEWS = 4


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    names = {events: f"{grown.season(events).events} events" for events in grown.sizes}
    appends = in_turn({name: _append(grown, events) for events, name in names.items()}, runs=runs)
    rosters = in_turn({name: _roster(grown, events) for events, name in names.items()}, runs=runs)
    previews = in_turn({name: _preview(grown, events) for events, name in names.items()}, runs=runs)
    first, *longer = names.values()
    bars = [Bar(of=name, against=first, at_most=1.3) for name in longer]
    return [
        table(f"One append at the end of a campaign ({len(CREW)} a run)", appends, against=first, bars=bars),
        table("The roster of one gang, its dead and retired included", rosters, against=first, bars=bars),
        table(
            f"Preview of a dispute in the last battle ({PREVIEWS} a run)", previews, against=first, bars=bars
        ),
    ]


@dataclass(slots=True)
class _Copy:
    """A campaign's own copy for one run, so that the short log stays short."""

    tracker: Tracker
    campaign: str


def _copy(grown: Grown, events: int) -> _Copy:
    tracker = open_tracker(grown.copied(events, f"growth-{events}.db"), ids_from=COPY_IDS_FROM)
    (campaign,) = tracker.store.campaigns()
    return _Copy(tracker, campaign)


def _append(grown: Grown, events: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        copy = _copy(grown, events)
        hits = hits_of_ten_events(copy.tracker, copy.campaign)
        for plan in islice(hits, len(CREW)):  # statements compile once
            copy.tracker.play(copy.campaign, [plan])
        for plan in islice(hits, len(CREW)):
            with watch.running():
                copy.tracker.play(copy.campaign, [plan])
        copy.tracker.close()

    return run


def _roster(grown: Grown, events: int) -> Callable[[Stopwatch], None]:
    tracker, campaign = grown.season(events).tracker, grown.season(events).campaign

    def run(watch: Stopwatch) -> None:
        for at in range(PREVIEWS + 1):
            with (watch if at else Stopwatch()).running(), database.reading(tracker.engine) as connection:
                rows = queries.roster(connection, campaign, GANGS[0])
            assert rows

    return run


def _preview(grown: Grown, events: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        copy = _copy(grown, events)
        played = [
            copy.tracker.play(copy.campaign, [plan])
            for plan in islice(hits_of_ten_events(copy.tracker, copy.campaign), len(CREW))
        ]
        # The wound roll of each of the battle's first hits: what if it had failed?
        for one in played[: PREVIEWS + 1]:
            wound = one.entries[0][1]
            aside = Stopwatch()
            with (watch if one is not played[0] else aside).running():
                copy.tracker.preview(
                    copy.campaign, wound.address, Answer(verdict="corrected", reason="cocked", faces="1")
                )
        copy.tracker.close()

    return run

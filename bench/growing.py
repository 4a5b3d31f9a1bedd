"""Whether the end of a long log costs more than the end of a short one: appends, and previews of disputes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from bench.grown import Grown
from bench.measuring import Stopwatch, in_turn, table
from bench.season import COPY_IDS_FROM, CREW, hits_of_ten_events, open_tracker
from tracker.service import Answer, Tracker

PREVIEWS = 4


def measure(grown: Grown, runs: int) -> list[str]:
    """The two tables of this part."""
    names = {events: f"{grown.season(events).events} events" for events in grown.sizes}
    appends = in_turn({name: _append(grown, events) for events, name in names.items()}, runs=runs)
    previews = in_turn({name: _preview(grown, events) for events, name in names.items()}, runs=runs)
    first = names[grown.small]
    return [
        table(f"One append at the end of a campaign ({len(CREW)} a run)", appends, against=first),
        table(f"Preview of a dispute in the last battle ({PREVIEWS} a run)", previews, against=first),
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

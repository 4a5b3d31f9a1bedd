"""What looking back costs: the preview of a ruling at depth, which decides all that comes after it again;
an explanation.

A preview does all that the ruling does but write it down. It may cost at most in proportion to its tail.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import Season
from tracker.campaign.commands import ResolveHit
from tracker.campaign.events import DecisionTaken
from tracker.service import Answer

DEPTHS = (99, 50, 1)
"""How much of the log lies before what is asked about, in percent."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    large, small = grown.season(grown.large), grown.season(grown.small)
    names = {depth: f"at {depth} % of {large.events} events" for depth in DEPTHS}
    last = names[DEPTHS[0]]
    disputes = in_turn({name: _preview(large, depth) for depth, name in names.items()}, runs=runs)
    bars = [
        Bar(of=names[depth], against=last, at_most=(100 - depth) / (100 - DEPTHS[0])) for depth in DEPTHS[1:]
    ]
    explained = in_turn(
        {
            f"XP of the first fighter of {small.events} events": _explain(small),
            f"XP of the first fighter of {large.events} events": _explain(large),
        },
        runs=runs,
    )
    return [
        table("Preview of a ruling at depth", disputes, against=last, bars=bars),
        table("An explanation", explained, against=explained[0].name),
    ]


def _entry_at(season: Season, depth: int) -> int:
    """The first hit at or behind so many percent of the log."""
    tracker, campaign = season.tracker, season.campaign
    entry = max(1, tracker.store.head(campaign).entries * depth // 100)
    while True:
        header = tracker.log.entry(campaign, entry)[0].event
        if isinstance(header, DecisionTaken) and isinstance(header.command, ResolveHit):
            return entry
        entry += 1


def _preview(season: Season, depth: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        address = f"{_entry_at(season, depth)}.2"
        with watch.running():
            season.tracker.preview(
                season.campaign, address, Answer(verdict="corrected", reason="cocked", faces="1")
            )

    return run


def _explain(season: Season) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            season.tracker.explain(season.campaign, "fighter", "fighter-1", ["experience"])

    return run

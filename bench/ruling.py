"""What looking back costs: the preview of a ruling at depth, which decides all that comes after it again;
an explanation.

A preview does all that the ruling does but write it down. It may cost what its tail costs: the nearest
snapshot, and from there every entry read and decided again, by hand.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import Season
from tracker.campaign.commands import ResolveHit
from tracker.campaign.decide import attempt
from tracker.campaign.events import DecisionTaken
from tracker.campaign.evolve import fold
from tracker.campaign.rulings import slots_of
from tracker.dice import DiceTray
from tracker.rules import shelf
from tracker.service import Answer
from tracker.service.snapshots import read_state

DEPTHS = (99, 50, 1)
"""How much of the log lies before what is asked about, in percent."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    large, small = grown.season(grown.large), grown.season(grown.small)
    names = {depth: f"at {depth} % of {large.events} events" for depth in DEPTHS}
    last = names[DEPTHS[0]]
    tails = {depth: f"by hand, its tail from {depth} % on decided again" for depth in DEPTHS}
    jobs: dict[str, Callable[[Stopwatch], None]] = {}
    for depth, name in names.items():
        jobs |= {name: _preview(large, depth), tails[depth]: _tail(large, depth)}
    disputes = in_turn(jobs, runs=runs)
    bars = [
        Bar(of=names[depth], against=last, at_most=(100 - depth) / (100 - DEPTHS[0])) for depth in DEPTHS[1:]
    ]
    bars += [Bar(of=names[depth], against=tails[depth], at_most=1.0) for depth in DEPTHS]
    notes = ["; ".join(_changed(large, depth) for depth in DEPTHS)]
    explained = in_turn(
        {
            f"XP of the first fighter of {small.events} events": _explain(small),
            f"XP of the first fighter of {large.events} events": _explain(large),
        },
        runs=runs,
    )
    return [
        table("Preview of a ruling at depth", disputes, against=last, bars=bars, notes=notes),
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


ANSWER = Answer(verdict="corrected", reason="cocked", faces="1")


def _preview(season: Season, depth: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        address = f"{_entry_at(season, depth)}.2"
        with watch.running():
            season.tracker.preview(season.campaign, address, ANSWER)

    return run


def _changed(season: Season, depth: int) -> str:
    """How much of the tail does not come out as it was played: all else was decided again for nothing."""
    found = season.tracker.preview(season.campaign, f"{_entry_at(season, depth)}.2", ANSWER)
    changed = sum(one.result != "unchanged" for one in found.rejudged.slots)
    return (
        f"at {depth} % {changed:,} of {found.rejudged.looked_at:,} entries decided again come out otherwise"
    )


def _tail(season: Season, depth: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        entry, tracker, campaign = _entry_at(season, depth), season.tracker, season.campaign
        read_state.cache_clear()
        with watch.running():
            base, state = tracker.snapshot_before(campaign, entry)
            for slot in slots_of(tracker.log.live(campaign, after_slot=base)):
                header = slot.header
                if slot.slot < entry or header is None:
                    state = fold(state, slot.said)
                    continue
                tray = DiceTray((*header.dice, *header.spare))
                state = attempt(
                    state, header.command, tray, shelf.rulebook, entry=slot.slot, note=header.note
                ).state
        assert state.gangs

    return run


def _explain(season: Season) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            season.tracker.explain(season.campaign, "fighter", "fighter-1", ["experience"])

    return run

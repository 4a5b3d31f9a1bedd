"""What looking back costs: the preview of a ruling at depth, which decides again what comes after it, as far
as anything is otherwise; an explanation.

A preview does all that the ruling does but write it down. It may cost what its tail costs: the nearest
snapshot, and from there every entry read and decided again, by hand. Two kinds of die are asked about: one
that took somebody Out of Action, whose card is another from then on, so that all must be decided; and one
that hurt somebody for the length of a battle, behind which nothing need be. What entries touch is known, as
after `boards rebuild`: then only those are decided that the change can touch. Where a later entry asks for a
die that nobody rolled, a preview says besides what that may lead to; by hand nobody does, so it stands apart.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import GrownCampaign
from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.rulings.redecision import Redecision, slots_of
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.rules import loader
from tracker.service.ruling_request import RulingRequest
from tracker.service.snapshots import decoded_state

DEPTHS = (99, 50, 1)
"""How much of the log lies before what is asked about, in percent."""
AT_MOST = {1: 0.1}
"""Of the whole tail decided by hand, where the change lasts."""
HURT = {records.FleshWoundsSuffered, records.SeriousInjurySuffered, records.LastingInjurySuffered}


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    large, small = grown.season(grown.large), grown.season(grown.small)
    large.tracker.audit.seal(large.campaign)
    large.tracker.audit.extend_access_index(large.campaign)
    names = {depth: f"at {depth} % of {large.events} events" for depth in DEPTHS}
    last = names[DEPTHS[0]]
    tails = {depth: f"by hand, its tail from {depth} % on decided again" for depth in DEPTHS}
    entries = {depth: _entry_at(large, depth) for depth in DEPTHS}
    found: dict[str, Redecision] = {}
    jobs: dict[str, Callable[[Stopwatch], None]] = {}
    for depth, name in names.items():
        jobs |= {
            name: _preview(large, entries[depth], name, found),
            tails[depth]: _tail(large, entries[depth]),
        }
    brief = f"at {DEPTHS[-1]} %, a die that mattered for its battle"
    asking = f"at {DEPTHS[0]} %, and what a missing die may lead to"
    besides = {
        brief: _entry_at(large, DEPTHS[-1], lastingly=False),
        asking: _entry_at(large, DEPTHS[0], asks_for_dice=True),
    }
    jobs |= {name: _preview(large, entry, name, found) for name, entry in besides.items()}
    disputes = in_turn(jobs, runs=runs)
    bars = [Bar(of=names[depth], against=tails[depth], at_most=AT_MOST.get(depth, 1.0)) for depth in DEPTHS]
    notes = ["; ".join(_changed(name, redecided) for name, redecided in found.items())]
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


def _entry_at(
    season: GrownCampaign, depth: int, *, lastingly: bool = True, asks_for_dice: bool = False
) -> int:
    """The first hit from so many percent of the log on that hurt somebody for good, or for its battle, and
    without which some later entry asks for a die, or none does; in a log too short for one, the last hit.
    """
    tracker, campaign = season.tracker, season.campaign
    entries, hit = tracker.repository.store.head(campaign).entries, 0
    for entry in range(max(1, entries * depth // 100), entries + 1):
        header, *events = (recorded.event for recorded in tracker.repository.log.entry(campaign, entry))
        if isinstance(header, records.DecisionTaken) and isinstance(header.command, records.ResolveHit):
            hit, said = entry, {type(event) for event in events}
            if said & HURT and (records.LastingInjurySuffered in said) == lastingly:
                found = tracker.rulings.preview(campaign, _wound(entry), ANSWER).redecision
                if any(again.result == "needs_dice" for again in found.slots) == asks_for_dice:
                    break
    return hit


ANSWER = RulingRequest(verdict="corrected", reason="cocked", faces="1")


def _wound(entry: int) -> str:
    """The address of a hit's wound roll."""
    return f"{entry}.2"


def _preview(
    season: GrownCampaign, entry: int, name: str, found: dict[str, Redecision]
) -> Callable[[Stopwatch], None]:
    """Leaves in `found` what was decided again."""

    def run(watch: Stopwatch) -> None:
        with watch.running():
            preview = season.tracker.rulings.preview(season.campaign, _wound(entry), ANSWER)
        found[name] = preview.redecision

    return run


def _changed(name: str, found: Redecision) -> str:
    """How much of the tail was decided again, and how much of that did not come out as it was played."""
    behind = f", the {found.beyond:,} behind them were let be" if found.beyond else ""
    behind += f", {found.skipped:,} touch nothing that differs" if found.skipped else ""
    decided = f"{len(found.slots):,} of {found.looked_at:,} entries decided again come out otherwise"
    return f"{name}: {decided}{behind}"


def _tail(season: GrownCampaign, entry: int) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        tracker, campaign = season.tracker, season.campaign
        decoded_state.cache_clear()
        with watch.running():
            base, state = tracker.repository.snapshot_before(campaign, entry)
            for slot in slots_of(tracker.repository.log.live(campaign, after_slot=base)):
                header = slot.header
                if slot.slot < entry or header is None:
                    state = fold(state, slot.domain_events)
                    continue
                tray = DiceTray((*header.dice, *header.spare))
                state = decide_keeping_spare_dice(
                    state, header.command, tray, loader.rulebook, entry=slot.slot, note=header.note
                ).state
        assert state.gangs

    return run


def _explain(season: GrownCampaign) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            season.tracker.audit.explain(season.campaign, "fighter", "fighter-1", ["experience"])

    return run

"""All campaigns at once: files of events played again and decided again, in one process and by Spark.

Each campaign is grown from a seed of its own. What DuckDB counts over the files, what one process makes of
them and what Spark does must be one answer, or the part ends.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from bench.grown import Grown
from bench.measuring import Stopwatch, Table, in_turn, table
from bench.season import GANGS, Season, open_tracker
from tracker.analytics import event_files, replays, spark, statistics, what_ifs
from tracker.analytics.replays import ReplayResult
from tracker.analytics.statistics import Statistics

CAMPAIGNS_MAX = 1_000
EVENTS = 120
POLICY = "one-lasting-injury-roll"
IS_THERE = importlib.util.find_spec("pyspark") is not None and spark.java() is not None
MISSING = "Spark is left out: `make spark` installs PySpark, and it wants Java"
Answered = TypeVar("Answered")
ONE, BY_SPARK, COUNTED = "one process", "Spark, at work already", "counted by DuckDB"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    folder = exported(grown.folder, min(CAMPAIGNS_MAX, grown.crowds[1]))
    masters = {ONE: None, BY_SPARK: spark.LOCAL} if IS_THERE else {ONE: None}
    notes = [] if IS_THERE else [MISSING]
    if IS_THERE:
        _played(folder, spark.LOCAL)  # Java starts
    played: dict[str, list[ReplayResult]] = {}
    decided: dict[str, list[what_ifs.OtherSeason]] = {}
    replaying = {name: _kept(played, name, partial(_played, folder, at)) for name, at in masters.items()}
    deciding = {name: _kept(decided, name, partial(_decided, folder, at)) for name, at in masters.items()}
    counted: dict[str, Statistics] = {}
    counting = {COUNTED: _kept(counted, COUNTED, partial(statistics.statistics, folder, faces_min=1))}
    figures = in_turn(replaying | counting, runs=runs), in_turn(deciding, runs=runs)
    differences = differing(counted[COUNTED], played[ONE])
    assert not differences, differences
    assert all(answer == played[ONE] for answer in played.values()), "Spark plays them otherwise"
    assert all(answer == decided[ONE] for answer in decided.values()), "Spark decides them otherwise"
    events = sum(campaign.events for campaign in played[ONE])
    what = f"{len(played[ONE])} campaigns of {events} events in all"
    return [
        table(f"{what}, played again", figures[0], against=ONE, notes=notes),
        table(f"{what}, decided again with {POLICY}", figures[1], against=ONE, notes=notes),
    ]


def exported(folder: Path, campaigns: int) -> Path:
    """Files of events of so many campaigns, each of its own seed."""
    tracker = open_tracker(folder / "everywhere.db")
    for seed in range(campaigns):
        Season(tracker, slug=f"bench-{seed}", seed=seed, gangs=GANGS[:2]).grow(EVENTS)
    files = folder / "everywhere"
    kept = tracker.directory.campaigns_kept().values()
    event_files.export_all(tracker.repository, kept, files, names=False, tell=_nobody)
    tracker.close()
    (folder / "everywhere.db").unlink()
    return files


def differing(counted: Statistics, played: Sequence[ReplayResult]) -> list[str]:
    """What DuckDB counts otherwise than the campaigns that were played again. No two have one name."""
    faces = Counter[str]()
    for dice in counted.dice:
        if dice.by == "campaign":
            faces[dice.what] += sum(dice.counts)
    sums = {
        "campaigns": (counted.campaigns, len(played)),
        "events": (counted.events, sum(campaign.events for campaign in played)),
        "battles": (counted.battles, sum(campaign.battles for campaign in played)),
        "injuries": (
            sum(row["suffered"] for row in counted.injuries),
            sum(campaign.injuries for campaign in played),
        ),
        **{
            name: (
                sum(row[name] for row in counted.survival),
                sum(getattr(campaign, of) for campaign in played),
            )
            for name, of in (("enlisted", "fighters"), ("died", "dead"), ("retired", "retired"))
        },
        **{f"faces of {campaign.name}": (faces[campaign.name], campaign.faces) for campaign in played},
    }
    return [
        f"{name}: {counted}, not {played_again}"
        for name, (counted, played_again) in sums.items()
        if counted != played_again
    ]


def _played(folder: Path, master: str | None) -> list[ReplayResult]:
    return replays.replayed(folder, master=master, tell=_nobody)


def _decided(folder: Path, master: str | None) -> list[what_ifs.OtherSeason]:
    return what_ifs.what_if_exported(
        folder, adopt=[POLICY], without=(), from_battle=1, master=master, tell=_nobody
    )


def _kept(
    answers: dict[str, Answered], name: str, work: Callable[[], Answered]
) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        with watch.running():
            answers[name] = work()

    return run


def _nobody(done: int, total: int) -> None:
    del done, total

"""One decision of ten events: through the hall, through the store alone, and by `sqlite3` itself.

All three leave the same rows of the log behind; the hall also decides, folds and writes the boards.
"""

from __future__ import annotations

from itertools import islice

from bench import raw
from bench.grown import Grown
from bench.measuring import in_turn, table
from bench.season import open_tracker
from tracker.log.store import Draft, EventStore, Head, seal

DECISIONS = 20
"""Appends in a run: every figure is for one of them."""


def measure(grown: Grown, runs: int) -> list[str]:
    """The table of this part."""
    season = grown.season(grown.middle)
    for plan in islice(season.ready_for_hits(), DECISIONS):
        season.tracker.play(season.campaign, [plan])
    hits = season.ready_for_hits()

    def hall() -> int:
        # Battles that open in between cost time too: hits are fetched before the clock, see `plans`.
        for plan in plans:
            season.tracker.play(season.campaign, [plan])
        return len(plans)

    raise NotImplementedError

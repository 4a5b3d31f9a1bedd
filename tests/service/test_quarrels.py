"""A small share of the quarrels of `make soak`, found and shrunk by hypothesis: a campaign in which anything may be
disputed, ruled, taken back and rolled back, against a naive model that refolds everything."""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club
from torture.quarrels import Season

seeds = st.integers(min_value=0, max_value=2**32)


class Quarrels(RuleBasedStateMachine):
    """Every step takes its choices from a seed of its own, and everything is looked at after it."""

    season: Season

    @initialize(seed=seeds)
    def begin(self, seed: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        url = club.sqlite(Path(self.folder.name) / "club.db")
        self.season = Season(club.open_tracker(url, seed=seed), random.Random(seed))

    @rule(seed=seeds)
    def something_happens(self, seed: int) -> None:
        self.season.dice.seed(seed)
        self.season.step()

    def teardown(self) -> None:
        if hasattr(self, "season"):
            self.season.tracker.close()
            self.folder.cleanup()


TestQuarrels: Any = pytest.mark.slow(Quarrels.TestCase)
TestQuarrels.settings = settings(
    max_examples=4,
    stateful_step_count=15,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

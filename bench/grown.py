"""The campaigns of one run, small, middle and large: grown once, when first asked for."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from bench.season import Season, open_tracker


class Grown:
    """Grows campaigns in a folder. A copy is a part's own, to append to."""

    def __init__(self, folder: Path, *, sizes: tuple[int, int, int], told: Callable[[str], None]) -> None:
        self.folder = folder
        self.small, self.middle, self.large = sizes
        self.sizes = sizes
        self._told = told
        self._seasons: dict[int, Season] = {}

    def season(self, events: int) -> Season:
        """The campaign of so many events."""
        if events not in self._seasons:
            start = time.perf_counter()
            season = Season(open_tracker(self.file(events)))
            season.grow(events)
            self._seasons[events] = season
            self._told(
                f"(a campaign of {season.events} events, grown in {time.perf_counter() - start:.1f} s)"
            )
        return self._seasons[events]

    def file(self, events: int) -> Path:
        """Where that campaign lies."""
        return self.folder / f"grown-{events}.db"

    def copied(self, events: int, name: str) -> Path:
        """A copy of its file."""
        self.season(events)
        copy = self.folder / name
        shutil.copyfile(self.file(events), copy)
        return copy

    def close(self) -> None:
        """Let the files go."""
        for season in self._seasons.values():
            season.tracker.close()

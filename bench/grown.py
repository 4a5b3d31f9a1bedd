"""What one run of the bench works on: campaigns grown once, when first asked for, and a PostgreSQL server."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from bench.postgres import Server
from bench.season import Season, open_tracker


class Grown:
    """Grows campaigns in a folder. A copy is a part's own, to append to."""

    def __init__(
        self,
        folder: Path,
        *,
        sizes: tuple[int, ...],
        crowds: tuple[int, ...] = (1,),
        report: Callable[[str], None],
    ) -> None:
        self.folder = folder
        self.small, self.middle, self.large = sizes[:3]
        self.longest = sizes[-1]
        # A replay is timed thirty times over: of the longest only where somebody takes hours for it.
        self.replayed = self.longest if len(sizes) > 3 else self.middle
        self.sizes = sizes
        self.crowds = crowds
        self._report = report
        self._seasons: dict[int, Season] = {}
        self._server: Server | None = None

    def season(self, events: int) -> Season:
        """The campaign of so many events."""
        if events not in self._seasons:
            start = time.perf_counter()
            season = Season(open_tracker(self.file(events)))
            season.grow(events)
            self._seasons[events] = season
            self._report(
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

    @property
    def server(self) -> Server:
        """A PostgreSQL of its own, started when it is first asked for."""
        if self._server is None:
            self._server = Server()
        return self._server

    def on_postgres(self, events: int) -> str:
        """The URL of a new database on it that holds a copy of that campaign."""
        self.season(events)
        return self.server.holding(self.file(events))

    def close(self) -> None:
        """Let the files and the server go."""
        for season in self._seasons.values():
            season.tracker.close()
        if self._server is not None:
            self._server.close()

"""What one run of the bench works on: campaigns grown once, when first asked for, and a PostgreSQL server.

Long campaigns are kept for later runs, under the name of the code that grew them: other code grows its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench import season as growing
from bench.postgres import Server
from bench.season import GrownCampaign, Season, open_tracker
from tracker.analytics import program

GROWN_BY: Final = (*program.PARTS, "projections", "schema.py")
"""The sources that have a part in what a grown file holds: its log, its boards, its snapshots."""
EVENTS_KEPT_MIN: Final = 100_000
"""Shorter campaigns are grown sooner than somebody asks why there is a file."""
ENGINES: Final = ("sqlite", "postgres")


class KeptCampaigns:
    """Grown files in a folder, for later runs: so many events by one code are one file, whoever grows it."""

    def __init__(self, folder: Path, *, events_min: int = EVENTS_KEPT_MIN) -> None:
        self._folder = folder
        self._events_min = events_min

    def take(self, events: int, file: Path) -> bool:
        """Copy that campaign to `file`, where this code has grown it before."""
        if not self._file(events).exists():
            return False
        shutil.copyfile(self._file(events), file)
        return True

    def keep(self, events: int, file: Path) -> None:
        """Keep a copy of what was grown, if it is long enough, and throw away what other code has grown."""
        if events < self._events_min:
            return
        kept = self._file(events)
        kept.parent.mkdir(parents=True, exist_ok=True)
        for folder in self._folder.iterdir():
            if folder != kept.parent:
                shutil.rmtree(folder)
        unfinished = kept.with_name(f"{kept.name}.{os.getpid()}.unfinished")
        shutil.copyfile(file, unfinished)
        unfinished.replace(kept)

    def _file(self, events: int) -> Path:
        return self._folder / grown_by() / f"{events}.db"


def grown_by() -> str:
    """Names the code that grows campaigns, and with it the shape of their files."""
    own = Path(growing.__file__).read_bytes()
    return hashlib.sha256(program.digest(GROWN_BY).encode() + own).hexdigest()[:16]


class Grown:
    """Grows campaigns in a folder. A copy is a part's own, to append to."""

    def __init__(
        self,
        folder: Path,
        *,
        sizes: tuple[int, ...],
        crowds: tuple[int, ...] = (1,),
        engines: tuple[str, ...] = ENGINES,
        kept: KeptCampaigns | None = None,
        report: Callable[[str], None],
    ) -> None:
        self.folder = folder
        self.engines = engines
        self.small, self.middle, self.large = sizes[:3]
        self.longest = sizes[-1]
        # A replay is timed thirty times over: of the longest only where somebody takes hours for it.
        self.is_at_length = len(sizes) > 3
        self.replayed = self.longest if self.is_at_length else self.middle
        self.sizes = sizes
        self.crowds = crowds
        self._report = report
        self._kept = kept
        self._seasons: dict[int, GrownCampaign] = {}
        self._server: Server | None = None

    def season(self, events: int) -> GrownCampaign:
        """The campaign of so many events."""
        if events not in self._seasons:
            start = time.perf_counter()
            if self._kept is not None and self._kept.take(events, self.file(events)):
                tracker, how = open_tracker(self.file(events)), "kept by an earlier run, copied"
                (campaign,) = tracker.repository.store.campaigns()
                found = GrownCampaign(tracker, campaign)
            else:
                season, how = Season(open_tracker(self.file(events))), "grown"
                season.grow(events)
                found = season
                if self._kept is not None:
                    self._kept.keep(events, self.file(events))
            self._seasons[events] = found
            self._report(
                f"(a campaign of {found.events} events, {how} in {time.perf_counter() - start:.1f} s)"
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

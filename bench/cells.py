"""A campaign moved from cell to cell: how long it takes, and how long of that nobody can record.

Against the same by hand: exported to a file, and imported from it. Cells that are killed are `failover`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median

from bench.grown import Grown
from bench.measuring import Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, gang_of_ten_events, open_tracker
from tracker.service import archive_reader
from tracker.service.application import Tracker

BY_HAND, IDLE, BUSY = (
    "exported and imported",
    "moved, nobody recording",
    "moved, somebody recording meanwhile",
)


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    numbers, held = count(1), {IDLE: list[float](), BUSY: list[float]()}
    jobs: dict[str, Callable[[Stopwatch], None]] = {}

    def by_hand(watch: Stopwatch) -> None:
        home, campaign, folder = _home(grown, next(numbers))
        west = open_tracker(folder / "elsewhere.db")
        file = folder / "by-hand.zip"
        with watch.running():
            home.archives.export(campaign, file)
            with archive_reader.checked(file) as archive:
                west.archives.import_(archive)
        west.close()
        home.close()

    def moved(name: str) -> None:
        def move(watch: Stopwatch) -> None:
            number = next(numbers)
            home, campaign, folder = _home(grown, number)
            home.cells.add("west", f"sqlite:///{folder / 'west.db'}")

            def done(step: str) -> None:
                if name == BUSY and step == "verified":
                    home.commands.play(campaign, [gang_of_ten_events(f"late-{number}")])

            with watch.running():
                came = home.cells.move(campaign, "west", done=done)
            held[name].append(came.seconds_held)
            home.close()

        jobs[name] = move

    jobs[BY_HAND] = by_hand
    moved(IDLE)
    moved(BUSY)
    figures = in_turn(jobs, runs=runs)
    notes = [
        f"{name}: nobody could record for {median(seconds):.2f} s (median), {max(seconds):.2f} s at most."
        for name, seconds in held.items()
    ]
    title = f"A campaign of {grown.season(_moved(grown)).events} events moved between two SQLite files"
    return [table(title, figures, against=BY_HAND, notes=notes)]


def _moved(grown: Grown) -> int:
    """How long the campaign is that is moved: every event of it is verified three times on its way."""
    return grown.middle if grown.is_at_length else grown.small


def _home(grown: Grown, number: int) -> tuple[Tracker, str, Path]:
    """A fresh copy of a campaign's database, in a folder of its own."""
    folder = grown.folder / f"cells-{number}"
    folder.mkdir()
    home = open_tracker(grown.copied(_moved(grown), f"cells-{number}/home.db"), ids_from=COPY_IDS_FROM)
    (campaign,) = home.repository.store.campaigns()
    return home, campaign, folder

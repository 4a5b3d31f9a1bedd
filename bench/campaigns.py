"""Whether other campaigns in the database cost a campaign anything: an append, a roster, the opening.

The others are copies of one short campaign under other ids, put there by SQL: rows as many and as long as
real ones.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from bench.season import COPY_IDS_FROM, CREW, hits_of_ten_events, open_tracker
from tracker import schema
from tracker.log import database
from tracker.projections import queries
from tracker.service.application import Tracker

SHORT = 60
COPIES = "copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?)"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    files = {f"{crowd} campaigns in the database": _crowded(grown, crowd) for crowd in grown.crowds}
    names = list(files)
    bars = [Bar(of=name, against=names[0], at_most=1.3) for name in names[1:]]
    tables = []
    for title, job in (
        ("One append", _append),
        ("A roster read", _roster),
        ("A database opened and its campaign found", _found),
    ):
        figures = in_turn({name: job(grown, file) for name, file in files.items()}, runs=runs)
        tables.append(table(f"{title}, among other campaigns", figures, against=names[0], bars=bars))
    return tables


def _crowded(grown: Grown, crowd: int) -> Path:
    """A copy of the middle campaign's database with others around it."""
    file = grown.copied(grown.middle, f"crowd-{crowd}.db")
    short = grown.copied(SHORT, "short.db")
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA synchronous=OFF")
    for guard in schema.SQLITE_GUARDS:
        connection.execute(f"DROP TRIGGER {guard}")
    connection.execute("ATTACH ? AS short", (str(short),))
    for stored in schema.metadata.sorted_tables if crowd > 1 else ():
        columns = [_copied(column.name) for column in stored.columns]
        connection.execute(
            f"WITH RECURSIVE {COPIES} INSERT INTO main.{stored.name} SELECT {', '.join(columns)}"
            f" FROM copies, short.{stored.name}",
            (crowd - 1,),
        )
    connection.commit()
    for wording in schema.SQLITE_GUARDS.values():
        connection.execute(wording)
    connection.execute("PRAGMA synchronous=EXTRA")
    connection.close()
    return file


def _copied(column: str) -> str:
    """The column as it is, but for what tells campaigns apart."""
    if column == "campaign_id":
        return "printf('0190b000-0000-7000-8000-%012x', n)"
    return "printf('other-%d', n)" if column == "slug" else column


def _opened(grown: Grown, file: Path) -> tuple[Tracker, str]:
    del grown
    tracker = open_tracker(file, ids_from=COPY_IDS_FROM)
    return tracker, tracker.directory.campaign_id("bench")


def _append(grown: Grown, file: Path) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        fresh = grown.folder / "crowd-append.db"
        shutil.copyfile(file, fresh)
        tracker, campaign = _opened(grown, fresh)
        hits = hits_of_ten_events(tracker, campaign)
        for plan in islice(hits, len(CREW)):  # statements compile once
            tracker.commands.play(campaign, [plan])
        for plan in islice(hits, 4 * len(CREW)):
            with watch.running():
                tracker.commands.play(campaign, [plan])
        tracker.close()
        fresh.unlink()

    return run


def _roster(grown: Grown, file: Path) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        tracker, campaign = _opened(grown, file)
        for at in range(9):
            aside = Stopwatch()
            with (watch if at else aside).running(), database.reading(tracker.engine) as connection:
                assert queries.roster(connection, campaign)
        tracker.close()

    return run


def _found(grown: Grown, file: Path) -> Callable[[Stopwatch], None]:
    def run(watch: Stopwatch) -> None:
        for at in range(5):
            aside = Stopwatch()
            with (watch if at else aside).running():
                tracker, _ = _opened(grown, file)
                tracker.close()

    return run

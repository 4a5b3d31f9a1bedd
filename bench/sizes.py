"""What a campaign takes on disk, table by table: the arithmetic of docs/scale.md begins here."""

from __future__ import annotations

from bench.grown import Grown
from bench.measuring import Figure, Table, table
from bench.season import open_tracker

MEGABYTE = 1_000_000
TAKEN = (  # a table in parts takes nothing itself; one that is not has no tree
    "SELECT pg_total_relation_size(%(name)s::regclass)"
    " + coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(%(name)s::regclass)), 0)"
)
BODIES = "the events' own bytes"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    del runs  # a size does not vary
    season = grown.season(grown.middle)
    file = grown.copied(grown.middle, "sizes.db")
    url = grown.on_postgres(grown.middle)
    tracker = open_tracker(file)
    tracker.audit.rebuild_boards(season.campaign)
    tracker.close()
    with grown.server.connected(url) as connection:
        tables = [
            row[0]
            for row in connection.execute(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                " AND relnamespace = 'public'::regnamespace ORDER BY relname"
            )
        ]
        taken = {name: connection.execute(TAKEN, {"name": name}).fetchone()[0] for name in tables}
        (bodies,) = connection.execute("SELECT sum(length(body)) FROM events").fetchone()
        boards = sum(size for name, size in taken.items() if name.startswith("board_"))
    megabytes = {
        BODIES: bodies,
        "SQLite: the file": file.stat().st_size,
        "PostgreSQL: events with their indexes": taken["events"],
        "PostgreSQL: boards with their indexes": boards,
        "PostgreSQL: snapshots": taken["snapshots"] + taken["snapshots_parts"],
        "PostgreSQL: all tables": sum(taken.values()),
    }
    figures = [Figure(name=name, runs=(int(size) / MEGABYTE,), unit="MB") for name, size in megabytes.items()]
    notes = [f"{name}: {int(size) / season.events:,.0f} bytes per event" for name, size in megabytes.items()]
    return [
        table(
            f"A campaign of {season.events} events on disk", figures, against=BODIES, notes=["; ".join(notes)]
        )
    ]

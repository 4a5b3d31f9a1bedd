"""A command as a process of its own, from nothing: what a person waits for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, as_a_user_has_it, in_turn, table

RAW_ROSTER = """
import json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for name, row in connection.execute("SELECT fighter_id, row FROM board_fighters ORDER BY gang_id, position"):
    print(name, json.loads(row)["experience"])
"""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The two tables of this part."""
    season = grown.season(grown.middle)
    fighters = len(season.tracker.repository.state(season.campaign).gang_of)
    database = str(grown.file(grown.middle))
    arbitrator = [sys.executable, "-m", "tracker"]
    roster = in_turn(
        {
            "arbitrator roster show": _process(
                grown.folder, *arbitrator, "--db", database, "--campaign", "bench", "roster", "show"
            ),
            "python: import click, sqlalchemy": _process(
                grown.folder, sys.executable, "-c", "import click, sqlalchemy"
            ),
            "python: sqlite3 prints the same rows": _process(
                grown.folder, sys.executable, "-c", RAW_ROSTER, database
            ),
        },
        runs=runs,
    )
    helps = in_turn(
        {
            "arbitrator --help": _process(grown.folder, *arbitrator, "--help"),
            "python: import click": _process(grown.folder, sys.executable, "-c", "import click"),
            "python: nothing": _process(grown.folder, sys.executable, "-c", "pass"),
        },
        runs=runs,
    )
    return [
        table(
            f"A cold roster of {fighters} fighters ({season.events} events in the log)",
            roster,
            against="python: import click, sqlalchemy",
            bars=[Bar(of="arbitrator roster show", against="python: import click, sqlalchemy", at_most=1.5)],
        ),
        table("The same, to a script of sqlite3", roster, against="python: sqlite3 prints the same rows"),
        table(
            "Help, cold",
            helps,
            against="python: import click",
            bars=[Bar(of="arbitrator --help", against="python: import click", at_most=2.0)],
        ),
    ]


def _process(folder: Path, *command: str) -> Callable[[Stopwatch], None]:
    environment = as_a_user_has_it()

    def run(watch: Stopwatch) -> None:
        with watch.running():
            subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)

    return run

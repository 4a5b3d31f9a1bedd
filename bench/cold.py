"""A command as a process of its own, from nothing: what a person waits for."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    show = [*arbitrator, "--db", database, "--campaign", "bench", "roster", "show"]
    with _resident(grown.folder, arbitrator) as resident:
        roster = in_turn(
            {
                "arbitrator roster show": _process(grown.folder, *show),
                "the same, with arbitrator daemon": _process(grown.folder, *show, environment=resident),
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
            bars=[Bar(of="arbitrator roster show", against="python: import click, sqlalchemy", at_most=0.45)],
        ),
        table("The same, to a script of sqlite3", roster, against="python: sqlite3 prints the same rows"),
        table(
            "Help, cold",
            helps,
            against="python: import click",
            bars=[Bar(of="arbitrator --help", against="python: import click", at_most=2.0)],
        ),
    ]


@contextmanager
def _resident(folder: Path, arbitrator: list[str]) -> Iterator[dict[str, str]]:
    """A resident that has read everything in, and the environment in which it is asked."""
    with tempfile.TemporaryDirectory(prefix="bench") as listens:  # a socket's name has to be short
        environment = as_a_user_has_it() | {"XDG_RUNTIME_DIR": listens}
        del environment["TRACKER_NO_DAEMON"]
        subprocess.run([*arbitrator, "daemon"], check=True, env=environment, stdout=subprocess.DEVNULL)
        # It answers the first once it has read everything in.
        subprocess.run(
            [*arbitrator, "--version"], check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            yield environment
        finally:
            subprocess.run(
                [*arbitrator, "daemon", "--stop"], check=True, env=environment, stdout=subprocess.DEVNULL
            )


def _process(
    folder: Path, *command: str, environment: dict[str, str] | None = None
) -> Callable[[Stopwatch], None]:
    environment = environment or as_a_user_has_it()

    def run(watch: Stopwatch) -> None:
        with watch.running():
            subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)

    return run

"""The doors, hammered: any command line and any file gets an answer with a documented exit code, in time, and a file
takes no more memory than it should.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import FIRST, GANG_SHEETS, SEASON
from exchange_files import EXAMPLE
from test_cli_fuzz import WORDS, fits, mutated, typed

from .runner import Run
from .writing import AFTER, FIXTURES

EVERY = 60
"""Lines typed at one campaign before it is looked at whole and a new one begun."""
HANGS_SECONDS = 30
"""Nothing takes so long; what does is stopped, and told."""
ANSWER_SECONDS = 5
FILE_SECONDS = 2
"""What an answer may take of the processor; the wall's clock goes on while others use the machine."""
FILE_MEGABYTES = 256
"""What all files together may add to the memory of this process."""
SETTINGS = ("TRACKER_CAMPAIGN", "TRACKER_ACTOR", "TERM", "COLUMNS", "LANG")
ARMOURY = FIXTURES / "armoury" / "sump-market.yaml"


def arguments(run: Run) -> None:
    """Command lines that are half right."""
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for dice in run.each_round():
            if season is None or run.at % EVERY == 0:
                _look(season)
                season = season_in(run.folder, patch)
                files = [season.write(told, name=f"{at}.yaml") for at, told in enumerate(SEASON)]
                files += [*map(str, GANG_SHEETS), "new.db", str(season.folder)]
            words = typed(dice, files)
            with pytest.MonkeyPatch.context() as around, _in_time(ANSWER_SECONDS, words):
                if dice.random() < 0.2:
                    setting = dice.choice(SETTINGS)
                    around.setenv(setting, dice.choice(WORDS))
                    run.count(f"another {setting}")
                ran = season(*words, stdin=dice.choice([b"", FIRST.encode(), b"\xff"]))
            fits(ran.code, ran.out, ran.err, words)
            run.count(f"exit {ran.code}")
        _look(season)


def files(run: Run) -> None:
    """Good files of every format with a few letters changed: taken whole, or refused and nothing written."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for dice in run.each_round():
            if season is None or run.at % EVERY == 0:
                _look(season)
                season = season_in(run.folder, patch)
            what, told, *words = _file(dice)
            file = season.write(mutated(dice, told), name="changed.yaml")
            before = season.contents()
            words = [file if word == "FILE" else word for word in words]
            with _in_time(FILE_SECONDS, [*words, told]):
                ran = season(*words)
            fits(ran.code, ran.out, ran.err, words)
            if ran.code or what in ("exchange", "armoury"):
                assert season.contents() == before, "refused, and yet something was written"
            run.count(f"{what}: exit {ran.code}")
        _look(season)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    assert more < FILE_MEGABYTES, f"reading files took {more:.0f} MB"


def _file(dice: random.Random) -> tuple[str, ...]:
    """A kind of file, a good one, and the command that reads FILE."""
    sheets = [sheet.read_text() for sheet in GANG_SHEETS]
    again = [sheet.replace("id: ", "id: new-").replace("gang: ", "gang: new-") for sheet in sheets]
    why = ("--reason", "because")
    return dice.choice(
        [
            ("report", dice.choice(SEASON), "battle", "record", "FILE", "--roll"),
            ("report", dice.choice(SEASON), "battle", "record", "FILE", "--roll"),
            ("sheet", dice.choice(again), "gang", "add", "FILE"),
            ("after", AFTER, "battle", "post", "FILE", "--roll"),
            ("exchange", EXAMPLE, "judge", "FILE", "--roll"),
            ("armoury", ARMOURY.read_text(),
             *("gang", "buy", "iron-skulls", "goggles", "--given", "--dry-run", "--armoury", "FILE", *why)),
        ]
    )  # fmt: skip


@contextmanager
def _in_time(seconds: int, words: list[str]) -> Iterator[None]:
    def hangs(*_: Any) -> None:
        raise AssertionError(f"no answer to {words}")

    usual = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS_SECONDS)
    begun = time.process_time()
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, usual)
    assert time.process_time() - begun < seconds, f"no answer in {seconds} seconds to {words}"


def season_in(folder: Path, patch: pytest.MonkeyPatch) -> Arbitrator:
    here = Path(tempfile.mkdtemp(dir=folder))
    for name in [name for name in os.environ if name.startswith("TRACKER_")]:
        patch.delenv(name)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        patch.setenv(name, str(here / "home"))
    patch.setenv("NO_COLOR", "1")
    patch.chdir(here)
    season = Arbitrator(here)
    begin(season)
    for report in SEASON[:2]:
        season.record(report)
    return season


def _look(season: Arbitrator | None) -> None:
    if season is not None:
        season.done("-c", "ash-wastes", "audit", "verify")
        shutil.rmtree(season.folder)

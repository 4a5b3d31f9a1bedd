"""The doors, hammered: any command line and any file gets an answer with a documented exit code."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import FIRST, GANG_SHEETS, SEASON
from test_cli_fuzz import fits, mutated, typed

from .runner import Run

EVERY = 60
"""Lines typed at one campaign before it is looked at whole and a new one begun."""
PATIENCE_SECONDS = 20


def arguments(run: Run) -> None:
    """Command lines that are half right."""
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for number, dice in enumerate(run.each_round()):
            if season is None or number % EVERY == 0:
                _look(season)
                season = _season(run.folder, patch)
                files = [season.write(told, name=f"{at}.yaml") for at, told in enumerate(SEASON)]
                files += [*map(str, GANG_SHEETS), "new.db", str(season.folder)]
            words = typed(dice, files)
            begun = time.monotonic()
            ran = season(*words, stdin=dice.choice([b"", FIRST.encode(), b"\xff"]))
            assert time.monotonic() - begun < PATIENCE_SECONDS, f"no answer to {words}"
            fits(ran.code, ran.out, ran.err, words)
            run.count(f"exit {ran.code}")
        _look(season)


def files(run: Run) -> None:
    """Good files with a few letters changed: recorded whole, or refused and nothing written."""
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for number, dice in enumerate(run.each_round()):
            if season is None or number % EVERY == 0:
                _look(season)
                season = _season(run.folder, patch)
            told = dice.choice(SEASON)
            told = mutated(dice, told)
            before = season.contents()
            ran = season("battle", "record", season.write(told, name="changed.yaml"), "--roll")
            fits(ran.code, ran.out, ran.err, ["battle", "record"])
            if ran.code:
                assert season.contents() == before, "refused, and yet something was written"
            run.count(f"exit {ran.code}")
        _look(season)


def _season(folder: Path, patch: pytest.MonkeyPatch) -> Arbitrator:
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

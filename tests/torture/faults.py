"""System calls that fail or kill at the Nth time, under the real command line: before or after, never in between.

Every command that writes, and of each every call on the database and its journal may be the one: how many there are is
counted first, so that no round is one in which nothing went wrong.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cli_arbitrator import Arbitrator

from . import club
from .runner import Run, Unable
from .writing import WRITING, Asked, prepared

CALLS = ("pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "openat", "read", "pread64", "fcntl")
WHAT = ("error=EIO", "error=ENOSPC", "signal=KILL")
KILLED = {-9, 137}
REFUSED = {2, 3}
"""Never 4: the disk fails, and the log is whole."""


@dataclass(frozen=True)
class Setting:
    """A command, the database it finds, how many events it adds, and its calls on the database, by name."""

    asked: Asked
    folder: Path
    whole: bytes
    before: dict[str, int]
    after: dict[str, int]
    calls: Counter[str]

    @property
    def file(self) -> Path:
        return self.folder / "campaigns.db"

    def fault(self, run: Run) -> tuple[str, int, str]:
        """A call, which one of its kind, and what becomes of it: in the order of the seed, none twice before all."""
        calls = sorted(self.calls.items())
        faults = [(call, when, what) for call, many in calls for when in range(1, many + 1) for what in WHAT]
        random.Random(f"{run.seed}:{self.asked.words}").shuffle(faults)
        return faults[run.at // len(WRITING) % len(faults)]


def system_calls(run: Run) -> None:
    """Every writing command, a fault at one system call after the other."""
    if shutil.which("strace") is None:
        raise Unable("strace is not installed")
    settings: dict[Asked, Setting] = {}
    for _ in run.each_round():
        asked = WRITING[run.at % len(WRITING)]
        if asked not in settings:
            settings[asked] = _undisturbed(run.folder / str(WRITING.index(asked)), asked)
        _one(run, settings[asked])
        run.counted["commands"] = len(settings)


def _one(run: Run, setting: Setting) -> None:
    _as_it_was(setting)
    call, when, what = setting.fault(run)
    ran, traced = _traced(setting.folder, setting.asked, call, f"inject={call}:{what}:when={when}")
    case = (setting.asked.words, call, what, when, ran.returncode, ran.stdout, ran.stderr)
    if not ("INJECTED" in traced or "killed by SIGKILL" in traced):
        assert ran.returncode == 0, case
        run.count("this time the call never came")
    assert "Traceback" not in ran.stdout + ran.stderr, case
    found = _sizes(setting.folder)
    assert found in (setting.before, setting.after), ("neither before nor after", case, found)
    if ran.returncode in KILLED:
        assert what == "signal=KILL", case
    elif ran.returncode:
        assert ran.returncode in REFUSED, case
        assert ran.stderr.startswith("arbitrator: "), ("no clear word", case)
    else:
        assert found == setting.after, ("said done and nothing is there", case)
    run.count(f"{what.partition('=')[2]}: exit {ran.returncode}")
    if setting.before != setting.after:
        run.count("it was after" if found == setting.after else "it was before")


def _undisturbed(folder: Path, asked: Asked) -> Setting:
    folder.mkdir()
    season = Arbitrator(folder)
    prepared(season, asked)
    whole, before = season.file.read_bytes(), _sizes(folder)
    ran, traced = _traced(folder, asked, ",".join(CALLS))
    assert ran.returncode == 0, (asked.words, ran.stderr)
    after = _sizes(folder)
    assert (after != before) == asked.adds, (asked.words, before, after)
    calls = Counter(re.findall(r"^\d+\s+(\w+)\(", traced, re.MULTILINE))
    assert calls, "no call on the database was seen"
    return Setting(asked=asked, folder=folder, whole=whole, before=before, after=after, calls=calls)


def _as_it_was(setting: Setting) -> None:
    for left in (*setting.folder.glob("campaigns.db-*"), *setting.folder.glob("copy.db*")):
        left.unlink()
    setting.file.write_bytes(setting.whole)


def _traced(
    folder: Path, asked: Asked, calls: str, *more: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """The command under strace, and what strace saw of it on the database and its journal."""
    file, seen = folder / "campaigns.db", folder / "seen.txt"
    ran = subprocess.run(
        [
            *("strace", "-f", "-e", f"trace={calls}", "-P", str(file), "-P", f"{file}-journal", "-P", str(folder / "copy.db"), "-o", str(seen)),
            *(word for setting in more for word in ("-e", setting)),
            *(sys.executable, "-m", "tracker", "--db", str(file), "-c", "captive" if asked.captive else "ash-wastes"),
            *asked.said(str(folder)),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"HOME": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    return ran, seen.read_text(errors="replace")


def _sizes(folder: Path) -> dict[str, int]:
    """How long each campaign's log is, by slug, once everything about it was found to hold."""
    sizes = {}
    with club.opened(club.sqlite(folder / "campaigns.db")) as tracker:
        for campaign in tracker.repository.store.campaigns():
            club.everything_holds(tracker, campaign)
            # Not by id: a campaign that is begun gets another each time.
            sizes[tracker.repository.state(campaign).slug] = tracker.repository.store.head(campaign).size
    return sizes

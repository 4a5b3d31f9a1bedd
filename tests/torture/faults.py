"""System calls that fail or kill at the Nth time, under the real command line: before or after, never in between."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from cli_arbitrator import Arbitrator, begin
from cli_reports import SEASON

from tracker.log import database
from tracker.log.store import EventStore

from . import club
from .runner import Run, Unable

CALLS = ("pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "openat", "read", "pread64", "fcntl")
WHAT = ("error=EIO", "error=ENOSPC", "signal=KILL")
CODES = {0, 1, 2, 3, 4, 70, 130, -9, 137}


def system_calls(run: Run) -> None:
    """Every writing command, a fault at a random system call."""
    if shutil.which("strace") is None:
        raise Unable("strace is not installed")
    file, commands = _prepared(run.folder)
    whole = file.read_bytes()
    for dice in run.each_round():
        file.write_bytes(whole)
        for left in file.parent.glob(f"{file.name}-*"):
            left.unlink()
        before = _size(file)
        words, call, what = dice.choice(commands), dice.choice(CALLS), dice.choice(WHAT)
        # Most calls of a kind come while Python starts: there only the killing and the last of them are told apart.
        when = dice.randint(1, 40)
        ran = subprocess.run(
            [
                *("strace", "-f", "-qq", "-e", f"trace={call}", "-P", str(file), "-P", f"{file}-journal"),
                *("-o", "/dev/null", "-e", f"inject={call}:{what}:when={when}"),
                *(sys.executable, "-m", "tracker", "--db", str(file), *words),
            ],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"HOME": str(run.folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        told = (words[:2], call, what, when, ran.returncode, ran.stderr)
        assert ran.returncode in CODES, told
        assert "Traceback" not in ran.stderr, told
        after = _size(file)
        assert after in (before, before + _adds(commands, words, file, whole)), (
            "neither before nor after",
            told,
        )
        if ran.returncode == 0:
            assert after > before, ("said done and nothing is there", told)
        run.count(f"exit {ran.returncode}")


_ADDED: dict[str, int] = {}


def _adds(commands: list[list[str]], words: list[str], file: Path, whole: bytes) -> int:
    """How many events this command adds when nothing fails."""
    key = " ".join(words)
    if key not in _ADDED:
        other = file.with_name("undisturbed.db")
        other.write_bytes(whole)
        begun = _size(other)
        subprocess.run(
            [sys.executable, "-m", "tracker", "--db", str(other), *words],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        _ADDED[key] = _size(other) - begun
    assert words in commands
    return _ADDED[key]


def _prepared(folder: Path) -> tuple[Path, list[list[str]]]:
    season = Arbitrator(folder)
    begin(season)
    for report in SEASON[:2]:
        season.record(report)
    season.done("dispute", "open", "10.2", "--reason", "cocked")
    third = season.write(SEASON[2], name="third.yaml") if len(SEASON) > 2 else ""
    commands = [
        ["dispute", "open", "10.3", "--reason", "cocked too"],
        ["fighter", "rename", "krug", "--name", "Krugg"],
        ["policy", "adopt", "one-lasting-injury-roll@1", "--reason", "club vote"],
    ]
    if third:
        commands.append(["battle", "record", third, "--roll"])
    return season.file, commands


def _size(file: Path) -> int:
    engine = database.open_database(club.sqlite(file), migrate=False)
    try:
        store = EventStore(engine)
        (campaign,) = store.campaigns()
        assert store.verify(campaign).ok
        return store.head(campaign).size
    finally:
        engine.dispose()

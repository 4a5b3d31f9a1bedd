"""The runner: chapters that break things on purpose, rounds that can be played again, a ledger of what was run.

Knows nothing of what is broken. A round gets its randomness from the seed, the chapter's name and its own
number, so one failure can be played again: `make soak SOAK_ARGS="NAME --seed S --first N --rounds 1"`. Where a
kill falls, and who wins a race, is the machine's: such a round has the same dice, and may end otherwise.
"""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import subprocess
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LEDGER = Path(__file__).with_name("ledger.jsonl")


class Unable(Exception):
    """This machine lacks what a chapter needs; the text says what."""


@dataclass
class Run:
    """One chapter under way: which rounds it may play, where it may write, what it has counted."""

    name: str
    seed: int
    rounds: int
    folder: Path
    first: int = 0
    until: float | None = None
    counted: Counter[str] = field(default_factory=Counter)
    at: int = 0

    def each_round(self) -> Iterator[random.Random]:
        """The randomness of every round, until the rounds or the time are used up."""
        for number in range(self.first, self.first + self.rounds):
            if self.until is not None and time.monotonic() > self.until:
                return
            self.at = number
            yield random.Random(f"{self.seed}:{self.name}:{number}")
            self.counted["rounds"] += 1

    def count(self, what: str, by: int = 1) -> None:
        """One more of something worth telling."""
        self.counted[what] += by

    @contextmanager
    def empty_folder(self) -> Iterator[Path]:
        """A folder for one round, gone afterwards."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Chapter:
    """What is tried, how often in a short and in a long run, and its part of the time of a long one. What has no short
    run has a test of its own elsewhere, or needs more than a test may: it says which.

    So many rounds as `together` says stand on one another: who plays one again begins with the first of them.
    """

    name: str
    tells: str
    play: Callable[[Run], None]
    few: int
    many: int
    share: int = 1
    together: int = 1


def play(
    chapter: Chapter,
    *,
    seed: int,
    rounds: int,
    first: int = 0,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Run:
    """Play a chapter's rounds. What fails raises, with a note of how to play that round again."""
    home = Path(tempfile.mkdtemp(prefix="torture-", dir=folder or fast_folder()))
    until = None if seconds is None else time.monotonic() + seconds
    run = Run(name=chapter.name, seed=seed, rounds=rounds, first=first, folder=home, until=until)
    _play(chapter, run)
    return run


def _play(chapter: Chapter, run: Run) -> None:
    try:
        chapter.play(run)
    except Unable:
        raise
    except BaseException as failure:
        before = run.at % chapter.together
        failure.add_note(
            f"again: make soak SOAK_ARGS='{chapter.name} --seed {run.seed} --first {run.at - before}"
            f" --rounds {before + 1}'"
        )
        raise
    finally:
        shutil.rmtree(run.folder, ignore_errors=True)


@dataclass(frozen=True)
class Ended:
    """How a chapter ended: what it counted, or what it lacked, or where it failed."""

    name: str
    seconds: float
    run: Run
    lacking: str = ""
    failed: str = ""

    @property
    def result(self) -> str:
        """One word for the ledger."""
        return "failed" if self.failed else "not run" if self.lacking else "held"


def played_to_the_end(chapter: Chapter, seed: int, rounds: int, first: int, seconds: float | None) -> Ended:
    """Play a chapter in a process of its own, from which nothing but words and counts comes back."""
    begun = time.monotonic()
    home = Path(tempfile.mkdtemp(prefix="torture-", dir=fast_folder()))
    until = None if seconds is None else begun + seconds
    run = Run(name=chapter.name, seed=seed, rounds=rounds, first=first, folder=home, until=until)
    lacking = failed = ""
    try:
        _play(chapter, run)
    except Unable as why:
        lacking = str(why)
    except Exception:
        failed = traceback.format_exc()
    return Ended(chapter.name, time.monotonic() - begun, run=run, lacking=lacking, failed=failed)


def fast_folder() -> Path | None:
    """Memory, where there is some to write to: what is tried here must not depend on a disk's speed."""
    shared = Path("/dev/shm")  # noqa: S108  # a folder of our own is made in it
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None


def commit() -> str:
    """Which commit this is, and whether anything but the ledger was changed since."""

    def git(*words: str) -> str:
        said = subprocess.run(["git", *words], cwd=LEDGER.parent, capture_output=True, text=True, check=False)
        return said.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", f":(exclude){LEDGER.name}")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+changes" if changed else "")


def write_down(run: Run, *, wanted: int, seconds: float, result: str, ledger: Path = LEDGER) -> None:
    """One line in the ledger: what was run on which commit, of how many rounds that were wanted, and what came
    of it, failures too.
    """
    line = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": commit(),
        "python": platform.python_version(),
        "chapter": run.name,
        "seed": run.seed,
        "first": run.first,
        "wanted": wanted,
        "counted": dict(sorted(run.counted.items())),
        "seconds": round(seconds),
        "result": result,
    }
    with ledger.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")

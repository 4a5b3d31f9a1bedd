"""Output that cannot be written, and Ctrl-C at any moment: what is reported agrees with what the log holds.

Every command that writes, in every way in which its answer may not arrive.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from cli_arbitrator import Arbitrator

from . import club
from .runner import Run, Unable
from .writing import WRITING, Asked, prepared

NOT_SHOWN = 5
GONE = "| "
"""Standard output is a pipe whose reader has left."""
REDIRECTED: dict[str, tuple[str, int]] = {
    "a full standard output": (">/dev/full", NOT_SHOWN),
    "a closed standard output": (">&-", NOT_SHOWN),
    "a reader who left": (GONE, NOT_SHOWN),
    "everything closed": ("<&- >&- 2>&-", NOT_SHOWN),
    "both full": (">/dev/full 2>/dev/full", NOT_SHOWN),
    "a closed standard error": ("2>&-", 0),
    "a full standard error": ("2>/dev/full", 0),
    "a closed standard input": ("<&-", 0),
    "a terminal of few letters": ("", 0),
}
CTRL_C, TWICE = "Ctrl-C", "Ctrl-C twice"
WAYS = (CTRL_C, *list(REDIRECTED)[:4], TWICE, *list(REDIRECTED)[4:], CTRL_C)
"""Ctrl-C more often than the others: there are many moments."""

# Before that, it is Python that is stopped and not this program.
STARTED = """\
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tracker import __main__ as program
print("started", file=sys.stderr, flush=True)
program.run()
"""


@dataclass(frozen=True)
class Setting:
    """A command, and the database that it finds."""

    asked: Asked
    folder: Path
    whole: bytes
    before: dict[str, tuple[int, int]]
    seconds: float

    def words(self) -> list[str]:
        campaign = "captive" if self.asked.captive else "ash-wastes"
        file = str(self.folder / "campaigns.db")
        return ["--db", file, "-c", campaign, *self.asked.said(str(self.folder))]

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"HOME": str(self.folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def answers_not_shown(run: Run) -> None:
    """One way after the other for a command, then the next command."""
    if not Path("/dev/full").exists():
        raise Unable("there is no /dev/full")
    settings: dict[Asked, Setting] = {}
    for dice in run.each_round():
        asked, way = WRITING[run.at // len(WAYS) % len(WRITING)], WAYS[run.at % len(WAYS)]
        if asked not in settings:
            settings.clear()
            settings[asked] = _undisturbed(run.folder / f"{run.at}", asked)
        _one(run, settings[asked], way, dice)


def _one(run: Run, setting: Setting, way: str, dice: random.Random) -> None:
    _as_it_was(setting)
    if way in REDIRECTED:
        code, said = _redirected(setting, way)
    else:
        code, said = _stopped(setting, dice, times=2 if way == TWICE else 1)
    redirected, wanted = REDIRECTED.get(way, ("", None))
    case = (setting.asked.words, way, code, said)
    allowed = {0, NOT_SHOWN, 130} if wanted is None else {wanted}
    if "--force" in setting.asked.words and wanted == NOT_SHOWN and redirected != GONE:
        allowed = {2}  # what would be done is shown first: nobody saw it, so it was not done
    assert code in allowed, case
    assert "Traceback" not in said, case
    assert not list(setting.folder.glob(".*unfinished*")), ("half a backup is left", case)
    found = _logs(setting.folder)
    if setting.asked.adds:
        assert (found != setting.before) == (code in (0, NOT_SHOWN)), ("not what the log holds", case, found)
    else:
        assert found == setting.before, case
    if code == NOT_SHOWN and "2>" not in redirected:
        _says_what_is_there(setting, found, said, case)
    elif code != NOT_SHOWN:
        assert "Recorded as" not in said, case
    run.count(f"{way}: exit {code}")


def _says_what_is_there(
    setting: Setting, found: dict[str, tuple[int, int]], said: str, case: tuple[object, ...]
) -> None:
    assert "could not be shown" in said or "stopped before all of it was shown" in said, case
    if not setting.asked.adds:
        return
    first, last = re.search(r"Recorded as entr(?:y|ies) (\d+)(?: to (\d+))?;", said).groups()  # type: ignore[union-attr]
    (grown,) = (slug for slug in found if found[slug] != setting.before.get(slug))
    entries_before = setting.before.get(grown, (0, 0))[0]
    assert (int(first), int(last or first)) == (entries_before + 1, found[grown][0]), (case, found)
    (see,) = re.findall(r"See (?:it|them) with: arbitrator (.*)", said)
    code, shown = _ran([sys.executable, "-m", "tracker", *shlex.split(see)], setting)
    assert code == 0, (case, see, shown)


def _redirected(setting: Setting, way: str) -> tuple[int, str]:
    redirected, _ = REDIRECTED[way]
    command = shlex.join([sys.executable, "-m", "tracker", *setting.words()])
    letters = "ascii" if way == "a terminal of few letters" else "utf-8"
    script = f"PYTHONIOENCODING={letters} exec {command} {redirected.removeprefix(GONE)}"
    if redirected != GONE:
        return _ran(["sh", "-c", script], setting)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return _ran(["sh", "-c", script], setting, out=writer)
    finally:
        os.close(writer)


def _stopped(setting: Setting, dice: random.Random, *, times: int) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, *setting.words()],
        cwd=setting.folder,
        env=setting.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "started\n"
    for _ in range(times):
        time.sleep(dice.random() * setting.seconds)
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


def _ran(words: list[str], setting: Setting, out: int = subprocess.PIPE) -> tuple[int, str]:
    ran = subprocess.run(
        words,
        cwd=setting.folder,
        env=setting.environment,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stderr


def _undisturbed(folder: Path, asked: Asked) -> Setting:
    folder.mkdir()
    season = Arbitrator(folder)
    prepared(season, asked)
    whole, before = season.file.read_bytes(), _logs(folder)
    setting = Setting(asked=asked, folder=folder, whole=whole, before=before, seconds=0)
    begun = time.monotonic()
    code, said = _ran([sys.executable, "-m", "tracker", *setting.words()], setting)
    assert (code, said) == (0, ""), (asked.words, said)
    return replace(setting, seconds=time.monotonic() - begun)


def _as_it_was(setting: Setting) -> None:
    for left in (*setting.folder.glob("campaigns.db-*"), *setting.folder.glob("copy.db*")):
        left.unlink()
    (setting.folder / "campaigns.db").write_bytes(setting.whole)


def _logs(folder: Path) -> dict[str, tuple[int, int]]:
    """How many entries and events each campaign's log has, by slug, once everything about it was found to hold."""
    logs = {}
    with club.opened(club.sqlite(folder / "campaigns.db")) as tracker:
        for campaign in tracker.repository.store.campaigns():
            club.everything_holds(tracker, campaign)
            head = tracker.repository.store.head(campaign)
            logs[tracker.repository.state(campaign).slug] = (head.entries, head.size)
    return logs

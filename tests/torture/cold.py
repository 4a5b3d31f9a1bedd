"""Threads that begin at once in a process that has read nothing yet: each finds what one alone finds.

What is built when it is first needed (decoders, statements, books, formats) is then built by all of them at once.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.odds.exchange_odds import odds
from tracker.campaign.state import CampaignState
from tracker.dice import FROM_PEOPLE
from tracker.documents.judge_file import setting_of
from tracker.documents.yaml_reader import parse_document
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.snapshots import EVERY_ENTRIES, written_state

from . import club
from .runner import Run

THREADS = 4
SWITCH_SECONDS = 1e-5
"""Threads take turns a thousand times as often as they do by themselves."""
EXCHANGE = """
format: exchange/1
rulebook: necromunda_2023
gangs:
  skulls: {fighters: [{name: Krug, characteristics: &numbers}]}
  saints: {fighters: [{name: Mags, characteristics: &numbers}]}
exchange: {hit: {attacker: krug, target: mags, weapon: {name: gun, S: 4, AP: 0, D: 2}}}
""".replace("&numbers", "{M: 5, WS: 3, BS: 3, S: 3, T: 3, W: 2, I: 4, A: 2, Ld: 6, Cl: 5, Wil: 7, Int: 7}")


def threads(run: Run) -> None:
    """Four threads of a fresh process on one log."""
    whole = run.folder / "whole.db"
    campaign, alone = _season(whole, random.Random(run.seed))
    for dice in run.each_round():
        with run.empty_folder() as folder:
            url = club.sqlite(shutil.copy(whole, folder / "club.db"))
            same = dice.random() < 0.5  # everybody does the same, or each something else
            tasks = [dice.choice([*TASKS])] * THREADS if same else dice.sample([*TASKS], THREADS)
            said = subprocess.run(
                [sys.executable, "-m", "torture.cold", url, campaign, *tasks],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                capture_output=True,
                text=True,
                check=False,
            )
            assert said.returncode == 0, (tasks, said.returncode, said.stderr)
            assert said.stdout.split() == ["ended"] * THREADS, (tasks, said.stderr)
            with club.opened(url) as tracker:
                assert "append" in tasks or _state(tracker, campaign) == alone
                club.everything_holds(tracker, campaign)
            for task in tasks:
                run.count(task)


def _season(file: Path, dice: random.Random) -> tuple[str, bytes]:
    """A log with a snapshot and more behind it: the campaign's id, and its state."""
    with club.opened(club.sqlite(file), seed=dice.randrange(10**9)) as tracker:
        campaign = club.begin(tracker)
        number = 0
        while tracker.repository.store.head(campaign).entries < EVERY_ENTRIES + 10:
            club.something(tracker, campaign, dice, key=f"key-{number}")
            number += 1
        return campaign, _state(tracker, campaign)


def _state(tracker: Tracker, campaign: str) -> bytes:
    state = fold(CampaignState(), (recorded.event for recorded in tracker.repository.log.live(campaign)))
    return written_state(state, campaign, tracker.repository.store.head(campaign).entries)


def _written(tracker: Tracker, campaign: str) -> None:
    assert [recorded.seq for recorded in tracker.repository.log.written(campaign)] == list(
        range(tracker.repository.store.head(campaign).size)
    )


def _folded(tracker: Tracker, campaign: str) -> None:
    assert tracker.repository.state(campaign).gangs.keys() == {*club.GANGS}


def _verified(tracker: Tracker, campaign: str) -> None:
    assert tracker.repository.store.verify(campaign).events > 0


def _audited(tracker: Tracker, campaign: str) -> None:
    assert all(seen.source in FROM_PEOPLE for _, _, seen, _, _ in tracker.audit.typed_rolls(campaign))


def _appended(tracker: Tracker, campaign: str) -> None:
    state = tracker.repository.state(campaign)
    fighter = next(fighter for fighter in state.gang_of if state.fighter(fighter).standing == "enlisted")
    award = records.AwardExperience(fighter=fighter, amount=1, reason="at once")
    tracker.commands.play(campaign, [CommandWithDice(command=award)])


def _judged(*_: object) -> None:
    assert odds(setting_of(parse_document(EXCHANGE, file="exchange")), loader.rulebook).models


TASKS: dict[str, Callable[[Tracker, str], object]] = {
    "state": _folded,
    "log": _written,
    "fold": _state,
    "verify": _verified,
    "audit": _audited,
    "append": _appended,
    "odds": _judged,
}


def main() -> None:
    """Do all of it at once: URL CAMPAIGN TASK..."""
    url, campaign, *tasks = sys.argv[1:]
    sys.setswitchinterval(SWITCH_SECONDS)
    gate = threading.Barrier(len(tasks))

    def do(task: str, seed: int) -> None:
        with club.opened(url, seed=seed) as tracker:
            gate.wait()
            TASKS[task](tracker, campaign)
            os.write(1, b"ended\n")

    begun = [threading.Thread(target=do, args=(task, nth)) for nth, task in enumerate(tasks)]
    for process in begun:
        process.start()
    for process in begun:
        process.join()


if __name__ == "__main__":
    main()

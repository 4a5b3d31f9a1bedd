"""A log read again elsewhere: other hash seed, time zone, locale and clock, and it adds up to the same bytes."""

from __future__ import annotations

import hashlib
import locale
import os
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.projections import sql
from tracker.service.application import Tracker
from tracker.service.snapshots import written_state

from . import club
from .runner import Run

STEPS = 25
ZONES = ("UTC", "Pacific/Kiritimati", "Pacific/Marquesas", "America/St_Johns", "Asia/Kathmandu")
LOCALES = ("C", "C.UTF-8", "POSIX", "tr_TR.UTF-8", "de_DE.UTF-8")


def elsewhere(run: Run) -> None:
    """Fold, root and boards in another process under other circumstances."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            file = folder / "club.db"
            with club.opened(club.sqlite(file), seed=dice.randrange(10**9)) as tracker:
                campaign = club.begin(tracker)
                for number in range(STEPS):
                    club.something(tracker, campaign, dice, key=f"key-{number}")
                here = fingerprint(tracker, campaign)
            there = os.environ | {
                "PYTHONHASHSEED": str(dice.randrange(1, 2**32 - 1)),
                "TZ": dice.choice(ZONES),
                "LC_ALL": dice.choice(LOCALES),
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            }
            said = subprocess.run(
                [sys.executable, "-m", "torture.replay", str(file), campaign],
                env=there,
                capture_output=True,
                text=True,
                check=True,
            )
            found, spoken = said.stdout.split()
            assert found == here, (there["PYTHONHASHSEED"], there["TZ"], there["LC_ALL"])
            run.count(f"in {spoken}")


def wild_clocks(run: Run) -> None:
    """Clocks that run backwards, stand in 1970 or 9999: the order is the log's, and nothing breaks."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            tracker = Tracker(
                club.sqlite(folder / "club.db"),
                actor="arbitrator",
                clock=lambda dice=dice: _some_time(dice),
                roller=lambda sides, dice=dice: dice.randint(1, sides),
            )
            try:
                campaign = club.begin(tracker)
                for number in range(STEPS):
                    club.something(tracker, campaign, dice, key=f"key-{number}")
                club.everything_holds(tracker, campaign)
            finally:
                tracker.close()


def _some_time(dice: random.Random) -> str:
    if dice.random() < 0.2:
        return dice.choice(
            ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "2026-10-25T02:30:00Z"]
        )
    now = datetime(2026, 11, 21, tzinfo=UTC) + timedelta(seconds=dice.randint(-315_360_000, 315_360_000))
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def fingerprint(tracker: Tracker, campaign: str) -> str:
    """What the log adds up to: state and boards made anew, and the root over the log."""
    live = (recorded.event for recorded in tracker.repository.log.live(campaign))
    state = written_state(
        fold(CampaignState(), live), campaign, tracker.repository.store.head(campaign).entries
    )
    tracker.audit.rebuild_boards(campaign)
    rows = []
    with database.reading(tracker.engine) as connection:
        for board in sql.BOARDS:
            query = select(board).where(board.c.campaign_id == campaign).order_by(*board.primary_key.columns)
            rows.append(repr([tuple(row) for row in connection.execute(query)]))
    root = tracker.repository.store.verify(campaign).root_hex
    return hashlib.sha256(b"\n".join([state, *map(str.encode, rows), root.encode()])).hexdigest()


def main() -> None:
    """Tell what a log adds up to: FILE CAMPAIGN."""
    file, campaign = sys.argv[1:]
    try:
        spoken = locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        spoken = "a-locale-that-is-not-installed"
    with club.opened(club.sqlite(Path(file))) as tracker:
        print(fingerprint(tracker, campaign), spoken)


if __name__ == "__main__":
    main()

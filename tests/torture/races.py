"""Many processes on one campaign: no failed append, no gap, no entry moved, every answer true when it was given."""

from __future__ import annotations

import os
import random
import sys
import time

import postgres_server

from tracker.campaign.commands import AwardExperience
from tracker.log import database
from tracker.service import Plan

from . import club
from .runner import Run

WRITERS = 8
APPENDS_EACH = 12


def sqlite(run: Run) -> None:
    """Writers on one SQLite file."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            _race(run, club.sqlite(folder / "club.db"), "club", dice)


def postgres(run: Run) -> None:
    """Writers on one PostgreSQL campaign."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        database.upgrade(url)
        for dice in run.each_round():
            _race(run, url, f"club-{run.at}", dice)
    finally:
        postgres_server.discard(home)


def _race(run: Run, url: str, slug: str, dice: random.Random) -> None:
    with club.opened(url) as hall:
        campaign = club.begin(hall, slug)
        before = hall.store.head(campaign)
    pipes = [_writer(url, campaign, number, dice.randrange(10**9)) for number in range(WRITERS)]
    told = []
    for child, reading in pipes:
        with os.fdopen(reading) as lines:
            said = lines.read().splitlines()
        _, status = os.waitpid(child, 0)
        assert status == 0, said
        told += [tuple(map(int, line.split())) for line in said]
    with club.opened(url) as hall:
        head = hall.store.head(campaign)
        assert len(told) == WRITERS * APPENDS_EACH, "a writer was refused"
        entries = sorted(entry for _, _, entry in told)
        assert entries == list(range(before.entries + 1, head.entries + 1)), (
            "two answers name one entry, or none"
        )
        # Whoever had an answer before another began stands before it.
        for begun, _, entry in told:
            assert all(other < entry for _, ended, other in told if ended < begun), (
                "an entry overtook another"
            )
        club.everything_holds(hall, campaign)
    run.count("appends", by=len(told))


def _writer(url: str, campaign: str, number: int, seed: int) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    try:
        os.close(reading)
        dice = random.Random(seed)
        with club.opened(url, seed=seed) as hall, os.fdopen(writing, "w") as say:
            fighters = list(hall.state(campaign).gang_of)
            for at in range(APPENDS_EACH):
                award = AwardExperience(fighter=dice.choice(fighters), amount=1, reason="a race")
                begun = time.monotonic_ns()
                played = hall.play(campaign, [Plan(command=award)], key=f"{number}-{at}")
                say.write(f"{begun} {time.monotonic_ns()} {played.entries[0][0].entry}\n")
    except BaseException as failure:
        print(f"writer {number}: {failure!r}", file=sys.stderr)
        os._exit(1)
    os._exit(0)

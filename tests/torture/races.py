"""Many processes on one campaign: no failed append, no gap, no entry moved, every answer true when it was given.

Between their appends they read, the log and a board: what they find is a beginning of the log, holds all that was
answered before they asked, and nothing that was not begun before they were told.
"""

from __future__ import annotations

import os
import random
import sys
import time
from dataclasses import dataclass

import postgres_server

from tracker.campaign.commands import AwardExperience
from tracker.log import database
from tracker.projections import queries
from tracker.service import Plan, Tracker

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


@dataclass(frozen=True)
class Answer:
    """What somebody was told: `entry` is the one that was made, or the last of those that were read."""

    kind: str
    begun: int
    ended: int
    entry: int
    leaf: str = ""


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
        told += [_answer(line, before.entries) for line in said]
    appends = [one for one in told if one.kind == "append"]
    reads = [one for one in told if one.kind != "append"]
    with club.opened(url) as hall:
        head = hall.store.head(campaign)
        assert len(appends) == WRITERS * APPENDS_EACH, "a writer was refused"
        entries = sorted(one.entry for one in appends)
        assert entries == list(range(before.entries + 1, head.entries + 1)), (
            "two answers name one entry, or none"
        )
        leaves = {one.entry: one.leaf.hex() for one in hall.store.read(campaign)}
        club.everything_holds(hall, campaign)
    nothing_overtook(appends, reads, before.entries, leaves)
    run.count("appends", by=len(appends))
    run.count("reads", by=len(reads))


def _answer(line: str, entries_before: int) -> Answer:
    kind, begun, ended, entry, leaf = line.split()
    # A board tells how many awards it holds, each an entry.
    after = entries_before if kind == "board" else 0
    return Answer(kind=kind, begun=int(begun), ended=int(ended), entry=after + int(entry), leaf=leaf)


def nothing_overtook(
    appends: list[Answer], reads: list[Answer], entries_before: int, leaves: dict[int, str]
) -> None:
    """Whoever had an answer before another asked stands before it; `leaves` are those of each entry's last event."""
    begun_at = {one.entry: one.begun for one in appends}
    for one in (*appends, *reads):
        earlier = [other.entry for other in appends if other.ended < one.begun]
        if one.kind == "append":
            assert all(entry < one.entry for entry in earlier), "an entry overtook another"
            continue
        assert max(earlier, default=entries_before) <= one.entry, f"a {one.kind} was read that was stale"
        assert all(begun_at[entry] < one.ended for entry in range(entries_before + 1, one.entry + 1)), (
            f"a {one.kind} was read that tells of what was not begun"
        )
        assert one.kind == "board" or one.leaf == leaves[one.entry], (
            "what was read is no beginning of the log"
        )
        later = [other.entry for other in reads if other.begun > one.ended]
        assert min(later, default=one.entry) >= one.entry, "what was read once was not there again"


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
                say.write(f"append {begun} {time.monotonic_ns()} {played.entries[0][0].entry} -\n")
                begun = time.monotonic_ns()
                found = _read(hall, campaign) if dice.random() < 0.5 else _board(hall, campaign)
                say.write(f"{found[0]} {begun} {time.monotonic_ns()} {found[1]} {found[2]}\n")
    except BaseException as failure:
        print(f"writer {number}: {failure!r}", file=sys.stderr)
        os._exit(1)
    os._exit(0)


def _read(hall: Tracker, campaign: str) -> tuple[str, int, str]:
    log = list(hall.store.read(campaign))
    assert [one.seq for one in log] == list(range(len(log))), "a gap was read"
    return "log", log[-1].entry, log[-1].leaf.hex()


def _board(hall: Tracker, campaign: str) -> tuple[str, int, str]:
    with database.reading(hall.engine) as connection:
        rows = queries.roster(connection, campaign)
    return "board", sum(fighter["experience"] for fighter in rows), "-"

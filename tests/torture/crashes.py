"""Kill -9 in the middle of appending: nothing acknowledged is lost, nothing is half there, a retry is one entry."""

from __future__ import annotations

import os
import random
import select
import signal
import time
from collections.abc import Callable

import postgres_server

from tracker.campaign.commands import AwardExperience
from tracker.log import database
from tracker.log.refusals import CommitUnknown, ConnectionLost, DatabaseUnreachable
from tracker.service import Plan, Tracker

from . import club
from .runner import Run

LONG_ENOUGH = 400
"""Events after which a log is looked at whole and a new one begun."""

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "20"}
"""Unlike the tests' own server, this one must remember what it said it saved."""

Say = Callable[[str], None]


def sqlite(run: Run) -> None:
    """Children append to one SQLite file and are killed, one after the other."""
    file = run.folder / "club.db"
    url = club.sqlite(file)
    campaign, acknowledged = "", list[str]()
    for dice in run.each_round():
        if not campaign:
            with club.opened(url) as hall:
                campaign, acknowledged = club.begin(hall), []
        acknowledged += _kill_one(url, campaign, dice)
        run.count("hot journals", by=file.with_name("club.db-journal").exists())
        with club.opened(url) as hall:
            _nothing_is_lost(hall, campaign, acknowledged)
            if hall.store.head(campaign).size > LONG_ENOUGH:
                _count_whole(run, hall, campaign, acknowledged)
                campaign = ""
        if not campaign:
            for left in run.folder.glob("club.db*"):
                left.unlink()
    if campaign:
        with club.opened(url) as hall:
            _count_whole(run, hall, campaign, acknowledged)


def postgres(run: Run) -> None:
    """The whole PostgreSQL is killed while a child appends, and comes up again."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home, DURABLE)
        database.upgrade(url)
        campaign, acknowledged = "", list[str]()
        for dice in run.each_round():
            if not campaign:
                with club.opened(url) as hall:
                    campaign, acknowledged = club.begin(hall, f"club-{run.at}"), []
            acknowledged += _kill_one(url, campaign, dice, server=lambda: postgres_server.kill(home))
            postgres_server.start(home, DURABLE)
            with club.opened(url) as hall:
                _nothing_is_lost(hall, campaign, acknowledged)
                if hall.store.head(campaign).size > LONG_ENOUGH:
                    _count_whole(run, hall, campaign, acknowledged)
                    campaign = ""
        if campaign:
            with club.opened(url) as hall:
                _count_whole(run, hall, campaign, acknowledged)
    finally:
        postgres_server.discard(home)


def answers_lost(run: Run) -> None:
    """The answer to a saved command gets lost and its sender sends it again: one key, one entry."""
    with club.opened(club.sqlite(run.folder / "club.db")) as hall:
        campaign = club.begin(hall)
        for dice in run.each_round():
            who = dice.choice(list(hall.state(campaign).gang_of))
            plan = Plan(command=AwardExperience(fighter=who, amount=dice.randint(1, 3), reason="well fought"))
            before = hall.store.head(campaign)
            first = hall.play(campaign, [plan], key=f"key-{run.at}")
            for _ in range(dice.randint(1, 3)):
                again = hall.play(campaign, [plan], key=f"key-{run.at}")
                assert again.repeated, "sent again, it was recorded again"
                assert again.entries == first.entries, "the second answer is not the first"
            assert hall.store.head(campaign).entries == before.entries + 1, "one key, more than one entry"
        club.everything_holds(hall, campaign)


def _kill_one(
    url: str, campaign: str, dice: random.Random, *, server: Callable[[], None] | None = None
) -> list[str]:
    """Fork a writer and kill it (or the server that it writes to) at a random moment; gives what it had said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _write_for_ever(url, campaign, dice, lambda line: _tell(writing, line))
        except BaseException as failure:
            _tell(writing, f"! {failure!r}")
        finally:
            os._exit(0)
    os.close(writing)
    try:
        select.select([reading], [], [], 20)
        time.sleep(dice.random() * 0.03)
        if server is not None:
            server()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said = b""
        while chunk := os.read(reading, 65536):
            said += chunk
    finally:
        os.close(reading)
    lines = said.decode().splitlines()
    failures = [line for line in lines if line.startswith("!")]
    assert not failures, failures
    assert lines, "the writer said nothing in twenty seconds"
    return lines


def _tell(pipe: int, line: str) -> None:
    os.write(pipe, f"{line}\n".encode())


def _write_for_ever(url: str, campaign: str, dice: random.Random, say: Say) -> None:
    """Append, and say each key with its entry once the append has come back."""
    hall = club.tracker(url, seed=dice.randrange(10**9))
    while True:
        key = f"key-{dice.getrandbits(64):016x}"
        try:
            played = club.something(hall, campaign, dice, key=key)
        except (CommitUnknown, ConnectionLost, DatabaseUnreachable):
            return
        if played is not None:
            say(f"{key} {played.entries[-1][0].entry}")


def _nothing_is_lost(hall: Tracker, campaign: str, acknowledged: list[str]) -> None:
    head = hall.store.head(campaign)
    for line in acknowledged:
        key, entry = line.split()
        assert int(entry) <= head.entries, f"acknowledged and lost: {key}, entry {entry}"
        receipt = hall.store.find_command(campaign, key)
        # Rulings go under keys of the tracker's own; of those the entry's number has to do.
        assert receipt is None or receipt.last_entry == int(entry), (
            f"{key} stands in another place than was said"
        )
    log = hall.store.verify(campaign)
    assert log.ok, log


def _count_whole(run: Run, hall: Tracker, campaign: str, acknowledged: list[str]) -> None:
    club.everything_holds(hall, campaign)
    run.count("logs verified whole")
    run.count("acknowledged", by=len(acknowledged))

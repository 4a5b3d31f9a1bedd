"""Kill -9 in the middle of appending: nothing acknowledged is lost, nothing is half there, a retry is one entry.

After every kill everything is looked at: chain, entries decided again, command keys, boards, snapshots. And what the
killed writer was about is sent again under its key, as by somebody who never had an answer.
"""

from __future__ import annotations

import os
import random
import select
import signal
import time
from collections.abc import Callable

import postgres_server

from tracker.campaign import records
from tracker.log import database
from tracker.log.refusals import CommitUnknown, ConnectionLost, DatabaseUnreachable
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

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
            with club.opened(url) as tracker:
                campaign, acknowledged = club.begin(tracker), []
        said = _kill_one(url, campaign, dice)
        journal = file.with_name("club.db-journal")
        run.count("hot journals", by=journal.exists() and journal.stat().st_size > 0)
        if _look(run, url, campaign, acknowledged, said) > LONG_ENOUGH:
            campaign = ""
            for left in run.folder.glob("club.db*"):
                left.unlink()


def postgres(run: Run) -> None:
    """The whole PostgreSQL is killed while a child appends, and comes up again."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home, DURABLE)
        database.upgrade(url)
        campaign, acknowledged = "", list[str]()
        for dice in run.each_round():
            if not campaign:
                with club.opened(url) as tracker:
                    campaign, acknowledged = club.begin(tracker, f"club-{run.at}"), []
            said = _kill_one(url, campaign, dice, server=lambda: postgres_server.kill(home))
            postgres_server.start(home, DURABLE)
            if _look(run, url, campaign, acknowledged, said) > LONG_ENOUGH:
                campaign = ""
    finally:
        postgres_server.discard(home)


def answers_lost(run: Run) -> None:
    """The answer to a saved command gets lost and its sender sends it again: one key, one entry."""
    with club.opened(club.sqlite(run.folder / "club.db")) as tracker:
        campaign = club.begin(tracker)
        for dice in run.each_round():
            who = dice.choice(list(tracker.repository.state(campaign).gang_of))
            plan = CommandWithDice(
                command=records.AwardExperience(fighter=who, amount=dice.randint(1, 3), reason="well fought")
            )
            before = tracker.repository.store.head(campaign)
            first = tracker.commands.play(campaign, [plan], key=f"key-{run.at}")
            for _ in range(dice.randint(1, 3)):
                again = tracker.commands.play(campaign, [plan], key=f"key-{run.at}")
                assert again.repeated, "sent again, it was recorded again"
                assert again.entries == first.entries, "the second answer is not the first"
            assert tracker.repository.store.head(campaign).entries == before.entries + 1, (
                "one key, more than one entry"
            )
        club.everything_holds(tracker, campaign)


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
    """Append, and say each key with its entry once the append has come back; of every other one, say it before."""
    tracker = club.open_tracker(url, seed=dice.randrange(10**9))
    while True:
        key = f"key-{dice.getrandbits(64):016x}"
        try:
            if (here := club.enlisted(tracker.repository.state(campaign))) and dice.random() < 0.5:
                who = dice.choice(here)
                say(f"? {key} {who}")
                played = tracker.commands.play(campaign, [_award(who)], key=key)
            else:
                played = club.something(tracker, campaign, dice, key=key)
        except (CommitUnknown, ConnectionLost, DatabaseUnreachable):
            return
        if played is not None:
            say(f"{key} {played.entries[-1][0].entry}")


def _award(who: str) -> CommandWithDice:
    return CommandWithDice(command=records.AwardExperience(fighter=who, amount=1, reason="well fought"))


def _look(run: Run, url: str, campaign: str, acknowledged: list[str], said: list[str]) -> int:
    """Whether all that was said before is there and holds, also after a retry; gives the size of the log."""
    answers = [line for line in said if not line.startswith("?")]
    acknowledged += answers
    run.count("acknowledged", by=len(answers))
    with club.opened(url) as tracker:
        nothing_is_lost(tracker, campaign, acknowledged)
        if said[-1].startswith("?"):
            acknowledged.append(_sent_again(run, tracker, campaign, said[-1]))
            nothing_is_lost(tracker, campaign, acknowledged)
        run.count("logs verified whole")
        return tracker.repository.store.head(campaign).size


def _sent_again(run: Run, tracker: Tracker, campaign: str, unanswered: str) -> str:
    """The command that had no answer, once more under its key: there already, or recorded now, and only once."""
    _, key, who = unanswered.split()
    before = tracker.repository.store.head(campaign)
    was_there = tracker.repository.store.find_command(campaign, key) is not None
    again = tracker.commands.play(campaign, [_award(who)], key=key)
    assert again.repeated == was_there, f"{key} was there: {was_there}, and its retry says otherwise"
    assert tracker.repository.store.head(campaign).entries == before.entries + (not was_there), (
        "one key, more than one entry"
    )
    run.count("unanswered, and it was saved" if was_there else "unanswered, and it was not saved")
    return f"{key} {again.entries[-1][0].entry}"


def nothing_is_lost(tracker: Tracker, campaign: str, acknowledged: list[str]) -> None:
    head = tracker.repository.store.head(campaign)
    for line in acknowledged:
        key, entry = line.split()
        assert int(entry) <= head.entries, f"acknowledged and lost: {key}, entry {entry}"
        receipt = tracker.repository.store.find_command(campaign, key)
        if receipt is None:
            # Rulings go under keys of the tracker's own; of those the entry has to do.
            header = tracker.repository.log.entry(campaign, int(entry))[0].event
            assert isinstance(header, records.DecisionTaken), f"acknowledged and lost: {key}, entry {entry}"
            ruled = isinstance(header.command, (records.DisputeRoll, records.RuleOnDispute))
            assert ruled, f"acknowledged and lost: the key {key} of entry {entry}"
            continue
        assert receipt.last_entry == int(entry), f"{key} stands in another place than was said"
    club.everything_holds(tracker, campaign)

"""Many processes on one campaign: no failed append, no gap, no entry moved, every answer true when it was given.

Between their appends they read, the log and a board: what they find is a beginning of the log, holds all that was
answered before they asked, and nothing that was not begun before they were answered. Now and then one of them is killed;
another takes its place and sends again, under its key, what was not answered: it is there once.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import postgres_server

from tracker.campaign import records
from tracker.log import database
from tracker.log.refusals import DatabaseBusy
from tracker.projections import queries
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

from . import club
from .runner import Run

WRITERS = 8
CROWD = 32
APPENDS_EACH = 12
KILLED_AT_MOST = 4
KILLED_WITHIN = 0.1
"""Seconds between one killing and the next, at most."""


def sqlite(run: Run, *, writers: int = WRITERS) -> None:
    """Writers on one SQLite file."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            _race(run, club.sqlite(folder / "club.db"), "club", dice, writers)


def postgres(run: Run, *, writers: int = WRITERS) -> None:
    """Writers on one PostgreSQL campaign."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        database.upgrade(url)
        for dice in run.each_round():
            _race(run, url, f"club-{run.at}", dice, writers)
    finally:
        postgres_server.discard(home)


@dataclass(frozen=True)
class Answer:
    """What somebody was reported: `entry` is the one that was made, or the last of those that were read. What was sent
    again was begun when it was sent first.
    """

    kind: str
    begun: int
    ended: int
    entry: int
    leaf: str = ""
    sent_again: bool = False
    was_there: bool = False


def _race(run: Run, url: str, slug: str, dice: random.Random, crowd: int) -> None:
    with club.opened(url) as tracker:
        campaign = club.begin(tracker, slug)
        before = tracker.repository.store.head(campaign)
    writers = [_Writer(url, campaign, number, dice.randrange(10**9)) for number in range(crowd)]
    for _ in range(dice.randint(0, KILLED_AT_MOST)):
        time.sleep(dice.random() * KILLED_WITHIN)
        run.count("writers killed", by=dice.choice(writers).killed_and_replaced())
    answered = [answer for writer in writers for answer in writer.answers(before.entries)]
    appends = [answer for answer in answered if answer.kind == "append"]
    reads = [answer for answer in answered if answer.kind != "append"]
    with club.opened(url) as tracker:
        head = tracker.repository.store.head(campaign)
        assert len(appends) == crowd * APPENDS_EACH, "a writer gave up"
        entries = sorted(answer.entry for answer in appends)
        assert entries == list(range(before.entries + 1, head.entries + 1)), (
            "two answers name one entry, or none"
        )
        leaves = {event.entry: event.leaf.hex() for event in tracker.repository.store.read(campaign)}
        club.everything_holds(tracker, campaign)
    nothing_overtook(appends, reads, before.entries, leaves)
    run.count("appends", by=len(appends))
    run.count("reads", by=len(reads))
    refused = sum(writer.refused for writer in writers)
    assert not refused or crowd > WRITERS, "a writer was refused"
    run.count("refused as busy, and sent again", by=refused)
    run.count("sent again", by=sum(answer.sent_again for answer in appends))
    run.count("sent again, and it was saved", by=sum(answer.was_there for answer in appends))


def nothing_overtook(
    appends: list[Answer], reads: list[Answer], entries_before: int, leaves: dict[int, str]
) -> None:
    """Whoever had an answer before another asked stands before it; `leaves` are those of each entry's last event."""
    begun_at = {answer.entry: answer.begun for answer in appends}
    for answered in (*appends, *reads):
        earlier = [append.entry for append in appends if append.ended < answered.begun]
        if answered.kind == "append":
            assert all(entry < answered.entry for entry in earlier), "an entry overtook another"
            continue
        assert max(earlier, default=entries_before) <= answered.entry, (
            f"a {answered.kind} was read that was stale"
        )
        assert all(
            begun_at[entry] < answered.ended for entry in range(entries_before + 1, answered.entry + 1)
        ), f"a {answered.kind} was read that tells of what was not begun"
        assert answered.kind == "board" or answered.leaf == leaves[answered.entry], (
            "what was read is no beginning of the log"
        )
        later = [read.entry for read in reads if read.begun > answered.ended]
        assert min(later, default=answered.entry) >= answered.entry, "what was read once was not there again"


class _Writer:
    """A process that appends so often; where it is killed, another goes on behind its last answer."""

    def __init__(self, url: str, campaign: str, number: int, seed: int) -> None:
        self._work = lambda say, at: _append_and_read(url, campaign, number, seed, say, at)
        self._said: list[str] = []
        self.refused = 0
        self._start()

    def killed_and_replaced(self) -> bool:
        """Whether it was still at it."""
        if self._has_ended:
            return False
        os.kill(self._child, signal.SIGKILL)
        self._hear()
        if not self._has_ended:
            self._start()
        return not self._has_ended

    def answers(self, entries_before: int) -> list[Answer]:
        """All that it was reported, once it has ended."""
        if not self._has_ended:
            self._hear()
        assert self._has_ended, self._said
        asked: dict[str, list[int]] = {}
        answered = []
        for line in self._said:
            kind, *words = line.split()
            if kind == "ask":
                asked.setdefault(words[0], []).append(int(words[1]))
            elif kind == "busy":
                self.refused += 1
            elif kind == "append":
                times = asked[words[0]]
                ended, entry, was_there = map(int, words[1:])
                answered.append(
                    Answer(kind, times[0], ended, entry, sent_again=len(times) > 1, was_there=bool(was_there))
                )
            else:
                begun, ended, entry = map(int, words[:3])
                # A board tells how many awards it holds, each an entry.
                answered.append(
                    Answer(kind, begun, ended, entry + (entries_before if kind == "board" else 0), words[3])
                )
        return answered

    def _start(self) -> None:
        answered = Counter(line.split()[0] for line in self._said)["append"]
        self._reading, writing = os.pipe()
        self._child = os.fork()
        if self._child:
            os.close(writing)
            self._has_ended = False
            return
        try:
            # Each line at one go: of a process that is killed every line is whole.
            self._work(lambda line: os.write(writing, f"{line}\n".encode()), answered)
        except BaseException as failure:
            print(f"a writer: {failure!r}", file=sys.stderr)
            os._exit(1)
        os._exit(0)

    def _hear(self) -> None:
        """Everything it says until it ends."""
        with os.fdopen(self._reading) as lines:
            self._said += lines.read().splitlines()
        _, status = os.waitpid(self._child, 0)
        assert status in (0, signal.SIGKILL), self._said
        self._has_ended = status == 0


def _append_and_read(
    url: str, campaign: str, number: int, seed: int, say: Callable[[str], object], answered: int
) -> None:
    with club.opened(url, seed=seed) as tracker:
        fighters = list(tracker.repository.state(campaign).gang_of)
        for at in range(answered, APPENDS_EACH):
            dice = random.Random(f"{seed}:{at}")  # what is sent again is the same
            award = records.AwardExperience(fighter=dice.choice(fighters), amount=1, reason="a race")
            say(f"ask {at} {time.monotonic_ns()}")
            played = None
            while played is None:
                try:
                    played = tracker.commands.play(
                        campaign, [CommandWithDice(command=award)], key=f"{number}-{at}"
                    )
                except DatabaseBusy:  # more wait for the file than it lets wait; nothing was written
                    say(f"busy {at}")
            say(f"append {at} {time.monotonic_ns()} {played.entries[0][0].entry} {int(played.repeated)}")
            begun = time.monotonic_ns()
            found = _read(tracker, campaign) if dice.random() < 0.5 else _board(tracker, campaign)
            say(f"{found[0]} {begun} {time.monotonic_ns()} {found[1]} {found[2]}")


def _read(tracker: Tracker, campaign: str) -> tuple[str, int, str]:
    log = list(tracker.repository.store.read(campaign))
    assert [event.seq for event in log] == list(range(len(log))), "a gap was read"
    return "log", log[-1].entry, log[-1].leaf.hex()


def _board(tracker: Tracker, campaign: str) -> tuple[str, int, str]:
    with database.reading(tracker.engine) as connection:
        rows = queries.roster(connection, campaign)
    return "board", sum(fighter["experience"] for fighter in rows), "-"

"""Checks and pages beside writers: what is healthy is never called damaged, no page is of two moments, nobody waits.

Three processes play, rulings among it, while the command line verifies, is the doctor, and shows pages. A roster's
ratings are what its fighters add up to, and a page is what it was after one of the entries. For each thing that is
looked at they are allowed so many entries more: however slow the machine, there are so many that a page may be of.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import postgres_server
import scenario
from cli_arbitrator import Arbitrator

from tracker.campaign import records
from tracker.errors import Refusal, Stale
from tracker.log import database
from tracker.log.refusals import DatabaseBusy
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

from . import club
from .runner import Run

WRITERS = 3
CHECKS = (("audit", "verify"), ("boards", "verify"), ("doctor",))
PAGES = (("roster", "show"), ("standings", "show"), ("fighter", "show", "skulls-1"))
PAGES_A_CHECK = 2
BESIDE_A_CHECK, BESIDE_A_PAGE = 24, 8
"""Entries that the writers may begin when one is asked for."""
PAUSE_SECONDS = 0.2
"""Between two entries of a writer, at most: so that some come in the middle of what is looked at."""
ENTRIES_AT_MOST = 800
"""After so many a new campaign is begun: a check takes the longer the more there is."""


def sqlite(run: Run) -> None:
    """Beside writers on one SQLite file."""
    _rounds(run, club.sqlite(run.folder / "club.db"))


def postgres(run: Run) -> None:
    """Beside writers on one PostgreSQL campaign, on a server that has an opinion of its own on isolation."""
    home = postgres_server.make_home()
    try:
        strict = {"default_transaction_isolation": "serializable", "statement_timeout": "2000"}
        url = postgres_server.server_url(home, postgres_server.SETTINGS | strict)
        database.upgrade(url)
        _rounds(run, url)
    finally:
        postgres_server.discard(home)


def _rounds(run: Run, url: str) -> None:
    slug = campaign = ""
    for dice in run.each_round():
        with club.opened(url) as tracker:
            if not slug or tracker.repository.store.head(campaign).entries > ENTRIES_AT_MOST:
                slug = f"club-{run.at}"
                campaign = club.begin(tracker, slug)
            before = tracker.repository.store.head(campaign).entries
            with _writers(url, campaign, dice) as allow:
                _look(run, url, tracker, slug, campaign, dice, allow)
            club.everything_holds(tracker, campaign)
            run.count("entries written beside", by=tracker.repository.store.head(campaign).entries - before)


def _look(
    run: Run, url: str, tracker: Tracker, slug: str, campaign: str, dice: random.Random,
    allow: Callable[[int], object],
) -> None:  # fmt: skip
    table = Arbitrator(run.folder)
    for words in dice.sample(CHECKS, len(CHECKS)):
        allow(BESIDE_A_CHECK)
        ran = table("-c", slug, *words, db=url)
        assert ran.code == 0, f"{' '.join(words)} of a healthy log: {ran}"
        run.count("checks")
        for words in dice.choices(PAGES, k=PAGES_A_CHECK):
            first = tracker.repository.store.head(campaign).entries
            allow(BESIDE_A_PAGE)
            page = _page(table, url, slug, *words)
            last = tracker.repository.store.head(campaign).entries
            _ratings_add_up(page)
            entries = map(str, range(first, last + 1))
            assert any(
                page == _page(table, url, slug, *words, "--as-of-entry", entry) for entry in entries
            ), f"{' '.join(words)} is the page of no entry from {first} to {last}"
            run.count("pages")
            run.count("pages while somebody wrote", by=first != last)


def _page(table: Arbitrator, url: str, slug: str, *words: str) -> dict[str, Any]:
    ran = table("-c", slug, *words, "--json", db=url)
    assert ran.code == 0, f"{' '.join(words)}: {ran}"
    return {name: text for name, text in json.loads(ran.out).items() if name != "heading"}


def _ratings_add_up(page: dict[str, Any]) -> None:
    for gang in page.get("gangs", ()):
        if isinstance(gang.get("fighters"), list):
            adds_up = sum(
                fighter["cost_credits"]
                for fighter in gang["fighters"]
                if fighter["gang"] == gang["gang"] and fighter["standing"] == "enlisted"
            )
            assert adds_up == gang["rating_credits"], f"a torn roster: {gang}"


# --- those who write -----------------------------------------------------------------------------------------


@contextmanager
def _writers(url: str, campaign: str, dice: random.Random) -> Iterator[Callable[[int], object]]:
    """Gives what allows them so many entries more."""
    allowed, allows = os.pipe()
    children = [_started(url, campaign, dice.randrange(10**9), allowed, allows) for _ in range(WRITERS)]
    os.close(allowed)
    try:
        yield lambda entries: os.write(allows, bytes(entries))
    finally:
        os.close(allows)
        ended = [os.waitpid(child, 0)[1] for child in children]
    assert not any(ended), "a writer had to wait past its limit, or was refused"


def _started(url: str, campaign: str, seed: int, allowed: int, allows: int) -> int:
    child = os.fork()
    if child:
        return child
    try:
        os.close(allows)
        _write(url, campaign, random.Random(seed), allowed)
    except BaseException as failure:
        print(f"a writer: {failure!r}", file=sys.stderr)
        os._exit(1)
    os._exit(0)


def _write(url: str, campaign: str, dice: random.Random, allowed: int) -> None:
    with club.opened(url, seed=dice.randrange(10**9)) as tracker:
        while os.read(allowed, 1):
            key = f"{dice.randrange(10**12)}"
            begun = time.monotonic()
            try:
                if dice.random() < 0.2:
                    tracker.commands.play(campaign, [CommandWithDice(command=_recruit(dice))], key=key)
                else:
                    club.something(tracker, campaign, dice, key=key)
            except DatabaseBusy:
                raise
            except Stale:
                pass  # somebody wrote before a ruling did: it is asked for again another time
            except Refusal as refusal:
                if refusal.exit_code not in (
                    1,
                    2,
                ):  # another writer ruled on that dispute, or closed the battle
                    raise
            assert time.monotonic() - begun < database.BUSY_MILLISECONDS / 1000, "waited past the limit"
            time.sleep(dice.random() * PAUSE_SECONDS)


def _recruit(dice: random.Random) -> records.EnlistFighter:
    number = dice.randrange(10**9)
    cost = dice.randint(10, 90)
    card = scenario.card(f"recruit-{number}", name=f"Recruit {number}", kind="Ganger", cost_credits=cost)
    return records.EnlistFighter(gang=dice.choice(club.GANGS), card=card)

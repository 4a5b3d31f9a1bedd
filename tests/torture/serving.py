"""Processes of the service, killed at random under load."""

from __future__ import annotations

import postgres_server
from workers_killed import workers_are_killed

from tracker.log import database

from . import club
from .runner import Run

KILLS_AT_MOST = 6
WRITERS_AT_MOST = 6
WRITES_EACH = 25


def workers(run: Run) -> None:
    """Two of them on one PostgreSQL; each round begins a campaign, and serves it."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        database.upgrade(url)
        for dice in run.each_round():
            with club.opened(url) as tracker, run.empty_folder() as folder:
                club.begin(tracker, f"club-{run.at}")
                kills, writers = dice.randint(1, KILLS_AT_MOST), dice.randint(2, WRITERS_AT_MOST)
                where = (f"club-{run.at}", f"{club.GANGS[0]}-0")
                answers = workers_are_killed(
                    url, where, folder, dice, kills=kills, writers=writers, each=WRITES_EACH
                )
                run.count("kills", by=kills)
                run.count("acknowledged", by=writers * WRITES_EACH)
                run.count("sent again", by=answers.total() - writers * WRITES_EACH)
    finally:
        postgres_server.discard(home)

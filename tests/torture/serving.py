"""The service, killed at random under load: its processes, and the servers of PostgreSQL that it stands on."""

from __future__ import annotations

import cells_killed
import patroni_cluster
import postgres_server
from workers_killed import workers_are_killed

from tracker.log import database

from . import club
from .runner import Run, Unable

KILLS_AT_MOST = 6
WRITERS_AT_MOST = 6
WRITES_EACH = 25
ACTS_AT_MOST = 4


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


def cells(run: Run) -> None:
    """A host of two cells under Patroni and etcd; each round kills leaders, or a whole cell, under load."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            try:
                with cells_killed.host(folder) as host:
                    for _ in range(dice.randint(1, ACTS_AT_MOST)):
                        act = dice.choice([host.leader_killed, host.cell_killed, host.switched_over])
                        scene = act(dice.choice(["home", "west"]))
                        run.count("acts")
                        run.count("seconds without an answer", by=round(max(scene.silence.values())))
                    run.count("acknowledged", by=host.nothing_is_lost())
            except patroni_cluster.Unable as lacking:
                raise Unable(str(lacking)) from lacking

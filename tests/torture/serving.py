"""The service, killed at random under load: its processes, and the servers of PostgreSQL that it stands on."""

from __future__ import annotations

from contextlib import ExitStack

import cells_killed
import patroni_cluster
import postgres_server
import pytest
from battle_killed import battle_survives, board_of, served_on
from browsing import CHROMIUM, browsing
from workers_killed import workers_are_killed

from tracker.log.database import upgrade

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
        upgrade(url)
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


def battles(run: Run) -> None:
    """One of them, killed in the middle of a battle on the board: on PostgreSQL and on a file in turn."""
    if CHROMIUM is None:
        raise Unable("no browser: install chromium-headless-shell or chromium")
    home = postgres_server.make_home()
    try:
        postgres_server.server_url(home)
        with browsing() as browser, pytest.MonkeyPatch.context() as patch:
            for dice in run.each_round():
                with run.empty_folder() as folder, ExitStack() as database:
                    patch.setenv("XDG_DATA_HOME", str(folder / "data"))
                    if run.at % 2:
                        url = f"sqlite:///{folder / 'club.db'}"
                    else:
                        template = postgres_server.template(home, "at_head", upgrade)
                        url = database.enter_context(postgres_server.copy_of(home, template))
                    with (
                        served_on(url, folder) as served,
                        board_of(served, browser, on_a_phone=dice.random() < 0.5) as board,
                    ):
                        battle_survives(served, board, folder)
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

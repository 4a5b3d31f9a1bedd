"""Two cells of a host, each three nodes of PostgreSQL under Patroni, killed under load: the bench and the soak share it.

`home` is the database that the host opens: people, the directory and some campaigns. `west` is a further cell.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from patroni_cluster import DATABASE, Cluster, clusters
from running_service import running
from sqlalchemy import create_engine, text
from torture import club
from under_load import Load, nothing_is_lost_or_twice
from workers_killed import OPTIONS, token_of_machine

from tracker.log import database
from tracker.service.application import Tracker

CAMPAIGNS_EACH = 2
DOWN_SECONDS = 10.0
"""How long a cell stays dead, all of it."""
SETTLED_SECONDS = 5.0
"""After everything stands again: how long it is looked at."""


class Scene(NamedTuple):
    """What was done, and what it did to those who play: seconds within which nobody in a cell was acknowledged
    anything; the longest that anybody waited; and how long the cluster took to be whole again.
    """

    name: str
    seconds: float
    silence: dict[str, float]
    longest: dict[str, float]
    whole_seconds: float | None


class Host:
    """The two cells, served and under load."""

    def __init__(self, cells: dict[str, Cluster], tracker: Tracker, load: Load) -> None:
        self.cells, self.tracker, self.load = cells, tracker, load

    def quiet(self) -> Scene:
        """Nobody is killed."""
        return self._scene("nobody is killed", None, lambda: time.sleep(2 * SETTLED_SECONDS))

    def leader_killed(self, cell: str) -> Scene:
        """Another leads before the machine of the first boots again, and follows."""
        cluster = self.cells[cell]

        def kill() -> None:
            leader = cluster.leader()
            assert leader is not None
            leader.kill()
            cluster.wait_until(lambda: cluster.leader() not in (None, leader))
            leader.start()

        return self._scene(f"the leader of {cell} is killed", cluster, kill)

    def cell_killed(self, cell: str) -> Scene:
        """All of its nodes at once; they boot again a while later."""
        cluster = self.cells[cell]

        def kill() -> None:
            cluster.kill()
            time.sleep(DOWN_SECONDS)
            cluster.start()

        return self._scene(f"all of {cell} is killed, for {DOWN_SECONDS:.0f} s", cluster, kill)

    def switched_over(self, cell: str) -> Scene:
        """Planned: Patroni hands the lead over."""
        cluster = self.cells[cell]

        def switch() -> None:
            leader = cluster.leader()
            assert leader is not None
            leader.hand_over()
            cluster.wait_until(lambda: cluster.leader() not in (None, leader))

        return self._scene(f"{cell} changes its leader, as planned", cluster, switch)

    def _scene(self, name: str, cluster: Cluster | None, act: Callable[[], None]) -> Scene:
        began = time.monotonic()
        act()
        whole = None
        if cluster is not None:
            cluster.wait_until(cluster.is_whole)
            whole = time.monotonic() - began
        time.sleep(SETTLED_SECONDS)
        ended = time.monotonic()
        silence, longest = (
            {cell: measured(names(cell), began, ended) for cell in self.cells}
            for measured in (self.load.silence, self.load.longest)
        )
        return Scene(name, ended - began, silence, longest, whole)

    def nothing_is_lost(self) -> int:
        """Ends the load; every entry that was acknowledged is there once, and every log verifies. How many."""
        self.load.stop()
        there = 0
        for cell in self.cells:
            for name in names(cell):
                known = self.tracker.directory.campaign_id(name, wherever=True)
                keeper = self.tracker.cells.keeping(known)
                reasons = [one.reason for one in self.load.acknowledged if one.campaign == name]
                there += nothing_is_lost_or_twice(keeper, known, reasons)
                audit = keeper.audit.verify(known)
                assert audit.ok, audit
        return there


def names(cell: str) -> list[str]:
    """The campaigns of a cell."""
    return [f"{cell}-{number}" for number in range(CAMPAIGNS_EACH)]


@contextmanager
def host(folder: Path, *, above: Path | None = None, writers: int = 2) -> Iterator[Host]:
    """A host with two cells under load; `folder` takes what the service says, `above` the data of the clusters.

    Raises patroni_cluster.Unable.
    """
    with clusters(["home", "west"], above) as (home, west):
        for cluster in (home, west):
            engine = create_engine(cluster.url("postgres"), isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {DATABASE}"))
            engine.dispose()
            database.upgrade(cluster.url(DATABASE))
        tracker = Tracker(home.url(DATABASE), actor="mara")
        try:
            tracker.cells.add("west", west.url(DATABASE), standby=west.url(DATABASE, "prefer-standby"))
            for name in names("home"):
                club.begin(tracker, name)
            for name in names("west"):
                tracker.cells.move(club.begin(tracker, name), "west")
            token = token_of_machine(tracker)
            with running(home.url(DATABASE), folder, *OPTIONS) as service:
                service.token = token
                who = f"{club.GANGS[0]}-0"
                campaigns = [(name, who) for cell in ("home", "west") for name in names(cell)]
                load = Load(service, campaigns, writers=writers, readers=1)
                time.sleep(SETTLED_SECONDS)
                yield Host({"home": home, "west": west}, tracker, load)
                load.stop()
        finally:
            tracker.close()

"""All campaigns of an export on a Spark cluster, whose executors and machines are killed while they are at work."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import spark_cluster

from bench import everywhere
from tracker.analytics import jobs, replays, spark, what_ifs

from .runner import Run, Unable

CAMPAIGNS = 24
KILLS_AT_MOST = 3
"""Of four tries that Spark gives a campaign: whichever is killed with another has the last left."""
JOBS: dict[str, tuple[jobs.Job[Any], type[Any]]] = {
    "played again": (replays.replay, replays.ReplayResult),
    "decided again": (
        partial(what_ifs.exported_season, adopt=(everywhere.POLICY,), without=(), from_battle=1),
        what_ifs.OtherSeason,
    ),
}


def executors(run: Run) -> None:
    """Each round kills some, each while it has a campaign of its own in hand, and asks for the bytes that one process
    answers with.
    """
    try:
        with (
            run.empty_folder() as home,
            patch.dict(spark.SETTINGS, spark_cluster.SETTINGS),
            spark_cluster.running(home, modules=Path(__file__).parents[1]) as cluster,
        ):
            files = everywhere.exported(home, CAMPAIGNS)
            expected = {name: answered(files, *job, master=None) for name, job in JOBS.items()}
            campaigns = sorted(
                campaign.campaign for campaign in replays.replayed(files, master=None, tell=nobody)
            )
            for dice in run.each_round():
                name = dice.choice(list(JOBS))
                job, kind = JOBS[name]
                victims: dict[str, spark_cluster.What] = dict.fromkeys(
                    dice.sample(campaigns, dice.randint(1, KILLS_AT_MOST)), "executor"
                )
                if dice.random() < 0.5:
                    victims[dice.choice(list(victims))] = "machine"
                with run.empty_folder() as witnesses:
                    dying = partial(killing, job=job, victims=victims, witnesses=witnesses)
                    found = answered(files, dying, kind, master=cluster.master)
                    assert {witness.name for witness in witnesses.iterdir()} == {*victims}, "each was killed"
                assert found == expected[name], f"{name} on a cluster, {victims} killed: another answer"
                cluster.mend()
                run.count(f"seasons {name}", by=len(campaigns))
                for what in victims.values():
                    run.count(f"{what}s killed")
    except spark_cluster.Unable as lacking:
        raise Unable(str(lacking)) from lacking


def killing(
    exported: jobs.Campaign,
    *,
    job: jobs.Job[Any],
    victims: dict[str, spark_cluster.What],
    witnesses: Path,
) -> Any:
    """The job; but whoever is the first to be given a campaign of the victims is killed with it in hand."""
    what = victims.get(exported.campaign)
    if what is not None:
        try:
            (witnesses / exported.campaign).touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            spark_cluster.kill_from_within(what)
    return job(exported)


def answered(files: Path, job: jobs.Job[Any], kind: type[Any], *, master: str | None) -> bytes:
    """The answers, byte for byte as they are printed as JSON."""
    return msgspec.json.encode(jobs.run_job(files, job, kind, master=master, tell=nobody))


def nobody(done: int, total: int) -> None:
    """Who waits sees nothing."""

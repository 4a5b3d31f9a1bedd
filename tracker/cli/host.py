"""Hosts: all campaigns of a database at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from tracker.analytics import event_files, replays, spark, statistics, what_ifs
from tracker.cli import host_cells
from tracker.cli.options import as_json, form_of, pass_session, progress, show, what_if_options
from tracker.cli.policy import policies_of_what_if
from tracker.cli.session import Session
from tracker.reports.analytics import (
    events_written_page,
    replays_page,
    statistics_page,
    what_ifs_page,
)

F = TypeVar("F", bound=Callable[..., Any])


@click.group("host")
def command() -> None:
    """Work on all campaigns at once: export, count, replay, move."""


command.add_command(host_cells.command)
command.add_command(host_cells.move)


@command.command("export")
@click.option(
    "--parquet",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder to write to.",
)
@click.option("--names", is_flag=True, help="Name the players, and write the events as sealed.")
@as_json
@pass_session
def export(session: Session, folder: Path, names: bool, as_json: bool) -> None:
    """Write every campaign's events to DIR as Parquet.

    Players appear under pseudonyms, different in each campaign (docs/formats/event-files.md). An interrupted
    export continues where it stopped. A repeated one writes what changed.

    \b
    arbitrator host export --parquet everything
    duckdb -c "select type, count(*) from 'everything/*.parquet' group by 1"
    """
    tracker = session.tracker
    with progress("Campaigns written") as tell:
        written = event_files.export_all(
            tracker.repository, tracker.directory.campaigns_kept().values(), folder, names=names, tell=tell
        )
    session.note(f"The events are exported, to {folder}")
    show(events_written_page(written, folder, names=names), as_json=as_json)


@command.command("stats")
@click.argument("place", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--at-least",
    "faces_min",
    type=click.IntRange(1, 1_000_000),
    default=statistics.FACES_MIN,
    show_default=True,
    help="Test dice with at least this many rolls.",
)
@form_of("text", "md", "html", "json")
@as_json
def stats(place: Path, faces_min: int, form: str, as_json: bool) -> None:
    """Count dice, injuries, survivors and house rules in DIR.

    Reads the event files of 'host export'. Dice are tested by purpose, origin, player and campaign, each p
    corrected for the number of tests. HTML has pictures. Needs no database.

    \b
    arbitrator host export --parquet everything
    arbitrator host stats everything --format html > everything.html
    """
    page = statistics_page(statistics.statistics(place, faces_min=faces_min), faces_min=faces_min)
    show(page, form, as_json=as_json)


def by_spark(function: F) -> F:
    """--spark and --master, given as one `master`: None for this process."""

    @click.option("--spark", "is_spark", is_flag=True, help="As a Spark job, on all cores of this machine.")
    @click.option("--master", metavar="URL", help="As a Spark job, on this cluster (docs/all-campaigns.md).")
    @wraps(function)
    def asked(*arguments: Any, is_spark: bool, master: str | None, **options: Any) -> Any:
        return function(*arguments, master=master or (spark.LOCAL if is_spark else None), **options)

    return cast("F", asked)


@command.command("replay")
@click.argument("place", type=click.Path(path_type=Path), metavar="DIR")
@by_spark
@as_json
def replay(place: Path, master: str | None, as_json: bool) -> None:
    """Replay the campaigns in DIR's event files.

    For each it prints the SHA-256 of its final state: the same events give the same hash anywhere. Needs no
    database.

    \b
    arbitrator host replay everything
    """
    with progress("Campaigns played" if master is None else "Tasks done") as tell:
        replayed = replays.replayed(place, master=master, tell=tell)
    show(replays_page(replayed), as_json=as_json)


@command.command("what-if")
@what_if_options
@click.option(
    "--in",
    "place",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The campaigns in DIR's files of events, and not those of the database.",
)
@by_spark
@as_json
@pass_session
def what_if(
    session: Session,
    policies: tuple[str, ...],
    without: tuple[str, ...],
    from_battle: int,
    place: Path | None,
    master: str | None,
    as_json: bool,
) -> None:
    """Play all seasons again under other house rules.

    Each entry is decided again from its own dice, as 'policy what-if' does for one campaign, and nothing is
    written. An entry that would need dice nobody rolled, or that the rules then refuse, stays as played.

    \b
    arbitrator host what-if one-lasting-injury-roll@1
    """
    adopt = policies_of_what_if(policies, without)
    if place is None and master is not None:
        raise click.UsageError("Spark reads files of events: name their folder with --in DIR.")
    with progress("Campaigns decided again" if master is None else "Tasks done") as tell:
        if place is None:
            seasons = what_ifs.what_if(
                session.tracker, adopt=adopt, without=without, from_battle=from_battle, tell=tell
            )
        else:
            seasons = what_ifs.what_if_exported(
                place, adopt=adopt, without=without, from_battle=from_battle, master=master, tell=tell
            )
    show(what_ifs_page(seasons, adopting=policies, without=without, from_battle=from_battle), as_json=as_json)

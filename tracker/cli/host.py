"""Hosts: all campaigns of a database at once."""

from __future__ import annotations

from pathlib import Path

import click

from tracker.analytics import event_files, statistics
from tracker.cli.options import as_json, form_of, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.analytics import events_written_page, statistics_page


@click.group("host")
def command() -> None:
    """All campaigns of the database at once: export their events, count over them."""


@command.command("export")
@click.option(
    "--parquet", "folder", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where to."
)
@click.option("--names", is_flag=True, help="With the players' names, and the events as they were sealed.")
@as_json
@pass_session
def export(session: Session, folder: Path, names: bool, as_json: bool) -> None:
    """Write the events of every campaign to DIR as Parquet (docs/formats/event-files.md).

    Players go by pseudonyms, others in each campaign. An export that was interrupted goes on where it
    stopped, and one that is repeated writes what has changed.

    \b
    arbitrator host export --parquet everything
    duckdb -c "select type, count(*) from 'everything/*.parquet' group by type"
    """
    tracker = session.tracker
    with progress("Campaigns written") as tell:
        written = event_files.export_all(
            tracker.repository, tracker.directory.campaigns_logged().values(), folder, names=names, tell=tell
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
    help="Test dice of which so many faces fell.",
)
@form_of("text", "md", "html", "json")
@as_json
def stats(place: Path, faces_min: int, form: str, as_json: bool) -> None:
    """Count over the files of events in DIR: dice, injuries, who lives, house rules.

    Dice are tested by what they were rolled for, where they came from, player and campaign, each p corrected
    for the number of tests. HTML has pictures. Needs no database.

    \b
    arbitrator host export --parquet everything
    arbitrator host stats everything --format html > everything.html
    """
    page = statistics_page(statistics.statistics(place, faces_min=faces_min), faces_min=faces_min)
    show(page, form, as_json=as_json)

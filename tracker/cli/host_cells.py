"""Cells of a host: further databases for its campaigns, and moving a campaign from one to another."""

from __future__ import annotations

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.cells import cell_added_page, cells_page, moved_page
from tracker.service.cells import STEPS


@click.group("cell")
def command() -> None:
    """Add and list databases that share a host's campaigns."""


@command.command("add")
@click.argument("cell")
@click.argument("url")
@click.option("--standby", metavar="URL", help="A replica of it, for reading boards.")
@as_json
@pass_session
def add(session: Session, cell: str, url: str, standby: str | None, as_json: bool) -> None:
    """Add the database at URL as CELL.

    A PostgreSQL database is upgraded first ('arbitrator db upgrade').

    \b
    arbitrator --db URL db upgrade
    arbitrator host cell add west 'postgresql+psycopg://trk@w1/league'
    """
    added = session.tracker.cells.add(
        cell, session.address(url), standby=standby and session.address(standby)
    )
    session.note(f"The cell {cell} is added")
    show(cell_added_page(added), as_json=as_json)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the cells, their addresses and how many campaigns each has.

    \b
    arbitrator host cell list
    """
    show(cells_page(session.tracker.cells.every()), as_json=as_json)


@click.command("move")
@click.argument("campaign")
@click.argument("cell")
@as_json
@pass_session
def move(session: Session, campaign: str, cell: str, as_json: bool) -> None:
    """Move CAMPAIGN to another CELL; 'home' is this database.

    While it is copied, everybody writes on. Then writing waits for some seconds, while the last entries
    follow. Repeat an interrupted move: it has not happened, or it is finished then.

    \b
    arbitrator host move ash-wastes west
    """
    tracker = session.tracker
    campaign_id = tracker.directory.campaign_id(campaign, wherever=True)
    with progress("Steps of the move") as tell:
        moved = tracker.cells.move(
            campaign_id, cell, done=lambda step: tell(STEPS.index(step) + 1, len(STEPS))
        )
    session.note(f"{campaign} is in {moved.target}")
    show(moved_page(moved, campaign), as_json=as_json)

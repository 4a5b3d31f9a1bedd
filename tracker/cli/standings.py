"""Standings."""

from __future__ import annotations

import click

from tracker.cli.options import as_json as json_option
from tracker.cli.options import paper, pass_session, show
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.reports.paper import safe
from tracker.reports.standings import standings_csv, standings_json, standings_markdown, standings_text


@click.group("standings")
def command() -> None:
    """Show the standings."""


@command.command("show")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "md", "csv", "json")),
    default="text",
    show_default=True,
    help="How it is written.",
)
@json_option
@pass_session
def show_(session: Session, form: str, as_json: bool) -> None:
    """The gangs, those with most battles won first."""
    campaign = session.campaign
    heading = safe(session.slug)
    with database.reading(session.tracker.engine) as connection:
        rows = queries.standings(connection, campaign)
    if as_json or form == "json":
        show(standings_json(rows, heading=heading))
    elif form == "md":
        show(standings_markdown(rows, heading=heading))
    elif form == "csv":
        show(standings_csv(rows))
    else:
        show(standings_text(rows, heading=heading, **paper()))

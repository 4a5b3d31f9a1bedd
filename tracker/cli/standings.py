"""Standings."""

from __future__ import annotations

import click

from tracker.cli.options import as_json as json_option
from tracker.cli.options import at_point, form_of, pass_session, show
from tracker.cli.session import Session
from tracker.reports.escaping import sanitize
from tracker.reports.standings import standings_board_page
from tracker.service.as_of import AsOf


@click.group("standings")
def command() -> None:
    """Show the standings."""


@command.command("show")
@form_of("text", "md", "discord", "html", "csv", "json")
@at_point
@json_option
@pass_session
def show_(session: Session, form: str, as_json: bool, point: AsOf) -> None:
    """List the gangs, most battles won first.

    Also says who leads for each triumph.

    \b
    arbitrator standings show
    """
    heading = sanitize(session.slug) + ("" if point.is_now else f", {sanitize(point.words())}")
    board = session.tracker.boards.standings(session.campaign, point, with_history=form == "html")
    show(standings_board_page(board, heading=heading), form, as_json=as_json)

"""Standings."""

from __future__ import annotations

import click

from tracker.cli.options import as_json as json_option
from tracker.cli.options import form_of, of_one_moment, pass_session, show
from tracker.cli.points import at_point
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.projections.standings import gang_row, in_order
from tracker.reports.escaping import sanitize
from tracker.reports.standings import standings_page
from tracker.rules import loader
from tracker.service.as_of import AsOf


@click.group("standings")
def command() -> None:
    """Show the standings."""


@command.command("show")
@form_of("text", "md", "discord", "html", "csv", "json")
@at_point
@json_option
@pass_session
@of_one_moment
def show_(session: Session, form: str, as_json: bool, point: AsOf) -> None:
    """The gangs, those with most battles won first, and who would have each of the book's triumphs now."""
    campaign = session.campaign
    heading = sanitize(session.slug)
    if point.is_now:
        with database.reading(session.tracker.engine) as connection:
            rows = queries.standings(connection, campaign)
    else:
        gangs = session.tracker.boards.state_at(campaign, point).gangs.values()
        rows = [dict(row) for row in in_order(gang_row(gang) for gang in gangs)]
        heading += f", {sanitize(point.words())}"
    found = session.tracker.boards.pending(campaign, point).about([row["gang"] for row in rows])
    book = loader.book(session.tracker.repository.state(campaign).book)
    rules = book.post_battle_rules
    page = standings_page(
        rows,
        heading=heading,
        triumphs=rules.triumphs if rules is not None else (),
        pending=found.disputes,
        resting=found.resting,
        history=session.tracker.boards.rating_history(campaign, point) if form == "html" else (),
        currency=book.currency,
    )
    show(page, form, as_json=as_json)

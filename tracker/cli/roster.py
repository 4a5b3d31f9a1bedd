"""Rosters: now, as of a battle, as of an entry, in several formats."""

from __future__ import annotations

from typing import Any

import click

from tracker.campaign.refusals import UnknownGang
from tracker.cli.options import ENTRY_NUMBER, as_json, paper, pass_session, show
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.projections.roster import fighter_row
from tracker.projections.standings import gang_row
from tracker.reports.paper import safe
from tracker.reports.roster import roster_csv, roster_json, roster_markdown, roster_text
from tracker.reports.roster_page import roster_html

FORMATS = ("text", "md", "html", "csv", "json")
Row = dict[str, Any]


@click.group("roster")
def command() -> None:
    """Show rosters, now or as of a battle or entry."""


@command.command("show")
@click.argument("who", required=False)
@click.option(
    "--as-of-battle", metavar="BATTLE", help="How it stands, by what counts now, after that battle."
)
@click.option("--as-of-entry", type=ENTRY_NUMBER, help="What was believed after that entry.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How it is written.",
)
@as_json
@pass_session
def show_(
    session: Session,
    who: str | None,
    as_of_battle: str | None,
    as_of_entry: int | None,
    form: str,
    as_json: bool,
) -> None:
    """The rosters of all gangs, of one GANG, or one FIGHTER's line."""
    if as_of_battle is not None and as_of_entry is not None:
        raise click.UsageError("--as-of-battle and --as-of-entry ask two different questions: give one.")
    print_roster(
        session, who, "json" if as_json else form, as_of_battle=as_of_battle, as_of_entry=as_of_entry
    )


def print_roster(
    session: Session,
    who: str | None,
    form: str,
    *,
    as_of_battle: str | None = None,
    as_of_entry: int | None = None,
) -> None:
    """Print the roster of everybody, a gang or a fighter."""
    tracker = session.tracker
    campaign = session.campaign
    heading = safe(session.slug)
    pending: list[Row] = []
    if as_of_battle is None and as_of_entry is None:
        with database.reading(tracker.engine) as connection:
            gangs = queries.gangs(connection, campaign)
            fighters = queries.roster(connection, campaign)
            pending = queries.disputes(connection, campaign, is_open=True)
    else:
        state = tracker.state(campaign, as_of_battle=as_of_battle, as_of_entry=as_of_entry)
        gangs = [dict(gang_row(gang)) for gang in state.gangs.values()]
        fighters = [
            dict(fighter_row(fighter)) for gang in state.gangs.values() for fighter in gang.fighters.values()
        ]
        heading += (
            f", after battle {as_of_battle}" if as_of_battle else f", as believed after entry {as_of_entry}"
        )
    gangs, fighters = _about(who, gangs, fighters)
    if form == "text":
        show(roster_text(gangs, fighters, heading=heading, pending=pending, **paper()))
    elif form == "csv":
        show(roster_csv(gangs, fighters))
    else:
        printed = {"md": roster_markdown, "html": roster_html, "json": roster_json}[form]
        show(printed(gangs, fighters, heading=heading, pending=pending))


def _about(who: str | None, gangs: list[Row], fighters: list[Row]) -> tuple[list[Row], list[Row]]:
    if who is None:
        return gangs, fighters
    wanted = who.casefold()
    for gang in gangs:
        if wanted in (gang["gang"], gang["name"].casefold()):
            return [gang], [row for row in fighters if row["gang"] == gang["gang"]]
    for fighter in fighters:
        if wanted in (fighter["fighter"], fighter["name"].casefold()):
            return [gang for gang in gangs if gang["gang"] == fighter["gang"]], [fighter]
    raise UnknownGang(
        gang=who, known=(*(row["gang"] for row in gangs), *(row["fighter"] for row in fighters))
    )

"""Rosters: now, as of a battle, an entry or a day, in several formats; what changed between two points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tracker.cli.called import Called, who_is
from tracker.cli.options import as_json, form_of, of_one_moment, pass_session, show
from tracker.cli.points import at_point
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.projections.roster import fighter_row
from tracker.projections.standings import gang_row
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.roster import board_names, roster_page
from tracker.service.as_of import NOW, AsOf, read_as_of

FORMATS = ("text", "md", "html", "csv", "json")
Row = dict[str, Any]


@click.group("roster")
def command() -> None:
    """Show rosters, now or as of a battle, entry or day; compare two points."""


@command.command("show")
@click.argument("who", required=False)
@at_point
@form_of(*FORMATS)
@as_json
@pass_session
@of_one_moment
def show_(session: Session, who: str | None, form: str, as_json: bool, point: AsOf) -> None:
    """The rosters of all gangs, of one GANG, or one FIGHTER's line."""
    print_roster(session, who, "json" if as_json else form, point=point)


@command.command("diff")
@click.argument("who", required=False)
@click.option("--from", "before", required=True, metavar="POINT", help="What to compare with.")
@click.option("--to", "after", default="now", show_default=True, metavar="POINT", help="What to compare.")
@as_json
@pass_session
@of_one_moment
def diff(session: Session, who: str | None, before: str, after: str, as_json: bool) -> None:
    """What changed between two POINTs: for all, one GANG or one FIGHTER.

    A point is battle:3 (how it stands by what counts now, up to that battle's end), entry:57 (what was
    believed after that entry), date:2026-03-01 (what was believed that evening), or now.
    """
    # Not above: what stands on the boards is shown without the chapters.
    from tracker.reports.differences import differences, roster_diff_page

    tracker, campaign = session.tracker, session.campaign
    points = read_as_of(before), read_as_of(after)
    states = tracker.boards.state_at(campaign, points[0]), tracker.boards.state_at(campaign, points[1])
    names = Names.of_states(*states)
    found = differences(*states, names)
    if who is not None:
        kind, known = _called(who, names.gangs, names.fighters)
        found = [one for one in found if one["gang" if kind == "gang" else "fighter"] == known]
    words = points[0].words(), points[1].words()
    typed = str(points[0]), str(points[1])
    page = roster_diff_page(found, names, heading=sanitize(session.slug), words=words, points=typed)
    show(page, as_json=as_json)


def print_roster(session: Session, who: str | None, form: str, *, point: AsOf = NOW) -> None:
    """Print the roster of everybody, a gang or a fighter."""
    campaign = session.campaign
    heading = sanitize(session.slug)
    disputed = True
    if point.is_now:
        with database.reading(session.tracker.engine) as connection:
            gangs = queries.gangs(connection, campaign)
            fighters = queries.roster(connection, campaign)
            disputed = bool(queries.disputes(connection, campaign, is_open=True))
    else:
        state = session.tracker.boards.state_at(campaign, point)
        gangs = [dict(gang_row(gang)) for gang in state.gangs.values()]
        fighters = [
            dict(fighter_row(fighter)) for gang in state.gangs.values() for fighter in gang.fighters.values()
        ]
        heading += f", {sanitize(point.words())}"
    names = board_names(gangs, fighters)
    gangs, fighters = _about(who, gangs, fighters)
    found = session.tracker.boards.pending(campaign, point) if disputed else None
    pending, resting = (found.disputes, found.resting) if found is not None else ((), ())
    page = roster_page(
        gangs,
        fighters,
        heading=heading,
        pending=pending,
        resting=resting,
        names=names,
        history=session.tracker.boards.rating_history(campaign, point) if form == "html" else (),
    )
    show(page, form)


def _about(who: str | None, gangs: list[Row], fighters: list[Row]) -> tuple[list[Row], list[Row]]:
    if who is None:
        return gangs, fighters
    kind, known = _called(
        who,
        {row["gang"]: row["name"] for row in gangs},
        {row["fighter"]: row["name"] for row in fighters},
    )
    if kind == "gang":
        # Whom the gang holds captive stands on its roster too.
        theirs = [row for row in fighters if known in (row["gang"], row["held_by"])]
        return [gang for gang in gangs if gang["gang"] == known], theirs
    (line,) = [row for row in fighters if row["fighter"] == known]
    return [gang for gang in gangs if gang["gang"] == line["gang"]], [line]


def _called(who: str, gangs: Mapping[str, str], fighters: Mapping[str, str]) -> Called:
    found = who_is(who, gang=gangs, fighter=fighters)
    if found is None:
        from tracker.campaign.refusals import UnknownGang  # not above: a refusal is rare

        raise UnknownGang(gang=who, known=(*gangs, *fighters))
    return found

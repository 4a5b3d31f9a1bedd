"""Rosters: now, as of a battle, an entry or a day, in several formats; what changed between two points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from tracker.cli.name_lookup import Called, look_up
from tracker.cli.options import as_json, at_point, form_of, pass_session, show
from tracker.cli.session import Session
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.roster import board_names, roster_page
from tracker.service.as_of import NOW, AsOf, read_as_of

GONE_MOST = 10
"""The most dead and gone fighters of a gang that are listed; more are only counted."""
FORMATS = ("text", "md", "html", "csv", "json", "discord")
Row = dict[str, Any]


@click.group("roster")
def command() -> None:
    """Show rosters, now or at an earlier point; compare two points."""


@command.command("show")
@click.argument("who", required=False)
@at_point
@form_of(*FORMATS)
@as_json
@click.option("--all", "whom", flag_value="all", help="List everybody who is dead or gone.")
@click.option("--living", "whom", flag_value="living", help="Leave out who is dead or gone, in JSON too.")
@pass_session
def show_(session: Session, who: str | None, form: str, as_json: bool, whom: str | None, point: AsOf) -> None:
    """Show all rosters, one GANG, or one FIGHTER's line.

    If more than ten fighters have left a gang, text and chat only count them.

    \b
    arbitrator roster show
    arbitrator roster show iron-skulls --format html
    arbitrator roster show --as-of-battle 2
    """
    form = "json" if as_json else form
    usual = GONE_MOST if form in ("text", "discord") else None
    gone_most = {"all": None, "living": 0}.get(whom or "", usual)
    print_roster(session, who, form, point=point, gone_most=gone_most)


@command.command("diff")
@click.argument("who", required=False)
@click.option("--from", "before", required=True, metavar="POINT", help="What to compare with.")
@click.option("--to", "after", default="now", show_default=True, metavar="POINT", help="What to compare.")
@as_json
@pass_session
def diff(session: Session, who: str | None, before: str, after: str, as_json: bool) -> None:
    """Show what changed between two points.

    For everybody, one GANG or one FIGHTER. A POINT is one of these: into:3 (as battle 3 begins), battle:3 (at
    its end, before its post-battle sequence), entry:57 (after that entry), date:2026-03-01 (at the end of
    that day) or now. into: and battle: count by today's rulings; entry: and date: show what was recorded
    then.

    \b
    arbitrator roster diff iron-skulls --from battle:1 --to battle:3
    """
    # Not above: showing the boards does not need it.
    from tracker.reports.differences import differences, roster_diff_page

    points = read_as_of(before), read_as_of(after)
    states = session.tracker.boards.states(session.campaign, *points)
    names = Names.of_states(*states)
    changes = differences(*states, names)
    if who is not None:
        kind, known = _called(who, names.gangs, names.fighters)
        changes = [
            difference
            for difference in changes
            if difference["gang" if kind == "gang" else "fighter"] == known
        ]
    words = points[0].words(), points[1].words()
    typed = str(points[0]), str(points[1])
    page = roster_diff_page(changes, names, heading=sanitize(session.slug), words=words, points=typed)
    show(page, as_json=as_json)


def print_roster(
    session: Session, who: str | None, form: str, *, point: AsOf = NOW, gone_most: int | None = None
) -> None:
    """Print the roster of everybody, a gang or a fighter. If more than `gone_most` fighters have left a gang,
    the page only counts them.
    """
    campaign, heading = session.campaign, sanitize(session.slug)
    if not point.is_now:
        heading += f", {sanitize(point.words())}"
    boards, with_history = session.tracker.boards, form == "html"
    board = boards.roster(campaign, point, with_history=with_history, gone_most=gone_most)
    if gone_most is not None and who is not None and who not in {gang["gang"] for gang in board.gangs}:
        # The name may be a former fighter's.
        whole = boards.roster(campaign, point, with_history=with_history)
        kind, who = _named(who, whole.gangs, whole.fighters)
        if kind == "fighter":
            board, gone_most = whole, None
    gangs, fighters = _about(who, board.gangs, board.fighters)
    page = roster_page(
        gangs,
        fighters,
        heading=heading,
        pending=board.disputes,
        dependents=board.dependents,
        names=board_names(board.gangs, board.fighters),
        history=board.history,
        some_gone=gone_most is not None,
    )
    show(page, form)


def _about(
    who: str | None, gangs: Sequence[Row], fighters: Sequence[Row]
) -> tuple[Sequence[Row], Sequence[Row]]:
    if who is None:
        return gangs, fighters
    kind, known = _named(who, gangs, fighters)
    if kind == "gang":
        # A gang's roster includes the captives that it holds.
        theirs = [row for row in fighters if known in (row["gang"], row["held_by"])]
        return [gang for gang in gangs if gang["gang"] == known], theirs
    (line,) = [row for row in fighters if row["fighter"] == known]
    return [gang for gang in gangs if gang["gang"] == line["gang"]], [line]


def _named(who: str, gangs: Sequence[Row], fighters: Sequence[Row]) -> Called:
    return _called(
        who,
        {row["gang"]: row["name"] for row in gangs},
        {row["fighter"]: row["name"] for row in fighters},
    )


def _called(who: str, gangs: Mapping[str, str], fighters: Mapping[str, str]) -> Called:
    called = look_up(who, gang=gangs, fighter=fighters)
    if called is None:
        from tracker.campaign.records import UnknownGang  # not above: a refusal is rare

        raise UnknownGang(gang=who, known=(*gangs, *fighters))
    return called

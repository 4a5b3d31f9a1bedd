"""Explain: traces a number to its causes."""

from __future__ import annotations

import click

from tracker.campaign.state import CampaignState
from tracker.cli.name_lookup import look_up
from tracker.cli.options import as_json, at_point, pass_session, show
from tracker.cli.session import Session
from tracker.reports.explanation import explanation_page, number_called, whom
from tracker.reports.names import Names
from tracker.service.as_of import AsOf
from tracker.service.explanations import Kind, NobodyCalled, Numbers


@click.command("explain")
@click.argument("who")
@click.argument("number", required=False)
@at_point
@as_json
@pass_session
def command(session: Session, who: str, number: str | None, as_json: bool, point: AsOf) -> None:
    """Trace a number on a roster to its dice, house rules and rulings.

    NUMBER is a characteristic (ballistic-skill or BS), xp, status, cost, injuries, rank, skills, kills or
    whatever else the roster shows. A gang has credits (or ducats), rating, reputation, won and so on. Without
    NUMBER, it shows everything that ever changed, in the order of play; what a ruling struck out is marked.

    \b
    arbitrator explain vex
    arbitrator explain vex BS
    """

    def name_of(state: CampaignState, numbers: Numbers) -> str:
        return number_called(number or "", numbers, Names.of_state(state))

    explained, state, asked = session.tracker.boards.explanation(
        session.campaign,
        lambda state: _called(state, who),
        point,
        number=name_of if number is not None else None,
    )
    names = Names.of_state(state)
    heading = whom(explained.kind, explained.known, names) + ("" if point.is_now else f", {point.words()}")
    page = explanation_page(explained, names, numbers=asked, heading=heading, point=str(point))
    show(page, as_json=as_json)


def _called(state: CampaignState, who: str) -> tuple[Kind, str]:
    names = Names.of_state(state)
    called = look_up(
        who, fighter={fighter: names.fighters[fighter] for fighter in state.gang_of}, gang=names.gangs
    )
    if called is None:
        raise NobodyCalled(who=who, known=(*state.gang_of, *state.gangs))
    return ("fighter" if called[0] == "fighter" else "gang"), called[1]

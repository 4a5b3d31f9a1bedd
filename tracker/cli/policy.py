"""Policies: house rules, adopted from a battle on."""

from __future__ import annotations

from typing import Any

import click

from tracker.campaign.state import CampaignState
from tracker.cli.options import ENTRY_NUMBER, as_json, paper, pass_session, reason, show
from tracker.cli.session import NoCampaignChosen, Session
from tracker.documents.text import clean_note
from tracker.log import database
from tracker.projections import queries
from tracker.reports.names import Names
from tracker.reports.policy import (
    policies_json,
    policies_text,
    policy_history_json,
    policy_history_text,
    policy_json,
    policy_text,
)
from tracker.reports.receipt import receipt
from tracker.rules import shelf
from tracker.rules.rulebook import Policy
from tracker.service import Played

from_battle = click.option(
    "--from-battle",
    type=ENTRY_NUMBER,
    metavar="NUMBER",
    help="The first battle it is about. [default: the next]",
)


@click.group("policy")
def command() -> None:
    """House rules: list, show, adopt, repeal."""


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """Every house rule on the shelf, and which the campaign plays by."""
    state = _state(session)
    held = state.policies if state is not None else ()
    rows = [_row(policy) for policy in shelf.policies().values()]
    show(policies_json(rows, held) if as_json else policies_text(rows, held, **paper()))


@command.command("show")
@click.argument("policy")
@as_json
@pass_session
def show_(session: Session, policy: str, as_json: bool) -> None:
    """One house rule: what it says, where it comes from, what it moves."""
    state = _state(session)
    held = state.policies if state is not None else ()
    books = [state.book] if state is not None else shelf.book_names()
    knobs = {name: knob for book in books for name, knob in shelf.book(book).knobs.items()}
    row = _row(shelf.policy(policy))
    printed = {name: knob.printed for name, knob in knobs.items()}
    if as_json:
        show(policy_json(row, held, printed=printed))
    else:
        about = {name: knob.about for name, knob in knobs.items()}
        show(policy_text(row, held, printed=printed, about=about))


@command.command("adopt")
@click.argument("policy", metavar="ID@V")
@from_battle
@reason
@pass_session
def adopt(session: Session, policy: str, from_battle: int | None, reason: str) -> None:
    """Adopt a house rule from a battle on. What was decided before stays decided."""
    _print(
        session.tracker.adopt_policy(
            session.campaign, policy, from_battle=from_battle, reason=clean_note(reason)
        )
    )


@command.command("repeal")
@click.argument("policy", metavar="ID")
@from_battle
@reason
@pass_session
def repeal(session: Session, policy: str, from_battle: int | None, reason: str) -> None:
    """Repeal a house rule from a battle on."""
    _print(
        session.tracker.repeal_policy(
            session.campaign, policy, from_battle=from_battle, reason=clean_note(reason)
        )
    )


@command.command("history")
@as_json
@pass_session
def history(session: Session, as_json: bool) -> None:
    """Who adopted or repealed what, when, from which battle on, and why."""
    tracker, campaign = session.tracker, session.campaign
    with database.reading(tracker.engine) as connection:
        rows = [
            *queries.entries(connection, campaign, event="PolicyAdopted"),
            *queries.entries(connection, campaign, event="PolicyRepealed"),
        ]
    places = sorted({(row["entry"], row["slot"]) for row in rows})
    recorded = [one for entry in tracker.contents(campaign, places) for one in entry]
    names = Names.of_state(tracker.state(campaign))
    show(policy_history_json(recorded, names) if as_json else policy_history_text(recorded))


def _state(session: Session) -> CampaignState | None:
    """The chosen campaign's state; None where there is no campaign, since the shelf can be read without."""
    try:
        return session.tracker.state(session.campaign)
    except NoCampaignChosen:
        return None


def _row(policy: Policy) -> dict[str, Any]:
    return {
        "policy": policy.policy,
        "version": policy.version,
        "title": policy.title,
        "about": policy.about,
        "source": policy.source,
        "tags": list(policy.tags),
        "patch": dict(policy.patch),
    }


def _print(played: Played) -> None:
    show(receipt(played.entries, Names.of_state(played.state)))

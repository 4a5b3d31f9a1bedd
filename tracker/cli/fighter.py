"""Fighters: add, show, retire, rename."""

from __future__ import annotations

import click

from tracker.campaign.commands import EnlistFighter, RenameFighter, RetireFighter
from tracker.campaign.refusals import UnknownFighter
from tracker.cli.options import as_json, pass_session, reason, show
from tracker.cli.session import Session
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.text import clean_name, clean_note
from tracker.documents.yaml_reader import read_document
from tracker.log import database
from tracker.projections import queries
from tracker.reports.fighter import fighter_json, fighter_text
from tracker.reports.names import Names
from tracker.reports.receipt import receipt
from tracker.rules import shelf
from tracker.service import Plan, Played


@click.group("fighter")
def command() -> None:
    """Add, show, retire and rename fighters."""


@command.command("add")
@click.argument("file")
@pass_session
def add(session: Session, file: str) -> None:
    """Enlist the fighters of a gang sheet whose gang is enlisted already."""
    book = shelf.book(session.tracker.state(session.campaign).book)
    sheet = gang_sheet_command(read_document(file), characteristics=book.characteristics)
    plans = [
        Plan(command=EnlistFighter(gang=sheet.gang, card=card), label=f"fighter {card.fighter}")
        for card in sheet.fighters
    ]
    _print(session.tracker.play(session.campaign, plans))


@command.command("show")
@click.argument("fighter")
@as_json
@pass_session
def show_(session: Session, fighter: str, as_json: bool) -> None:
    """A fighter's card, status and why, injuries, and a statement of XP that adds up."""
    tracker, campaign = session.tracker, session.campaign
    state = tracker.state(campaign)
    names = Names.of_state(state)
    known = names.fighter_called(fighter)
    with database.reading(tracker.engine) as connection:
        row = queries.fighter(connection, campaign, known)
        if row is None:
            raise UnknownFighter(fighter=fighter, known=tuple(state.gang_of))
        gang = queries.gang(connection, campaign, row["gang"])
        pending = queries.disputes(connection, campaign, is_open=True)
        entries = queries.entries(connection, campaign, fighter=known, struck=False)
    assert gang is not None, "a fighter's gang is on the board"
    history = tracker.events_about(campaign, known, {(one["entry"], one["slot"]) for one in entries})
    doubted = {one.seq for one in history}
    about = [one for one in pending if one["target_seq"] in doubted]
    printed = fighter_json if as_json else fighter_text
    show(printed(row, gang, history, names, pending=about))


@command.command("retire")
@click.argument("fighter")
@reason
@pass_session
def retire(session: Session, fighter: str, reason: str) -> None:
    """A fighter leaves for good."""
    _print(
        session.tracker.play(
            session.campaign, [Plan(command=RetireFighter(fighter=fighter, reason=clean_note(reason)))]
        )
    )


@command.command("rename")
@click.argument("fighter")
@click.option("--name", required=True, help="The new name; the id stays.")
@pass_session
def rename(session: Session, fighter: str, name: str) -> None:
    """A fighter gets another name."""
    plan = Plan(command=RenameFighter(fighter=fighter, name=clean_name(name)))
    _print(session.tracker.play(session.campaign, [plan]))


def _print(played: Played) -> None:
    show(receipt(played.entries, Names.of_state(played.state), repeated=played.repeated))

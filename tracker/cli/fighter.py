"""Fighters: add, hire, show, advance, retire, rename."""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.campaign.refusals import UnknownFighter
from tracker.cli import fighter_affairs
from tracker.cli.called import fighter_called
from tracker.cli.options import as_json, form_of, of_one_moment, pass_session, reason, show
from tracker.cli.points import at_point
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.documents.gang_sheet import gang_sheet_command, refuse_another_house
from tracker.documents.text import clean_name, clean_note
from tracker.documents.yaml_reader import read_document
from tracker.log import database
from tracker.projections import queries
from tracker.projections.roster import fighter_row
from tracker.projections.standings import gang_row
from tracker.reports.fighter import fighter_page
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.service.as_of import AsOf
from tracker.service.command_handler import CommandWithDice


@click.group("fighter")
def command() -> None:
    """Add, hire, show, advance, retire and rename fighters."""


@command.command("add")
@click.argument("file")
@pass_session
def add(session: Session, file: str) -> None:
    """Enlist the fighters of a gang sheet whose gang is enlisted already, of the same house."""
    state = session.tracker.repository.state(session.campaign)
    book = loader.book(state.book)
    sheet = gang_sheet_command(read_document(file), characteristics=book.characteristics)
    refuse_another_house(sheet, state)
    plans = [
        CommandWithDice(
            command=records.EnlistFighter(gang=sheet.gang, card=card), label=f"fighter {card.fighter}"
        )
        for card in sheet.fighters
    ]
    show_receipt(session.tracker.commands.play(session.campaign, plans))


@command.command("show")
@click.argument("fighter")
@at_point
@form_of("text", "md", "json")
@as_json
@pass_session
@of_one_moment
def show_(session: Session, fighter: str, form: str, as_json: bool, point: AsOf) -> None:
    """A fighter's card, status and why, injuries, and a statement of XP that adds up."""
    tracker, campaign = session.tracker, session.campaign
    state = tracker.boards.state_at(campaign, point)
    names = Names.of_state(state)
    known = fighter_called(fighter, names)
    found = state.fighter(known)
    if found is None:
        raise UnknownFighter(fighter=fighter, known=tuple(state.gang_of))
    history = tracker.boards.events_about(campaign, known, point)
    if point.is_now:
        with database.reading(tracker.engine) as connection:
            row, gang = (
                queries.fighter(connection, campaign, known),
                queries.gang(connection, campaign, found.gang),
            )
        assert row is not None, "an enlisted fighter is on the board"
        assert gang is not None, "a fighter's gang is on the board"
    else:
        row, gang = dict(fighter_row(found)), dict(gang_row(state.gangs[found.gang]))
    pending = tracker.boards.pending(campaign, point)
    about = pending.about([known], {one.seq for one in history})
    context = "" if point.is_now else f"{session.slug}, {point.words()}"
    page = fighter_page(
        row, gang, history, names, pending=about.disputes, resting=about.resting, context=context
    )
    show(page, form, as_json=as_json)


@command.command("retire")
@click.argument("fighter")
@reason
@pass_session
def retire(session: Session, fighter: str, reason: str) -> None:
    """A fighter leaves for good; what they carry stays in the stash."""
    leaving = records.RetireFighter(fighter=fighter, reason=clean_note(reason), gear_to_stash=True)
    show_receipt(session.tracker.commands.play(session.campaign, [CommandWithDice(command=leaving)]))


@command.command("rename")
@click.argument("fighter")
@click.option("--name", required=True, help="The new name; the id stays.")
@pass_session
def rename(session: Session, fighter: str, name: str) -> None:
    """A fighter gets another name."""
    plan = CommandWithDice(command=records.RenameFighter(fighter=fighter, name=clean_name(name)))
    show_receipt(session.tracker.commands.play(session.campaign, [plan]))


for affair in fighter_affairs.COMMANDS:
    command.add_command(affair)

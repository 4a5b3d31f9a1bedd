"""Fighters: add, hire, show, advance, retire, rename."""

from __future__ import annotations

from collections.abc import Sequence

import click

from tracker.campaign import records
from tracker.cli import corrections
from tracker.cli.model_actions import show_actions
from tracker.cli.name_lookup import fighter_id
from tracker.cli.options import as_json, at_point, dry_run, form_of, pass_session, show
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.documents.gang_sheet import refuse_another_house
from tracker.documents.text import clean_name
from tracker.reports.battle import words_in_battle
from tracker.reports.fighter import fighter_page
from tracker.reports.names import Names
from tracker.service.as_of import AsOf
from tracker.service.command_handler import CommandWithDice


@click.group("fighter")
def command() -> None:
    """Add, hire, show, advance, retire and rename fighters."""


@command.command("add")
@click.argument("file")
@corrections.armoury_option
@dry_run
@as_json
@pass_session
def add(session: Session, file: str, armoury: str | None, dry_run: bool, as_json: bool) -> None:
    """Add the new fighters on a sheet to an enlisted gang.

    The gang keeps its house.

    \b
    arbitrator fighter add iron-skulls.yaml
    """
    sheet = corrections.sheet_of(session, file, armoury)
    refuse_another_house(sheet, session.tracker.boards.state_at(session.campaign))
    plans = [
        CommandWithDice(
            command=records.EnlistFighter(gang=sheet.gang, card=card, origin=sheet.origin),
            label=f"fighter {card.fighter}",
        )
        for card in sheet.fighters
    ]
    _play(session, plans, dry_run=dry_run, as_json=as_json)


@command.command("show")
@click.argument("fighter")
@at_point
@form_of("text", "md", "html", "json", "discord")
@as_json
@pass_session
def show_(session: Session, fighter: str, form: str, as_json: bool, point: AsOf) -> None:
    """Show a fighter's card, status, injuries and XP.

    The XP add up line by line, and the status says why.

    \b
    arbitrator fighter show vex
    arbitrator fighter show vex --as-of-battle 2
    """
    board = session.tracker.boards.fighter(
        session.campaign, lambda state: fighter_id(fighter, Names.of_state(state)), point
    )
    page = fighter_page(
        board.row,
        board.gang,
        board.events,
        Names.of_state(board.state),
        pending=board.pending.disputes,
        dependents=board.pending.dependents,
        context="" if point.is_now else f"{session.slug}, {point.words()}",
        in_battle=words_in_battle(board.state, board.row["fighter"]),
    )
    show(page, form, as_json=as_json)


@command.command("actions")
@click.argument("fighter")
@as_json
@pass_session
def actions(session: Session, fighter: str, as_json: bool) -> None:
    """List what a fighter may do now in a battle.

    Each action that the rules allow stands with the section of its rule, the others with the reason.

    \b
    arbitrator fighter actions vex
    """
    state = session.tracker.boards.state_at(session.campaign)
    names = Names.of_state(state)
    show_actions(state, fighter_id(fighter, names), names, as_json=as_json)


@command.command("rename")
@click.argument("fighter")
@click.option("--name", required=True, help="The new name; the id stays.")
@dry_run
@as_json
@pass_session
def rename(session: Session, fighter: str, name: str, dry_run: bool, as_json: bool) -> None:
    """Give a fighter another name.

    \b
    arbitrator fighter rename vex --name "Vex the Red"
    """
    renaming = records.RenameFighter(fighter=_called(session, fighter), name=clean_name(name))
    _play(session, [CommandWithDice(command=renaming)], dry_run=dry_run, as_json=as_json)


def _called(session: Session, named: str) -> str:
    """The id of the fighter with that id or name."""
    return fighter_id(named, Names.of_state(session.tracker.boards.state_at(session.campaign)))


def _play(session: Session, plans: Sequence[CommandWithDice], *, dry_run: bool, as_json: bool) -> None:
    played = session.tracker.commands.play(session.campaign, plans, dry_run=dry_run)
    show_receipt(played, as_json=as_json)


for correction in corrections.OF_A_FIGHTER:
    command.add_command(correction)

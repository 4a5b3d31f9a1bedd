"""Gangs: enlist from a sheet, list, show; their money and things."""

from __future__ import annotations

import click

from tracker.cli import gang_affairs, gang_holdings
from tracker.cli.options import as_json, dry_run, pass_session, show
from tracker.cli.receipts import show_receipt
from tracker.cli.roster import print_roster
from tracker.cli.session import Session
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.yaml_reader import read_document
from tracker.reports.roster import gangs_page
from tracker.rules import loader
from tracker.service.command_handler import CommandWithDice


@click.group("gang")
def command() -> None:
    """Enlist, list and show gangs; what they have, buy and sell."""


@command.command("add")
@click.argument("file")
@dry_run
@as_json
@pass_session
def add(session: Session, file: str, dry_run: bool, as_json: bool) -> None:
    """Enlist the gang on a YAML gang sheet ('-' reads standard input).

    The same sheet twice is said and changes nothing.
    """
    book = loader.book(session.tracker.boards.state_at(session.campaign).book)
    enlist = gang_sheet_command(read_document(file), characteristics=book.characteristics)
    played = session.tracker.commands.play(
        session.campaign, [CommandWithDice(command=enlist)], key=f"gang:{enlist.gang}", dry_run=dry_run
    )
    show_receipt(played, as_json=as_json)
    if not as_json:
        called = ", ".join(
            (*(card.fighter for card in enlist.fighters), *(one.vehicle for one in enlist.vehicles))
        )
        show(f"\nReports say: gang {enlist.gang}; {called}.")


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """The gangs of the campaign."""
    rows, found = session.tracker.boards.gangs(session.campaign)
    show(gangs_page(rows, pending=found.disputes, dependents=found.resting), as_json=as_json)


@command.command("show")
@click.argument("gang")
@as_json
@pass_session
def show_(session: Session, gang: str, as_json: bool) -> None:
    """One gang with its fighters."""
    print_roster(session, gang, "json" if as_json else "text")


for affair in (*gang_affairs.COMMANDS, *gang_holdings.COMMANDS):
    command.add_command(affair)

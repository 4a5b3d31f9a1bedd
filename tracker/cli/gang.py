"""Gangs: enlist from a sheet, list, show; their money and things."""

from __future__ import annotations

from typing import Any

import click

from tracker.campaign import records
from tracker.cli import amending, corrections, exports, imports
from tracker.cli.options import as_json, dry_run, pass_session, show
from tracker.cli.receipts import show_receipt
from tracker.cli.roster import print_roster
from tracker.cli.session import Session
from tracker.cli.terminal_prompter import TerminalPrompter
from tracker.conversations.gang_wizard import GangWizard
from tracker.documents.yaml_reader import file_bytes
from tracker.reports import cards, holdings
from tracker.reports.members import done_page
from tracker.reports.names import Names
from tracker.reports.roster import gangs_page
from tracker.rules import loader
from tracker.service import gang_emblems
from tracker.service.command_handler import CommandWithDice


@click.group("gang")
def command() -> None:
    """Enlist, import, list and show gangs; buy and sell; correct."""


@command.command("add")
@click.argument("file")
@corrections.armoury_option
@dry_run
@as_json
@pass_session
def add(session: Session, file: str, armoury: str | None, dry_run: bool, as_json: bool) -> None:
    """Enlist the gang on a gang sheet.

    FILE is YAML; - reads standard input. A weapon that the sheet only names takes its numbers from the
    armoury. Adding the same sheet twice changes nothing, and the receipt says so.

    \b
    arbitrator gang add iron-skulls.yaml --armoury sump-market.yaml
    """
    enlist = corrections.sheet_of(session, file, armoury)
    commands = session.tracker.commands
    played = commands.play(
        session.campaign,
        [CommandWithDice(command=enlist)],
        key=commands.key_of(session.campaign, "gang", enlist.gang),
        dry_run=dry_run,
    )
    show_receipt(played, as_json=as_json)
    if not as_json:
        called = ", ".join(
            (*(card.fighter for card in enlist.fighters), *(vehicle.vehicle for vehicle in enlist.vehicles))
        )
        if enlist.founding_budget is not None:
            fighters = sum(card.cost_credits for card in enlist.fighters)
            vehicles = sum(vehicle.cost_credits for vehicle in enlist.vehicles)
            spent = fighters + vehicles + sum(item.cost_credits for item in enlist.stash)
            budget = f"Of the founding budget of {enlist.founding_budget}, {spent} are spent"
            show(f"\n{budget} and {enlist.credits} kept.")
        show(f"\nUse these ids in reports: gang {enlist.gang}; {called}.")


@command.command("new")
@click.argument("file", required=False)
@corrections.armoury_option
@pass_session
@click.pass_context
def new(ctx: click.Context, session: Session, file: str | None, armoury: str | None) -> None:
    """Make a gang question by question and enlist it.

    The answers become its sheet (gang-sheet/2) in FILE. Fighter types come from the armoury; without it you
    type each card. Ask for several of a kind in one answer, or copy a card: "Bo like: Krug". The same command
    continues where you stopped.

    \b
    arbitrator gang new rust-saints.yaml --armoury sump-market.yaml
    """
    ctx.exit(GangWizard(session, file, armoury=armoury, talk=TerminalPrompter()).converse())


@command.command("amend")
@click.argument("file")
@corrections.armoury_option
@amending.amending_options
@pass_session
def amend(session: Session, /, file: str, armoury: str | None, **how: Any) -> None:
    """Correct a gang by the sheet that it should have had.

    FILE (- reads standard input) replaces what the gang joined with: a number on a card, credits, a forgotten
    fighter. Everything that follows is decided again. Without --reason and --expect-head, the command only
    shows what would change. The old sheet stays in the log, struck out; 'rollback rule --ruling' takes the
    correction back.

    \b
    arbitrator gang amend iron-skulls.yaml
    arbitrator gang amend iron-skulls.yaml --reason "Toughness 4" --expect-head 78
    """
    tracker, campaign = session.tracker, session.campaign
    corrected = tracker.amendments.of_gang(campaign, corrections.sheet_of(session, file, armoury))
    lines = [line for part in corrected.parts for line in amending.sheet_lines(part)]
    what = amending.AmendmentPlan(
        lines=tuple(lines), amended=corrected.amended, words=amending.in_words(lines)
    )
    typed = ["arbitrator", "gang", "amend", file]
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"gang {corrected.gang}", **how)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the gangs of the campaign.

    \b
    arbitrator gang list
    """
    rows, pending = session.tracker.boards.gangs(session.campaign)
    game = cards.words_of(session.tracker.directory.book_of(session.campaign))
    show(
        gangs_page(rows, game=game, pending=pending.disputes, dependents=pending.dependents), as_json=as_json
    )


@command.command("show")
@click.argument("gang")
@as_json
@pass_session
def show_(session: Session, gang: str, as_json: bool) -> None:
    """Show one gang with its fighters.

    \b
    arbitrator gang show iron-skulls
    """
    print_roster(session, gang, "json" if as_json else "text")


@command.command("emblem")
@click.argument("gang")
@click.argument("file", required=False)
@click.option("--none", is_flag=True, help="Take the picture away: the emblem made from the name is back.")
@as_json
@pass_session
def emblem(session: Session, gang: str, file: str | None, none: bool, as_json: bool) -> None:
    """Give a gang a picture as its emblem, or take it away.

    FILE is a PNG, JPEG, WebP or GIF of at most 8 MiB. A small square of its middle is kept beside the log,
    and nothing else that the file holds. An exported campaign does not have it.

    \b
    arbitrator gang emblem iron-skulls skulls.jpg
    arbitrator gang emblem iron-skulls --none
    """
    content = b"" if file is None else file_bytes(file, bytes_max=gang_emblems.BYTES_MAX)
    if none == bool(content):
        raise click.UsageError("Give a picture, or --none to take it away.")
    emblems, campaign = session.tracker.emblems, session.campaign
    if none:
        emblems.remove(campaign, gang)
        show(done_page("It has the emblem made from its name.", {"emblem": None}), as_json=as_json)
        return
    made = emblems.upload(campaign, gang, content)
    show(done_page("It has that picture as its emblem.", {"emblem": made.digest}), as_json=as_json)


@command.command("ledger")
@click.argument("gang")
@as_json
@pass_session
def ledger(session: Session, gang: str, as_json: bool) -> None:
    """Show every movement of a gang's credits and items.

    It reads like a bank statement: both sides of each movement, and the balance after it.

    \b
    arbitrator gang ledger iron-skulls
    """
    board = session.tracker.boards.ledger(session.campaign, gang)
    page = holdings.ledger_page(
        board.rows,
        board.gang,
        Names.of_state(board.state),
        board.battles,
        pending=board.pending.disputes,
        dependents=board.pending.dependents,
    )
    show(page, as_json=as_json)


@command.command("stash")
@click.argument("gang")
@as_json
@pass_session
def stash(session: Session, gang: str, as_json: bool) -> None:
    """Show a gang's stash and what the gang is worth.

    \b
    arbitrator gang stash iron-skulls
    """
    row, state = session.tracker.boards.gang(session.campaign, gang)
    show(holdings.stash_page(row, Names.of_state(state)), as_json=as_json)


@command.command("captives")
@click.argument("gang", required=False)
@as_json
@pass_session
def captives(session: Session, gang: str | None, as_json: bool) -> None:
    """Show who is or might be a captive, of all gangs or of GANG.

    \b
    arbitrator gang captives iron-skulls
    """
    rows, state, pending = session.tracker.boards.captives(session.campaign)
    if gang is not None and gang not in state.gangs:
        raise records.UnknownGang(gang=gang, known=tuple(state.gangs))
    rules = loader.book(state.book).post_battle_rules
    prices = rules.captives if rules is not None else None
    names = {gang.gang: gang.name for gang in state.gangs.values()}
    rows = [row for row in rows if gang is None or gang in (row["gang"], row["held_by"], row["captor"])]
    lines = holdings.captives_of(
        rows,
        names,
        percent=prices.guilders_percent if prices is not None else 0,
        round_up_to=rules.round_up_to if rules is not None else 1,
    )
    disputed_rows = pending.about([line["fighter"] for line in lines])
    moved = (number for dependent in disputed_rows.dependents for number in dependent.moved)
    disputed = {move.fighter for move in moved if move.fighter and move.number == "held_by"}
    page = holdings.captives_page(
        lines,
        still_open=holdings.captures_open(rows, names),
        pending=disputed_rows.disputes,
        dependents=disputed_rows.dependents,
        disputed=disputed,
    )
    show(page, as_json=as_json)


@command.command("territories")
@as_json
@pass_session
def territories(session: Session, as_json: bool) -> None:
    """Show the campaign's territories and who holds them.

    \b
    arbitrator gang territories
    """
    state = session.tracker.boards.state_at(session.campaign)
    lines = [
        {
            "territory": territory.territory,
            "kind": territory.kind,
            "name": territory.name,
            "holder": territory.holder,
            "holder_name": state.gangs[territory.holder].name if territory.holder is not None else None,
        }
        for territory in state.territories.values()
    ]
    lines.sort(key=lambda line: (line["holder"] is None, line["holder"] or "", line["territory"]))
    show(holdings.territories_page(lines), as_json=as_json)


@command.command("warband")
@click.argument("gang", required=False)
@as_json
@pass_session
def warband(session: Session, gang: str | None, as_json: bool) -> None:
    """Show Glory, Threshold, ELITE models and what is due.

    For every warband, or for GANG.

    \b
    arbitrator gang warband ash-pilgrims
    """
    state = session.tracker.boards.state_at(session.campaign)
    if gang is not None and gang not in state.gangs:
        raise records.UnknownGang(gang=gang, known=tuple(state.gangs))
    gangs = [candidate for candidate in state.gangs.values() if gang is None or candidate.gang == gang]
    lines = holdings.warbands_of(gangs, loader.book(state.book).warbands)
    show(holdings.warbands_page(lines, Names.of_state(state)), as_json=as_json)


command.add_command(imports.command)
command.add_command(exports.command)
for correction in corrections.OF_A_GANG:
    command.add_command(correction)

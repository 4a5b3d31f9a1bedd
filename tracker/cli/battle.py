"""Battles: record a report, list, show."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli import amending, proposals
from tracker.cli.automatic_signing import sign_after_battle
from tracker.cli.corrections import armoury_option, dice_given
from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run, form_of, pass_session, show
from tracker.cli.options import as_json as json_option
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.cli.terminal_prompter import TerminalPrompter
from tracker.conversations.battle_wizard import BattleWizard
from tracker.conversations.chosen_campaign import armoury_of
from tracker.conversations.conversation import Conversation
from tracker.conversations.post_battle_wizard import PostBattleWizard
from tracker.conversations.wizard_file import one_file
from tracker.documents.armoury import PriceLookup
from tracker.documents.battle_continued import continuation_plan
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.post_battle import post_battle_heading, post_battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput
from tracker.reports.amendments import AmendedKey
from tracker.reports.battle import battles_page
from tracker.reports.board_pages import battle_board_page
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.service.command_handler import CommandWithDice, RecordResult


@click.command("show")
@click.argument("battle")
@click.option(
    "--as-of-entry", type=ENTRY_NUMBER, help="The state as recorded at that entry, before later rulings."
)
@form_of("text", "md", "discord", "html", "json")
@json_option
@pass_session
def show_(session: Session, battle: str, as_of_entry: int | None, form: str, as_json: bool) -> None:
    """Show one battle, entry by entry, and what came after it.

    BATTLE is its id or number. While it is under way, or as of an entry within it, the page also shows who is
    pinned, wounded or out of ammo. A battle that was rolled back is shown struck out, with its dice, by whom
    and why. For a chat (discord) it comes without the entries, in messages of at most 2,000 characters.

    \b
    arbitrator battle show 2
    """
    board = session.tracker.boards.battle(session.campaign, battle, as_of_entry=as_of_entry)
    show(battle_board_page(board), form, as_json=as_json)


class ReportForAnotherCampaign(BadInput):
    """{file} is a report for the campaign {named!r}, and {chosen!r} is chosen. Nothing was recorded. Use
    --campaign {named}, or put the report's 'campaign:' right.
    """

    file: str
    named: str
    chosen: str


def _refuse_another_campaign(session: Session, file: str, named: str | None) -> None:
    if named is not None and named != session.slug:
        raise ReportForAnotherCampaign(file=file, named=named, chosen=session.slug)


def _read_report(session: Session, file: str) -> tuple[CampaignState, BattlePlan]:
    """The report in a file, and the state that it was read with. Raises ReportForAnotherCampaign."""
    state = session.tracker.boards.state_at(session.campaign)
    plan = battle_plan(read_document(file), purposes=loader.book(state.book).purposes, state=state)
    _refuse_another_campaign(session, file, plan.campaign)
    return state, plan


def _show_recorded(session: Session, recorded: RecordResult, *, as_json: bool, dry_run: bool) -> None:
    show_receipt(recorded, as_json=as_json)
    sign_after_battle(session, as_json=as_json, dry_run=dry_run)


@click.group("battle")
def command() -> None:
    """Record, continue, amend, propose, list and show battles."""


@command.command("record")
@click.argument("file")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that the report does not give.")
@dry_run
@as_json
@pass_session
def record(session: Session, file: str, roll: bool, dry_run: bool, as_json: bool) -> None:
    """Record a battle report, whole or not at all.

    FILE is YAML; - reads standard input. For every entry the receipt says what was rolled, what was needed,
    what follows, and where the rule is found. Recording it twice changes nothing, and the receipt says so.

    \b
    arbitrator battle record 01-sump-bridge.yaml --dry-run
    arbitrator battle record 01-sump-bridge.yaml
    """
    tracker, campaign = session.tracker, session.campaign
    _, plan = _read_report(session, file)
    played = tracker.commands.record_battle(campaign, plan, roll=roll, dry_run=dry_run)
    _show_recorded(session, played, as_json=as_json, dry_run=dry_run)


@command.command("amend")
@click.argument("battle")
@click.argument("file")
@amending.amending_options
@pass_session
def amend(session: Session, /, battle: str, file: str, **how: Any) -> None:
    """Correct a recorded BATTLE by its corrected report.

    An entry that the report changes is amended. An entry that it leaves out is voided. A new one goes after
    the entry before it. Without --reason and --expect-head, the command only shows what would change. The old
    entries stay in the log, struck out; 'rollback rule --ruling' takes the correction back. FILE may be - for
    standard input.

    \b
    arbitrator battle amend sump-bridge sump.yaml
    arbitrator battle amend sump-bridge sump.yaml --reason "a slip" \\
        --expect-head 78
    """
    tracker, campaign = session.tracker, session.campaign
    state, plan = _read_report(session, file)
    corrected = tracker.amendments.of_battle(campaign, battle, plan)
    names, lookup = Names.of_state(state), PriceLookup(state=state, armoury=None)
    lines = [line for part in corrected.parts for line in amending.part_lines(part, names, lookup)]
    lines += [
        AmendedKey(entry=note.entry, key="note", before=note.before, after=note.after)
        for note in corrected.notes
    ]
    what = amending.AmendmentPlan(
        lines=tuple(lines), amended=corrected.amended, void=corrected.void, words=amending.in_words(lines)
    )
    typed = ["arbitrator", "battle", "amend", battle, file]
    amending.amend(session, what, typed=typed, about=names.battle(corrected.battle), **how)


@command.command("continue")
@click.argument("file")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that the file does not give.")
@dry_run
@as_json
@pass_session
def continue_(session: Session, file: str, roll: bool, dry_run: bool, as_json: bool) -> None:
    """Record more entries of the battle under way, all or none.

    A rollback into the middle of a battle leaves it under way. FILE (- reads standard input) holds entries
    like a battle report, and the result if they end the battle.

    \b
    arbitrator battle continue rest-of-battle-2.yaml
    """
    tracker, campaign = session.tracker, session.campaign
    state = tracker.boards.state_at(campaign)
    plan = continuation_plan(read_document(file), purposes=loader.book(state.book).purposes, state=state)
    _refuse_another_campaign(session, file, plan.campaign)
    played = tracker.continuation.record(campaign, plan, roll=roll, dry_run=dry_run)
    _show_recorded(session, played, as_json=as_json, dry_run=dry_run)


class SayHowItEnded(BadInput):
    """Say how the battle ended: --winner GANG, or --draw."""


@command.command("close")
@click.option("--winner", metavar="GANG", help="The gang that won.")
@click.option("--draw", is_flag=True, help="Nobody won.")
@click.option("--dice", multiple=True, metavar="PURPOSE=FACES", help="Dice of the Wrap-up: succumb=4.")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that are not given.")
@dry_run
@as_json
@pass_session
def close(
    session: Session,
    winner: str | None,
    draw: bool,
    dice: tuple[str, ...],
    roll: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """End a battle that a rollback left under way.

    The Wrap-up happens as in any battle.

    \b
    arbitrator battle close --winner iron-skulls --dice succumb=4
    """
    if (winner is not None) == draw:
        raise SayHowItEnded
    tracker, campaign = session.tracker, session.campaign
    purposes = loader.book(tracker.boards.state_at(campaign).book).purposes
    closing = CommandWithDice(
        command=records.CloseBattle(winner=winner, drawn=draw), dice=dice_given(dice, purposes)
    )
    played = tracker.commands.play(campaign, [closing], roll=roll, dry_run=dry_run)
    _show_recorded(session, played, as_json=as_json, dry_run=dry_run)


@command.command("play")
@click.argument("file", required=False)
@click.option("--resume", metavar="FILE", help="Continue this file.")
@click.option("--roll", is_flag=True, help="Let Enter roll each die; without it, type the die, or r to roll.")
@pass_session
@click.pass_context
def play(ctx: click.Context, session: Session, file: str | None, resume: str | None, roll: bool) -> None:
    """Enter a battle question by question, from the first shot on.

    The answers make a battle report in FILE; without FILE, it is named after the campaign and the battle.
    Each entry is tried before it is kept, and the file is saved after every answer. 'quit' leaves with exit
    code 0, Ctrl-C and the end of input with 130; the same command continues from there. Nothing is recorded
    until you have seen the whole receipt and said yes.

    \b
    arbitrator battle play sump-bridge.yaml
    """
    _converse(ctx, session, BattleWizard(session, one_file(file, resume), roll=roll, talk=TerminalPrompter()))


def _converse(ctx: click.Context, session: Session, conversation: Conversation) -> NoReturn:
    left_with = conversation.converse()
    if session.tracker.saved:
        sign_after_battle(session, as_json=False)
    ctx.exit(left_with)


@command.command("post")
@click.argument("file", required=False)
@click.option("--wizard", is_flag=True, help="Ask step by step, and write the answers to FILE.")
@click.option("--resume", metavar="FILE", help="Continue this file in the wizard.")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that the file does not give.")
@armoury_option
@dry_run
@as_json
@pass_session
@click.pass_context
def post(
    ctx: click.Context,
    session: Session,
    file: str | None,
    wizard: bool,
    resume: str | None,
    armoury: str | None,
    roll: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Record what gangs do after a battle.

    A post-battle file (- reads standard input) covers escapes, scrap, territories, rewards, income, actions,
    the Doc, captives, trading and advancement. It is recorded whole or not at all; everything wrong with it
    is listed together. Recording it twice changes nothing, and the receipt says so. With --wizard the command
    asks step by step and writes the file.

    \b
    arbitrator battle post after-sump-bridge.yaml --armoury sump-market.yaml
    arbitrator battle post --wizard
    """
    if wizard or resume is not None:
        if dry_run or as_json:
            raise click.UsageError("The wizard shows all before it records: leave --dry-run and --json out.")
        conversation = PostBattleWizard(
            session, one_file(file, resume), armoury=armoury, roll=roll, talk=TerminalPrompter()
        )
        _converse(ctx, session, conversation)
    if file is None:
        raise click.UsageError("Name a post-battle file, or let --wizard ask for what stands in it.")
    tracker, campaign = session.tracker, session.campaign
    state = tracker.boards.state_at(campaign)
    document = read_document(file)
    plan = post_battle_heading(document, book=state.book)
    if not tracker.commands.is_recorded(campaign, plan):
        lookup = PriceLookup(state=state, armoury=armoury_of(session, armoury))
        plan = post_battle_plan(document, purposes=loader.book(state.book).purposes, lookup=lookup)
    _refuse_another_campaign(session, file, plan.campaign)
    played = tracker.commands.play_post_battle(campaign, plan, roll=roll, dry_run=dry_run)
    _show_recorded(session, played, as_json=as_json, dry_run=dry_run)


@command.command("list")
@form_of("text", "csv", "json")
@as_json
@pass_session
def list_(session: Session, form: str, as_json: bool) -> None:
    """List the battles of the campaign.

    \b
    arbitrator battle list
    """
    rows, state = session.tracker.boards.battles(session.campaign)
    show(battles_page(rows, Names.of_state(state)), form, as_json=as_json)


command.add_command(show_)
for reported in proposals.COMMANDS:
    command.add_command(reported)

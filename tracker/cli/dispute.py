"""Disputes: dispute a roll or an entry, talk about it, withdraw, see what a ruling would change, rule."""

from __future__ import annotations

from typing import Any

import click

from tracker.campaign import records
from tracker.cli import amending, rulings
from tracker.cli.event_words import events_in_words
from tracker.cli.options import as_json, dry_run, pass_session, reason, show
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.documents.text import clean_note
from tracker.errors import BadInput
from tracker.reports.disputes import dispute_page, disputes_page
from tracker.reports.names import Names
from tracker.service.ruling_request import RulingRequest


class SayOneVerdict(BadInput):
    """Say one verdict: --confirm, --faces FACES, --reroll (with --faces FACES or --roll), --outcome WHAT,
    --void, --reverse, or --amend KEY=VALUE.
    """


class ConfirmingChangesNothing(BadInput):
    """With --confirm the roll stands and nothing follows: leave out --also, --dice, --keep, --unkeep and
    --void-entry.
    """


def verdict_options(function: Any) -> Any:
    """The options that say how to rule."""
    for option in (
        click.option("--reverse", is_flag=True, help="Take the disputed ruling back."),
        click.option(
            "--amend",
            multiple=True,
            metavar="KEY=VALUE",
            help="What the entry should have said: by=vesk, as 'entry amend' sets it; may be repeated.",
        ),
        click.option("--void", "void_it", is_flag=True, help="Void the whole entry."),
        click.option(
            "--outcome",
            metavar="WHAT",
            help="Set the result of the roll: passed, failed, a row of its table, a symbol.",
        ),
        click.option(
            "--reroll", is_flag=True, help="Roll the die again: give --faces, or let --roll roll it."
        ),
        click.option(
            "--faces", metavar="FACES", help="What the die should have shown: 2, 4-6, serious_injury."
        ),
        click.option("--confirm", is_flag=True, help="Let the roll, the entry or the ruling stand."),
    ):
        function = option(function)
    return function


@click.group("dispute")
def command() -> None:
    """Dispute a roll, an entry or a ruling; preview a ruling; rule."""


@command.command("open")
@click.argument("event", metavar="ENTRY.EVENT or ENTRY")
@reason
@click.option("--by", "raised_by", metavar="WHO", help="Who disputes it. [default: you]")
@click.option("--rule", metavar="TEXT", help="The rule in question.")
@dry_run
@as_json
@pass_session
def open_(
    session: Session,
    event: str,
    reason: str,
    raised_by: str | None,
    rule: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Dispute a roll or an entry.

    ENTRY.EVENT names a roll or another event, such as 57.3; ENTRY a whole entry, such as 57. It counts until
    somebody rules.

    \b
    arbitrator dispute open 57.3 --by Robin --reason "the die was cocked"
    """
    played = session.tracker.disputes.open(
        session.campaign,
        event,
        reason=clean_note(reason),
        raised_by=clean_note(raised_by) if raised_by else session.actor,
        rule=clean_note(rule) if rule else None,
        dry_run=dry_run,
    )
    show_receipt(played, as_json=as_json)
    if dry_run or as_json:
        return
    number, about = (
        played.entries[0][0].entry,
        session.tracker.disputes.target_at(session.campaign, event).event,
    )
    answer = "--faces ..." if isinstance(about, records.RollMade) else "--void"
    if isinstance(about, records.DecisionTaken) and isinstance(about.command, records.RuleOnDispute):
        answer = "--reverse"
    see = f"arbitrator dispute preview {number} {answer}"
    show(f"\nDispute {number} is open; {event} stays in force. See: {see}")


@command.command("comment")
@click.argument("dispute")
@click.option("--says", metavar="TEXT", required=True, help="The statement.")
@click.option("--by", "said_by", metavar="WHO", help="Who says it. [default: you]")
@dry_run
@as_json
@pass_session
def comment(
    session: Session, dispute: str, says: str, said_by: str | None, dry_run: bool, as_json: bool
) -> None:
    """Say something about an open dispute.

    It is kept in the log and changes nothing. For players of the gangs concerned, whoever opened it, and the
    Arbitrator.

    \b
    arbitrator dispute comment 16 --says "I saw a 4" --by Kim
    """
    played = session.tracker.disputes.comment(
        session.campaign,
        dispute,
        says=clean_note(says),
        said_by=clean_note(said_by) if said_by else session.actor,
        dry_run=dry_run,
    )
    show_receipt(played, as_json=as_json)


@command.command("withdraw")
@click.argument("dispute")
@reason
@dry_run
@as_json
@pass_session
def withdraw(session: Session, dispute: str, reason: str, dry_run: bool, as_json: bool) -> None:
    """Withdraw a dispute: what was disputed stands.

    \b
    arbitrator dispute withdraw 16 --reason "I looked again"
    """
    played = session.tracker.disputes.withdraw(
        session.campaign, dispute, reason=clean_note(reason), dry_run=dry_run
    )
    show_receipt(played, as_json=as_json)


@command.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those that are open.")
@as_json
@pass_session
def list_(session: Session, only_open: bool, as_json: bool) -> None:
    """List every dispute of the campaign.

    \b
    arbitrator dispute list --open
    """
    rows = session.tracker.boards.disputes(session.campaign, is_open=True if only_open else None)
    show(disputes_page(rows), as_json=as_json)


@command.command("show")
@click.argument("dispute")
@as_json
@pass_session
def show_(session: Session, dispute: str, as_json: bool) -> None:
    """Show one dispute, what it is about, and how it ended.

    \b
    arbitrator dispute show 16
    """
    board = session.tracker.boards.dispute(session.campaign, dispute)
    page = dispute_page(board.row, board.target, Names.of_state(board.state), witnesses=board.witnesses)
    show(page, as_json=as_json)


@command.command("preview")
@click.argument("dispute", metavar="DISPUTE or ENTRY.EVENT")
@verdict_options
@amending.also_option
@rulings.later_options
@as_json
@pass_session
def preview(session: Session, /, dispute: str, as_json: bool, **said: Any) -> None:
    """Show everything that a ruling would change.

    It goes fighter by fighter and entry by entry, and writes nothing. For dice that are needed and were never
    rolled, it shows the exact chance of every outcome.

    \b
    arbitrator dispute preview 16 --faces 4-6
    """
    tracker, campaign = session.tracker, session.campaign
    slot = tracker.rulings.slot_in_dispute(campaign, dispute) if said["amend"] or said["also"] else 0
    amended = _amending(session, slot, said)
    answer = _answer(amended, reason="", **said)
    with events_in_words(session):
        previewed = tracker.rulings.preview(campaign, dispute, answer)
    again = "" if previewed.dispute.dispute else f"arbitrator dispute open {dispute} --reason TEXT"
    rulings.show_preview(
        session,
        previewed,
        words=_typed(dispute, said),
        as_json=as_json,
        again=again,
        amended=amended.lines if amended is not None else (),
    )


@command.command("rule")
@click.argument("dispute", metavar="DISPUTE")
@verdict_options
@amending.also_option
@rulings.later_options
@reason
@rulings.ruling_options
@dry_run
@as_json
@pass_session
def rule(
    session: Session,
    /,
    dispute: str,
    reason: str,
    roll: bool,
    expect_head: int | None,
    force: str | None,
    dry_run: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Rule on a dispute.

    The ruling and all its changes are recorded together, or nothing is. Look first: the preview prints the
    --expect-head to rule with. On a terminal, without --expect-head, the command shows the preview and asks
    you.

    \b
    arbitrator dispute rule 16 --faces 4-6 --reason "rolled again" \\
        --expect-head 78
    arbitrator dispute rule 16 --confirm --reason "three saw it" --expect-head 78
    """
    tracker, campaign = session.tracker, session.campaign
    found = tracker.disputes.find(campaign, dispute)
    amended = _amending(session, found.target_slot, said)
    answer = _answer(amended, reason=clean_note(reason), **said)
    with events_in_words(session):
        rulings.make_ruling(
            session,
            found,
            answer,
            words=_typed(dispute, said),
            amended=amended.lines if amended is not None else (),
            roll=roll,
            expect_head=expect_head,
            force=force,
            dry_run=dry_run,
            as_json=as_json,
        )


def _typed(dispute: str, said: dict[str, Any]) -> str:
    names = {"void_it": "void", "void": "void_entry"}
    return rulings.typed(
        "dispute", (dispute,), {names.get(name, name): value for name, value in said.items()}
    )


def _amending(session: Session, slot: int, said: dict[str, Any]) -> amending.AmendmentPlan | None:
    """The amendments of a ruling: to the disputed entry, if the verdict amends it, and to further entries."""
    amended = amending.keys_set(session, slot, said["amend"]) if said["amend"] else None
    if not said["also"]:
        return amended
    if said["reverse"]:
        raise amending.RestoresAlone
    apart_from = {slot, *said["void"], *said["keep"]}
    return amending.together(amended, amending.added(session, said["also"], apart_from=apart_from))


def _answer(
    amended: amending.AmendmentPlan | None,
    *,
    reason: str,
    confirm: bool,
    faces: str | None,
    reroll: bool,
    outcome: str | None,
    void_it: bool,
    amend: tuple[str, ...],
    also: tuple[tuple[int, str], ...],
    reverse: bool,
    dice: tuple[str, ...],
    keep: tuple[int, ...],
    unkeep: tuple[int, ...],
    void: tuple[int, ...],
    strategy: Any,
) -> RulingRequest:
    typed_faces = faces is not None and not reroll
    if sum((confirm, typed_faces, reroll, outcome is not None, void_it, reverse, bool(amend))) != 1:
        raise SayOneVerdict
    if confirm and (also or dice or keep or unkeep or void):
        raise ConfirmingChangesNothing
    return RulingRequest(
        verdict="confirmed"
        if confirm
        else "rerolled"
        if reroll
        else "set"
        if outcome is not None
        else "voided"
        if void_it
        else "reversed"
        if reverse
        else "amended"
        if amend
        else "corrected",
        reason=reason,
        faces=faces,
        outcome=amended.words if amended is not None and amend else outcome,
        amended=amended.amended if amended is not None else {},
        **rulings.supplied_dice(dice, disputed=True),
        keep=keep,
        unkeep=unkeep,
        void=void,
        strategy=strategy,
    )

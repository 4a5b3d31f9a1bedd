"""Proposed reports: one player proposes, the other confirms, the Arbitrator records."""

from __future__ import annotations

import click

from tracker.cli.options import as_json, pass_session, show
from tracker.cli.receipts import page_of
from tracker.cli.session import Session
from tracker.conversations.dice_of_drafts import named_by
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.nodes import Document
from tracker.documents.yaml_reader import parse_document, text_of
from tracker.errors import BadInput, Refusal
from tracker.reports import proposals as pages
from tracker.reports.page import Page
from tracker.rules import loader


class ReportOfAnotherCampaign(BadInput):
    """{file} is a report for the campaign {named!r}, and {chosen!r} is chosen. Nothing was proposed. Use
    --campaign {named}, or put the report's 'campaign:' right.
    """

    file: str
    named: str
    chosen: str


@click.command("propose")
@click.argument("file")
@as_json
@pass_session
def propose(session: Session, file: str, as_json: bool) -> None:
    """Propose a battle report. It counts once it is taken in.

    It is tried first, and refused like a report that is recorded. The other player confirms it or objects.
    The Arbitrator takes it in; with 'campaign recorders coaches', the last confirmation does. FILE may be -
    for standard input.

    \b
    arbitrator battle propose sump-bridge.yaml
    """
    text = text_of(file)
    plan = _plan(session, parse_document(text, file=file))
    if plan.campaign is not None and plan.campaign != session.slug:
        raise ReportOfAnotherCampaign(file=file, named=plan.campaign, chosen=session.slug)
    made = session.tracker.proposals.propose(session.campaign, plan, document=text)
    session.note(f"Report {made.proposal.proposal} is proposed")
    show(pages.proposal_page(made), as_json=as_json)


@click.command("proposals")
@as_json
@pass_session
def proposals(session: Session, as_json: bool) -> None:
    """List the proposed reports: who confirmed, who objects.

    \b
    arbitrator battle proposals
    """
    show(pages.proposals_page(session.tracker.proposals.waiting(session.campaign)), as_json=as_json)


@click.command("proposal")
@click.argument("proposal")
@click.option("--document", is_flag=True, help="Print only the report, as it was proposed.")
@as_json
@pass_session
def proposal_(session: Session, proposal: str, document: bool, as_json: bool) -> None:
    """Show a proposed report: what it would record, who agrees.

    \b
    arbitrator battle proposal p-7vjmyjc2
    """
    proposed = session.tracker.proposals.proposal(session.campaign, proposal)
    if document and not as_json:
        show(proposed.proposal.document)
        return
    would = _would_record(session, proposal) if proposed.proposal.state == "waiting" else None
    show(pages.proposal_page(proposed, report=proposed.proposal.document, would=would), as_json=as_json)


@click.command("confirm")
@click.argument("proposal")
@as_json
@pass_session
def confirm(session: Session, proposal: str, as_json: bool) -> None:
    """Confirm that a proposed report is right.

    With 'campaign recorders coaches', the last confirmation records it.

    \b
    arbitrator battle confirm p-7vjmyjc2
    """
    settled = session.tracker.proposals.answer(
        session.campaign, proposal, _of(session, proposal), answer="confirmed"
    )
    receipt = page_of(settled.recorded) if settled.recorded is not None else None
    show(pages.proposal_page(settled.waiting, receipt=receipt), as_json=as_json)


@click.command("object")
@click.argument("proposal")
@click.option("--reason", required=True, metavar="TEXT", help="What is wrong.")
@as_json
@pass_session
def object_(session: Session, proposal: str, reason: str, as_json: bool) -> None:
    """Object to a proposed report, and say why.

    Who confirms it later takes the objection back.

    \b
    arbitrator battle object p-7vjmyjc2 --reason "Pip was down by then"
    """
    settled = session.tracker.proposals.answer(
        session.campaign, proposal, _of(session, proposal), answer="objected", words=reason
    )
    show(pages.proposal_page(settled.waiting), as_json=as_json)


@click.command("take-in")
@click.argument("proposal")
@as_json
@pass_session
def take_in(session: Session, proposal: str, as_json: bool) -> None:
    """Record a proposed report: now it counts.

    Its entries say who proposed it and who confirmed it.

    \b
    arbitrator battle take-in p-7vjmyjc2
    """
    settled = session.tracker.proposals.take_in(session.campaign, proposal, _of(session, proposal))
    assert settled.recorded is not None, "what is taken in is recorded"
    show(page_of(settled.recorded), as_json=as_json, paged=False)


@click.command("withdraw")
@click.argument("proposal")
@as_json
@pass_session
def withdraw(session: Session, proposal: str, as_json: bool) -> None:
    """Withdraw a proposed report, or turn it down. The provable dice that it names are given up.

    \b
    arbitrator battle withdraw p-7vjmyjc2
    """
    tracker, campaign = session.tracker, session.campaign
    withdrawn = tracker.proposals.withdraw(campaign, proposal, _of(session, proposal))
    dice = tracker.boards.state_at(campaign).dice_session
    for request in sorted(named_by(withdrawn.proposal.document, dice)):
        tracker.dice.abandon(campaign, request, reason="the report that it was for was withdrawn")
    show(pages.proposal_page(withdrawn), as_json=as_json)


COMMANDS = (propose, proposals, proposal_, confirm, object_, take_in, withdraw)


def _would_record(session: Session, proposal: str) -> Page | str:
    """The receipt of a dry run, or the refusal that it would meet now."""
    try:
        plan = _of(session, proposal)
        return page_of(session.tracker.commands.record_battle(session.campaign, plan, dry_run=True))
    except Refusal as refusal:
        return refusal.message()


def _of(session: Session, proposal: str) -> BattlePlan:
    """The plan of a proposal, read from the report that was sent in."""
    proposed = session.tracker.proposals.proposal(session.campaign, proposal)
    return _plan(session, parse_document(proposed.proposal.document, file=f"report {proposal}"))


def _plan(session: Session, document: Document) -> BattlePlan:
    state = session.tracker.boards.state_at(session.campaign)
    return battle_plan(document, purposes=loader.book(state.book).purposes, state=state)

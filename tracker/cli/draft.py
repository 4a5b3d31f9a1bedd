"""Drafts: reports and sheets answered question by question, kept with the campaign as they grow."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli.corrections import armoury_option
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.conversations import stepping
from tracker.conversations.dice_of_drafts import asked_by, named_by
from tracker.conversations.stepping import ConversationStep, SavedConversation, StuckConversation
from tracker.conversations.wizard_file import numbered
from tracker.documents.wizard import writing
from tracker.drafts.records import KINDS, Draft, Kind
from tracker.errors import BadInput, Refusal, RulesRefuse
from tracker.records import replace
from tracker.reports import drafts as pages
from tracker.reports.members import done_page
from tracker.reports.plain_data import plain_data
from tracker.service.refusals import DieNotDrawn


class AnswerNotTaken(BadInput):
    """{why} Nothing was changed; the question is: {question}"""

    why: str
    question: str


class NothingToTakeBack(BadInput):
    """There is no answer to take back. To leave this question for later, answer back."""


class DraftDoesNotFit(BadInput):
    """The campaign has moved on, and answers no longer fit (the last {lines}): {why} Take them back:
    'arbitrator draft undo {draft} --revision {revision}'.
    """

    draft: str
    revision: int
    lines: int
    why: str


class NeedsWhatIsTakenOut(RulesRefuse):
    """Number {entry} does not hold without number {number}: {why} Take out number {entry} first."""

    entry: int
    number: int
    why: str


RESTED_ON_IT = "What was being answered rested on it, and is dropped too."


@click.group("draft")
def command() -> None:
    """Fill in reports and sheets answer by answer, from any device."""


_revision = click.option(
    "--revision", type=click.IntRange(1), required=True, help="The revision that was shown with the question."
)


@command.command("begin")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--answer", "answers", multiple=True, help="Answer the first questions too, in their order.")
@armoury_option
@as_json
@pass_session
def begin(session: Session, kind: Kind, answers: tuple[str, ...], armoury: str | None, as_json: bool) -> None:
    """Begin a battle report, a post-battle file or a gang sheet.

    Shows the first question. With an --answer that is none, no draft is begun.

    \b
    arbitrator draft begin battle
    """
    drafts = session.tracker.drafts
    seed = drafts.new_seed()
    at = stepping.step(session, kind, SavedConversation(), seed=seed, answers=answers, armoury=armoury)
    if at.wrong:
        raise AnswerNotTaken(why=" ".join(at.wrong), question=at.question.words)
    text, lines = at.stood.text, at.stood.lines
    draft = drafts.begin(session.campaign, kind, by=session.actor, seed=seed, text=text, lines=lines)
    session.note(f"Draft {draft.draft} is begun")
    _show(draft, at, as_json=as_json)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the campaign's drafts.

    A draft that nobody changes for 60 days is deleted.

    \b
    arbitrator draft list
    """
    show(pages.drafts_page(session.tracker.drafts.of(session.campaign)), as_json=as_json)


@command.command("show")
@click.argument("draft")
@click.option("--document", is_flag=True, help="Print only the file as it stands, to record or keep.")
@armoury_option
@as_json
@pass_session
def show_(session: Session, draft: str, document: bool, armoury: str | None, as_json: bool) -> None:
    """Show a draft: what it holds, and the next question.

    \b
    arbitrator draft show d-1f4kx2mz
    """
    stored = session.tracker.drafts.draft(session.campaign, draft)
    at = _resumed(session, stored, armoury)
    if isinstance(at, StuckConversation):
        _show_stuck(stored, at, as_json=as_json)
        return
    if document:
        show(pages.document_page(stored, at.document) if as_json else at.document, as_json=as_json)
        return
    _show(stored, replace(at, said=stored.said, decided=stored.decided), as_json=as_json)


@command.command("answer")
@click.argument("draft")
@click.argument("answer")
@click.option("--then", multiple=True, help="Answer the questions after it too: all of them count, or none.")
@click.option(
    "--number",
    type=click.IntRange(1),
    help="Which entry the answers begin, from 1: where they made it before, they count once.",
)
@_revision
@armoury_option
@as_json
@pass_session
def answer(
    session: Session,
    draft: str,
    answer: str,
    then: tuple[str, ...],
    number: int | None,
    revision: int,
    armoury: str | None,
    as_json: bool,
) -> None:
    """Answer a draft's question, and show the next.

    An answer is an id, a name or dice; r rolls, '' is Enter. --revision is the number that was shown with the
    question: if somebody else answered meanwhile, yours is refused and changes nothing. The tool's dice fall
    once: taking an answer back does not roll again.

    \b
    arbitrator draft answer d-1f4kx2mz krug --revision 7
    """
    answers = (answer, *then)
    if number is not None and _is_there(session, draft, armoury, answers, number):
        stored = session.tracker.drafts.draft(session.campaign, draft)
        _show(stored, _step(session, stored, armoury), as_json=as_json)
        return
    stored = _seen(session, draft, revision)
    at = _step(session, stored, armoury, *answers)
    if at.wrong:
        raise _not_taken(stored, at)
    _show(_changed(session, stored, at), at, as_json=as_json)


@command.command("undo")
@click.argument("draft")
@click.option(
    "--entry", is_flag=True, help="Take back all answers of this entry; between entries, of the last one."
)
@click.option(
    "--number",
    type=click.IntRange(1),
    help="Take out this entry, counted from 1, wherever it stands; those after it must follow without it.",
)
@_revision
@armoury_option
@as_json
@pass_session
def undo(
    session: Session,
    draft: str,
    entry: bool,
    number: int | None,
    revision: int,
    armoury: str | None,
    as_json: bool,
) -> None:
    """Take the last answer of a draft back.

    Right after an entry, this opens that entry again at its last answer. Answers that no longer fit, because
    the campaign has moved on or somebody gave up a request for dice, go with it.

    \b
    arbitrator draft undo d-1f4kx2mz --revision 7
    """
    stored = _seen(session, draft, revision)
    if number is not None:
        _take_out(session, stored, number, armoury, as_json=as_json)
        return
    at = _taken_back(session, stored, armoury, entry=entry)
    _show(_changed(session, stored, at), at, as_json=as_json)


@command.command("discard")
@click.argument("draft")
@_revision
@as_json
@pass_session
def discard(session: Session, draft: str, revision: int, as_json: bool) -> None:
    """Throw a draft away. What was recorded from it stays; provable dice that only it asked for are given up.

    \b
    arbitrator draft discard d-1f4kx2mz --revision 7
    """
    tracker, campaign = session.tracker, session.campaign
    stored = _seen(session, draft, revision)
    tracker.drafts.discard(campaign, draft, seen=revision)
    dice = tracker.boards.state_at(campaign).dice_session
    waiting = tracker.proposals.waiting(campaign) if dice is not None else ()
    sent_in = [named_by(each.proposal.document, dice) for each in waiting]
    for request in sorted(asked_by(stored.seed, dice).difference(*sent_in)):
        tracker.dice.abandon(campaign, request, reason="what it was for was thrown away")
    show(done_page(f"Draft {draft} is gone.", {"draft": draft}), as_json=as_json)


def _seen(session: Session, draft: str, revision: int) -> Draft:
    """The draft, if it still is what was seen. Raises UnknownDraft, DraftMovedOn."""
    stored = session.tracker.drafts.draft(session.campaign, draft)
    if stored.revision != revision:
        raise session.tracker.drafts.moved_on(stored.campaign, draft, revision)
    return stored


def _stood(stored: Draft) -> SavedConversation:
    return SavedConversation(text=stored.text, lines=stored.lines, taken_out=stored.taken_out)


def _step(session: Session, stored: Draft, armoury: str | None, *answers: str) -> ConversationStep:
    stood = _stood(stored)
    return stepping.step(session, stored.kind, stood, seed=stored.seed, answers=answers, armoury=armoury)


def _resumed(session: Session, stored: Draft, armoury: str | None) -> ConversationStep | StuckConversation:
    stood = _stood(stored)
    at = stepping.resumed(session, stored.kind, stood, seed=stored.seed, armoury=armoury)
    if isinstance(at, StuckConversation):
        session.in_words_of_its_game(at.refusal)
    return at


def _back_to(session: Session, stored: Draft, armoury: str | None) -> ConversationStep:
    """The question after these answers, or after those before a die that was given up."""
    while True:
        try:
            return _step(session, stored, armoury)
        except DieNotDrawn:
            if not stored.lines:
                raise
            stored = replace(stored, lines=stored.lines[:-1])


def _taken_back(session: Session, stored: Draft, armoury: str | None, *, entry: bool) -> ConversationStep:
    """The question after the last answer, or all of this entry, is taken back."""
    lines = stored.lines
    if lines and (entry or lines[-1] != stepping.BACK):
        return _back_to(session, replace(stored, lines=() if entry else lines[:-1]), armoury)
    now = _resumed(session, stored, armoury)
    if isinstance(now, StuckConversation):
        if not lines or not now.dice_given_up:
            raise now.refusal
        return _back_to(session, replace(stored, lines=lines[:-1]), armoury)
    asked = now.question
    is_left = entry and asked.kind  # an entry that is due is left for later
    if not lines and asked.shape not in ("menu", "record") and asked.key != "fighters" and not is_left:
        raise NothingToTakeBack
    at = _step(session, stored, armoury, "undo" if entry and asked.shape == "menu" else stepping.BACK)
    if at.wrong:
        raise _not_taken(stored, at)
    return at


def _take_out(session: Session, stored: Draft, number: int, armoury: str | None, *, as_json: bool) -> None:
    """Keep a draft without one of its entries; what no longer followed before may still not follow.

    What is being answered goes with it where it rests on that entry.
    """
    shorter = _without(stored, number)
    at = _resumed(session, shorter, armoury)
    if isinstance(at, StuckConversation) or len(at.stood.lines) < len(stored.lines):
        was = _resumed(session, stored, armoury)
        followed = isinstance(was, ConversationStep) or was.entry is None
        if isinstance(at, StuckConversation) and not at.holds_without and followed:
            raise _needed(number, at)
        shorter = replace(shorter, lines=(), said=(), decided="")
        at = _resumed(session, shorter, armoury) if stored.lines else at
        if isinstance(at, ConversationStep) and stored.lines:
            at = replace(at, said=(*at.said, RESTED_ON_IT))
    if isinstance(at, StuckConversation):
        _show_stuck(session.tracker.drafts.change(shorter, by=session.actor), at, as_json=as_json)
    else:
        _show(_changed(session, shorter, at), at, as_json=as_json)


def _needed(number: int, at: StuckConversation) -> Refusal:
    """Why an entry cannot be taken out: a later one, by its number before, would not follow."""
    if at.entry is None:
        return at.refusal
    why = next(iter(at.refusal.each()), at.refusal).itself().message()
    return NeedsWhatIsTakenOut(entry=at.entry + (at.entry >= number), number=number, why=why)


def _show_stuck(stored: Draft, at: StuckConversation, *, as_json: bool) -> None:
    page = pages.stuck_page(
        stored,
        at.refusal.message(),
        entry=at.entry,
        dice_given_up=at.dice_given_up,
        holds_without=at.holds_without,
    )
    show(page, as_json=as_json)


def _without(stored: Draft, number: int) -> Draft:
    """The draft without an entry. Where something follows it, its number is used by no other."""
    text = writing.without_entry(stored.text, number, file="the draft")
    is_last = number == len(writing.plain_of(stored.text, file="").get("entries") or ())
    if is_last and not stored.lines:
        return replace(stored, text=text)
    taken_out = (*stored.taken_out, numbered(number, stored.taken_out))
    return replace(stored, text=text, taken_out=tuple(sorted(taken_out)))


def _is_there(
    session: Session, draft: str, armoury: str | None, answers: tuple[str, ...], number: int
) -> bool:
    """Whether these answers were sent before and count already."""
    stored = session.tracker.drafts.draft(session.campaign, draft)
    stood = _stood(stored)
    return stepping.were_given_before(
        session, stored.kind, stood, answers, number=number, seed=stored.seed, armoury=armoury
    )


def _changed(session: Session, stored: Draft, at: ConversationStep) -> Draft:
    changed = replace(stored, text=at.stood.text, lines=at.stood.lines, said=at.said, decided=at.decided)
    return session.tracker.drafts.change(changed, by=session.actor)


def _not_taken(stored: Draft, at: ConversationStep) -> Refusal:
    """Why an answer changes nothing."""
    why, lost = " ".join(at.wrong), len(stored.lines) - len(at.stood.lines)
    if lost > 0 and at.stood.text == stored.text:
        return DraftDoesNotFit(draft=stored.draft, revision=stored.revision, lines=lost, why=why)
    return AnswerNotTaken(why=why, question=at.question.words)


def _show(draft: Draft, at: ConversationStep, *, as_json: bool) -> None:
    show(pages.draft_page(draft, _data(at)), as_json=as_json)


def _data(at: ConversationStep) -> dict[str, Any]:
    data: dict[str, Any] = plain_data(at)
    del data["stood"]
    return {**data, "whole": at.whole}

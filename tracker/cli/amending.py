"""Shared by all 'amend' commands: show the difference, then the ruling's preview, then rule."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Sequence
from typing import Any

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli import rulings
from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run
from tracker.cli.output import on_terminal
from tracker.cli.session import Session
from tracker.conversations.chosen_campaign import armoury_of
from tracker.dice import Die
from tracker.documents import post_battle
from tracker.documents.armoury import PriceLookup
from tracker.documents.battle_continued import continuation_plan
from tracker.documents.battle_report import BattlePlan
from tracker.documents.planned_decisions import PlannedDecision
from tracker.documents.post_battle import PostBattlePlan, post_battle_plan
from tracker.documents.recorded_entries import amended_entry, cards_amended, keys_amended
from tracker.documents.text import clean_note
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput
from tracker.records import Record, replace
from tracker.reports.amendments import GONE, NEW, AmendedKey
from tracker.reports.dice_words import dice_words
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.service.amendments import PartAmended, SlotAmendment, dice_without
from tracker.service.ruling_request import RulingRequest

WORDS_MAX = 400


class AmendingNeedsReason(BadInput):
    """Give a reason with --reason: the log keeps the old entry, struck out, with the reason and who corrected
    it.
    """


class RestoresAlone(BadInput):
    """Taking a ruling back adds no entries: leave out --also. Add what is due afterwards, with 'arbitrator
    entry add'.
    """


class EntriesOfAnotherBattle(BadInput):
    """{file} holds entries of battle {named!r}, and entry {entry} belongs to {battle}. Name an entry of that
    battle, or put the file's 'battle:' right.
    """

    file: str
    named: str
    entry: int
    battle: str


class AmendmentPlan(Record):
    """The planned correction: each entry with its changed lines, voided entries, and a description."""

    lines: tuple[AmendedKey, ...]
    amended: dict[int, records.Amendment]
    words: str
    void: tuple[int, ...] = ()


also_option = click.option(
    "--also",
    type=(ENTRY_NUMBER, str),
    multiple=True,
    metavar="ENTRY FILE",
    help="What the change makes due and was rolled meanwhile: entries of FILE, placed after ENTRY.",
)


def amending_options(function: Any) -> Any:
    """The options of an amendment and its preview."""
    for option in (
        as_json,
        also_option,
        dry_run,
        rulings.ruling_options,
        click.option("--reason", metavar="TEXT", help="Why; kept in the log. Without it nothing changes."),
        rulings.later_options,
    ):
        function = option(function)
    return function


def keys_set(
    session: Session, entry: int, sets: Sequence[str], *, part: int | None = None, armoury: str | None = None
) -> AmendmentPlan:
    """An entry with keys set as its file writes them."""
    tracker, campaign = session.tracker, session.campaign
    recorded = tracker.amendments.recorded(campaign, entry)
    amended = amended_entry(
        recorded.part(part).command,
        sets,
        entry=entry,
        purposes=loader.book(tracker.boards.state_at(campaign).book).purposes,
        lookup=PriceLookup(state=recorded.before, armoury=armoury_of(session, armoury)),
    )
    corrected = tracker.amendments.of_entry(
        recorded, amended.command, amended.dice, part=part or 1, note=amended.note
    )
    lines = [AmendedKey(entry=entry, key=key.key, before=key.before, after=key.after) for key in amended.keys]
    if corrected.amendment.note is not None:
        after = corrected.amendment.note or None
        lines.append(AmendedKey(entry=entry, key="note", before=recorded.header.note, after=after))
    lines += dice_line(entry, corrected)
    return AmendmentPlan(lines=tuple(lines), amended={entry: corrected.amendment}, words=in_words(lines))


def added(
    session: Session,
    also: Sequence[tuple[int, str]],
    *,
    apart_from: Collection[int] = (),
    armoury: str | None = None,
) -> AmendmentPlan:
    """The entries of files, each placed after its entry, or before the next one if its entry is among
    `apart_from`. Raises EntriesOfAnotherBattle.
    """
    tracker, campaign = session.tracker, session.campaign
    state = tracker.boards.state_at(campaign)
    names, taken = Names.of_state(state), {*apart_from}
    lines: list[AmendedKey] = []
    amended: dict[int, records.Amendment] = {}
    listed: dict[int, list[PlannedDecision]] = {}
    for after, file in also:
        plan = _entries_of(session, state, file, after, armoury)
        listed[after] = [*listed.get(after, ()), *plan.decisions]
    for after, decisions in sorted(listed.items()):
        made = tracker.amendments.added(campaign, after, decisions, apart_from=taken)
        taken.add(made.entry)
        amended[made.entry] = made.amendment
        lines += [
            AmendedKey(entry=made.entry, key=NEW, before=None, after=decision.command.in_words(names))
            for decision in decisions
        ]
    return AmendmentPlan(lines=tuple(lines), amended=amended, words=in_words(lines))


def _entries_of(
    session: Session, state: CampaignState, file: str, after: int, armoury: str | None
) -> BattlePlan | PostBattlePlan:
    tracker, campaign = session.tracker, session.campaign
    recorded, document = tracker.amendments.recorded(campaign, after), read_document(file)
    purposes = loader.book(state.book).purposes
    named = document.root.child("format")
    if named is not None and named.content == post_battle.FORMAT:
        lookup = PriceLookup(state=recorded.before, armoury=armoury_of(session, armoury))
        return post_battle_plan(document, purposes=purposes, lookup=lookup)
    plan = continuation_plan(document, purposes=purposes, state=state)
    battle = tracker.boards.battle_of_slot(campaign, after)
    if plan.battle != battle:
        belongs = Names.of_state(state).battle(battle) if battle is not None else "no battle"
        raise EntriesOfAnotherBattle(file=file, named=plan.battle, entry=after, battle=belongs)
    return plan


def together(what: AmendmentPlan | None, further: AmendmentPlan) -> AmendmentPlan:
    """The correction and its further entries, as one plan."""
    if what is None:
        return further
    lines = (*what.lines, *further.lines)
    return replace(what, lines=lines, amended={**what.amended, **further.amended}, words=in_words(lines))


def dice_line(entry: int, amendment: SlotAmendment) -> list[AmendedKey]:
    """'dice: wound 4 -> wound 5', if the dice differ in faces or in their fighter."""
    was = (*amendment.was.dice, *amendment.was.spare)
    now = amendment.amendment.dice
    return [] if now is None else _dice_lines(entry, was, now)


def part_lines(amended: PartAmended, names: Names, lookup: PriceLookup) -> list[AmendedKey]:
    """The changes of one part: key by key, or its sentence if it is gone or new."""
    entry, before, after = amended.entry, amended.before, amended.after
    if before is None or after is None or type(before.command) is not type(after.command):
        words = [part.command.in_words(names) if part is not None else None for part in (before, after)]
        key = NEW if before is None else GONE if after is None else "all of it"
        return [AmendedKey(entry=entry, key=key, before=words[0], after=words[1])]
    lines = [
        AmendedKey(entry=entry, key=key.key, before=key.before, after=key.after)
        for key in keys_amended(before.command, after.command, lookup)
    ]
    return lines + _dice_lines(entry, before.dice, after.dice)


def sheet_lines(amended: PartAmended) -> list[AmendedKey]:
    """The changes of a sheet, card by card: 'vex characteristics.ballistic_skill 4 -> 3'."""
    assert amended.before is not None, "a sheet was recorded"
    assert amended.after is not None, "a sheet is given"
    return [
        AmendedKey(entry=amended.entry, key=key.key, before=key.before, after=key.after)
        for key in cards_amended(amended.before.command, amended.after.command)
    ]


def _dice_lines(entry: int, was: tuple[Die, ...], now: tuple[Die, ...]) -> list[AmendedKey]:
    before, after = dice_without(was, now), dice_without(now, was)
    if not before and not after:
        return []
    return [AmendedKey(entry=entry, key="dice", before=dice_words(before), after=dice_words(after))]


def in_words(lines: Sequence[AmendedKey]) -> str:
    """'entry 5, by mags -> dot', as the ruling keeps it."""
    words = "; ".join(map(str, lines))
    if len(words) <= WORDS_MAX:
        return words
    entries = {line.entry for line in lines}
    return f"{len(entries)} entries, {', '.join(map(str, sorted(entries)))}"[:WORDS_MAX]


def amend(
    session: Session,
    what: AmendmentPlan,
    *,
    typed: Sequence[str],
    about: str,
    dispute: str | None = None,
    also: tuple[tuple[int, str], ...] = (),
    reason: str | None,
    dice: tuple[str, ...],
    keep: tuple[int, ...],
    unkeep: tuple[int, ...],
    void: tuple[int, ...],
    strategy: Any,
    roll: bool,
    expect_head: int | None,
    force: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Show what would change; make the ruling with --expect-head, or if somebody at the terminal agrees."""
    tracker, campaign = session.tracker, session.campaign
    if also:
        apart_from = {*what.amended, *what.void, *void, *keep}
        what = together(what, added(session, also, apart_from=apart_from))
    answer = RulingRequest(
        verdict="amended",
        reason=clean_note(reason) if reason is not None else "",
        outcome=what.words,
        **rulings.supplied_dice(dice),
        keep=keep,
        unkeep=unkeep,
        void=(*what.void, *void),
        strategy=strategy,
        amended=what.amended,
    )
    later_options = {
        "also": also,
        "dice": dice,
        "keep": keep,
        "unkeep": unkeep,
        "void_entry": void,
        "strategy": strategy,
    }
    words = shlex.join(typed) + rulings.options_typed(later_options)
    making = expect_head is not None or force is not None or dry_run
    asking = not making and reason is not None and on_terminal() and sys.stdin.isatty()
    if making and reason is None:
        raise AmendingNeedsReason
    if not making and not asking:
        preview = tracker.rulings.preview(campaign, dispute, answer)
        rulings.show_preview(session, preview, words=words, as_json=as_json, about=about, amended=what.lines)
        return
    rulings.make_ruling(
        session,
        dispute,
        answer,
        words=words,
        about=about,
        amended=what.lines,
        roll=roll,
        expect_head=expect_head,
        force=force,
        dry_run=dry_run,
        as_json=as_json,
    )

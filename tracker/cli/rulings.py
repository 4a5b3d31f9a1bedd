"""Shared by 'dispute' and 'rollback': the options of a ruling, its preview, and the check that somebody has
seen the preview.
"""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from tracker.campaign import records
from tracker.campaign.state import OpenDispute
from tracker.cli.options import ENTRY_NUMBER, show
from tracker.cli.output import on_terminal, output
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.documents.text import clean_note
from tracker.errors import BadInput
from tracker.reports.amendments import AmendedKey
from tracker.reports.differences import differences, differences_lines
from tracker.reports.names import Names, address_words
from tracker.reports.preview import SlotConsequence, followed_slot, preview_page, verdict_words
from tracker.service.as_of import is_count
from tracker.service.refusals import NoPreviewSeen, RulingNotWanted
from tracker.service.ruling_request import RulingRequest
from tracker.service.rulings import Preview, chances_of
from tracker.service.what_if import WhatIf

STRATEGIES = ("carry", "keep-later", "void-later")


class DiceNotUnderstood(BadInput):
    """--dice {given!r} is not understood. Write ENTRY:PURPOSE=FACES, such as 61:lasting_injury=4-6, with a
    comma between several dice.
    """

    given: str


def later_options(function: Any) -> Any:
    """The options for entries that no longer follow."""
    for option in (
        click.option(
            "--strategy",
            type=click.Choice(STRATEGIES),
            default="carry",
            show_default=True,
            help="What to do with a later entry that no longer fits and that no option names: leave it open"
            " for an answer, keep it as played, or void it.",
        ),
        click.option(
            "--void-entry",
            "void",
            type=ENTRY_NUMBER,
            multiple=True,
            metavar="ENTRY",
            help="Void a later entry.",
        ),
        click.option(
            "--unkeep",
            type=ENTRY_NUMBER,
            multiple=True,
            metavar="ENTRY",
            help="Decide an entry again that an earlier ruling kept.",
        ),
        click.option(
            "--keep", type=ENTRY_NUMBER, multiple=True, metavar="ENTRY", help="Keep a later entry as played."
        ),
        click.option(
            "--dice",
            multiple=True,
            metavar="ENTRY:PURPOSE=FACES",
            help="Dice that are needed now and were never rolled; may be repeated.",
        ),
    ):
        function = option(function)
    return function


def ruling_options(function: Any) -> Any:
    """The options that make a ruling after its preview."""
    for option in (
        click.option(
            "--force", metavar="WHY", help="Rule without a preview; the preview is shown all the same."
        ),
        click.option(
            "--expect-head",
            type=click.IntRange(min=0),
            metavar="SIZE",
            help="The size that the preview printed; refused if the log has grown since.",
        ),
        click.option("--roll", is_flag=True, help="Let the tool roll dice that are needed now."),
    ):
        function = option(function)
    return function


def supplied_dice(dice: tuple[str, ...], *, disputed: bool = False) -> dict[str, Any]:
    """The dice in options like '61:lasting_injury=4-6,3-1'; dice without an entry are for the disputed one.

    Raises DiceNotUnderstood.
    """
    supplied: dict[int, list[tuple[str, str]]] = {}
    here: list[tuple[str, str]] = []
    for given in dice:
        left, equals, right = given.partition("=")
        entry, colon, purpose = left.rpartition(":")
        values = [value.strip() for value in right.split(",") if value.strip()]
        named = is_count(entry) if colon else disputed
        if not equals or not purpose or not values or not named:
            raise DiceNotUnderstood(given=given)
        listed = supplied.setdefault(int(entry), []) if colon else here
        listed.extend((purpose.strip(), value) for value in values)
    return {"supplied": supplied, "supplied_here": here}


def show_preview(
    session: Session,
    preview: Preview,
    *,
    words: str,
    as_json: bool,
    again: str = "",
    about: str = "",
    amended: Sequence[AmendedKey] = (),
    err: bool = False,
) -> None:
    """Show the preview. `words` is the command that makes this ruling, `again` the one that opens a dispute
    first if there is none, `about` what is rolled back or taken back.
    """
    names = Names.of_states(preview.after, preview.before)
    page = preview_page(
        dispute=preview.dispute.dispute,
        target=_target(preview),
        about=about,
        amended=amended,
        verdict=verdict_words(preview.verdict, _die_words(preview), _outcome(preview)),
        followed=followed_slots(session, preview, names),
        changes=differences(preview.before, preview.after, names),
        names=names,
        unchanged=preview.redecision.unchanged,
        absences=preview.redecision.absences,
        # Kept slots are shown with each slot; the ruling itself is the preview's heading.
        own=[
            event
            for event in preview.own[1:]
            if not isinstance(event, records.SlotKept | records.SlotReleased)
        ],
        forecast=preview.forecast,
        owed=preview.owed,
        head=preview.head_size,
        next_steps=list(_next_steps(preview, words, again)),
    )
    if err:
        output().note(page, "json" if as_json else "text")
    else:
        show(page, as_json=as_json)


def followed_slots(session: Session, preview: Preview | WhatIf, names: Names) -> list[SlotConsequence]:
    """The result for each slot, with the chances of missing dice, for previews and what-ifs."""
    tracker, campaign = session.tracker, session.campaign
    chances = chances_of(preview.redecision)
    return [
        followed_slot(
            slot,
            names,
            battle=tracker.boards.battle_of_slot(campaign, slot.slot.slot),
            chances=chances.get(slot.slot.slot),
            followed=slot.slot.slot in chances,
        )
        for slot in preview.redecision.slots
    ]


def make_ruling(
    session: Session,
    name: str | OpenDispute | None,
    answer: RulingRequest,
    *,
    words: str,
    about: str = "",
    amended: Sequence[AmendedKey] = (),
    roll: bool,
    expect_head: int | None,
    force: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Make the ruling after its preview was seen: an earlier one, named by its size; this one, confirmed on a
    terminal; or, with --force, the one printed now.
    """
    tracker, campaign = session.tracker, session.campaign
    why, note = clean_note(force) if force is not None else None, None
    if not dry_run and expect_head is None:
        asking = why is None
        if asking and not (on_terminal() and sys.stdin.isatty()):
            raise NoPreviewSeen(preview=words.replace(" rule ", " preview ", 1))
        session.paging = False  # the next question is about the screen's content
        preview = tracker.rulings.preview(campaign, name, answer)
        show_preview(session, preview, words=words, as_json=False, about=about, amended=amended, err=as_json)
        expect_head = preview.head_size
        if asking and not click.confirm("Rule so?", default=False):
            raise RulingNotWanted
        if why is not None:
            note = f"ruled without a preview: {why}"
    before = tracker.boards.state_at(campaign)
    played = tracker.rulings.rule(
        campaign, name, answer, roll=roll, dry_run=dry_run, expected_head=expect_head, note=note
    )
    names = Names.of_states(before, played.state)
    show_receipt(played, as_json=as_json, names=names)
    if as_json:
        return
    show("\n" + "\n".join(differences_lines(differences(before, played.state, names), names)))


def typed(noun: str, subject: tuple[str, ...], said: dict[str, Any]) -> str:
    """The command that makes this ruling, such as 'arbitrator dispute rule 13 --faces 2'."""
    return shlex.join(["arbitrator", noun, "rule", *subject]) + options_typed(said)


def options_typed(said: Mapping[str, Any]) -> str:
    """The given options as they would be typed again, such as ' --strategy keep-later'."""
    words: list[str] = []
    for option, value in said.items():
        name = f"--{option.replace('_', '-')}"
        if value is True:
            words.append(name)
        elif isinstance(value, tuple):
            parts = [part if isinstance(part, tuple) else (part,) for part in value]
            words += [word for part in parts for word in (name, *map(str, part))]
        elif value not in (None, False) and (option, value) != ("strategy", "carry"):
            words += [name, str(value)]
    return "".join(f" {shlex.quote(word)}" for word in words)


def _target(preview: Preview) -> str:
    if not preview.dispute.target_entry:
        return ""
    return address_words(preview.dispute.target_entry, preview.dispute.target_position)


def _outcome(preview: Preview) -> str | None:
    return next((event.outcome for event in preview.own if isinstance(event, records.RulingMade)), None)


def _die_words(preview: Preview) -> str:
    if preview.verdict == "house_rules":
        return _outcome(preview) or ""
    if preview.verdict == "amended":
        return ""
    if preview.die_before is None:
        return ""
    if preview.again:
        return f"{preview.die_before.purpose} {preview.die_before.shown()} -> ?"
    if preview.die_after is None:
        return ""
    return f"{preview.die_before.purpose} {preview.die_before.shown()} -> {preview.die_after.shown()}"


def _dice_to_give(preview: Preview, slot: int, first: str = "") -> str:
    """The options for all dice that an entry certainly needs: '--dice 8:nerve=FACES,FACES'."""
    dice = preview.forecast.dice
    counted = Counter(asked.die.purpose for asked in dice if asked.entry == slot and asked.certain)
    purposes = counted or Counter([first])
    return " ".join(
        f"--dice {slot}:{purpose}={','.join(['FACES'] * number)}" for purpose, number in purposes.items()
    )


def _next_steps(preview: Preview, words: str, again: str) -> Iterator[str]:
    if preview.again:
        yield f"{words} --faces FACES, or --roll with a --strategy"
        return
    unsettled = preview.redecision.unsettled
    for redecided in unsettled:
        slot = redecided.slot.slot
        if redecided.needed is not None and preview.forecast.asks_no_more(slot):
            yield f"nothing for {slot}: it needs none once the dice above are given"
        elif redecided.needed is not None:
            # The entry with the disputed die cannot be kept as played: that would be --confirm.
            keeps = redecided.keepable and slot != preview.dispute.target_slot
            keep = f" or --keep {slot}," if keeps else ""
            dice = _dice_to_give(preview, slot, redecided.needed.purpose)
            yield f"{dice}, or --roll,{keep} or --void-entry {slot}"
        else:
            yield f"--keep {slot}, or --void-entry {slot}" if redecided.keepable else f"--void-entry {slot}"
    open_now = {redecided.slot.slot for redecided in unsettled}
    for slot in dict.fromkeys(asked.entry for asked in preview.forecast.dice if asked.certain):
        if slot not in open_now:
            yield f"and with these {_dice_to_give(preview, slot)}"
    if sum(redecided.slot.slot != preview.dispute.target_slot for redecided in unsettled) > 1:
        yield "or for every entry not named: --strategy keep-later, or --strategy void-later"
    if not unsettled:
        yield again or f"{words} --expect-head {preview.head_size} --reason TEXT"
        if preview.after.under_way is not None and preview.before.under_way is None:
            battle = preview.after.under_way.battle
            ways = "arbitrator battle continue FILE, or arbitrator battle close"
            yield f"then, as {battle} is under way: {ways}"

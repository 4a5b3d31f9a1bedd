"""Disputes: doubt a roll, see what a ruling would change, rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run, paper, pass_session, reason, show
from tracker.cli.session import Session
from tracker.documents.text import clean_note
from tracker.errors import BadInput
from tracker.log import database
from tracker.projections import queries
from tracker.reports.differences import differences, differences_lines
from tracker.reports.dispute import (
    dispute_json,
    dispute_text,
    disputes_json,
    disputes_text,
    followed_slot,
    preview_json,
    preview_text,
)
from tracker.reports.names import Names
from tracker.reports.receipt import receipt, receipt_json
from tracker.service import Answer, Preview, Tracker


@dataclass(eq=False)
class DiceNotUnderstood(BadInput):
    given: str

    def message(self) -> str:
        return (
            f"--dice {self.given!r} is not understood. Write ENTRY:PURPOSE=FACES, such as"
            " 61:lasting_injury=4-6,"
            f" with a comma between several dice."
        )


class SayOneVerdict(BadInput):
    """None of, or more than one of, the ways to rule."""

    def message(self) -> str:
        return "Say one verdict: --confirm, --faces FACES, or --void."


def verdict_options(function: Any) -> Any:
    """How to rule, and what becomes of entries that no longer follow."""
    for option in (
        click.option(
            "--void-entry",
            "void",
            type=ENTRY_NUMBER,
            multiple=True,
            metavar="ENTRY",
            help="Void a later entry.",
        ),
        click.option(
            "--keep", type=ENTRY_NUMBER, multiple=True, metavar="ENTRY", help="Keep a later entry as played."
        ),
        click.option(
            "--dice",
            multiple=True,
            metavar="ENTRY:PURPOSE=FACES",
            help="Dice that were never rolled and are needed now; may be repeated.",
        ),
        click.option("--void", "void_it", is_flag=True, help="The whole entry counts for nothing."),
        click.option(
            "--faces", metavar="FACES", help="What the die should have shown: 2, 4-6, serious_injury."
        ),
        click.option("--confirm", is_flag=True, help="The roll stands."),
    ):
        function = option(function)
    return function


class ConfirmingChangesNothing(BadInput):
    """Later entries are spoken for, but the roll stands."""

    def message(self) -> str:
        return (
            "With --confirm the roll stands and nothing follows: leave out --dice, --keep and --void-entry."
        )


@click.group("dispute")
def command() -> None:
    """Dispute a roll, preview a ruling, rule."""


@command.command("open")
@click.argument("event", metavar="ENTRY.EVENT")
@reason
@click.option("--by", "raised_by", metavar="WHO", help="Who doubts it. [default: who is typing]")
@click.option("--rule", metavar="TEXT", help="The rule that is cited.")
@pass_session
def open_(session: Session, event: str, reason: str, raised_by: str | None, rule: str | None) -> None:
    """Doubt an event, such as 57.3. It stays in force until a ruling."""
    played = session.tracker.open_dispute(
        session.campaign,
        event,
        reason=clean_note(reason),
        raised_by=clean_note(raised_by) if raised_by else session.actor,
        rule=clean_note(rule) if rule else None,
    )
    names = Names.of_state(played.state)
    show(receipt(played.entries, names))
    number = played.entries[0][0].entry
    show(
        f"\nDispute {number} is open; {event} stays in force. See: arbitrator dispute preview {number}"
        " --faces ..."
    )


@command.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those without a ruling.")
@as_json
@pass_session
def list_(session: Session, only_open: bool, as_json: bool) -> None:
    """Every dispute of the campaign."""
    campaign = session.campaign
    with database.reading(session.tracker.engine) as connection:
        rows = queries.disputes(connection, campaign, is_open=True if only_open else None)
    show(disputes_json(rows) if as_json else disputes_text(rows, **paper()))


@command.command("show")
@click.argument("dispute")
@as_json
@pass_session
def show_(session: Session, dispute: str, as_json: bool) -> None:
    """One dispute, what it is about, and the ruling if there is one."""
    tracker, campaign = session.tracker, session.campaign
    names = Names.of_state(tracker.state(campaign))
    with database.reading(tracker.engine) as connection:
        rows = queries.disputes(connection, campaign)
    row = next((one for one in rows if dispute in (str(one["dispute"]), _target(one))), None)
    if row is None:
        tracker.find_dispute(campaign, dispute)
        raise AssertionError("the board lists every open dispute")
    target = tracker.event_at(campaign, _target(row))
    show((dispute_json if as_json else dispute_text)(row, target, names))


@command.command("preview")
@click.argument("dispute", metavar="DISPUTE or ENTRY.EVENT")
@verdict_options
@as_json
@pass_session
def preview(session: Session, /, dispute: str, as_json: bool, **said: Any) -> None:
    """What a ruling would change, all of it. Nothing is written."""
    tracker, campaign = session.tracker, session.campaign
    answer = _answer(tracker, campaign, dispute, reason="", **said)
    found = tracker.preview(campaign, dispute, answer)
    names = Names.of_state(found.before)
    told: dict[str, Any] = {
        "dispute": found.dispute.dispute,
        "target": f"{found.dispute.target_entry}.{found.dispute.target_position}",
        "verdict": _verdict_words(found),
        "followed": [
            followed_slot(one, names, battle=tracker.battle_of_slot(campaign, one.slot.slot))
            for one in found.rejudged.slots
        ],
        "changes": differences(found.before, found.after, names),
        "names": names,
        "unchanged": found.rejudged.looked_at - len(found.rejudged.slots),
        "next_steps": _next_steps(found, dispute),
    }
    show((preview_json if as_json else preview_text)(**told))


@command.command("rule")
@click.argument("dispute", metavar="DISPUTE")
@verdict_options
@reason
@click.option("--roll", is_flag=True, help="Let the tool roll dice that are needed now.")
@click.option(
    "--expect-head",
    type=click.IntRange(min=0),
    metavar="SIZE",
    help="Refuse if the log moved on since the preview.",
)
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
    dry_run: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Rule on a dispute. One entry holds the word and everything it changes, or nothing is written."""
    tracker, campaign = session.tracker, session.campaign
    answer = _answer(tracker, campaign, dispute, reason=clean_note(reason), **said)
    before = tracker.state(campaign)
    played = tracker.rule(campaign, dispute, answer, roll=roll, dry_run=dry_run, expected_head=expect_head)
    names = Names.of_state(played.state)
    if as_json:
        show(receipt_json(played.entries, names, dry_run=played.dry_run))
        return
    show(receipt(played.entries, names, dry_run=played.dry_run))
    show("\n" + "\n".join(differences_lines(differences(before, played.state, names), names)))


def _answer(
    tracker: Tracker,
    campaign: str,
    dispute: str,
    *,
    reason: str,
    confirm: bool,
    faces: str | None,
    void_it: bool,
    dice: tuple[str, ...],
    keep: tuple[int, ...],
    void: tuple[int, ...],
) -> Answer:
    if sum((confirm, faces is not None, void_it)) != 1:
        raise SayOneVerdict
    if confirm and (dice or keep or void):
        raise ConfirmingChangesNothing
    supplied: dict[int, list[tuple[str, str]]] = {}
    for given in dice:
        entry, purpose, values = _dice(tracker, campaign, dispute, given)
        supplied.setdefault(entry, []).extend((purpose, value) for value in values)
    return Answer(
        verdict="confirmed" if confirm else "voided" if void_it else "corrected",
        reason=reason,
        faces=faces,
        supplied=supplied,
        keep=keep,
        void=void,
    )


def _dice(tracker: Tracker, campaign: str, dispute: str, given: str) -> tuple[int, str, list[str]]:
    """'61:lasting_injury=4-6,3-1'; without an entry, the disputed one."""
    left, equals, right = given.partition("=")
    entry, colon, purpose = left.rpartition(":")
    values = [value.strip() for value in right.split(",") if value.strip()]
    if (
        not equals
        or not purpose
        or not values
        or (colon and not (entry.isascii() and entry.isdecimal() and len(entry) < 10))
    ):
        raise DiceNotUnderstood(given=given)
    slot = int(entry) if colon else tracker.slot_in_dispute(campaign, dispute)
    return slot, purpose.strip(), values


def _target(row: dict[str, Any]) -> str:
    return f"{row['target_entry']}.{row['target_position']}"


def _verdict_words(found: Preview) -> str:
    if found.die_after is None or found.die_before is None:
        return found.verdict
    return (
        f"{found.verdict}: {found.die_before.purpose} {found.die_before.shown()} -> {found.die_after.shown()}"
    )


def _next_steps(found: Preview, dispute: str) -> list[str]:
    steps = []
    for one in found.rejudged.unsettled:
        slot = one.slot.slot
        if one.needed is not None:
            steps.append(
                f"--dice {slot}:{one.needed.purpose}=FACES, or --roll, or --keep {slot}, or"
                f" --void-entry {slot}"
            )
        else:
            steps.append(f"--keep {slot}, or --void-entry {slot}")
    if not steps and not found.dispute.dispute:
        steps.append(f"arbitrator dispute open {dispute} --reason TEXT")
    elif not steps:
        steps.append(f"arbitrator dispute rule {dispute} ... --expect-head {found.head_size} --reason TEXT")
    return steps

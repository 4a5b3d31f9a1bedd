"""Entries of the log put right: what was typed wrong, as one ruling that can be taken back."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli import amending
from tracker.cli.corrections import armoury_of, armoury_option
from tracker.cli.options import ENTRY_NUMBER, pass_session
from tracker.cli.session import Session
from tracker.documents.armoury import PriceLookup
from tracker.documents.recorded_entries import amended_entry
from tracker.reports.amended import Amended
from tracker.rules import loader


@click.group("entry")
def command() -> None:
    """Put right what was typed wrong in a recorded entry."""


@command.command("amend")
@click.argument("entry", type=ENTRY_NUMBER)
@click.option(
    "--set",
    "sets",
    multiple=True,
    required=True,
    metavar="KEY=VALUE",
    help="A key of the entry as its file writes it, and what it should have said; may be repeated.",
)
@click.option(
    "--part", type=click.IntRange(min=1), metavar="NUMBER", help="Which one, where the entry holds several."
)
@armoury_option
@amending.amending_options
@pass_session
def amend(
    session: Session,
    /,
    entry: int,
    sets: tuple[str, ...],
    part: int | None,
    armoury: str | None,
    **how: Any,
) -> None:
    """Put right what an ENTRY says, such as --set by=vesk, and all that follows from it.

    Without --reason and --expect-head it only shows what would change. The old words stay in the log, struck
    out; 'rollback rule --ruling' takes the whole of it back. Dice that were written down wrong are set as
    dice.PURPOSE=FACES; where --set names another fighter, the dice become theirs.
    """
    tracker, campaign = session.tracker, session.campaign
    recorded = tracker.amendments.recorded(campaign, entry)
    state = recorded.before
    found = amended_entry(
        recorded.part(part).command,
        sets,
        entry=entry,
        purposes=loader.book(tracker.boards.state_at(campaign).book).purposes,
        lookup=PriceLookup(state=state, armoury=armoury_of(session, armoury)),
    )
    made = tracker.amendments.of_entry(recorded, found.command, found.dice, part=part or 1)
    lines = [
        Amended(entry=entry, key=key.key, before=key.before, after=key.after) for key in found.keys
    ] + amending.dice_line(entry, made)
    what = amending.Amending(
        lines=tuple(lines), amended={entry: made.amendment}, words=amending.in_words(lines)
    )
    typed = ["arbitrator", "entry", "amend", str(entry)]
    typed += [word for one in sets for word in ("--set", one)]
    typed += ["--part", str(part)] if part is not None else []
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)

"""Entries of the log put right: what was typed wrong, as one ruling that can be taken back."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli import amending
from tracker.cli.corrections import armoury_option
from tracker.cli.options import ENTRY_NUMBER, pass_session
from tracker.cli.session import Session


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
    what = amending.keys_set(session, entry, sets, part=part, armoury=armoury)
    typed = ["arbitrator", "entry", "amend", str(entry)]
    typed += [word for one in sets for word in ("--set", one)]
    typed += ["--part", str(part)] if part is not None else []
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)


@command.command("add")
@click.argument("file")
@click.option(
    "--after", type=ENTRY_NUMBER, required=True, metavar="ENTRY", help="The entry that it happened after."
)
@armoury_option
@amending.amending_options
@pass_session
def add(session: Session, /, file: str, after: int, armoury: str | None, **how: Any) -> None:
    """Add what was forgotten, in its place in the order of play, and all that follows from it.

    FILE holds the forgotten entries: battle-continued/1 for a battle, post-battle/1 for what came after it.
    They go into the entry that they happened after, behind what it holds. Without --reason and --expect-head
    it only shows what would change; 'rollback rule --ruling' takes the whole of it back.
    """
    what = amending.added(session, [(after, file)], armoury=armoury)
    (entry,) = what.amended
    typed = ["arbitrator", "entry", "add", file, "--after", str(after)]
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)

"""Corrections of recorded entries, each as one ruling that can be taken back."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli import amending
from tracker.cli.corrections import armoury_option
from tracker.cli.options import ENTRY_NUMBER, pass_session
from tracker.cli.session import Session


@click.group("entry")
def command() -> None:
    """Correct what was typed wrong in a recorded entry."""


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
    "--part", type=click.IntRange(min=1), metavar="NUMBER", help="Which part, if the entry holds several."
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
    """Correct a recorded ENTRY and all that follows from it.

    Without --reason and --expect-head, the command only shows what would change. The old entry stays in the
    log, struck out; 'rollback rule --ruling' takes the correction back. Correct dice with --set
    dice.PURPOSE=FACES. If --set names another fighter, the dice become theirs.

    \b
    arbitrator entry amend 17 --set by=vesk
    arbitrator entry amend 17 --set by=vesk --reason "a slip" --expect-head 78
    """
    what = amending.keys_set(session, entry, sets, part=part, armoury=armoury)
    typed = ["arbitrator", "entry", "amend", str(entry)]
    typed += [word for setting in sets for word in ("--set", setting)]
    typed += ["--part", str(part)] if part is not None else []
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)


@command.command("add")
@click.argument("file")
@click.option(
    "--after", type=ENTRY_NUMBER, required=True, metavar="ENTRY", help="The entry after which it happened."
)
@armoury_option
@amending.amending_options
@pass_session
def add(session: Session, /, file: str, after: int, armoury: str | None, **how: Any) -> None:
    """Add a forgotten entry in its place in the order of play.

    FILE holds the forgotten entries: battle-continued/1 for a battle, post-battle/1 for what came after it.
    Everything that follows is decided again. Without --reason and --expect-head, the command only shows what
    would change; 'rollback rule --ruling' takes the addition back.

    \b
    arbitrator entry add forgotten.yaml --after 17
    arbitrator entry add forgotten.yaml --after 17 --reason "a slip" \\
        --expect-head 78
    """
    what = amending.added(session, [(after, file)], armoury=armoury)
    (entry,) = what.amended
    typed = ["arbitrator", "entry", "add", file, "--after", str(after)]
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)

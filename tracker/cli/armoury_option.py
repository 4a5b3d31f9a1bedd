"""The armoury file and the dice of a single correction, as options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from pydantic import ValidationError

from tracker.cli.options import as_json, dry_run, reason
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.dice import Die, read_die
from tracker.documents.armoury import Armoury, PriceLookup, read_armoury
from tracker.documents.checking import Strict
from tracker.documents.derived_forms import DerivedForm
from tracker.documents.post_battle_entries import MarketEntry
from tracker.documents.yaml_reader import read_document
from tracker.errors import nearest
from tracker.rules import loader
from tracker.rules.rulebook import DicePurpose
from tracker.service.command_handler import CommandWithDice

F = TypeVar("F", bound=Callable[..., Any])
Form = TypeVar("Form", bound=Strict)


def armoury_option(function: F) -> F:
    """--armoury: the table's own file of prices, fighter types and skills."""
    return click.option(
        "--armoury",
        metavar="FILE",
        envvar="TRACKER_ARMOURY",
        help="The table's armoury file (armoury/1).",
    )(function)


def correction(function: F) -> F:
    """What every single correction takes: --reason, --dice, --roll, --dry-run, --json."""
    for option in (
        as_json,
        dry_run,
        click.option("--roll", is_flag=True, help="Let the tool roll the dice that are not given."),
        click.option(
            "--dice", multiple=True, metavar="PURPOSE=FACES", help="Dice rolled: sale=4, or skill=1,3."
        ),
        reason,
    ):
        function = option(function)
    return function


def armoury_of(session: Session, file: str | None) -> Armoury | None:
    """What the file lists; None without one."""
    if file is None:
        return None
    book = loader.book(session.tracker.boards.state_at(session.campaign).book)
    return read_armoury(read_document(file), characteristics=book.characteristics)


def stated(model: type[Form], **said: object) -> Form:
    """What an entry of a file would say, from arguments and options; what was left out is not said."""
    given = {name.rstrip("_"): value for name, value in said.items() if value is not None}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False)
    told = []
    for one in found:
        where = ".".join(str(part) for part in one["loc"])
        facts = one.get("ctx", {})
        what = facts.get("fault") or f"expected {facts.get('expected', one['msg'])}"
        told.append(f"{where}: {what}" if where else str(what))
    raise click.UsageError("; ".join(told))


def make_correction(
    session: Session,
    affair: MarketEntry | DerivedForm,
    *,
    armoury: str | None,
    dice: tuple[str, ...],
    roll: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Decide one affair by the Arbitrator's word, and print the receipt."""
    state = session.tracker.boards.state_at(session.campaign)
    if isinstance(affair, MarketEntry):
        command = affair.command_at(PriceLookup(state=state, armoury=armoury_of(session, armoury)))
    else:
        command = affair.command(None)
    plan = CommandWithDice(command=command, dice=dice_given(dice, loader.book(state.book).purposes))
    played = session.tracker.commands.play(session.campaign, [plan], roll=roll, dry_run=dry_run)
    show_receipt(played, as_json=as_json)


def dice_given(given: tuple[str, ...], purposes: Mapping[str, DicePurpose]) -> tuple[Die, ...]:
    """The dice typed as PURPOSE=FACES, in order."""
    dice = []
    for one in given:
        name, _, faces = one.partition("=")
        purpose = purposes.get(name)
        if purpose is None or not faces:
            guess = nearest(name, purposes)
            raise click.UsageError(f"--dice {one}: write what was rolled for and the faces: sale=4.{guess}")
        for face in faces.split(","):
            said: object = int(face) if face.strip().isdecimal() else face.strip()
            dice.append(read_die(name, purpose.die, said, special=purpose.special))
    return tuple(dice)

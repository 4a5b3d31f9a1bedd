"""Single corrections by the Arbitrator: one entry of a file, typed on the command line.

Each command's parameters are named as the keys of its entry, whose form reads and checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import click
from pydantic import ValidationError

from tracker.campaign import records
from tracker.cli.called import fighter_called
from tracker.cli.options import as_json, dry_run, pass_session, reason
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.dice import Die, read_die
from tracker.documents import post_battle_entries as entries
from tracker.documents.armoury import Armoury, PriceLookup, read_armoury
from tracker.documents.checking import Strict
from tracker.documents.derived_forms import DerivedForm, form_of
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.post_battle_entries import MarketEntry
from tracker.documents.yaml_reader import read_document
from tracker.errors import nearest
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.rules.rulebook import DicePurpose
from tracker.service.command_handler import CommandWithDice

F = TypeVar("F", bound=Callable[..., Any])
Form = TypeVar("Form", bound=Strict)
Parameter: TypeAlias = Callable[[Any], Any]

NUMBER = click.IntRange(min=0, max=100_000)


def armoury_option(function: F) -> F:
    """--armoury: the table's own file of prices, fighter types and skills."""
    return click.option(
        "--armoury",
        metavar="FILE",
        envvar="TRACKER_ARMOURY",
        help="The table's armoury file (armoury/1).",
    )(function)


def armoury_of(session: Session, file: str | None) -> Armoury | None:
    """What the file lists; None without one."""
    if file is None:
        return None
    book = loader.book(session.tracker.boards.state_at(session.campaign).book)
    return read_armoury(read_document(file), characteristics=book.characteristics)


def sheet_of(session: Session, file: str, armoury: str | None) -> records.EnlistGang:
    """The gang on a sheet, by the campaign's book; weapons that it only names as the armoury lists them."""
    state = session.tracker.boards.state_at(session.campaign)
    listed = armoury_of(session, armoury)
    return gang_sheet_command(
        read_document(file),
        state=state,
        characteristics=loader.book(state.book).characteristics,
        weapons=listed.weapon if listed is not None else None,
    )


def stated(model: type[Form], **said: object) -> Form:
    """What an entry of a file would say, from arguments and options; what was left out is not said."""
    given = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in said.items()
        if value is not None
    }
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = error.errors(include_url=False)
    faults = []
    for problem in problems:
        where = ".".join(str(part) for part in problem["loc"])
        facts = problem.get("ctx", {})
        what = facts.get("fault") or f"expected {facts.get('expected', problem['msg'])}"
        faults.append(f"{where}: {what}" if where else str(what))
    raise click.UsageError("; ".join(faults))


def correction(
    name: str,
    kind: type[Strict | records.Command],
    about: str,
    *parameters: Parameter,
    armoury: bool = False,
    rolls: bool = True,
    usual: Mapping[str, object] = MappingProxyType({}),
) -> click.Command:
    """The command that decides one entry by the Arbitrator's word. `kind` is its form, or its record.

    `usual` is what the command says where a file would say something else by default.
    """

    @pass_session
    def decide(
        session: Session,
        /,
        *,
        dice: tuple[str, ...] = (),
        roll: bool = False,
        dry_run: bool,
        as_json: bool,
        armoury: str | None = None,
        **said: object,
    ) -> None:
        form = kind if issubclass(kind, Strict) else form_of(kind)
        if "reason" not in form.model_fields:
            said["why"] = said.pop("reason")
        state = session.tracker.boards.state_at(session.campaign)
        entry = stated(form, **usual, **_with_ids(kind, said, Names.of_state(state)))
        if isinstance(entry, MarketEntry):
            command = entry.command_at(PriceLookup(state=state, armoury=armoury_of(session, armoury)))
        else:
            assert isinstance(entry, DerivedForm), "every other entry is derived from its record"
            command = entry.command(None)
        plan = CommandWithDice(command=command, dice=dice_given(dice, loader.book(state.book).purposes))
        played = session.tracker.commands.play(session.campaign, [plan], roll=roll, dry_run=dry_run)
        show_receipt(played, as_json=as_json)

    asked = (
        *parameters,
        *((armoury_option,) if armoury else ()),
        reason,
        *(_DICE if rolls else ()),
        dry_run,
        as_json,
    )
    command: Any = decide
    for parameter in reversed(asked):
        command = parameter(command)
    return click.command(name, help=about)(command)


def _with_ids(
    kind: type[Strict | records.Command], said: Mapping[str, object], names: Names
) -> dict[str, object]:
    """What was said, with the id of every fighter who was typed by name."""
    fields = records.kinds_of_fields(kind) if issubclass(kind, records.Command) else {}
    return {
        name: fighter_called(value, names)
        if fields.get(name) == "fighter" and isinstance(value, str)
        else value
        for name, value in said.items()
    }


def dice_given(given: tuple[str, ...], purposes: Mapping[str, DicePurpose]) -> tuple[Die, ...]:
    """The dice typed as PURPOSE=FACES, in order."""
    dice = []
    for text in given:
        name, _, faces = text.partition("=")
        purpose = purposes.get(name)
        if purpose is None or not faces:
            guess = nearest(name, purposes)
            raise click.UsageError(f"--dice {text}: write what was rolled for and the faces: sale=4.{guess}")
        for face in faces.split(","):
            said: object = int(face) if face.strip().isdecimal() else face.strip()
            dice.append(read_die(name, purpose.die, said, special=purpose.special))
    return tuple(dice)


_DICE: tuple[Parameter, ...] = (
    click.option("--dice", multiple=True, metavar="PURPOSE=FACES", help="Dice rolled: sale=4, or skill=1,3."),
    click.option("--roll", is_flag=True, help="Let the tool roll the dice that are not given."),
)
_GANG, _FIGHTER, _ITEM = click.argument("gang"), click.argument("fighter"), click.argument("item")


def _beyond_rules(about: str) -> Parameter:
    return click.option("--beyond-rules", is_flag=True, help=about)


OF_A_GANG = (
    correction(
        "buy",
        entries.Buy,
        "A gang buys an ITEM that the armoury lists.",
        _GANG,
        _ITEM,
        click.option("--for", metavar="FIGHTER", help="Buy from the gang's own list for this fighter."),
        click.option("--vehicle", metavar="VEHICLE", help="From the own list, straight for this vehicle."),
        click.option("--found", type=NUMBER, help="The highest Rare or Illegal rating that was found."),
        click.option("--price", type=NUMBER, help="What is paid, where that is not the list's price."),
        click.option("--replaces", metavar="ITEM", help="What it takes the place of on the card."),
        click.option("--given", "market", flag_value="given", help="It costs nothing, as a reward does."),
        _beyond_rules("Allow it although it is unavailable or over a limit."),
        armoury=True,
    ),
    correction(
        "sell",
        records.SellItem,
        "A gang sells an ITEM out of its stash: its worth less ten times a die (sale), at least 5.",
        _GANG,
        _ITEM,
        click.option("--worth", type=NUMBER, help="What it is worth, if the stash does not list its worth."),
    ),
    correction(
        "hand-over",
        entries.HandOver,
        "Move an ITEM between a gang's stash, fighters and vehicles.",
        _GANG,
        _ITEM,
        click.option(
            "--from", metavar="WHO", help="The fighter or vehicle it comes from. [default: the stash]"
        ),
        click.option("--to", metavar="WHO", help="Who gets it; or 'lost' to remove it. [default: the stash]"),
        click.option("--replaces", metavar="ITEM", help="What it takes the place of."),
        click.option("--worth", type=NUMBER, help="What it counts for with its new bearer."),
        _beyond_rules("Let it be handed over against the rules."),
    ),
    correction(
        "credits",
        records.MoveCredits,
        "Move credits FROM a gang or account TO another, such as @rewards, @income, @doc, @arbitrator.",
        click.argument("from"),
        click.argument("to"),
        click.argument("amount", type=click.IntRange(min=1, max=100_000)),
        click.option("--overdraw", is_flag=True, help="Let the gang go into debt."),
    ),
    correction(
        "leader",
        entries.NewLeader,
        "Choose a new Leader when the old one is lost.",
        _GANG,
        click.option("--fighter", metavar="FIGHTER", help="Who leads, where the rules leave a choice."),
        click.option("--type", metavar="TYPE", help="What the gang list calls its Leader."),
        armoury=True,
    ),
    correction(
        "took-part",
        records.AwardTakingPart,
        "XP for everybody of a gang's crew who took part in its last battle, once.",
        _GANG,
        click.option("--xp", "amount", type=click.IntRange(1, 100), help="What the scenario gives for it."),
        click.option(
            "--without", multiple=True, metavar="FIGHTER", help="Who of the crew took no part after all."
        ),
    ),
    correction(
        "release",
        records.ReturnCaptive,
        "Let a captive go home, by the Arbitrator's word.",
        click.argument("captive", metavar="FIGHTER"),
        rolls=False,
    ),
    correction(
        "territory",
        records.GainTerritory,
        "Give GANG a territory, by the Arbitrator's word.",
        _GANG,
        click.option("--id", "territory", required=True, metavar="ID", help="Its id in this campaign."),
        click.option("--kind", help="What the book calls it, the first time, such as old_ruins."),
        click.option("--name", help="Its name; the book's when left out."),
        rolls=False,
        usual={"staked": False},
    ),
    correction(
        "reputation",
        records.ChangeReputation,
        "Change the Reputation of GANG, by the Arbitrator's word.",
        _GANG,
        click.option(
            "--by", required=True, type=click.IntRange(-100, 100), help="How much; negative when lost."
        ),
        rolls=False,
    ),
    correction(
        "patronage",
        records.TakePatronage,
        "Credits from a patron for a GANG much weaker than its next enemy (house rule).",
        _GANG,
        click.option("--against", required=True, metavar="GANG", help="The gang that it is to fight."),
    ),
)

OF_A_FIGHTER = (
    correction(
        "retire",
        records.RetireFighter,
        "A fighter leaves for good; what they carry stays in the stash.",
        _FIGHTER,
        click.option("--takes-gear", is_flag=True, help="They take it along, as hired guns do."),
        rolls=False,
    ),
    correction(
        "hire",
        entries.Hire,
        "A GANG hires a fighter of a TYPE that the armoury lists.",
        _GANG,
        click.argument("type"),
        click.argument("name"),
        click.option("--id", metavar="ID", help="What reports call the fighter. [default: from the name]"),
        click.option("--price", type=NUMBER, help="What is paid, where that is not what the card costs."),
        click.option(
            "--xp", type=click.IntRange(min=0, max=9_999), help="Experience that the fighter comes with."
        ),
        _beyond_rules("Allow it against gang composition, or from another house."),
        armoury=True,
    ),
    correction(
        "advance",
        entries.Advance,
        "A fighter spends XP on WHAT: a characteristic such as strength, primary_random, champion ...",
        _FIGHTER,
        click.argument("take", metavar="WHAT"),
        click.option("--set", metavar="SET", help="The set of skills, as the armoury lists it."),
        click.option("--skill", metavar="SKILL", help="The skill, where it is chosen."),
        click.option(
            "--cannot-take", multiple=True, metavar="SKILL", help="A skill that this fighter may not have."
        ),
        click.option("--type", metavar="TYPE", help="The new type of who becomes a Champion."),
        armoury=True,
    ),
    correction(
        "roll",
        entries.GangerRoll,
        "A Ganger with enough XP rolls for an advancement (ganger_advancement, skill).",
        _FIGHTER,
        click.option(
            "--choose",
            multiple=True,
            metavar="WHAT",
            help="What is wanted where a row offers two; the first first.",
        ),
        click.option("--set", metavar="SET", help="The set of skills of who becomes a Specialist."),
        armoury=True,
    ),
    correction(
        "promote",
        entries.Promote,
        "A Juve or Prospect with enough advancements rises to RANK, in Downtime where there are cycles.",
        _FIGHTER,
        click.argument("to", metavar="RANK"),
        click.option("--type", required=True, metavar="TYPE", help="What the gang list calls it."),
        _beyond_rules("Outside Downtime, or without the advancements."),
        armoury=True,
    ),
    correction(
        "award",
        records.AwardSeveral,
        "XP for one FIGHTER or several, that the scenario or the Arbitrator gives.",
        click.argument("fighters", nargs=-1, required=True, metavar="FIGHTER..."),
        click.option(
            "--xp", "amount", type=click.IntRange(1, 100), required=True, help="How much each gets."
        ),
    ),
)

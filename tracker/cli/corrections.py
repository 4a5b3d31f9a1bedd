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
from tracker.campaign.profiles import Weapon
from tracker.cli.name_lookup import fighter_id
from tracker.cli.options import as_json, dry_run, pass_session, reason
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.conversations.chosen_campaign import armoury_of
from tracker.dice import Die, read_die
from tracker.documents import post_battle_entries as entries
from tracker.documents.armoury import PriceLookup
from tracker.documents.derived_forms import DerivedForm, form_of
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.post_battle_entries import MarketEntry
from tracker.documents.validation import StrictModel
from tracker.documents.yaml_reader import read_document
from tracker.errors import nearest
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.rules.rulebook import DicePurpose
from tracker.service.as_of import is_count
from tracker.service.command_handler import CommandWithDice

F = TypeVar("F", bound=Callable[..., Any])
Form = TypeVar("Form", bound=StrictModel)
Parameter: TypeAlias = Callable[[Any], Any]

NUMBER = click.IntRange(min=0, max=100_000)
DECIDES: dict[click.Command, type[StrictModel | records.Command]] = {}
"""The form, or the record, of the entry that each of these commands decides."""


def armoury_option(function: F) -> F:
    """--armoury: the table's own file of prices, fighter types and skills."""
    return click.option(
        "--armoury",
        metavar="FILE",
        envvar="TRACKER_ARMOURY",
        help="The table's armoury file (armoury/1). [default: the campaign's]",
    )(function)


def sheet_of(session: Session, file: str, armoury: str | None) -> records.EnlistGang:
    """The gang on a sheet, by the campaign's book; weapons that it only names as the armoury lists them, or
    else the one that the campaign keeps."""
    state = session.tracker.boards.state_at(session.campaign)
    given, kept = armoury_of(session, armoury), armoury_of(session, None)
    listed = [each for each in (given, kept) if each is not None]

    def weapon(name: str) -> Weapon | None:
        return next((found for each in listed if (found := each.weapon(name)) is not None), None)

    return gang_sheet_command(
        read_document(file),
        state=state,
        characteristics=loader.book(state.book).characteristics,
        weapons=weapon if listed else None,
    )


def stated(model: type[Form], **said: object) -> Form:
    """The entry as a file would write it, from arguments and options, without those left out."""
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
    kind: type[StrictModel | records.Command],
    about: str,
    *parameters: Parameter,
    armoury: bool = False,
    rolls: bool = True,
    usual: Mapping[str, object] = MappingProxyType({}),
) -> click.Command:
    """The command that decides one entry for the Arbitrator.

    `kind` is its form, or its record. `usual` are defaults of the command that differ from a file's.
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
        form = kind if issubclass(kind, StrictModel) else form_of(kind)
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
    made = click.command(name, help=about)(command)
    DECIDES[made] = kind
    return made


def _with_ids(
    kind: type[StrictModel | records.Command], said: Mapping[str, object], names: Names
) -> dict[str, object]:
    """The entry, with fighters' names replaced by their ids."""
    fields = records.kinds_of_fields(kind) if issubclass(kind, records.Command) else {}
    return {
        name: fighter_id(value, names) if fields.get(name) == "fighter" and isinstance(value, str) else value
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
            said: object = int(face) if is_count(face.strip()) else face.strip()
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
        """Buy an ITEM that the armoury lists.

        \b
        arbitrator gang buy iron-skulls "mesh coat" --armoury market.yaml \\
            --reason "market"
        """,
        _GANG,
        _ITEM,
        click.option("--for", metavar="FIGHTER", help="Buy from the gang's own list for this fighter."),
        click.option("--vehicle", metavar="VEHICLE", help="Buy from the gang's own list for this vehicle."),
        click.option("--found", type=NUMBER, help="The highest Rare or Illegal rating that was found."),
        click.option("--price", type=NUMBER, help="The price, if it is not the list's."),
        click.option("--replaces", metavar="ITEM", help="The item on the card that it replaces."),
        click.option("--given", "market", flag_value="given", help="It is free, as a reward is."),
        _beyond_rules("Allow it although it is unavailable or over a limit."),
        armoury=True,
    ),
    correction(
        "sell",
        records.SellItem,
        """Sell an ITEM from a gang's stash.

        The gang gets its worth less ten times a die (sale), at least 5.

        \b
        arbitrator gang sell iron-skulls autogun --dice sale=4 --reason "market"
        """,
        _GANG,
        _ITEM,
        click.option("--worth", type=NUMBER, help="Its worth, if the stash does not list it."),
    ),
    correction(
        "hand-over",
        entries.HandOver,
        """Move an ITEM between a gang's stash, fighters and vehicles.

        \b
        arbitrator gang hand-over iron-skulls autogun --from krug --to vex \\
            --reason "swap"
        """,
        _GANG,
        _ITEM,
        click.option(
            "--from", metavar="WHO", help="The fighter or vehicle it comes from. [default: the stash]"
        ),
        click.option("--to", metavar="WHO", help="Who gets it; or 'lost' to remove it. [default: the stash]"),
        click.option("--replaces", metavar="ITEM", help="The item that it replaces."),
        click.option("--worth", type=NUMBER, help="What it is worth on its new bearer's card."),
        _beyond_rules("Allow it against the rules."),
    ),
    correction(
        "credits",
        records.MoveCredits,
        """Move credits FROM a gang or account TO another.

        Accounts begin with @: @rewards, @income, @doc, @arbitrator.

        \b
        arbitrator gang credits @arbitrator iron-skulls 25 --reason "painted gang"
        """,
        click.argument("from"),
        click.argument("to"),
        click.argument("amount", type=click.IntRange(min=1, max=100_000)),
        click.option("--overdraw", is_flag=True, help="Let the gang go into debt."),
    ),
    correction(
        "leader",
        entries.NewLeader,
        """Choose a new Leader when the old one is lost.

        \b
        arbitrator gang leader iron-skulls --fighter vex --reason "Krug is dead"
        """,
        _GANG,
        click.option("--fighter", metavar="FIGHTER", help="Who leads, where the rules leave a choice."),
        click.option("--type", metavar="TYPE", help="What the gang list calls its Leader."),
        armoury=True,
    ),
    correction(
        "took-part",
        records.AwardTakingPart,
        """Give XP to the crew that took part in the last battle.

        A gang gets it once for each battle.

        \b
        arbitrator gang took-part iron-skulls --xp 1 --reason "scenario"
        """,
        _GANG,
        click.option("--xp", "amount", type=click.IntRange(1, 100), help="The XP that the scenario gives."),
        click.option(
            "--without",
            multiple=True,
            metavar="FIGHTER",
            help="A fighter of the crew who took no part; may be repeated.",
        ),
    ),
    correction(
        "release",
        records.ReturnCaptive,
        """Let a captive go home, as the Arbitrator decides.

        \b
        arbitrator gang release thimble --reason "ransom paid at the table"
        """,
        click.argument("captive", metavar="FIGHTER"),
        rolls=False,
    ),
    correction(
        "territory",
        records.GainTerritory,
        """Give GANG a territory, as the Arbitrator decides.

        \b
        arbitrator gang territory iron-skulls --id ruins --kind old_ruins \\
            --reason "won"
        """,
        _GANG,
        click.option("--id", "territory", required=True, metavar="ID", help="Its id in this campaign."),
        click.option("--kind", help="Its kind in the book, such as old_ruins; needed the first time."),
        click.option("--name", help="Its name. [default: the book's]"),
        rolls=False,
        usual={"staked": False},
    ),
    correction(
        "reputation",
        records.ChangeReputation,
        """Change the Reputation of GANG, as the Arbitrator decides.

        \b
        arbitrator gang reputation iron-skulls --by 1 --reason "scenario"
        """,
        _GANG,
        click.option(
            "--by", required=True, type=click.IntRange(-100, 100), help="By how much; negative for a loss."
        ),
        rolls=False,
    ),
    correction(
        "patronage",
        records.TakePatronage,
        """Give GANG credits before a much stronger enemy (house rule).

        \b
        arbitrator gang patronage rust-saints --against iron-skulls --reason "weaker"
        """,
        _GANG,
        click.option("--against", required=True, metavar="GANG", help="The gang that it will fight."),
    ),
)

OF_A_FIGHTER = (
    correction(
        "retire",
        records.RetireFighter,
        """Let a fighter leave for good.

        What they carry stays in the stash.

        \b
        arbitrator fighter retire vex --reason "the player's wish"
        """,
        _FIGHTER,
        click.option("--takes-gear", is_flag=True, help="They take it with them, as hired guns do."),
        rolls=False,
    ),
    correction(
        "hire",
        entries.Hire,
        """Hire a fighter of a TYPE that the armoury lists.

        \b
        arbitrator fighter hire iron-skulls "Forge Hand" Bo --armoury market.yaml \\
            --reason "after battle 2"
        """,
        _GANG,
        click.argument("type"),
        click.argument("name"),
        click.option("--id", metavar="ID", help="What reports call the fighter. [default: from the name]"),
        click.option("--price", type=NUMBER, help="The price, if it is not the card's."),
        click.option("--xp", type=click.IntRange(min=0, max=9_999), help="XP that the fighter brings."),
        _beyond_rules("Allow it against gang composition, or from another house."),
        armoury=True,
    ),
    correction(
        "advance",
        entries.Advance,
        """Spend a fighter's XP on an advancement.

        WHAT is a characteristic such as strength, a way to take a skill such as primary_random, or champion.

        \b
        arbitrator fighter advance vex strength --reason "after battle 3"
        """,
        _FIGHTER,
        click.argument("take", metavar="WHAT"),
        click.option("--set", metavar="SET", help="The set of skills, as the armoury lists it."),
        click.option("--skill", metavar="SKILL", help="The skill, where it is chosen."),
        click.option(
            "--cannot-take",
            multiple=True,
            metavar="SKILL",
            help="A skill that this fighter may not have; may be repeated.",
        ),
        click.option("--type", metavar="TYPE", help="A new Champion's type."),
        armoury=True,
    ),
    correction(
        "roll",
        entries.GangerRoll,
        """Roll a Ganger's advancement when they have the XP.

        Dice: ganger_advancement, and skill where a skill is rolled.

        \b
        arbitrator fighter roll bo --dice ganger_advancement=3,4 --reason "battle 3"
        """,
        _FIGHTER,
        click.option(
            "--choose",
            multiple=True,
            metavar="WHAT",
            help="Where a row offers two advancements, the one you want; may be repeated.",
        ),
        click.option("--set", metavar="SET", help="A new Specialist's set of skills."),
        armoury=True,
    ),
    correction(
        "promote",
        entries.Promote,
        """Raise a Juve or Prospect with enough advancements to RANK.

        In a campaign with cycles this happens in Downtime.

        \b
        arbitrator fighter promote thimble ganger --type "Court Blade" \\
            --reason "Downtime"
        """,
        _FIGHTER,
        click.argument("to", metavar="RANK"),
        click.option("--type", required=True, metavar="TYPE", help="What the gang list calls it."),
        _beyond_rules("Allow it outside Downtime, or without the advancements."),
        armoury=True,
    ),
    correction(
        "award",
        records.AwardSeveral,
        """Give XP to one FIGHTER or several.

        For XP from the scenario or the Arbitrator.

        \b
        arbitrator fighter award krug vex --xp 1 --reason "held the bridge"
        """,
        click.argument("fighters", nargs=-1, required=True, metavar="FIGHTER..."),
        click.option(
            "--xp", "amount", type=click.IntRange(1, 100), required=True, help="How much each gets."
        ),
    ),
)

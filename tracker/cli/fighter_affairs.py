"""Fighters hired, advanced and promoted: single corrections by the Arbitrator."""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.cli.armoury_option import armoury_option, correction, make_correction, stated
from tracker.cli.options import pass_session
from tracker.cli.session import Session
from tracker.documents.derived_forms import form_of
from tracker.documents.post_battle_entries import Advance, GangerRoll, Hire, Promote

NUMBER = click.IntRange(min=0, max=100_000)


@click.command("hire")
@click.argument("gang")
@click.argument("type", metavar="TYPE")
@click.argument("name")
@click.option("--id", "fighter", metavar="ID", help="What reports call the fighter. [default: from the name]")
@click.option("--price", type=NUMBER, help="What is paid, where that is not what the card costs.")
@click.option("--xp", type=click.IntRange(min=0, max=9_999), help="Experience that the fighter comes with.")
@click.option("--beyond-rules", is_flag=True, help="Against composition, or of another house's types.")
@armoury_option
@correction
@pass_session
def hire(
    session: Session,
    /,
    gang: str,
    type: str,  # noqa: A002  # as the armoury says
    name: str,
    fighter: str | None,
    price: int | None,
    xp: int | None,
    beyond_rules: bool,
    reason: str,
    **how: object,
) -> None:
    """A GANG hires a fighter of a TYPE that the armoury lists."""
    said: dict[str, object] = {
        "gang": gang,
        "type": type,
        "name": name,
        "id": fighter,
        "price": price,
        "xp": xp,
    }
    said |= {"beyond_rules": beyond_rules, "reason": reason}
    make_correction(session, stated(Hire, **said), **how)  # type: ignore[arg-type]


@click.command("advance")
@click.argument("fighter")
@click.argument("take", metavar="WHAT")
@click.option("--set", "skills", metavar="SET", help="The set of skills, as the armoury lists it.")
@click.option("--skill", metavar="SKILL", help="The skill, where it is chosen.")
@click.option("--cannot-take", multiple=True, metavar="SKILL", help="A skill that this fighter may not have.")
@click.option("--type", "kind", metavar="TYPE", help="The new type of who becomes a Champion.")
@armoury_option
@correction
@pass_session
def advance(
    session: Session,
    /,
    fighter: str,
    take: str,
    skills: str | None,
    skill: str | None,
    cannot_take: tuple[str, ...],
    kind: str | None,
    reason: str,
    **how: object,
) -> None:
    """A fighter spends XP on WHAT: a characteristic such as strength, primary_random, champion ..."""
    said: dict[str, object] = {
        "fighter": fighter,
        "take": take,
        "set": skills,
        "skill": skill,
        "type": kind,
        "reason": reason,
    }
    said |= {"cannot_take": list(cannot_take)}
    make_correction(session, stated(Advance, **said), **how)  # type: ignore[arg-type]


@click.command("roll")
@click.argument("fighter")
@click.option(
    "--choose", multiple=True, metavar="WHAT", help="What is wanted where a row offers two; the first first."
)
@click.option("--set", "skills", metavar="SET", help="The set of skills of who becomes a Specialist.")
@armoury_option
@correction
@pass_session
def roll_(
    session: Session,
    /,
    fighter: str,
    choose: tuple[str, ...],
    skills: str | None,
    reason: str,
    **how: object,
) -> None:
    """A Ganger with XP enough rolls for an advancement (ganger_advancement, skill)."""
    said: dict[str, object] = {"fighter": fighter, "choose": list(choose), "set": skills, "reason": reason}
    make_correction(session, stated(GangerRoll, **said), **how)  # type: ignore[arg-type]


@click.command("promote")
@click.argument("fighter")
@click.argument("to", metavar="RANK")
@click.option("--type", "kind", required=True, metavar="TYPE", help="What the gang list calls it.")
@click.option("--beyond-rules", is_flag=True, help="Outside Downtime, or without the advancements.")
@armoury_option
@correction
@pass_session
def promote(
    session: Session, /, fighter: str, to: str, kind: str, beyond_rules: bool, reason: str, **how: object
) -> None:
    """A Juve or Prospect with advancements enough rises to RANK, in Downtime where there are cycles."""
    said: dict[str, object] = {
        "fighter": fighter,
        "to": to,
        "type": kind,
        "beyond_rules": beyond_rules,
        "reason": reason,
    }
    make_correction(session, stated(Promote, **said), **how)  # type: ignore[arg-type]


@click.command("award")
@click.argument("fighters", nargs=-1, required=True, metavar="FIGHTER...")
@click.option("--xp", "amount", type=click.IntRange(1, 100), required=True, help="How much each gets.")
@correction
@pass_session
def award(session: Session, /, fighters: tuple[str, ...], amount: int, reason: str, **how: object) -> None:
    """XP for one FIGHTER or several, that the scenario or the Arbitrator gives."""
    said: dict[str, object] = {"fighters": list(fighters), "amount": amount, "reason": reason}
    make_correction(session, stated(form_of(records.AwardSeveral), **said), armoury=None, **how)  # type: ignore[arg-type]


COMMANDS = (hire, advance, roll_, promote, award)

"""A gang's money and things: the ledger, the stash, and single corrections by the Arbitrator."""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.cli.armoury_option import armoury_option, correction, make_correction, stated
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.documents.derived_forms import form_of
from tracker.documents.post_battle_entries import Buy, HandOver, NewLeader
from tracker.reports.holdings import ledger_page, stash_page
from tracker.reports.names import Names

NUMBER = click.IntRange(min=0, max=100_000)


@click.command("ledger")
@click.argument("gang")
@as_json
@pass_session
def ledger(session: Session, gang: str, as_json: bool) -> None:
    """A gang's statement: every movement of credits and things, both sides, and the balance after each."""
    board = session.tracker.boards.ledger(session.campaign, gang)
    page = ledger_page(
        board.rows,  # type: ignore[arg-type]  # as read
        board.gang,
        Names.of_state(board.state),
        board.battles,
        pending=board.pending.disputes,
        dependents=board.pending.resting,
    )
    show(page, as_json=as_json)


@click.command("stash")
@click.argument("gang")
@as_json
@pass_session
def stash(session: Session, gang: str, as_json: bool) -> None:
    """What lies in a gang's stash, and what the gang is worth."""
    row, state = session.tracker.boards.gang(session.campaign, gang)
    show(stash_page(row, Names.of_state(state)), as_json=as_json)


@click.command("buy")
@click.argument("gang")
@click.argument("item")
@click.option("--for", "fighter", metavar="FIGHTER", help="From the own list, straight for this fighter.")
@click.option("--vehicle", metavar="VEHICLE", help="From the own list, straight for this vehicle.")
@click.option("--found", type=NUMBER, help="Up to which number there is Rare or Illegal.")
@click.option("--price", type=NUMBER, help="What is paid, where that is not the list's price.")
@click.option("--replaces", metavar="ITEM", help="What it takes the place of on the card.")
@click.option("--given", is_flag=True, help="It costs nothing, as a reward does.")
@click.option("--beyond-rules", is_flag=True, help="Let it be had against availability or limits.")
@armoury_option
@correction
@pass_session
def buy(
    session: Session,
    /,
    gang: str,
    item: str,
    fighter: str | None,
    vehicle: str | None,
    found: int | None,
    price: int | None,
    replaces: str | None,
    given: bool,
    beyond_rules: bool,
    reason: str,
    **how: object,
) -> None:
    """A gang buys an ITEM that the armoury lists."""
    said: dict[str, object] = {
        "gang": gang,
        "item": item,
        "for": fighter,
        "vehicle": vehicle,
        "found": found,
        "price": price,
    }
    said |= {"replaces": replaces, "beyond_rules": beyond_rules, "reason": reason}
    said |= {"market": "given"} if given else {}
    make_correction(session, stated(Buy, **said), **how)  # type: ignore[arg-type]


@click.command("sell")
@click.argument("gang")
@click.argument("item")
@click.option("--worth", type=NUMBER, help="What it is worth, where the stash does not tell.")
@correction
@pass_session
def sell(session: Session, /, gang: str, item: str, worth: int | None, reason: str, **how: object) -> None:
    """A gang sells an ITEM out of its stash: its worth less ten times a die (sale), at least 5."""
    said: dict[str, object] = {"gang": gang, "item": item, "worth": worth, "reason": reason}
    make_correction(session, stated(form_of(records.SellItem), **said), armoury=None, **how)  # type: ignore[arg-type]


@click.command("hand-over")
@click.argument("gang")
@click.argument("item")
@click.option(
    "--from", "source", metavar="WHO", help="The fighter or vehicle it comes from. [default: the stash]"
)
@click.option("--to", "target", metavar="WHO", help="Who gets it; lost for nobody. [default: the stash]")
@click.option("--replaces", metavar="ITEM", help="What it takes the place of.")
@click.option("--worth", type=NUMBER, help="What it counts for with its new bearer.")
@click.option("--beyond-rules", is_flag=True, help="Let it be handed over against the rules.")
@correction
@pass_session
def hand_over(
    session: Session,
    /,
    gang: str,
    item: str,
    source: str | None,
    target: str | None,
    replaces: str | None,
    worth: int | None,
    beyond_rules: bool,
    reason: str,
    **how: object,
) -> None:
    """An ITEM goes between a gang's stash, fighters and vehicles."""
    said: dict[str, object] = {
        "gang": gang,
        "item": item,
        "from": source,
        "to": target,
        "replaces": replaces,
        "worth": worth,
    }
    said |= {"beyond_rules": beyond_rules, "reason": reason}
    make_correction(session, stated(HandOver, **said), armoury=None, **how)  # type: ignore[arg-type]


@click.command("credits")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.argument("amount", type=click.IntRange(min=1, max=100_000))
@click.option("--overdraw", is_flag=True, help="A gang may owe what it has not.")
@correction
@pass_session
def credits_(
    session: Session, /, source: str, target: str, amount: int, overdraw: bool, reason: str, **how: object
) -> None:
    """Move credits FROM a gang or account TO another, such as @rewards, @income, @doc, @arbitrator."""
    said: dict[str, object] = {
        "from": source,
        "to": target,
        "amount": amount,
        "overdraw": overdraw,
        "reason": reason,
    }
    make_correction(session, stated(form_of(records.MoveCredits), **said), armoury=None, **how)  # type: ignore[arg-type]


@click.command("leader")
@click.argument("gang")
@click.option("--fighter", metavar="FIGHTER", help="Who leads, where the rules leave a choice.")
@click.option("--type", "kind", metavar="TYPE", help="What the gang list calls its Leader.")
@armoury_option
@correction
@pass_session
def leader(
    session: Session, /, gang: str, fighter: str | None, kind: str | None, reason: str, **how: object
) -> None:
    """Who is next in line leads a gang that has lost its Leader."""
    said: dict[str, object] = {"gang": gang, "fighter": fighter, "type": kind, "reason": reason}
    make_correction(session, stated(NewLeader, **said), **how)  # type: ignore[arg-type]


@click.command("took-part")
@click.argument("gang")
@click.option("--xp", "amount", type=click.IntRange(1, 100), help="What the scenario gives for it.")
@click.option("--without", multiple=True, metavar="FIGHTER", help="Who of the crew took no part after all.")
@correction
@pass_session
def took_part(
    session: Session, /, gang: str, amount: int | None, without: tuple[str, ...], reason: str, **how: object
) -> None:
    """XP for everybody of a gang's crew who took part in its last battle, once."""
    said: dict[str, object] = {"gang": gang, "amount": amount, "without": list(without), "reason": reason}
    make_correction(session, stated(form_of(records.AwardTakingPart), **said), armoury=None, **how)  # type: ignore[arg-type]


@click.command("patronage")
@click.argument("gang")
@click.option("--against", required=True, metavar="GANG", help="The gang that it is to fight.")
@correction
@pass_session
def patronage(session: Session, /, gang: str, against: str, reason: str, **how: object) -> None:
    """What a patron sends a GANG far behind its next enemy, where the campaign plays so."""
    said: dict[str, object] = {"gang": gang, "against": against, "reason": reason}
    make_correction(session, stated(form_of(records.TakePatronage), **said), armoury=None, **how)  # type: ignore[arg-type]


COMMANDS = (ledger, stash, buy, sell, hand_over, credits_, leader, took_part, patronage)

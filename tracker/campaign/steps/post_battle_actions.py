"""Other post-battle actions: repairs, trading, and the search for rare things that trading makes possible.

Source: Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions; 6B. Trading Post.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import Alignment
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle, require_in_book, take_action
from tracker.rules.necromunda import post_battle as rules
from tracker.rules.post_battle_tables import RepairBand
from tracker.rules.rulebook import BookHasNo


@handles(records.NegotiateRepairs)
def negotiate_repairs(decision: Decision, command: records.NegotiateRepairs) -> None:
    """A D6 says what part of its worth a damaged vehicle's repair costs, and whether a rattle stays.

    The base is vehicle and upgrades, without weapons and wargear. Who cannot pay is refused.
    """
    book = decision.rulebook.book.post_battle
    if not book.repairs:
        raise BookHasNo(book=decision.rulebook.book.title, part="repairs")
    vehicle, friend = ledger.known_vehicle(decision, command.vehicle), decision.fighter(command.by)
    if vehicle.gang != friend.gang:
        raise records.NotOfOneGang(one=vehicle.name, other=friend.name, what="repair of it")
    if not vehicle.lasting_damage and not vehicle.in_repair:
        raise records.NothingToRepair(vehicle=vehicle.name)
    acted = take_action(decision, command.by, "negotiate_repairs")
    die = decision.tray.d6("repairs", why=f"repairs of {vehicle.name}", fighter=command.vehicle)
    band = book.repair(die.face)
    worth = command.worth if command.worth is not None else _worth(vehicle)
    cost = rules.percent_of(worth, band.percent, to=book.round_up_to)
    left = f", and a {band.leaves.replace('_', ' ').title()} stays" if band.leaves else ""
    rolled = decision.roll(
        die,
        outcome=f"{band.percent} % of {worth}, {cost} credits{left}",
        section="post_battle_actions",
        rolled_by=friend.gang,
        cause=acted,
    )
    paid = ledger.pay(
        decision,
        friend.gang,
        cost,
        "@repairs",
        why=f"repairs of {vehicle.name}",
        section="post_battle_actions",
        cause=rolled,
    )
    decision.emit(_repaired(decision, vehicle, band), cause=paid)


@handles(records.Trade)
def trade(decision: Decision, command: records.Trade) -> None:
    """The Trade action: rare things may be sought later in the sequence."""
    take_action(decision, command.by, "trade")


@handles(records.SeekRare)
def seek_rare(decision: Decision, command: records.SeekRare) -> None:
    """2D6 with what traders and Reputation add: how rare and how illegal a thing the gang may buy now."""
    seek = require_in_book(decision, decision.rulebook.book.post_battle.seek, "search for rare things")
    after = after_battle(decision, command.gang, what="a search for rare things")
    gang = decision.gang(command.gang)
    section = decision.rulebook.section("update_roster")
    if not after.traders:
        raise records.NobodyTrades(gang=gang.name, section=section)
    if after.rare is not None:
        raise records.OncePerSequence(gang=gang.name, what="the search for rare things")
    alignment = _side(decision, command.gang)
    reached = advance_to(decision, command.gang, "seek_rare", required=True)
    traders = [decision.fighter(name).category for name in after.traders]
    modifiers = list(as_modifiers(rules.seek_modifiers(seek, traders, gang.reputation)))
    if command.extra:
        modifiers.append(records.Modifier(why=command.extra_why or "as stated", by=command.extra))
    rare_by, illegal_by = seek.at_market(alignment, command.market)
    market = command.market.replace("_", " ")
    own = [*modifiers, *([records.Modifier(why=f"at the {market}", by=rare_by)] if rare_by else [])]
    die = decision.tray.two_d6("seek_rare", why="search for rare things")
    rare = die.total + sum(modifier.by for modifier in own)
    illegal = rare + illegal_by - rare_by if seek.same_roll else None
    outcome = f"up to Rare ({rare})" + (f" and Illegal ({illegal})" if illegal is not None else "")
    rolled = decision.roll(
        die,
        outcome=outcome,
        section="update_roster",
        rolled_by=command.gang,
        modifiers=tuple(own),
        cause=reached,
    )
    if not seek.same_roll:
        own = [*modifiers, *([records.Modifier(why=f"at the {market}", by=illegal_by)] if illegal_by else [])]
        die = decision.tray.two_d6("seek_illegal", why="search for illegal things")
        illegal = die.total + sum(modifier.by for modifier in own)
        rolled = decision.roll(
            die,
            outcome=f"up to Illegal ({illegal})",
            section="update_roster",
            rolled_by=command.gang,
            modifiers=tuple(own),
            cause=rolled,
        )
    decision.emit(
        records.RareItemsSought(
            gang=command.gang,
            market=command.market,
            rare_up_to=rare,
            illegal_up_to=illegal,
            section=section,
        ),
        cause=rolled,
    )


def _side(decision: Decision, gang: str) -> Alignment:
    """The gang's side of the law: what it may buy depends on it."""
    card = decision.gang(gang)
    if card.alignment is None:
        raise records.WrongSideOfTheLaw(
            who=card.name, alignment=None, needed="law_abiding", what="a search for rare things"
        )
    return card.alignment


def _worth(vehicle: Vehicle) -> int:
    """Vehicle and upgrades as the card counts them: without its weapons and wargear."""
    things = ledger.things_of_vehicle(vehicle)
    carried = sum(item.cost_credits for item in things if item.kind != "vehicle_upgrade")
    return vehicle.cost_credits - carried


def _repaired(decision: Decision, vehicle: Vehicle, band: RepairBand) -> records.VehicleRepaired:
    """The card as it was enlisted, but for what the repair leaves behind."""
    numbers = {**vehicle.as_enlisted}
    chart = decision.rulebook.book.vehicles.lasting_damage
    left = next((line.name for line in chart if line.id == band.leaves), None)
    after = decision.state.after_battle.get(vehicle.gang)
    return records.VehicleRepaired(
        vehicle=vehicle.vehicle,
        name=vehicle.name,
        rattles=1 if left is not None else 0,
        handling_modifier=0,
        toughness_front=numbers["toughness_front"],
        toughness_side=numbers["toughness_side"],
        toughness_rear=numbers["toughness_rear"],
        movement=numbers["movement"],
        hit_points=numbers["hit_points"],
        section=decision.rulebook.section("post_battle_actions"),
        left=band.leaves,
        left_name=left or "",
        battle=after.number if after is not None else None,
    )

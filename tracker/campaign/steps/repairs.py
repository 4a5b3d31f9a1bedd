"""Negotiate Repairs: the post-battle action that repairs a damaged vehicle for part of its price."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import take_action
from tracker.rules.necromunda import post_battle as rules
from tracker.rules.post_battle_tables import RepairBand
from tracker.rules.rulebook import BookHasNo


@handles(records.NegotiateRepairs)
def negotiate_repairs(decision: Decision, command: records.NegotiateRepairs) -> None:
    """A D6 sets the cost of the repair, as a share of the vehicle's price, and the damage that stays.

    The price includes upgrades, not weapons and wargear. Refuses a gang that cannot pay.
    """
    book = decision.rulebook.book.post_battle
    if not book.repairs:
        raise BookHasNo(book=decision.rulebook.book.title, part="repairs")
    vehicle, friend = decision.vehicle(command.vehicle), decision.fighter(command.by)
    if vehicle.gang != friend.gang:
        raise records.NotOfOneGang(one=vehicle.name, other=friend.name, what="repair of it")
    if not vehicle.lasting_damage and not vehicle.in_repair:
        raise records.NothingToRepair(vehicle=vehicle.name)
    acted = take_action(decision, command.by, "negotiate_repairs")
    die = decision.tray.d6("repairs", why=f"repairs of {vehicle.name}", fighter=command.vehicle)
    band = book.repair(die.face)
    worth = command.worth if command.worth is not None else ledger.worth_without_weapons(vehicle)
    cost = rules.percent_of(worth, band.percent, to=book.round_up_to)
    left = f", and a {band.leaves.replace('_', ' ').title()} stays" if band.leaves else ""
    rolled = decision.roll(
        die,
        outcome=f"{band.percent} % of {worth}, {cost} credits{left}",
        section="post_battle_actions",
        rolled_by=friend.gang,
        cause=acted,
    )
    paid = ledger.move_credits(
        decision,
        friend.gang,
        "@repairs",
        cost,
        why=f"repairs of {vehicle.name}",
        section="post_battle_actions",
        cause=rolled,
    )
    decision.emit(_repaired(decision, vehicle, band), cause=paid)


def _repaired(decision: Decision, vehicle: Vehicle, band: RepairBand) -> records.VehicleRepaired:
    """The card as enlisted, with the damage that the repair leaves."""
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

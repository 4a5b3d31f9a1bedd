"""Vehicles join with their gang, and come to the battles that their crew fights in.

Knows cards and the book's limits. Knows no battle under way.
"""

from __future__ import annotations

from collections.abc import Mapping

from tracker.campaign import records
from tracker.campaign.refusals import UnknownWeapon
from tracker.campaign.steps.decision import Decision


def enlist_vehicle(decision: Decision, gang: str, card: records.VehicleCard, *, cause: int) -> None:
    """A vehicle joins a gang; its card must be printable by the book, its crew one of the gang's fighters."""
    state = decision.state
    if card.vehicle in state.vehicle_of or card.vehicle in state.gang_of:
        known_as = "vehicle" if card.vehicle in state.vehicle_of else "fighter"
        raise records.VehicleEnlistedAlready(vehicle=card.vehicle, known_as=known_as)
    members = state.gangs[gang].fighters
    if card.crew and card.crew not in members:
        raise records.CrewNotInGang(vehicle=card.name, crew=card.crew, known=tuple(members))
    for other in state.gangs[gang].vehicles.values():
        if card.crew and other.crew == card.crew:
            raise records.CrewHasVehicle(vehicle=card.name, crew=members[card.crew].name, other=other.name)
    _check_numbers(decision, card)
    for armed in card.armament:
        if armed.weapon not in card.weapons:
            raise UnknownWeapon(weapon=armed.weapon, fighter=card.name, known=card.weapons)
    decision.emit(
        records.VehicleEnlisted(
            vehicle=card.vehicle,
            gang=gang,
            name=card.name,
            kind=card.kind,
            cost_credits=card.cost_credits,
            movement=card.movement,
            toughness_front=card.toughness_front,
            toughness_side=card.toughness_side,
            toughness_rear=card.toughness_rear,
            hit_points=card.hit_points,
            handling=card.handling,
            save=card.save,
            crew=card.crew,
            weapons=card.weapons,
            armament=card.armament,
        ),
        cause=cause,
    )


def vehicles_that_come(decision: Decision, crews: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The vehicles of a battle: those whose crew fights in it, but for what is In Repair."""
    return tuple(
        vehicle.vehicle
        for gang, fighters in crews.items()
        for vehicle in decision.gang(gang).vehicles.values()
        if vehicle.crew in fighters and not vehicle.in_repair and not vehicle.gone
    )


def _check_numbers(decision: Decision, card: records.VehicleCard) -> None:
    rules = decision.rulebook.book.vehicles
    printed = [
        ("movement", "movement", card.movement),
        ("toughness", "toughness (front)", card.toughness_front),
        ("toughness", "toughness (side)", card.toughness_side),
        ("toughness", "toughness (rear)", card.toughness_rear),
        ("hit_points", rules.hit_points_name, card.hit_points),
        ("handling", "handling", card.handling),
    ]
    if card.save is not None:
        printed.append(("save", "save", card.save))
    for limited, shown, value in printed:
        if not rules.allows(limited, value):
            lowest, highest = rules.limits[limited]
            raise records.VehicleNumberOutOfRange(
                vehicle=card.name, number=shown, value=value, lowest=lowest, highest=highest
            )

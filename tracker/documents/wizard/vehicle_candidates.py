"""Candidates for the keys of an attack with vehicles: weapon, vehicle, its side.

Knows the vehicles in the battle and their crews. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import get_args

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import CombatVehicle, Vehicle
from tracker.campaign.steps.ledger import things_of_vehicle
from tracker.documents.wizard import context
from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.rules.necromunda import nerve


def _in_play(table: Context) -> Iterator[tuple[Vehicle, CombatVehicle]]:
    """The vehicles of the battle that are no wrecks."""
    under_way = table.state.under_way
    for name, condition in under_way.vehicles.items() if under_way is not None else ():
        vehicle = table.state.vehicle(name)
        if vehicle is not None and not condition.wrecked:
            yield vehicle, condition


def _choices(vehicles: Iterator[Vehicle]) -> tuple[Choice, ...]:
    return tuple(Choice(value=vehicle.vehicle, name=vehicle.name) for vehicle in vehicles)


def carried_on(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """What can be taken off the vehicle."""
    vehicle = table.state.vehicle(str(answers.get("vehicle")))
    return context.as_choices(item.name for item in things_of_vehicle(vehicle)) if vehicle is not None else ()


def not_driven(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The vehicles but the one that the attacker drives: nobody hits what they sit in."""
    return tuple(
        Choice(value=vehicle.vehicle, name=vehicle.name)
        for vehicle in table.vehicles()
        if vehicle.crew != answers.get("attacker")
    )


def driven(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The vehicle whose crew the attacker is, where it has a weapon left."""
    who = answers.get("attacker")
    return _choices(
        vehicle
        for vehicle, condition in _in_play(table)
        if vehicle.crew == who and len(vehicle.weapons) > len(condition.weapons_destroyed)
    )


def to_reload(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The vehicle of this crew of which a weapon is Out of Ammo."""
    who = answers.get("fighter")
    return _choices(
        vehicle for vehicle, condition in _in_play(table) if vehicle.crew == who and condition.out_of_ammo
    )


def own_wrecks(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The wrecks of the gang that the answers are about, but for the vehicle named."""
    own = context.gang_of_answers(table, answers)
    return _choices(
        vehicle
        for vehicle in _wrecks(table)
        if vehicle.gang == own and vehicle.vehicle != answers.get("vehicle")
    )


def in_a_vehicle(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Yes or no of the crew of a vehicle; not asked of who is on foot."""
    who = table.state.fighter(str(answers.get("fighter")))
    drives = any(vehicle.crew == answers.get("fighter") for vehicle in table.vehicles())
    return None if who is not None and (drives or nerve.model(who.category) == "vehicle") else ()


def aboard_a_wreck(table: Context, _: Answers) -> tuple[Choice, ...]:
    """Who may have been aboard: the fighters of a gang that has a wreck."""
    gangs = {vehicle.gang for vehicle in _wrecks(table)}
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.gang in gangs)


def _wrecks(table: Context) -> Iterator[Vehicle]:
    under_way = table.state.under_way
    for name, condition in under_way.vehicles.items() if under_way is not None else ():
        vehicle = table.state.vehicle(name)
        if vehicle is not None and condition.wrecked:
            yield vehicle


def weapons_mounted(table: Context, answers: Answers, bearer: Fighter | None) -> tuple[Weapon, ...] | None:
    """The weapons of the vehicle that is fired from or reloaded; None where no vehicle is named.

    Their numbers stand on its card, or on that of who fires them.
    """
    vehicle = table.state.vehicle(str(answers.get("from_vehicle") or answers.get("on_vehicle")))
    if vehicle is None:
        return None
    carried = bearer.weapons if bearer is not None else ()
    known = {weapon.weapon: weapon for weapon in (*carried, *vehicle.armament)}
    return tuple(known[name] for name in vehicle.weapons if name in known)


def enemies_and_vehicles(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The fighters of other gangs, and their vehicles."""
    return (*context.enemies(table, answers), *_choices(iter(_of_enemies(table, answers))))


def attacked_together(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The fighters of other gangs, and their vehicles: each alone, or among several with its side."""
    vehicles = _of_enemies(table, answers)
    alone = (
        Choice(value=vehicle.vehicle, name=vehicle.name, one_of=vehicle.name, alone=True)
        for vehicle in vehicles
    )
    return (*context.enemies(table, answers), *alone, *_by_their_sides(vehicles, as_map=True))


def _of_enemies(table: Context, answers: Answers) -> list[Vehicle]:
    own = context.gang_of_answers(table, answers)
    return [vehicle for vehicle, _ in _in_play(table) if vehicle.gang != own]


def with_their_sides(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Every vehicle but the one that is fired from, by the side that is hit and whether it moves."""
    in_play = (vehicle for vehicle, _ in _in_play(table))
    return tuple(
        _by_their_sides(vehicle for vehicle in in_play if vehicle.vehicle != answers.get("from_vehicle"))
    )


def _by_their_sides(vehicles: Iterable[Vehicle], *, as_map: bool = False) -> Iterator[Choice]:
    """Vehicles by the side that is hit and whether they move; `as_map` as a list of targets says it."""
    for vehicle, side, moves in product(vehicles, ("front", "side", "rear"), (False, True)):
        yield Choice(
            value=f"{vehicle.vehicle}/{side}{'/mobile' if moves else ''}",
            name=f"{vehicle.name}: {side}, {'Mobile' if moves else 'standing still'}",
            answer={"vehicle": vehicle.vehicle, "facing": side, "mobile": moves} if as_map else None,
            one_of=vehicle.name,
        )


def _attacked(table: Context, answers: Answers) -> Vehicle | None:
    """The vehicle that is the only target, and of which no more is said yet."""
    targets = answers.get("targets")
    only = targets[0] if isinstance(targets, list) and len(targets) == 1 else None
    return table.state.vehicle(only if isinstance(only, str) else str(answers.get("target")))


def facing(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Which side of a vehicle; not asked of a fighter."""
    if _attacked(table, answers) is None:
        return ()
    return tuple(Choice(value=side, name=side.replace("_", " ")) for side in get_args(records.FacingHit))


def mobile(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Yes or no of a vehicle; not asked of a fighter."""
    return None if _attacked(table, answers) is not None else ()

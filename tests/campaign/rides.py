"""Two gangs with a vehicle each: Vex drives the rig of the Skulls, Dot the sled of the Saints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenario import (
    BOOK,
    CREW_OF,
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    opening,
    wound,
)

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import CombatVehicle, Vehicle
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader

RIG, SLED = "rig", "sled"
DRIVER_OF = {RIG: VEX, SLED: DOT}
GANG_WITH = {SKULLS: RIG, SAINTS: SLED}


def vehicle(name: str, **changes: Any) -> records.VehicleCard:
    """A vehicle as ordinary as can be but for `changes`."""
    ordinary = records.VehicleCard(
        vehicle=name,
        name=name.capitalize(),
        cost_credits=150,
        movement=7,
        toughness_front=5,
        toughness_side=4,
        toughness_rear=3,
        hit_points=3,
        handling=7,
        save=None,
        crew=DRIVER_OF[name],
    )
    return replace(ordinary, **changes)


def riding(
    *vehicles: records.VehicleCard,
    fighters: tuple[records.FighterCard, ...] = (),
    knobs: Mapping[str, str] | None = None,
    battle: bool = True,
    book: str = BOOK,
) -> Table:
    """The two gangs with their vehicles, in their first battle. What is given replaces what is ordinary."""
    rides = {card.vehicle: card for card in vehicles}
    mine = {fighter.fighter: fighter for fighter in fighters}
    gangs = (
        enlist(
            gang,
            *(mine.get(name) or card(name) for name in CREW_OF[gang]),
            vehicles=(rides.get(ride) or vehicle(ride),),
        )
        for gang, ride in GANG_WITH.items()
    )
    table = campaign(*gangs, knobs=knobs, book=book)
    return table.when(opening(1)) if battle else table


def now(table: Table, name: str = RIG) -> CombatVehicle:
    """The vehicle's condition in the battle under way."""
    assert table.state.under_way is not None, "no battle is under way"
    return table.state.under_way.vehicles[name]


def on_card(table: Table, name: str = RIG) -> Vehicle:
    """The vehicle's card."""
    found = table.state.vehicle(name)
    assert found is not None, name
    return found


def ram(
    name: str = RIG,
    *,
    by: str | None = None,
    strength: int = 10,
    ap: int = 0,
    damage: int | None = 1,
    traits: tuple[str, ...] = (),
    **more: Any,
) -> records.ResolveVehicleHit:
    """A hit on the front of a Mobile vehicle, unless said otherwise."""
    profile = WeaponProfile(
        name="gun", strength=strength, armour_penetration=ap, damage=damage, traits=traits
    )
    said = {"facing": "front", "mobile": True, **more}
    return records.ResolveVehicleHit(vehicle=name, attacker=by, profile=profile, **said)


def seen(facing: str = "front", *, mobile: bool = True, **more: Any) -> records.VehicleAttacked:
    """How a shooter meets a vehicle."""
    return records.VehicleAttacked(facing=facing, mobile=mobile, **more)  # type: ignore[arg-type]


def shot(target: str | None = RIG, **more: Any) -> records.Shoot:
    """Mags fires her gun at the rig's front at Short range, unless said otherwise."""
    said = {"attacker": MAGS, "weapon": "gun", "range_band": "short", **more}
    if target == RIG:
        said.setdefault("vehicle", seen())
    return records.Shoot(target=target, **said)


def lurch(name: str = RIG, **more: Any) -> records.CheckControl:
    """A Loss of Control test for no hit."""
    return records.CheckControl(vehicle=name, why="test", **{"mobile": True, **more})


def special(purpose: str, *shown: str | int) -> tuple[Die, ...]:
    """Vehicle dice by symbol or face; the purpose is the die's name."""
    printed = loader.rulebook(BOOK, []).special_die(purpose)
    return tuple(read_die(purpose, purpose, face, special=printed) for face in shown)


def location(*shown: str | int) -> tuple[Die, ...]:
    return special("location", *shown)


def damage(*shown: str | int) -> tuple[Die, ...]:
    return special("vehicle_damage", *shown)


def handling(first: int, second: int) -> Die:
    return read_die("handling", "2D6", [first, second])


def control(shown: str, turn: int = 1) -> tuple[Die, ...]:
    """The Control die, and the D6 for left or right."""
    return (*special("control", shown), read_die("control_direction", "D6", turn))


def crew_injury(cell: str) -> Die:
    return read_die("crew_injury", "D66", cell)


def lasting_damage(*faces: int) -> tuple[Die, ...]:
    return tuple(read_die("lasting_damage", "D6", face) for face in faces)


HOLDS, SKIDS = handling(6, 6), handling(1, 1)
OUT_COLD = crew_injury("21")


BOOKS = ["necromunda_2023", "necromunda_archive"]


def clear(
    fighter: str = KRUG, *, height: int = 300, mobile: bool | None = None, wreck: str = RIG
) -> records.ThrowClear:
    return records.ThrowClear(fighter=fighter, vehicle=wreck, height_hundredths=height, mobile=mobile)


def initiative(face: int) -> Die:
    return read_die("thrown_clear", "D6", face)


LAST_POINT = (wound(2), location("body"), damage("penetrating"), HOLDS)


FRAIL = vehicle(RIG, hit_points=1)


def damages(table: Table) -> list[records.LastingDamageSuffered]:
    return [event for event in table.outcome if isinstance(event, records.LastingDamageSuffered)]


def restart(first: int, second: int) -> Die:
    return read_die("restart", "2D6", [first, second])

"""Impacts: the hit of a vehicle that runs into something, and who takes the harder one.

Knows numbers. Knows no campaign and rolls nothing. Source: Core Rulebook (2023) · Vehicle Impacts.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.rules.rulebook import Rulebook
from tracker.rules.vehicle_tables import ImpactBand

HeadOn: TypeAlias = Literal["pushes", "stops"]


def halved(movement: int) -> int:
    """Half of a Movement, rounded up: what counts for the hit on a vehicle that rams (G-85).

    Source: Core Rulebook (2023) · Vehicle Actions · Ram.
    """
    return -(-movement // 2)


def as_d3(face: int) -> int:
    """A D6 read as a D3. Source: Core Rulebook (2023) · General Principles."""
    return -(-face // 2)


def impact_hit(movement: int, *, rulebook: Rulebook) -> ImpactBand | None:
    """The automatic hit by the Movement of the vehicle that moved; None if it is too slow (G-85).

    Source: Core Rulebook (2023) · Vehicle Impacts · Vehicle Collision Damage Table.
    """
    bands = rulebook.book.vehicles.impacts.bands
    slow = bands[0] if rulebook.knob("impacts.slow") == "lowest_row" else None
    return next((band for band in reversed(bands) if movement >= band.from_inches), slow)


def head_on(*, moving: int, other: int) -> HeadOn:
    """The result of a head-on collision by the Toughness of both: the other is pushed, or the mover stops.

    Source: Core Rulebook (2023) · Vehicle Impacts · Head-on Collisions.
    """
    return "pushes" if moving >= other else "stops"


def fall_modifier(distance_hundredths: int, *, rulebook: Rulebook) -> int:
    """The modifier of a Loss of Control test after a fall (hundredths of an inch), for each step begun.

    Source: Core Rulebook (2023) · Terrain · Vehicles and Falling.
    """
    numbers = rulebook.book.vehicles.impacts
    return numbers.fall_control * -(-distance_hundredths // (numbers.fall_inches * 100))

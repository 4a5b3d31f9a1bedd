"""Vehicles: facings, kept dice, Handling, wrecks and fighters thrown clear.

Knows numbers and results of dice. Knows no campaign and rolls nothing. Source: Core Rulebook (2023) ·
Vehicles; Archived rules · Resolve Hits · Vehicles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from tracker.records import replace
from tracker.rules.combat_tables import FallBand
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.vehicle_tables import VehicleRules

DriverFate: TypeAlias = Literal["blacks_out", "nothing", "recovers", "wakes"]
Facing: TypeAlias = Literal["front", "side", "rear", "in_doubt"]
WreckCause: TypeAlias = Literal["hit_points", "roll"]


def toughness_of(facing: Facing, toughness: Mapping[str, int]) -> int:
    """The Toughness that a hit meets; for an unclear facing the highest of all.

    Source: Core Rulebook (2023) · Vehicles · Facings; Archived rules · Resolve Hits · 1. Wound Roll.
    """
    return max(toughness.values()) if facing == "in_doubt" else toughness[facing]


def location_dice(*, in_close_combat: bool, rules: VehicleRules) -> int:
    """Location dice for one hit: one, and one more in close combat.

    Source: Core Rulebook (2023) · Close Combat · Attacking Vehicles; Archived rules · Resolve Hits.
    """
    return 1 + (rules.close_combat_location_dice if in_close_combat else 0)


def kept_location(rolled: Sequence[str], wanted: Sequence[str]) -> str | None:
    """The location kept of several: the first of `wanted` that was rolled; None if there is none.

    Source: Core Rulebook (2023) · Vehicles · Multiple Location Dice.
    """
    if len(set(rolled)) == 1:
        return rolled[0]
    return next((location for location in wanted if location in rolled), None)


def kept_damage(
    rolled: Sequence[str], wanted: Sequence[str], *, by: Literal["attacker", "vehicle"], rules: VehicleRules
) -> str:
    """The damage kept of several: the first of `wanted` that was rolled, else the chooser's best.

    That is the gravest for the attacker and the mildest for the vehicle. Source: Core Rulebook (2023) ·
    Vehicles · Roll Damage Dice.
    """
    chosen = next((damage for damage in wanted if damage in rolled), None)
    if chosen is not None:
        return chosen
    return (max if by == "attacker" else min)(rolled, key=rules.severity.index)


def passes_handling(*, total: int, handling: int) -> bool:
    """Whether 2D6 with modifiers reach the Handling. Source: Core Rulebook (2023) · Vehicles · Handling."""
    return total >= handling


def direction(face: int) -> Literal["left", "right"]:
    """The direction in which a vehicle out of control turns: 1 to 3 left, 4 to 6 right.

    Source: Core Rulebook (2023) · Vehicles · Losing Control.
    """
    return "left" if face <= 3 else "right"


def weapon_at_random(face: int, count: int) -> int | None:
    """The weapon (from 0) that a D6 picks with equal chances; None if it must be rolled again.

    Source: Core Rulebook (2023) · Vehicles · Body Damage Table (one of them at random).
    """
    share = 6 // count
    return (face - 1) // share if share and face <= share * count else None


def thrown_clear_hit(fall: FallBand | None, *, mobile: bool, rules: VehicleRules) -> FallBand | None:
    """The hit on a fighter thrown clear: that of the fall, harder if the vehicle was Mobile.

    Source: Core Rulebook (2023) · Vehicles · Thrown Clear; the height, G-11.
    """
    if fall is None or not mobile:
        return fall
    more = rules.thrown_clear_mobile_bonus
    return replace(
        fall,
        strength=fall.strength + more,
        armour_penetration=fall.armour_penetration - more,
        damage=fall.damage + more,
    )


def starts(face: int, rules: VehicleRules) -> bool:
    """Whether one die of an Unreliable vehicle lets it start.

    Source: Core Rulebook (2023) · Vehicles · Lasting Damage; Archived rules · Lasting Damage.
    """
    return face >= rules.unreliable_starts_from


def restart_modifiers(
    *, hit_points_left: int, smoke_markers: int, turned_over: bool = False, rules: VehicleRules
) -> Modifiers:
    """The modifiers of the Handling test of a Restart, with reasons.

    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart; Archived rules · Burn Out.
    """
    numbers = rules.end_phase
    spare = hit_points_left > numbers.restart_bonus_above_hit_points
    return nonzero(
        ("Restart test", numbers.restart_bonus if spare else 0),
        ("Smoke markers", numbers.restart_per_smoke_marker * smoke_markers),
        ("Turn-over", rules.impacts.turned_over if turned_over else 0),
    )


def driver_fate(face: int, *, unconscious: bool, rules: VehicleRules) -> DriverFate:
    """The result of the End phase for a driver who is wounded, or unconscious.

    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
    """
    numbers = rules.end_phase
    if unconscious:
        return "wakes" if face >= numbers.driver_wakes_from else "nothing"
    if face <= numbers.driver_blacks_out_up_to:
        return "blacks_out"
    return "recovers" if face >= numbers.driver_recovers_from else "nothing"


def skill_of_driver(ballistic_skill: int, *, flesh_wounds: int, worst: int) -> int:
    """The Ballistic Skill of a driver: each Flesh Wound worsens it by 1, down to `worst`.

    Source: Core Rulebook (2023) · Vehicles · Crew Damage Table.
    """
    return max(ballistic_skill, min(ballistic_skill + flesh_wounds, worst))

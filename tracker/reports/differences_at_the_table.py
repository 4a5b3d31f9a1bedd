"""What stands otherwise in the battle under way: how each model and each vehicle stands at the table.

Knows the records that a battle keeps, as facts in words. Knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tracker.campaign.state import BattleUnderWay, Combatant, CombatVehicle

Facts = dict[str, str]
_Record: TypeAlias = Combatant | CombatVehicle


def at_the_table(
    before: BattleUnderWay | None, after: BattleUnderWay | None
) -> Iterator[tuple[str, Facts, Facts]]:
    """Each model and vehicle whose record is another, with how it stood and how it stands."""
    old_ones, new_ones = _everybody(before), _everybody(after)
    for who in dict.fromkeys([*old_ones, *new_ones]):
        old, new = old_ones.get(who), new_ones.get(who)
        if old is new:
            continue
        facts = _facts(old), _facts(new)
        if old is None or new is None:
            # The battle itself came or went: only what befell them in it is worth a line.
            facts = _befallen(facts[0]), _befallen(facts[1])
        yield who, *facts


def _everybody(under_way: BattleUnderWay | None) -> dict[str, _Record]:
    # No id is a fighter's and a vehicle's at once.
    return {} if under_way is None else {**under_way.combatants, **under_way.vehicles}


def _befallen(facts: Facts) -> Facts:
    ordinary = ("Wounds left", "HP left")
    return {what: told for what, told in facts.items() if what not in ordinary and told not in ("no", "0")}


def _facts(record: _Record | None) -> Facts:
    if record is None:
        return {}
    return _of_a_model(record) if isinstance(record, Combatant) else _of_a_vehicle(record)


def _of_a_model(combatant: Combatant) -> Facts:
    facts = {"Wounds left": str(combatant.wounds_left), "Flesh Wounds": str(combatant.flesh_wounds)}
    for what, holds in (
        ("Seriously Injured", combatant.seriously_injured),
        ("Pinned", combatant.pinned),
        ("Webbed", combatant.webbed),
        ("Out of Action", combatant.out_of_action),
    ):
        facts[what] = "yes" if holds else "no"
    # Only one game has these: they are told where they are there.
    if combatant.blood_markers:
        facts["Blood Markers"] = str(combatant.blood_markers)
    if combatant.blessing_markers:
        facts["Blessing Markers"] = str(combatant.blessing_markers)
    if combatant.down:
        facts["Down"] = "yes"
    if combatant.tough_spent:
        facts["TOUGH spent"] = "yes"
    if combatant.seriously_injured:
        facts["Seriously Injured in close combat"] = (
            "yes" if combatant.seriously_injured_in_close_combat else "no"
        )
    return facts


def _of_a_vehicle(vehicle: CombatVehicle) -> Facts:
    facts = {"HP left": str(vehicle.hit_points_left)}
    for what, holds in (
        ("wrecked", vehicle.wrecked),
        ("Stalled", vehicle.stalled),
        ("shaken", vehicle.shaken),
        ("movement capped", vehicle.movement_capped),
        ("rolling over", vehicle.rolling),
        ("driver blacked out", vehicle.driver_blacked_out),
    ):
        facts[what] = "yes" if holds else "no"
    if vehicle.handling_hindered:
        facts["Handling hindered by"] = str(vehicle.handling_hindered)
    if vehicle.driver_flesh_wounds:
        facts["Flesh Wounds of the driver"] = str(vehicle.driver_flesh_wounds)
    if vehicle.weapons_destroyed:
        facts["weapons destroyed"] = ", ".join(vehicle.weapons_destroyed)
    return facts

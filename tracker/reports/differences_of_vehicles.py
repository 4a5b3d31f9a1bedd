"""What a vehicle's card says, as facts and lists that are compared."""

from __future__ import annotations

from tracker.campaign.state import Vehicle
from tracker.reports.cards import lowercase_id
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names


def vehicle_facts(vehicle: Vehicle, names: Names) -> dict[str, str]:
    """What it has one of."""
    return {
        "name": sanitize(vehicle.name),
        "kind": lowercase_id(vehicle.kind),
        "driver": names.fighter(vehicle.crew) if vehicle.crew else "nobody",
        f"cost in {names.currency}s": str(vehicle.cost_credits),
        "Movement": f'{vehicle.movement}"',
        "Toughness": f"{vehicle.toughness_front}/{vehicle.toughness_side}/{vehicle.toughness_rear}",
        "HP": str(vehicle.hit_points),
        "Handling": f"{vehicle.handling}+",
        "save": f"{vehicle.save}+" if vehicle.save is not None else "none",
        "In Repair": "yes" if vehicle.in_repair else "no",
        "times wrecked": str(vehicle.times_wrecked),
    }


def vehicle_lists(vehicle: Vehicle) -> dict[str, list[str]]:
    """What it may have several of."""
    return {
        "lasting damage": [
            sanitize(one.name) + (f", battle {one.battle}" if one.battle is not None else "")
            for one in vehicle.lasting_damage
        ],
        "weapon": [sanitize(weapon) for weapon in vehicle.weapons],
        "fitted": [sanitize(item.name) for item in vehicle.fitted],
    }

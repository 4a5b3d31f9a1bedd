"""Sentences about vehicles: what happened to one, rendered from the event alone."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.vehicles import VehicleEvent
from tracker.reports.cards import counted, plain
from tracker.reports.names import Names
from tracker.reports.paper import safe

_DEGREES = {"swerve": "swerves 45°", "jackknife": "jackknifes 90°"}
_CAUSES = {
    "abandoned": "abandoned by its crew",
    "hit_points": "nothing left to lose",
    "roll": "it rolled over",
}


def vehicle_sentence(event: VehicleEvent, names: Names) -> str:
    """One line for one event."""
    who = names.fighter(event.vehicle)
    match event:
        case records.VehicleEnlisted():
            vehicle = f"{safe(event.name)} ({plain(event.kind)}, driven by {names.fighter(event.crew)})"
            return f"{vehicle} joins {names.gang(event.gang)} for {names.money(event.cost_credits)}"
        case records.VehicleDamaged():
            return (
                f"{who} takes a {plain(event.damage)} hit on the {plain(event.location)}: {safe(event.name)}"
            )
        case records.VehicleHitPointsLost():
            one = event.called.removesuffix("s")
            return f"{who} loses {counted(event.lost, one, event.called)}: {event.left} left"
        case records.VehicleShaken():
            return f"{who} and everybody aboard have Concussion"
        case records.VehicleStalled():
            return f"{who} is Stationary and Stalled"
        case records.VehicleMoved():
            return f"{who} is {'Mobile' if event.mobile else 'Stationary'}"
        case records.VehicleMovementCapped():
            return f'{who} moves no further than {event.inches}" in an activation until the battle ends'
        case records.VehicleHandlingHindered():
            total = f", {event.total:+d} in all" if event.total != event.by else ""
            return f"{who} has {event.by:+d} on Handling tests until the battle ends{total}"
        case records.VehicleWeaponDestroyed():
            return f"{who} cannot use its {safe(event.weapon)} until the battle ends"
        case records.VehicleLostControl():
            if event.result == "roll":
                return f"{who} rolls over"
            pivots = " and moves half its Movement" if event.mobile else " in place"
            return f"{who} {_DEGREES[event.result]} to the {event.direction}{pivots}"
        case records.DriverWounded():
            wounds = counted(event.flesh_wounds, "Flesh Wound")
            return f"the driver of {who} has {wounds}: -{event.flesh_wounds} on Ballistic Skill and Handling"
        case records.DriverBlackedOut():
            return f"the driver of {who} blacks out"
        case records.DriverWokeUp():
            return f"the driver of {who} wakes up"
        case records.DriverRecovered():
            left = counted(event.flesh_wounds, "Flesh Wound") if event.flesh_wounds else "none"
            return f"the driver of {who} is rid of a Flesh Wound: {left} left"
        case records.VehicleRestarted():
            return f"{who} starts again and is Mobile"
        case records.VehicleDidNotStart():
            return f"{who} does not start and takes no part in the battle"
        case records.VehicleRolledOn():
            return f'{who} rolls on {counted(event.rolls, "time")}, {event.inches_each}" each'
        case records.VehicleWrecked():
            why = " and ".join(_CAUSES[cause] for cause in event.causes)
            by = f" by {names.fighter(event.by)}" if event.by is not None else ""
            rolls = counted(event.lasting_damage_rolls, "Lasting Damage roll")
            return f"{who} is wrecked{by}, {why}: {rolls}"
        case records.LastingDamageSuffered():
            written_off = ", In Repair until it is repaired" if event.in_repair else ""
            return f"{who} suffers {safe(event.name)} ({event.total}){written_off}"
        case _:
            assert_never(event)

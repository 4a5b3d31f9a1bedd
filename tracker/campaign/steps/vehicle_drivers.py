"""Hurt drivers: the End phase of a driver who is wounded or unconscious.

Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart; Vehicles.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import vehicle_control
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.vehicle_effects import black_out
from tracker.rules.necromunda import vehicles as rules


@handles(records.CheckDriver)
def check_driver(decision: Decision, command: records.CheckDriver) -> None:
    """The D6 of a driver: a wounded one may black out or lose a Flesh Wound, an unconscious one wake up.

    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
    """
    card, book = decision.vehicle(command.vehicle), decision.rulebook.book.vehicles
    condition = decision.combat_vehicle(command.vehicle, what="an End phase die")
    wounds, unconscious = condition.driver_flesh_wounds, condition.driver_blacked_out
    if not (wounds or unconscious):
        raise records.DriverUnhurt(vehicle=card.name)
    why = "unconscious driver" if unconscious else "wounded driver"
    die = decision.tray.d6("driver", why=f"{why} in the End phase", fighter=command.vehicle)
    fate = rules.driver_fate(die.face, unconscious=unconscious, rules=book)
    outcomes = {
        "blacks_out": "blacks out",
        "nothing": "nothing happens",
        "recovers": "is rid of a Flesh Wound",
        "wakes": "wakes up with a Flesh Wound",
    }
    rolled = decision.roll(die, outcome=outcomes[fate], section="recovery_tests", rolled_by=card.gang)
    match fate:
        case "recovers":
            decision.emit(
                records.DriverRecovered(vehicle=command.vehicle, flesh_wounds=wounds - 1), cause=rolled
            )
        case "wakes":
            woke = decision.emit(records.DriverWokeUp(vehicle=command.vehicle), cause=rolled)
            decision.emit(records.DriverWounded(vehicle=command.vehicle, flesh_wounds=wounds + 1), cause=woke)
        case "blacks_out":
            accident = vehicle_control.VehicleAccident(vehicle=command.vehicle, mobile=condition.mobile)
            black_out(decision, accident, cause=rolled)
            vehicle_control.wreck(decision, accident, cause=rolled)
        case "nothing":
            pass

"""Asked about vehicles: a command in the words of the table, as it heads an entry."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.reports.cards import plain
from tracker.reports.names import Names
from tracker.reports.paper import safe


def vehicle_asked(command: records.VehicleCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.ResolveVehicleHit():
            weapon = safe(command.weapon or (command.profile.name if command.profile is not None else ""))
            attacker = names.fighter(command.attacker) if command.attacker is not None else ""
            whose = f"{attacker}'s {weapon}" if attacker and weapon else attacker or weapon
            facing = "facing in doubt" if command.facing == "in_doubt" else command.facing
            return f"hit: {whose} on {names.fighter(command.vehicle)} ({facing})".replace(":  on", " on")
        case records.CheckControl():
            return f"Loss of Control test: {names.fighter(command.vehicle)}: {plain(command.why)}"
        case records.ThrowClear():
            return f"thrown clear of {names.fighter(command.vehicle)}: {names.fighter(command.fighter)}"
        case records.TakeVehicleNerveTest():
            wreck = names.fighter(command.wreck)
            return f"Nerve test: {names.fighter(command.vehicle)}, for the wreck of {wreck}"
        case records.RestartVehicle():
            return f"Restart test: {names.fighter(command.vehicle)}"
        case records.CheckDriver():
            return f"the driver of {names.fighter(command.vehicle)} in the End phase"
        case records.MoveRollingVehicle():
            return f"rolls on: {names.fighter(command.vehicle)}"
        case _:
            assert_never(command)

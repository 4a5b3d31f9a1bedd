"""Flight words: how the Broken flee, each event and command as one plain line."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign import records
from tracker.reports.cards import counted, inches
from tracker.reports.names import Names

FlightEvent: TypeAlias = records.RetreatTried | records.FlightMade

FLIGHT_ROLLS = {
    "retreat": "Initiative test to retreat",
    "retreat_reaction": "Initiative test to react",
    "running_for_cover": "Running for Cover",
    "break_for_air": "Break For Air",
    "burn_out": "Burn Out",
}


def flight_sentence(event: FlightEvent, names: Names) -> str:
    """One line for one event."""
    who = names.fighter(event.fighter)
    if isinstance(event, records.RetreatTried):
        if not event.away:
            return f"{who} does not get away: the action ends"
        reactors = ", ".join(names.fighter(one) for one in event.may_react)
        return f"{who} retreats" + (f"; may react first: {reactors}" if reactors else ", nobody reacts")
    if event.flight == "burn_out":
        markers = counted(event.smoke_markers, "Smoke marker")
        return f'{who} burns out and places {markers} within 1": each hinders the Restart test'
    how = "breaks for air" if event.flight == "break_for_air" else "runs for cover"
    return f'{who} {how}, up to {inches(event.up_to_hundredths)}"'


def flight_asked(command: records.TakeFlight, names: Names) -> str:
    """One line that says what was asked for."""
    engaged = ", ".join(names.fighter(one) for one in command.engaged)
    return f"flight: {names.fighter(command.fighter)}" + (f", engaged with {engaged}" if engaged else "")

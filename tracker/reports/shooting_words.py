"""Shooting words: the events and commands of shooting, each as one plain line."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.reports.cards import counted
from tracker.reports.names import Names
from tracker.reports.paper import safe

ShootingEvent: TypeAlias = (
    records.ShotFired
    | records.WeaponRanOutOfAmmo
    | records.WeaponJammed
    | records.AmmoSpent
    | records.WeaponReloaded
    | records.LimitedAmmoDeleted
)

SHOOTING_ROLLS = {
    "priority_cool": "Cool test for target priority",
    "hit": "hit roll",
    "improbable_hit": "Improbable Shot roll",
    "firepower": "Firepower die",
    "ammo": "Ammo test",
    "unstable": "Unstable roll",
    "scatter": "Scatter die",
    "scatter_distance": "scatter distance",
    "scatter_distance_far": "scatter distance",
    "misfire": "misfire roll",
    "unseen_template": "roll for a Template unseen",
    "template_spill": "roll for a Template that spills",
    "stray": "stray shot roll",
}


def shooting_sentence(event: ShootingEvent, names: Names) -> str:
    """One line for one event."""
    who = names.fighter(event.fighter)
    match event:
        case records.ShotFired():
            return _fired(event, names)
        case records.WeaponRanOutOfAmmo():
            return f"{_whose(event, names)} {safe(event.slot)} is Out of Ammo until reloaded"
        case records.WeaponJammed():
            return f"{_whose(event, names)} {safe(event.slot)} is jammed for the rest of the battle"
        case records.AmmoSpent():
            why = "Single Shot" if event.why == "single_shot" else "Limited" if event.limited else "Scarce"
            what = _with_profile(event.weapon, event.profile)
            whose = names.fighter(event.vehicle) if event.vehicle is not None else who
            return f"{whose} has no more {what} in this battle ({why})"
        case records.WeaponReloaded():
            return f"{_whose(event, names)} {safe(event.slot)} is reloaded"
        case records.LimitedAmmoDeleted():
            what = safe(event.weapon) if event.weapon_gone else _with_profile(event.weapon, event.profile)
            cost = names.money(event.cost_credits)
            whose = names.fighter(event.vehicle) if event.vehicle is not None else who
            return f"{whose} loses {what} from the card: Limited ammunition used up, worth {cost} now"
        case _:
            assert_never(event)


def shooting_asked(command: records.ShootingCommand, names: Names) -> str:
    """One line that says what was asked for."""
    if isinstance(command, records.Reload):
        weapon = _with_profile(command.weapon, command.profile_name)
        aboard = f" on {names.fighter(command.on_vehicle)}" if command.on_vehicle is not None else ""
        return f"reload: {names.fighter(command.fighter)}'s {weapon}{aboard}"
    weapons = _with_profile(command.weapon, command.profile_name)
    if command.also is not None:
        weapons += f" and {_with_profile(command.also.weapon, command.also.profile_name)}"
    at = " at a point" if command.point else ""
    if command.target is not None:
        at = f" at {names.fighter(command.target)}"
    aboard = f" from {names.fighter(command.from_vehicle)}" if command.from_vehicle is not None else ""
    return f"shoot: {names.fighter(command.attacker)}'s {weapons}{aboard}{at}"


def _fired(event: records.ShotFired, names: Names) -> str:
    at = f" at {names.fighter(event.target)}" if event.target is not None else ""
    times = f" ({counted(event.hits, 'hit')})"
    outcome = {
        "hit": f"hits{times if event.hits != 1 else ''}",
        "missed": f"misses{f' with {event.hits} shots' if event.hits != 1 else ''}",
        "beyond_range": "is out of range and misses",
        "marker_stays": f"hits, the marker stays{times}",
        "marker_scatters": f"misses, the marker scatters{times}",
        "marker_removed": "misses, the marker leaves the table and is removed",
        "dud": "is a dud",
        "misfire": f"misfires{times}",
        "template": f"sweeps the Template{times}",
    }[event.result]
    aboard = f" from {names.fighter(event.vehicle)}" if event.vehicle is not None else ""
    weapon = _with_profile(event.weapon, event.profile)
    return f"{names.fighter(event.fighter)}'s {weapon}{aboard}{at} {outcome}"


def _whose(
    event: records.WeaponRanOutOfAmmo | records.WeaponJammed | records.WeaponReloaded, names: Names
) -> str:
    return f"{names.fighter(event.vehicle if event.vehicle is not None else event.fighter)}'s"


def _with_profile(weapon: str, profile: str | None) -> str:
    return f"{safe(weapon)} ({safe(profile)})" if profile else safe(weapon)

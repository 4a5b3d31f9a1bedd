"""Carried: the weapon on a fighter's card that a report calls by name."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.refusals import ProfileNotNamed, UnknownWeapon
from tracker.campaign.state import Fighter


def carried_weapon(fighter: Fighter, name: str) -> Weapon:
    """The weapon of that name; capital letters make no difference. Raises UnknownWeapon."""
    # Of several alike the last.
    for weapon in reversed(fighter.weapons):
        if weapon.weapon == name:
            return weapon
    carried = {weapon.weapon: weapon for weapon in fighter.weapons}
    for known, weapon in carried.items():
        if known.lower() == name.lower():
            return weapon
    raise UnknownWeapon(weapon=name, fighter=fighter.name, known=tuple(carried))


def profile_of(
    fighter: Fighter, weapon: Weapon, name: str | None, *, among: Sequence[WeaponProfile] = ()
) -> WeaponProfile:
    """The weapon's profile of that name; the only one `among` those in question needs no name.

    Raises ProfileNotNamed.
    """
    possible = among or weapon.profiles
    if name is None and len(possible) == 1:
        return possible[0]
    profiles = {profile.name: profile for profile in weapon.profiles}
    if name is None or name not in profiles:
        raise ProfileNotNamed(weapon=weapon.weapon, fighter=fighter.name, profile=name, known=tuple(profiles))
    return profiles[name]

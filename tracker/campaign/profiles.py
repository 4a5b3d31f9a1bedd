"""Profiles: the numbers on a fighter's and a weapon's card, as the user typed them.

Knows characteristics and weapon profiles. Knows no limits and no price list: limits are the book's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

Category = Literal[
    "leader",
    "champion",
    "specialist",
    "ganger",
    "prospect",
    "juve",
    "crew",
    "brute",
    "hanger_on",
    "exotic_beast",
    "hired_gun",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristics:
    """A fighter's profile. Skills, Initiative and the mental four are the target numbers to roll.

    Movement in inches.
    """

    movement: int
    weapon_skill: int
    ballistic_skill: int
    strength: int
    toughness: int
    wounds: int
    initiative: int
    attacks: int
    leadership: int
    cool: int
    willpower: int
    intelligence: int

    def value(self, characteristic: str) -> int:
        """The number printed for one characteristic."""
        number = getattr(self, characteristic)
        assert isinstance(number, int)
        return number


CHARACTERISTICS: tuple[str, ...] = tuple(field.name for field in fields(Characteristics))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponProfile:
    """One way a weapon can be used. `damage` None is the printed '-'; `strength` None is 'as the wielder'.

    Ranges in inches; accuracies are hit modifiers; `armour_penetration` is 0 or negative.
    """

    name: str = ""
    strength: int | None
    armour_penetration: int = 0
    damage: int | None = 1
    traits: tuple[str, ...] = ()
    range_short_inches: int | None = None
    range_long_inches: int | None = None
    accuracy_short: int = 0
    accuracy_long: int = 0
    ammo: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon on a fighter's card: its name, its profiles (at least one) and what it cost."""

    weapon: str
    profiles: tuple[WeaponProfile, ...]
    cost_credits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour:
    """Armour or a field: its name and the lowest D6 that saves."""

    name: str
    save: int

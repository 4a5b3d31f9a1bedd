"""Profiles: the numbers on a fighter's and a weapon's card, as the user typed them.

Knows characteristics and weapon profiles. Knows no limits and no price list: limits are the book's.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from tracker.records import Record, cached_by_identity

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
    "elite",
    "troop",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)


Characteristics: TypeAlias = dict[str, int]
"""The printed numbers of a card by the book's names ('ballistic_skill': 4 for 4+; movement in inches).

Which names there are is the book's to say. Never changed in place: a changed card is a new one.
"""


class WeaponProfile(Record, kw_only=True):
    """One way a weapon can be used. `damage` None is the printed '-'; `strength` None is 'as the wielder',
    with `strength_added` on top: 1 for the printed S+1.

    Ranges in inches, or with `range_of_strength` in times the wielder's Strength, as Sx3; accuracies are hit
    modifiers; `armour_penetration` is 0 or negative, of few weapons +1.
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
    strength_added: int = 0
    range_of_strength: bool = False


def wielders_strength(added: int) -> str:
    """The Strength of the wielder as a card prints it: S, S+1."""
    return f"S{added:+d}" if added else "S"


def range_shown(number: int | None, *, of_strength: bool) -> str:
    """A range as a card prints it: 8", Sx3, or a dash."""
    return "-" if number is None else f"Sx{number}" if of_strength else f'{number}"'


class Weapon(Record):
    """A weapon on a fighter's card: its name, its profiles (at least one) and what it cost.

    `counts_as` is how many of the weapons a fighter may carry it is: two where the list marks it so.
    """

    weapon: str
    profiles: tuple[WeaponProfile, ...]
    cost_credits: int = 0
    counts_as: int = 1


@cached_by_identity
def carried_traits(weapons: tuple[Weapon, ...]) -> tuple[str, ...]:
    """The traits of all these weapons, each once, as printed."""
    return tuple(
        dict.fromkeys(trait for weapon in weapons for profile in weapon.profiles for trait in profile.traits)
    )


class Armour(Record):
    """Armour or a field: its name and the lowest D6 that saves."""

    name: str
    save: int


ItemKind = Literal["weapon", "armour", "field_armour", "wargear", "vehicle_upgrade", "other"]


class Item(Record):
    """A thing that is bought, carried, kept in a stash or sold, with what it is worth in credits.

    `weapon` and `armour` are what stands on the card of whoever carries it; None where that is not known.
    """

    name: str
    kind: ItemKind
    cost_credits: int = 0
    weapon: Weapon | None = None
    armour: Armour | None = None


class Bionic(Record):
    """A bionic in the place of an injury, and the characteristics that it raised by one."""

    place: str
    name: str
    improves: tuple[str, ...] = ()

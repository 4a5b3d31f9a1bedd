"""What happens to vehicles: in a battle, and for good when one is wrecked."""

from __future__ import annotations

from typing import Literal

from tracker.campaign.profiles import Weapon
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleEnlisted:
    """A vehicle joins a gang with the card that the user typed; `crew` is the fighter who drives it.

    `armament` are those of its weapons whose numbers stand on its own card.
    """

    vehicle: str
    gang: str
    name: str
    kind: str
    cost_credits: int
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    save: int | None
    crew: str
    weapons: tuple[str, ...] = ()
    armament: tuple[Weapon, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleDamaged:
    """One result of the damage table, by location and damage; what it brought follows as events."""

    vehicle: str
    by: str | None
    location: str
    damage: str
    name: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleHitPointsLost:
    """`called` is what the book calls them: Hull Points, Wounds."""

    vehicle: str
    by: str | None
    lost: int
    left: int
    called: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleShaken:
    """The vehicle and everybody aboard have Concussion."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleStalled:
    """Stationary and Stalled."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleMoved:
    """Mobile or Stationary, as stated at the table; a Mobile vehicle is Stalled no more."""

    vehicle: str
    mobile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleMovementCapped:
    """For the battle no activation moves it further than its Movement."""

    vehicle: str
    inches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleHandlingHindered:
    """For the battle every Handling test has `by` more, `total` in all."""

    vehicle: str
    by: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleWeaponDestroyed:
    """The weapon is out for the battle."""

    vehicle: str
    weapon: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleLostControl:
    """Swerve (45 degrees) or jackknife (90), to the left or right; or a roll."""

    vehicle: str
    result: Literal["swerve", "jackknife", "roll"]
    direction: Literal["left", "right"]
    mobile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverWounded:
    """The driver has `flesh_wounds` in all, each worth -1 on Ballistic Skill and Handling."""

    vehicle: str
    flesh_wounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverBlackedOut:
    """Unconscious until an End phase says otherwise."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleWrecked:
    """Out of Action. `causes` are what wrecked it at once, each worth one Lasting Damage roll."""

    vehicle: str
    by: str | None
    causes: tuple[str, ...]
    mobile: bool
    lasting_damage_rolls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingDamageSuffered:
    """One result of the Lasting Damage chart, and the vehicle's card as it stands after it.

    `rattles` and `unreliable` count results so far; `handling_modifier` is what all of them bring.
    """

    vehicle: str
    by: str | None
    damage: str
    name: str
    total: int
    battle: int | None
    rattles: int
    handling_modifier: int
    unreliable: int
    in_repair: bool
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    movement: int
    hit_points: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleDidNotStart:
    """An Unreliable vehicle takes no part in this battle after all."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleRestarted:
    """Mobile again."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverRecovered:
    """One of the driver's Flesh Wounds is gone; `flesh_wounds` are left."""

    vehicle: str
    flesh_wounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverWokeUp:
    """Unconscious no more."""

    vehicle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleRolledOn:
    """A vehicle that rolled over while Mobile goes on: so many rolls of so many inches each."""

    vehicle: str
    rolls: int
    inches_each: int

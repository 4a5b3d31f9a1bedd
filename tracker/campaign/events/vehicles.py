"""What happens to vehicles: in a battle, and for good when one is wrecked."""

from __future__ import annotations

from typing import Literal

from tracker.campaign.profiles import Weapon
from tracker.records import Record


class VehicleEnlisted(Record):
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


class VehicleDamaged(Record):
    """One result of the damage table, by location and damage; what it brought follows as events."""

    vehicle: str
    by: str | None
    location: str
    damage: str
    name: str
    section: str


class VehicleHitPointsLost(Record):
    """`called` is what the book calls them: Hull Points, Wounds."""

    vehicle: str
    by: str | None
    lost: int
    left: int
    called: str


class VehicleShaken(Record):
    """The vehicle and everybody aboard have Concussion."""

    vehicle: str


class VehicleStalled(Record):
    """Stationary and Stalled."""

    vehicle: str


class VehicleMoved(Record):
    """Mobile or Stationary, as stated at the table; a Mobile vehicle is Stalled no more."""

    vehicle: str
    mobile: bool


class VehicleMovementCapped(Record):
    """For the battle no activation moves it further than its Movement."""

    vehicle: str
    inches: int


class VehicleHandlingHindered(Record):
    """For the battle every Handling test has `by` more, `total` in all."""

    vehicle: str
    by: int
    total: int


class VehicleWeaponDestroyed(Record):
    """The weapon is out for the battle."""

    vehicle: str
    weapon: str


class VehicleLostControl(Record):
    """Swerve (45 degrees) or jackknife (90), to the left or right; or a roll."""

    vehicle: str
    result: Literal["swerve", "jackknife", "roll"]
    direction: Literal["left", "right"]
    mobile: bool


class DriverWounded(Record):
    """The driver has `flesh_wounds` in all, each worth -1 on Ballistic Skill and Handling."""

    vehicle: str
    flesh_wounds: int


class DriverBlackedOut(Record):
    """Unconscious until an End phase says otherwise."""

    vehicle: str


class VehicleWrecked(Record):
    """Out of Action. `causes` are what wrecked it at once, each worth one Lasting Damage roll."""

    vehicle: str
    by: str | None
    causes: tuple[str, ...]
    mobile: bool
    lasting_damage_rolls: int


class LastingDamageSuffered(Record):
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


class VehicleDidNotStart(Record):
    """An Unreliable vehicle takes no part in this battle after all."""

    vehicle: str


class VehicleRestarted(Record):
    """Mobile again."""

    vehicle: str


class DriverRecovered(Record):
    """One of the driver's Flesh Wounds is gone; `flesh_wounds` are left."""

    vehicle: str
    flesh_wounds: int


class DriverWokeUp(Record):
    """Unconscious no more."""

    vehicle: str


class VehicleRolledOn(Record):
    """A vehicle that rolled over while Mobile goes on: so many rolls of so many inches each."""

    vehicle: str
    rolls: int
    inches_each: int

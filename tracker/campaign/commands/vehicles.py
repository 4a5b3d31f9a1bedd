"""Commands of the chapter on vehicles. Facing, Mobile or Stationary, and what cannot be hit are stated."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.commands.hits import Cover
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.records import Record

FacingHit: TypeAlias = Literal["front", "side", "rear", "in_doubt"]
KeptBy: TypeAlias = Literal["attacker", "vehicle", "nobody"]


class VehicleCard(Record):
    """A vehicle as written on a gang sheet. `crew` is a fighter of the gang; `weapons` are names.

    `armament` are those of them whose numbers stand on the vehicle's own card.
    """

    vehicle: str
    name: str
    cost_credits: int
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    crew: str
    save: int | None = None
    kind: str = "Vehicle"
    weapons: tuple[str, ...] = ()
    armament: tuple[Weapon, ...] = ()


class VehicleAttacked(Record):
    """What the table knows of a vehicle under attack; the rest as for any hit on a vehicle."""

    facing: FacingHit
    mobile: bool
    keep_location: tuple[str, ...] = ()
    keep_damage: tuple[str, ...] = ()
    kept_by: KeptBy = "attacker"
    cannot_be_hit: tuple[str, ...] = ()


class ResolveVehicleHit(Record):
    """A hit that struck a vehicle: wound roll, save, Location and Damage dice, effect.

    `keep_location` and `keep_damage` are in order of preference for whoever chooses (`kept_by`;
    "nobody": where a rule says that every result is applied);
    `cannot_be_hit` are locations that cannot be hit from there.
    Core Rulebook (2023) · Vehicles.
    """

    vehicle: str
    facing: FacingHit
    mobile: bool
    attacker: str | None = None
    weapon: str | None = None
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    save_cover: Cover = "none"
    in_close_combat: bool = False
    hit_roll: int | None = None
    keep_location: tuple[str, ...] = ()
    keep_damage: tuple[str, ...] = ()
    kept_by: KeptBy = "attacker"
    cannot_be_hit: tuple[str, ...] = ()
    attack: bool = True
    activation: str | None = None


class CheckControl(Record):
    """A Loss of Control test for a reason that is no hit. Core Rulebook (2023) · Vehicles."""

    vehicle: str
    mobile: bool
    why: str
    modifier: int = 0
    by: str | None = None
    activation: str | None = None


class ThrowClear(Record):
    """A fighter who was aboard a vehicle when it was wrecked. The height is stated (G-11)."""

    fighter: str
    vehicle: str
    height_hundredths: int
    mobile: bool | None = None
    save_with: Literal["best", "armour", "field_armour", "none"] = "best"
    grudge_against: str | None = None


class TakeVehicleNerveTest(Record):
    """A vehicle's Nerve test because of a friendly wreck: its crew's Cool, +1 for each friendly vehicle near.

    `friends_near` counts those within reach that are neither Broken nor wrecked.
    """

    vehicle: str
    wreck: str
    friends_near: int
    mobile: bool
    activation: str | None = None


class RestartVehicle(Record):
    """A Restart test in the End phase of a vehicle that is Stationary and Stalled.

    `smoke_markers` are those placed when it Burned Out. Core Rulebook (2023) · The End Phase · 3.
    """

    vehicle: str
    smoke_markers: int = 0


class CheckDriver(Record):
    """The End phase die of a driver wounded or unconscious. Core Rulebook (2023) · The End Phase · 3."""

    vehicle: str


class MoveRollingVehicle(Record):
    """How far a vehicle that rolled over while Mobile goes on; where to is seen at the table."""

    vehicle: str


VehicleCommand: TypeAlias = (
    CheckControl
    | ResolveVehicleHit
    | RestartVehicle
    | CheckDriver
    | MoveRollingVehicle
    | ThrowClear
    | TakeVehicleNerveTest
)

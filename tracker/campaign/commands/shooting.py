"""Commands of the chapter on shooting: a ranged attack, a Reload.

Who is nearest, in cover, engaged, near the line of fire or under a marker is stated: only the table knows it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.commands.hits import Cover, SaveWith
from tracker.campaign.commands.vehicles import VehicleAttacked
from tracker.campaign.profiles import WeaponProfile
from tracker.records import Record

RangeBand: TypeAlias = Literal["short", "long", "beyond"]
FreeSkip: TypeAlias = Literal["seriously_injured", "wrecked", "harder_to_hit"]
ShootAction: TypeAlias = Literal["basic", "double"]
ReloadAction: TypeAlias = Literal["simple", "double"]
ShootingSkill: TypeAlias = Literal["fast_shot", "hip_shooting"]
Unseen: TypeAlias = Literal["no", "darkness", "smoke"]
"""Whether the place lies beyond sight in darkness, or in or behind smoke."""


class NearerEnemy(Record):
    """An enemy nearer than the target, why it may be skipped, and whether it is outside the vision arc."""

    model: str
    because: FreeSkip | None = None
    out_of_arc: bool = False


class ModelThere(Record):
    """A model that is hit or might be: a fighter, or a vehicle if `vehicle` says so. `prone` None is as the
    battle knows it.

    `cover` is towards a Blast marker's centre or the attacker with a template. `engaged_with` are others
    who are engaged with this fighter.
    """

    fighter: str
    cover: Cover = "none"
    engaged: bool = False
    engaged_with: tuple[str, ...] = ()
    prone: bool | None = None
    save_with: SaveWith = "best"
    vehicle: VehicleAttacked | None = None


class SecondSidearm(Record):
    """The other weapon of Twin Guns Blazing."""

    weapon: str
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    range_band: RangeBand | None = None
    firepower_dice: int = 1


class ShotModifier(Record):
    """What a skill, an action or a condition adds to the hit roll."""

    why: str
    by: int


class Shoot(Record):
    """A ranged attack. `weapon` is a name on the attacker's card, or what `profile` gives the numbers of.

    `closest`: the target is the closest eligible one (a template: it touches that one). `hits_on` allots the
    hits of Rapid Fire in order, the first to the target; hits beyond the list are the target's.
    `at_risk` is in order from the attacker. `under_scatter` are those under a marker that scattered, where
    they are others than `under_marker` (None: the same); `under_misfire` are the others under one that is
    centred on the attacker. `from_vehicle`: the weapon is that vehicle's, the attacker its crew or who
    mans it.
    `vehicle` is what there is to say of a target that is a vehicle; `hull_down`: the attacker sees nothing
    of the facing that it hits. `off_the_table`: where a marker that scatters ends, its centre is off the
    table.
    Core Rulebook (2023) · Shooting.
    """

    attacker: str
    weapon: str
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    target: str | None = None
    point: bool = False
    range_band: RangeBand | None = None
    cover: Cover = "none"
    engaged: bool = False
    prone: bool | None = None
    closest: bool = True
    nearer: tuple[NearerEnemy, ...] = ()
    priority_waived: str | None = None
    action: ShootAction | None = None
    using: tuple[ShootingSkill, ...] = ()
    unseen: Unseen = "no"
    modifiers: tuple[ShotModifier, ...] = ()
    firepower_dice: int = 1
    hits_on: tuple[ModelThere, ...] = ()
    at_risk: tuple[ModelThere, ...] = ()
    also: SecondSidearm | None = None
    under_marker: tuple[ModelThere, ...] = ()
    under_misfire: tuple[ModelThere, ...] = ()
    under_template: tuple[ModelThere, ...] = ()
    save_with: SaveWith = "best"
    activation: str | None = None
    grudge_against: str | None = None
    from_vehicle: str | None = None
    vehicle: VehicleAttacked | None = None
    hull_down: bool = False
    off_the_table: bool = False
    under_scatter: tuple[ModelThere, ...] | None = None


class Reload(Record):
    """A Reload for a weapon that is Out of Ammo, by one of its profiles; one `on_vehicle`, if it says.

    `profile` gives the numbers of a weapon that stands on no card. `action` None: nobody said which it was.
    """

    fighter: str
    weapon: str
    profile_name: str | None = None
    on_vehicle: str | None = None
    action: ReloadAction | None = None
    profile: WeaponProfile | None = None


ShootingCommand: TypeAlias = Shoot | Reload

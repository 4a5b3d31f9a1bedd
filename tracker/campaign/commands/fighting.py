"""Commands of the chapter on close combat: a Fight, a Coup de Grace, a fighter who stands up.

Who is engaged with whom, who turned and who was out of sight is stated: only the table knows it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.commands.hits import SaveWith
from tracker.campaign.commands.vehicles import VehicleAttacked
from tracker.campaign.profiles import WeaponProfile
from tracker.records import Record

Across: TypeAlias = Literal["nothing", "barricade", "wider"]
"""What lies between two who are engaged: base contact, an obstacle of less than 1 inch, a wider one."""


class FightWeapon(Record):
    """A weapon of a Fight: a name on the attacker's card, or a name with the numbers of `profile`."""

    weapon: str
    profile_name: str | None = None
    profile: WeaponProfile | None = None


class FightTarget(Record):
    """An enemy under attack: a fighter, or a vehicle if `vehicle` says so. `attack_dice` are for each weapon
    in order, unarmed attacks last; none stated means all there are."""

    model: str
    vehicle: VehicleAttacked | None = None
    attack_dice: tuple[int, ...] = ()
    across: Across = "nothing"
    save_with: SaveWith = "best"
    grudge_against: str | None = None


class ExtraModifier(Record):
    """What a skill, a condition or a piece of wargear adds, which the tables here do not know."""

    why: str
    attack_dice: int = 0
    hit: int = 0
    strength: int = 0
    armour_penetration: int = 0


class Fight(Record):
    """A close combat attack: a Fight (Basic), the free one of a Charge, or Reaction attacks.

    No weapons means unarmed attacks. `engaged` are pairs of enemies who are engaged with each other, beside
    the attacker and the targets. `charged_unseen`: the attacker charged somebody out of line of sight.
    `coup_de_grace` and `consolidate` are what the attacker does afterwards if it may.
    Core Rulebook (2023) · Close Combat.
    """

    attacker: str
    targets: tuple[FightTarget, ...]
    weapons: tuple[FightWeapon, ...] = ()
    engaged: tuple[tuple[str, str], ...] = ()
    charging: bool = False
    charged_unseen: bool = False
    turn_to_face: bool = False
    reaction: bool = False
    extra: tuple[ExtraModifier, ...] = ()
    coup_de_grace: str | None = None
    consolidate: bool = False
    activation: str | None = None


class CoupDeGrace(Record):
    """A Coup de Grace (Simple): an enemy who is Prone and Seriously Injured goes Out of Action."""

    attacker: str
    target: str
    activation: str | None = None
    grudge_against: str | None = None


class Unpin(Record):
    """A fighter who was Prone and Pinned stood up."""

    fighter: str


FightingCommand: TypeAlias = Fight | CoupDeGrace | Unpin

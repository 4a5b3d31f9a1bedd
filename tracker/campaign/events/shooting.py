"""What shooting leaves behind beside hits: ammunition. Gone with the battle, but for Limited ammo used up."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

ShotResult: TypeAlias = Literal[
    "hit",
    "missed",
    "beyond_range",
    "marker_stays",
    "marker_scatters",
    "marker_removed",
    "dud",
    "misfire",
    "template",
]
WhySpent: TypeAlias = Literal["ammo_test", "single_shot"]


class ShotFired(Record):
    """One weapon was fired. `hits` is how many a passed hit roll scores, and how often a miss goes astray;
    for a marker or template, how many models it hits itself. `target` None: a point, or a template.
    `vehicle`, here and below: whose weapon it is, where it is none of the fighter's own."""

    fighter: str
    weapon: str
    profile: str
    target: str | None
    result: ShotResult
    hits: int
    section: str
    vehicle: str | None = None


class WeaponRanOutOfAmmo(Record):
    """Unusable until reloaded. `slot` tells apart weapons of one name, and the halves of a combi-weapon."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


class WeaponJammed(Record):
    """Unusable for the rest of the battle."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


class AmmoSpent(Record):
    """One profile of a weapon is unusable for the rest of the battle, reload or not.

    `limited`: it leaves the card when the battle ends, if the rules in force say so.
    """

    fighter: str
    weapon: str
    profile: str
    slot: str
    why: WhySpent
    limited: bool
    vehicle: str | None = None


class WeaponReloaded(Record):
    """The weapon in that slot fires again; `vehicle` is the one that bears it."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


class LimitedAmmoDeleted(Record):
    """A profile leaves the card of the fighter (or of the `vehicle`, by whose crew it is told) for good, its
    weapon with the last one.

    `cost_credits` is the card's new cost: a weapon's price is known, a profile's own is not.
    """

    fighter: str
    weapon: str
    profile: str
    weapon_gone: bool
    cost_credits: int
    vehicle: str | None = None

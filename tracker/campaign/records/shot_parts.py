"""Parts of a shot: nearer enemies, models hit or at risk, the second weapon, modifiers of the hit roll."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records.hits import Cover, KeptInjury, RangeBand, SaveWith
from tracker.campaign.records.kinds import FighterId, Name, TestModifier
from tracker.campaign.records.vehicles import VehicleAttacked
from tracker.records import Record

FreeSkip: TypeAlias = Literal["seriously_injured", "wrecked", "harder_to_hit"]


class NearerEnemy(Record):
    """An enemy nearer than the target."""

    model: str
    """Who or what it is."""
    because: FreeSkip | None = None
    """Why it is skipped without a test."""
    out_of_arc: bool = False
    """Whether it is visible but outside the attacker's vision arc."""


class ModelThere(Record):
    """A model that is hit or might be."""

    fighter: str
    """Who: a fighter, or a vehicle if `vehicle` says so."""
    cover: Cover = "none"
    """Cover towards a Blast marker's centre, or towards the attacker with a template."""
    engaged: bool = False
    """Whether this fighter is Standing and Engaged."""
    engaged_with: tuple[FighterId, ...] = ()
    """Others engaged with this fighter."""
    prone: bool | None = None
    """Whether this fighter is Prone; None as the battle knows it."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""
    vehicle: VehicleAttacked | None = None
    """What there is to say of it, where it is a vehicle."""
    shielded: bool = False
    """Whether solid terrain stands between it and the marker's centre, or the attacker with a template."""
    behind: bool | None = None
    """Whether the attacker, or the marker's centre, is outside its vision arc; None: nobody said."""
    cannot_be_moved: bool = False
    """Whether something keeps it from being knocked back."""
    psyker: bool = False
    """Whether it is a psyker, where a trait asks for it."""
    inspired_by: FighterId | None = None
    """A friend of theirs within 6 inches who makes up for a failed Cool test with Inspirational."""


class EligibleModel(Record):
    """A fighter, friend or foe, who may be drawn as the target of a shot, with the facts of that shot."""

    fighter: FighterId
    """Who."""
    range_band: RangeBand | None = None
    """How far off; None: as the shot says."""
    cover: Cover | None = None
    """The fighter's cover; None: as the shot says."""
    engaged: bool = False
    """Whether the fighter is Standing and Engaged."""
    prone: bool | None = None
    """Whether the fighter is Prone; None as the battle knows it."""


class SecondSidearm(Record):
    """The other weapon of Twin Guns Blazing."""

    weapon: Name
    """A weapon on the attacker's card, or what to call the one that `profile` gives the numbers of."""
    profile_name: Name | None = None
    """Which of the weapon's profiles."""
    profile: WeaponProfile | None = None
    """The weapon's numbers, where it stands on nobody's card."""
    range_band: RangeBand | None = None
    """The range for this weapon."""
    firepower_dice: int = 1
    """Firepower dice rolled for it."""


class ShotModifier(Record):
    """A modifier of the hit roll by a skill, an action or a condition."""

    why: Name
    """What it is."""
    by: TestModifier
    """How much."""

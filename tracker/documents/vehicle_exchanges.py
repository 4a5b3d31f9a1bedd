"""Exchanges about vehicles, as a battle report tells them.

Knows how each is written. Knows no rule: which dice fall and what they do is for `decide`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.documents.card_numbers import FallInches, HitFace, Written
from tracker.documents.checking import Strict
from tracker.documents.text import Name, Note, Slug
from tracker.documents.weapon_sheet import HitNumbers, check_weapon_known

ControlModifier = Annotated[
    int, Written(lowest=-9, highest=9, pattern="([-+]?[0-9])", example="such as +1 or -1")
]
VehiclesNear = Annotated[int, Written(lowest=0, highest=20)]
SmokeMarkers = Annotated[int, Written(lowest=0, highest=20)]


def _listed(given: Any) -> Any:
    return given if isinstance(given, list) else [given]


_Symbols = Annotated[list[Name], Field(max_length=6)]
Preferences = Annotated[_Symbols, BeforeValidator(_listed, json_schema_input_type=Name | _Symbols)]


class WeaponOnVehicle(HitNumbers):
    """A weapon's numbers, written in the report because they stand on nobody's card."""

    name: Name
    """What to call it in the log."""


def _weapon_written(given: Any) -> str:
    return "<numbers>" if isinstance(given, dict) else "<name>"


_WeaponUsed = Annotated[
    Annotated[WeaponOnVehicle, Tag("<numbers>")] | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]


class KeptDice(Strict):
    """Which of several dice is kept: one result, or several in order of preference."""

    location: Preferences = Field(default=[])
    """body, crew, drive, engine."""
    damage: Preferences = Field(default=[])
    """glancing, penetrating, catastrophic; else the gravest (the mildest, where the vehicle chooses)."""
    by: Literal["attacker", "vehicle", "nobody"] = "attacker"
    """Who chooses; nobody where a rule says that every result is applied."""


class VehicleHit(Strict):
    """A hit on a vehicle. Rolled: wound, save, location, vehicle_damage, and what those bring."""

    attacker: Slug | None = None
    """The fighter who made the attack; left out where nobody did."""
    weapon: _WeaponUsed
    """A weapon on the attacker's card, or its numbers."""
    profile: Name | None = None
    """Which of the weapon's profiles was used."""
    vehicle: Slug
    """The vehicle that was hit."""
    facing: records.FacingHit
    """Where it was hit: front, side or rear; in_doubt takes the highest Toughness."""
    mobile: bool
    """Whether the vehicle is Mobile; false when it is Stationary."""
    close_combat: bool = False
    """Whether it was a close combat attack: one more Location die."""
    save_cover: records.Cover = "none"
    """Cover that helps the save: only against Blast and Template."""
    hit_roll: HitFace | None = None
    """The natural hit die, where a trait of the weapon asks for it."""
    choose: KeptDice = KeptDice()
    """Which of several dice is kept."""
    cannot_be_hit: Preferences = Field(default=[])
    """Locations that cannot be hit from there: such a die is rolled again."""
    attack: bool = True
    """false for a hit that no Attack action caused: it earns no experience."""

    @model_validator(mode="after")
    def _weapon_can_be_found(self) -> Self:
        check_weapon_known(self.weapon, profile=self.profile, attacker=self.attacker)
        return self

    def command(self, activation: str | None) -> records.Command:
        """As asked of the campaign."""
        weapon, profile = self.weapon, None
        if isinstance(weapon, WeaponOnVehicle):
            profile = WeaponProfile(
                name=weapon.name,
                strength=weapon.strength,
                armour_penetration=weapon.armour_penetration,
                damage=weapon.damage,
                traits=tuple(weapon.traits),
            )
        return records.ResolveVehicleHit(
            vehicle=self.vehicle,
            facing=self.facing,
            mobile=self.mobile,
            attacker=self.attacker,
            weapon=weapon.name if isinstance(weapon, WeaponOnVehicle) else weapon,
            profile_name=self.profile,
            profile=profile,
            save_cover=self.save_cover,
            in_close_combat=self.close_combat,
            hit_roll=self.hit_roll,
            keep_location=tuple(self.choose.location),
            keep_damage=tuple(self.choose.damage),
            kept_by=self.choose.by,
            cannot_be_hit=tuple(self.cannot_be_hit),
            attack=self.attack,
            activation=activation,
        )


class Control(Strict):
    """A Loss of Control test, no hit its reason. Rolled: handling, control, control_direction."""

    vehicle: Slug
    """Which vehicle."""
    mobile: bool
    """Whether it is Mobile."""
    why: Note
    """Why it is tested."""
    modifier: ControlModifier = 0
    """Modifier on the test."""
    by: Slug | None = None
    """The fighter whose Attack action caused it, if any."""

    def command(self, activation: str | None) -> records.Command:
        """As asked of the campaign."""
        return records.CheckControl(
            vehicle=self.vehicle,
            mobile=self.mobile,
            why=self.why,
            modifier=self.modifier,
            by=self.by,
            activation=activation,
        )


class ThrownClear(Strict):
    """A fighter aboard a vehicle when it was wrecked. What is rolled: thrown_clear, then as for a fall."""

    fighter: Slug
    """Who was aboard."""
    vehicle: Slug
    """The wreck."""
    height: FallInches
    """From how high, in inches, with up to two decimals."""
    mobile: bool | None = None
    """Whether the vehicle was Mobile when it was wrecked; known from the wreck, and must agree with it."""
    save_with: records.SaveWith = "best"
    """What the owner saves with."""
    grudge_against: Slug | None = None
    """The gang that a grudge falls on, where an injury brings one."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody earns experience by it
        """As asked of the campaign."""
        return records.ThrowClear(
            fighter=self.fighter,
            vehicle=self.vehicle,
            height_hundredths=self.height,
            mobile=self.mobile,
            save_with=self.save_with,
            grudge_against=self.grudge_against,
        )


class VehicleNerve(Strict):
    """A vehicle's Nerve test because of a friendly wreck. What is rolled: nerve, by the crew."""

    vehicle: Slug
    """The vehicle that tests."""
    wreck: Slug
    """The friendly vehicle that was wrecked within 6"."""
    friends_near: VehiclesNear
    """How many friendly vehicles within 6" are neither Broken nor wrecked; 0 for none."""
    mobile: bool
    """Whether the vehicle that tests is Mobile."""

    def command(self, activation: str | None) -> records.Command:
        """As asked of the campaign."""
        return records.TakeVehicleNerveTest(
            vehicle=self.vehicle,
            wreck=self.wreck,
            friends_near=self.friends_near,
            mobile=self.mobile,
            activation=activation,
        )


class Restart(Strict):
    """A Restart test in the End phase. What is rolled: restart."""

    vehicle: Slug
    """The vehicle that is Stationary and Stalled."""
    smoke_markers: SmokeMarkers = 0
    """Smoke markers that it placed when it Burned Out: they hinder the test where the book says so."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- the End phase is no activation
        """As asked of the campaign."""
        return records.RestartVehicle(vehicle=self.vehicle, smoke_markers=self.smoke_markers)


class Driver(Strict):
    """A vehicle's driver in the End phase, wounded or unconscious. What is rolled: driver."""

    vehicle: Slug
    """Whose driver."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- the End phase is no activation
        """As asked of the campaign."""
        return records.CheckDriver(vehicle=self.vehicle)


class RollsOn(Strict):
    """A vehicle that rolled over while Mobile goes on. What is rolled: rolling_scatter, rolling_distance."""

    vehicle: Slug
    """Which wreck."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody earns experience by it
        """As asked of the campaign."""
        return records.MoveRollingVehicle(vehicle=self.vehicle)

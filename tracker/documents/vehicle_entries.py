"""Hits on vehicles in a battle report.

Knows the format of each. Knows no rule: `decide` asks for the dice and works out their effect.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import HitFace
from tracker.documents.derived_forms import WrittenForm
from tracker.documents.ids import IdOrName
from tracker.documents.text import Name
from tracker.documents.validation import StrictModel, fault
from tracker.documents.weapon_sheet import WeaponNumbers, WeaponUsed, check_weapon_known, weapon_stated


def _listed(given: Any) -> Any:
    return given if isinstance(given, list) else [given]


_Symbols = Annotated[list[Name], Field(max_length=6)]
Preferences = Annotated[_Symbols, BeforeValidator(_listed, json_schema_input_type=Name | _Symbols)]


_IN_SHORT: Final = re.compile("(?P<vehicle>[^/]+)/(?P<facing>front|side|rear)(?P<mobile>/mobile)?")


def vehicle_in_short(given: Any) -> Any:
    """`sled/front` is a vehicle that stands still, `sled/front/mobile` one that is Mobile."""
    short = _IN_SHORT.fullmatch(given) if isinstance(given, str) else None
    return given if short is None else {**short.groupdict(), "mobile": short["mobile"] is not None}


class KeptDice(StrictModel):
    """Which of several dice is kept: one result, or several in order of preference."""

    location: Preferences = Field(default=[])
    """body, crew, drive, engine."""
    damage: Preferences = Field(default=[])
    """glancing, penetrating, catastrophic; else the gravest (the mildest, where the vehicle chooses)."""
    by: Literal["attacker", "vehicle", "nobody"] = "attacker"
    """Who chooses; nobody where a rule says that every result is applied."""


def choice_stated(record: Any) -> dict[str, Any]:
    """Which dice are kept, as `choose` says it; nothing where nobody chose."""
    said = {"location": [*record.keep_location], "damage": [*record.keep_damage], "by": record.kept_by}
    chosen = {key: value for key, value in said.items() if value not in ([], "attacker")}
    return {"choose": chosen} if chosen else {}


def check_facing_said(target: Any, *, facing: str | None, mobile: bool | None) -> None:
    """Refuse `facing` without `mobile` (or the reverse), and either beside a target that is no id."""
    if (facing is None) != (mobile is None):
        raise fault("a vehicle has both: say `facing` and `mobile`.")
    if facing is not None and not isinstance(target, str):
        raise fault("say `facing` and `mobile` beside the id of the only target, or in its map.")


class VehicleHit(WrittenForm):
    """A hit on a vehicle. Dice: wound, save, location, vehicle_damage, and what those bring."""

    makes = records.ResolveVehicleHit
    asks = "attacker weapon profile? vehicle facing mobile close_combat?"
    kept_as = MappingProxyType({
        "profile": "profile_name", "close_combat": "in_close_combat", "range": "range_band",
    })  # fmt: skip

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        chosen = choice_stated(record)
        said = {**super().stated_of(record), **weapon_stated(record, WeaponNumbers), **chosen}
        said.pop("keep_location", None)
        return said

    attacker: IdOrName | None = None
    """The fighter who made the attack; left out where nobody did."""
    weapon: WeaponUsed
    """A weapon on the attacker's card, or its numbers."""
    profile: Name | None = None
    """Which of the weapon's profiles was used."""
    vehicle: IdOrName
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
    range: Literal["short", "long"] | None = None
    """How far it was, where a trait of the weapon asks for it."""
    without: list[Name] = Field(default=[], max_length=6)
    """Traits and skills that their player may use, and does not."""
    choose: KeptDice = KeptDice()
    """Which of several dice is kept."""
    keep_location: Preferences = Field(default=[])
    """Which Location die is kept, as under `choose`."""
    cannot_be_hit: Preferences = Field(default=[])
    """Locations that cannot be hit from there: such a die is rolled again."""
    attack: bool = True
    """false for a hit that no Attack action caused: it earns no experience."""

    @model_validator(mode="after")
    def _weapon_can_be_found(self) -> Self:
        check_weapon_known(self.weapon, profile=self.profile, attacker=self.attacker)
        if self.keep_location and self.choose.location:
            raise fault("`keep_location` and `choose` both say it: take one of them out.")
        return self

    def command(self, activation: str | None) -> records.Command:
        given = self.weapon if isinstance(self.weapon, WeaponNumbers) else None
        return self.asking(
            weapon=given.name if given is not None else self.weapon,
            profile_name=self.profile,
            profile=given.profile_called(given.name) if given is not None else None,
            in_close_combat=self.close_combat,
            range_band=self.range,
            keep_location=tuple(self.keep_location or self.choose.location),
            keep_damage=tuple(self.choose.damage),
            kept_by=self.choose.by,
            activation=activation,
        )

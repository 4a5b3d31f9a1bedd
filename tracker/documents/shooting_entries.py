"""Shots in a battle report, and their models: the target, and others who are or may be hit.

Knows the format of each. Knows no rule: the steps decide on targets and dice.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
    model_validator,
)

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.documents.card_numbers import NumberNotation
from tracker.documents.derived_forms import WrittenForm
from tracker.documents.ids import IdOrName
from tracker.documents.text import Name, Note, expected
from tracker.documents.validation import fault
from tracker.documents.vehicle_entries import (
    KeptDice,
    Preferences,
    check_facing_said,
    choice_stated,
    vehicle_in_short,
)
from tracker.documents.weapon_sheet import WeaponFired, WeaponFullNumbers, weapon_stated

MODELS_MAX = 30


class ModelInTheWay(WrittenForm):
    """A fighter who is hit or might be."""

    makes = records.ModelThere

    fighter: IdOrName
    """Who."""
    cover: records.Cover = "none"
    """Cover towards the marker's centre, or towards the attacker for a template: it helps the save."""
    engaged: bool = False
    """Whether this fighter is Standing and Engaged."""
    engaged_with: list[IdOrName] = Field(default=[], max_length=MODELS_MAX)
    """Others engaged with this fighter, for the house rule by which templates spill."""
    prone: bool | None = None
    """Whether this fighter is Prone; else as the battle knows it."""
    save_with: records.SaveWith = "best"
    """What the owner saves with."""
    keeps: records.KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; else the milder."""
    shielded: bool = False
    """Whether solid terrain stands between: then the marker or template does not hit."""
    behind: bool | None = None
    """Whether the attacker, or the marker's centre, is outside this fighter's vision arc."""
    cannot_be_moved: bool = False
    """Whether something keeps this fighter from being knocked back."""
    psyker: bool = False
    """Whether it is a psyker, where a trait asks for it."""
    inspired_by: IdOrName | None = None
    """A friend within 6 inches who makes up for a failed Cool test of this fighter with Inspirational."""

    def stated(self) -> records.ModelThere:
        model: records.ModelThere = self.made(engaged=self.engaged or bool(self.engaged_with))
        return model


class VehicleSeen(WrittenForm):
    """A vehicle that is shot at."""

    makes = records.VehicleAttacked

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), **choice_stated(record)}

    vehicle: IdOrName
    """Which vehicle."""
    facing: records.FacingHit
    """The facing that is hit, seen from the attacker or the marker's centre; in_doubt: the toughest."""
    mobile: bool
    """Whether the vehicle is Mobile."""
    choose: KeptDice = KeptDice()
    """Which of several Damage dice is kept."""
    cannot_be_hit: Preferences = Field(default=[])
    """Locations that cannot be hit from there."""

    def seen(self) -> records.VehicleAttacked:
        """The vehicle as it is attacked."""
        vehicle: records.VehicleAttacked = self.made(
            keep_location=tuple(self.choose.location),
            keep_damage=tuple(self.choose.damage),
            kept_by=self.choose.by,
        )
        return vehicle


class VehicleTarget(VehicleSeen):
    """A vehicle as the target."""

    hull_down: bool = False
    """Whether the attacker sees nothing of that facing: as full cover."""


class VehicleInTheWay(VehicleSeen):
    """A vehicle that is hit or might be."""

    cover: records.Cover = "none"
    """Cover towards the marker's centre, or towards the attacker for a template: it helps the save."""
    shielded: bool = False
    """Whether solid terrain stands between: then the marker or template does not hit."""

    def stated(self) -> records.ModelThere:
        return records.ModelThere(
            fighter=self.vehicle, cover=self.cover, vehicle=self.seen(), shielded=self.shielded
        )


def _model_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<id>"
    return "<vehicle>" if "vehicle" in given else "<fighter>"


Model = Annotated[
    Annotated[ModelInTheWay, Tag("<fighter>")]
    | Annotated[VehicleInTheWay, Tag("<vehicle>")]
    | Annotated[IdOrName, Tag("<id>")],
    Discriminator(_model_written),
]
Models = Annotated[list[Annotated[Model, BeforeValidator(vehicle_in_short)]], Field(max_length=MODELS_MAX)]


def _model_stated(model: records.ModelThere) -> Any:
    """An id where there is nothing else to say."""
    if model.vehicle is not None:
        cover = {} if model.cover == "none" else {"cover": model.cover}
        shielded = {"shielded": True} if model.shielded else {}
        return {"vehicle": model.fighter, **VehicleInTheWay.stated_of(model.vehicle), **cover, **shielded}
    said = ModelInTheWay.stated_of(model)
    return model.fighter if [*said] == ["fighter"] else said


def _target_written(given: Any) -> str:
    return "<vehicle>" if isinstance(given, dict) else "<id>"


Target = Annotated[
    Annotated[VehicleTarget, Tag("<vehicle>")] | Annotated[IdOrName, Tag("<id>")],
    Discriminator(_target_written),
]


def models_stated(models: list[Any]) -> tuple[records.ModelThere, ...]:
    return tuple(
        records.ModelThere(fighter=model) if isinstance(model, str) else model.stated() for model in models
    )


FirepowerDice = Annotated[int, NumberNotation(lowest=1, highest=9)]
HitModifier = Annotated[
    int, NumberNotation(lowest=-9, highest=9, pattern="([-+]?[0-9])", example="such as +1 or -1")
]


def _read_unseen(given: Any) -> str:
    if given is False:
        return "no"
    if given not in ("darkness", "smoke"):
        raise expected("darkness, smoke or false")
    return str(given)


UnseenWritten = Annotated[
    records.Unseen, PlainValidator(_read_unseen), WithJsonSchema({"enum": ["darkness", "smoke", False]})
]


# --- models ----------------------------------------------------------------------------------------------


class NearerWritten(WrittenForm):
    """An enemy nearer than the target."""

    makes = records.NearerEnemy

    model: IdOrName
    """Who or what it is."""
    because: records.FreeSkip | None = None
    """Why it is skipped without a test: seriously_injured, wrecked or harder_to_hit."""
    out_of_arc: bool = False
    """Whether it is visible but outside the attacker's vision arc."""


class EligibleWritten(WrittenForm):
    """A fighter who may be drawn as the target, where the shot at them would stand otherwise."""

    makes = records.EligibleModel
    kept_as = MappingProxyType({"range": "range_band"})

    fighter: IdOrName
    """Who."""
    range: records.RangeBand | None = None
    """How far off; else as the shot says."""
    cover: records.Cover | None = None
    """The fighter's cover; else as the shot says."""
    engaged: bool = False
    """Whether the fighter is Standing and Engaged."""
    prone: bool | None = None
    """Whether the fighter is Prone; else as the battle knows it."""

    def stated(self) -> records.EligibleModel:
        eligible: records.EligibleModel = self.made(range_band=self.range)
        return eligible


Eligible = Annotated[
    Annotated[EligibleWritten, Tag("<map>")] | Annotated[IdOrName, Tag("<id>")],
    Discriminator(lambda given: "<map>" if isinstance(given, dict) else "<id>"),
]


class ModifierWritten(WrittenForm):
    """What a skill, an action or a condition adds to the hit roll."""

    makes = records.ShotModifier

    why: Name
    """What it is."""
    by: HitModifier
    """How much."""


class SecondWeapon(WrittenForm):
    """The second Sidearm of Twin Guns Blazing, at the same target."""

    makes = records.SecondSidearm
    kept_as = MappingProxyType({"profile": "profile_name", "range": "range_band"})

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), **weapon_stated(record, WeaponFullNumbers)}

    weapon: WeaponFired
    """A weapon on the attacker's card, or its numbers."""
    profile: Name | None = None
    """Which of the weapon's profiles."""
    range: records.RangeBand | None = None
    """The range for this weapon; else as for the first."""
    firepower_dice: FirepowerDice = 1
    """Firepower dice rolled for it."""


_OF_MODELS = (
    "hits_on", "at_risk", "under_marker", "under_scatter", "under_misfire", "under_template", "next_in_line",
)  # fmt: skip


# --- shots -----------------------------------------------------------------------------------------------


class Shot(WrittenForm):
    """A ranged attack from target priority to its last hit."""

    makes = records.Shoot
    asks = (
        "attacker from_vehicle? weapon profile? drawn_among? target facing mobile"
        " range+cover?+closest?+behind?+target_psyker?+hull_down?+cannot_be_moved?"
        " using? next_in_line? firepower_dice? under_marker? under_template? stays_beneath? at_risk?@missed"
        " munitioneer?@failed:ammo"
    )
    kept_as = MappingProxyType({"profile": "profile_name", "range": "range_band"})

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        stated = {**super().stated_of(record), **weapon_stated(record, WeaponFullNumbers)}
        lists = {
            key: [_model_stated(model) for model in getattr(record, key) or ()]
            for key in _OF_MODELS
            if getattr(record, key) or (key == "under_scatter" and record.under_scatter is not None)
        }
        if record.vehicle is not None:
            hull_down = {"hull_down": True} if stated.pop("hull_down", False) else {}
            seen = VehicleTarget.stated_of(record.vehicle)
            stated["target"] = {"vehicle": record.target, **seen, **hull_down}
        if stated.get("unseen") == "no":
            del stated["unseen"]
        if record.drawn_among:
            stated["drawn_among"] = [_eligible_stated(model) for model in record.drawn_among]
        return {**stated, **lists}

    attacker: IdOrName
    """Who shoots."""
    weapon: WeaponFired
    """A weapon on the attacker's card, or its numbers."""
    profile: Name | None = None
    """Which of the weapon's profiles is used."""
    from_vehicle: IdOrName | None = None
    """The vehicle whose weapon is fired, the attacker being its crew or who mans the weapon."""
    target: Target | None = None
    """The enemy shot at: a fighter's id, or a vehicle; left out for a template or a point."""
    facing: records.FacingHit | None = None
    """The facing that is hit, where `target` is the id of a vehicle."""
    mobile: bool | None = None
    """Whether the vehicle that `target` names is Mobile."""
    hull_down: bool = False
    """Whether the attacker sees nothing of that facing of the vehicle that `target` names."""
    point: Annotated[bool, WithJsonSchema({"const": True})] = False
    """true when a Blast is aimed at a point of the battlefield."""
    range: records.RangeBand | None = None
    """short, long or beyond; left out for a template."""
    cover: records.Cover = "none"
    """The target's cover, for the hit roll."""
    engaged: bool = False
    """Whether the target is Standing and Engaged."""
    prone: bool | None = None
    """Whether the target is Prone; else as the battle knows it."""
    closest: bool | None = None
    """Whether the target is the closest eligible enemy, or a template touches that one; else by `nearer`."""
    nearer: list[NearerWritten] = Field(default=[], max_length=MODELS_MAX)
    """Enemies nearer than the target, nearest first, hiding ones left out."""
    priority_waived: Note | None = None
    """The skill or rule by which no Cool test is needed."""
    action: records.ShootAction | None = None
    """basic or double, where an Unwieldy weapon asks for it."""
    using: list[records.ShootingSkill] = Field(default=[], max_length=2)
    """Skills used for this shot: fast_shot, hip_shooting, overwatch."""
    unseen: UnseenWritten = "no"
    """darkness or smoke, where the place aimed at lies beyond sight."""
    modifiers: list[ModifierWritten] = Field(default=[], max_length=10)
    """What skills, actions and conditions add to the hit roll."""
    firepower_dice: FirepowerDice = 1
    """Firepower dice rolled: more than one for Rapid Fire (X) only."""
    hits_on: Models = Field(default=[])
    """Rapid Fire: who takes each hit, the target first; hits beyond the list are the target's."""
    at_risk: Models = Field(default=[])
    """Who a miss may hit, nearest to the attacker first."""
    also: SecondWeapon | None = None
    """The second Sidearm, for Twin Guns Blazing."""
    under_marker: Models = Field(default=[])
    """Who lies under the Blast marker where it ends, in the order to be resolved."""
    under_scatter: Models | None = None
    """Who lies under it once it has scattered, where they are others: `odds` asks about both."""
    in_arc: bool | None = None
    """Whether the target, or the whole template, is in the vision arc, where that is to be checked."""
    in_sight: bool | None = None
    """Whether the target, or the marker's centre, is in line of sight, where that is to be checked."""
    stopped_after: Annotated[int, NumberNotation(lowest=0, highest=12)] | None = None
    """Inches after which something solid stops a marker that scatters."""
    behind: bool | None = None
    """Whether the attacker is outside the target's vision arc, where a trait or a skill asks for it."""
    cannot_be_moved: bool = False
    """Whether something keeps the target from being knocked back."""
    without: list[Name] = Field(default=[], max_length=6)
    """Traits and skills that their player may use, and does not."""
    next_in_line: Models = Field(default=[])
    """Who stands behind the target in the line of fire, nearest first, for an attack that goes on."""
    munitioneer: IdOrName | None = None
    """A friend within 6 inches whose skill lets a failed Ammo test be made again."""
    stays_beneath: list[IdOrName] = Field(default=[], max_length=MODELS_MAX)
    """Who would lie under the marker or template still, should a dodge move them by 2 inches."""
    drawn_among: list[Eligible] = Field(default=[], max_length=MODELS_MAX)
    """All eligible models, friends too, where a trait draws the target at random; then no `target`."""
    target_psyker: bool = False
    """Whether the target is a psyker, where a trait asks for it."""
    inspired_by: IdOrName | None = None
    """A friend within 6 inches of the attacker who makes up for a failed Cool test with Inspirational."""
    target_inspired_by: IdOrName | None = None
    """The same for the target."""
    off_the_table: bool = False
    """Whether the centre of a marker that scatters leaves the table, where the book removes it."""
    under_misfire: Models = Field(default=[])
    """Who else lies under a marker that misfires onto the attacker."""
    under_template: Models = Field(default=[])
    """Who lies under the Flame template, in the order to be resolved."""
    save_with: records.SaveWith = "best"
    """What the target's owner saves with."""
    keeps: records.KeptInjury | None = None
    """What its owner keeps of two Injury dice, where one shows it; else the milder."""
    grudge_against: IdOrName | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        for weapon, profile in ((self.weapon, self.profile), *self._second()):
            if isinstance(weapon, WeaponFullNumbers) and profile is not None:
                raise fault("numbers written in the report are one profile: take `profile` out.")
        if self.closest is True and any(not enemy.out_of_arc for enemy in self.nearer):
            raise fault("`closest: true` does not go with an enemy in the arc under `nearer`.")
        check_facing_said(self.target, facing=self.facing, mobile=self.mobile)
        if self.hull_down and self.facing is None:
            raise fault("`hull_down` is of a vehicle: say `facing` and `mobile`, too.")
        return self

    def _second(self) -> tuple[tuple[Any, str | None], ...]:
        return () if self.also is None else ((self.also.weapon, self.also.profile),)

    def command(self, activation: str | None) -> records.Command:
        weapon, profile = _weapon(self.weapon)
        vehicle = self._vehicle()
        nobody_nearer = all(enemy.out_of_arc for enemy in self.nearer)
        return self.asking(
            weapon=weapon,
            profile_name=self.profile,
            profile=profile,
            target=vehicle.vehicle if vehicle is not None else self.target,
            vehicle=vehicle.seen() if vehicle is not None else None,
            hull_down=vehicle is not None and vehicle.hull_down,
            range_band=self.range,
            closest=nobody_nearer if self.closest is None else self.closest,
            hits_on=models_stated(self.hits_on),
            at_risk=models_stated(self.at_risk),
            also=self._also(),
            drawn_among=tuple(
                records.EligibleModel(fighter=model) if isinstance(model, str) else model.stated()
                for model in self.drawn_among
            ),
            under_marker=models_stated(self.under_marker),
            under_scatter=None if self.under_scatter is None else models_stated(self.under_scatter),
            under_misfire=models_stated(self.under_misfire),
            under_template=models_stated(self.under_template),
            next_in_line=models_stated(self.next_in_line),
            activation=activation,
        )

    def _vehicle(self) -> VehicleTarget | None:
        """The vehicle that is shot at, however the file says it."""
        if isinstance(self.target, VehicleTarget):
            return self.target
        if self.target is None or self.facing is None or self.mobile is None:
            return None
        return VehicleTarget(
            vehicle=self.target, facing=self.facing, mobile=self.mobile, hull_down=self.hull_down
        )

    def _also(self) -> records.SecondSidearm | None:
        if self.also is None:
            return None
        weapon, profile = _weapon(self.also.weapon)
        second: records.SecondSidearm = self.also.made(
            weapon=weapon,
            profile_name=self.also.profile,
            profile=profile,
            range_band=self.also.range or self.range,
        )
        return second


def _eligible_stated(model: records.EligibleModel) -> Any:
    """An id where there is nothing else to say."""
    said = EligibleWritten.stated_of(model)
    return model.fighter if [*said] == ["fighter"] else said


class Reloading(WrittenForm):
    """A Reload of a weapon that is Out of Ammo."""

    makes = records.Reload
    asks = "fighter on_vehicle? weapon profile?"
    kept_as = MappingProxyType({"profile": "profile_name"})

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), **weapon_stated(record, WeaponFullNumbers)}

    fighter: IdOrName
    """Who reloads."""
    weapon: WeaponFired
    """The weapon on the card, or the numbers that it was fired with."""
    profile: Name | None = None
    """The profile it is reloaded by, where it has several."""
    on_vehicle: IdOrName | None = None
    """The vehicle whose weapon it is, if it is none of the fighter's own."""
    action: records.ReloadAction | None = None
    """simple or double, where it is to be checked against the rules in force."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if isinstance(self.weapon, WeaponFullNumbers) and self.profile is not None:
            raise fault("numbers written in the report are one profile: take `profile` out.")
        return self

    def command(self, _: str | None) -> records.Command:
        name, profile = _weapon(self.weapon)
        return self.asking(weapon=name, profile_name=self.profile, profile=profile)


def _weapon(written: WeaponFullNumbers | str) -> tuple[str, WeaponProfile | None]:
    if isinstance(written, WeaponFullNumbers):
        return written.name, written.profile_called("")
    return written, None

"""Close combat in a battle report.

Knows the format of a fight. Knows no rule: `decide` works out the dice and the helpers.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Any, Literal, Self

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
from tracker.documents.card_numbers import NumberNotation
from tracker.documents.derived_forms import WrittenForm
from tracker.documents.ids import EACH_ONCE, IdOrName
from tracker.documents.text import Name, expected
from tracker.documents.validation import StrictModel, fault
from tracker.documents.vehicle_entries import check_facing_said, vehicle_in_short
from tracker.documents.weapon_sheet import WeaponFullNumbers
from tracker.records import replace

MODELS_MAX = 30

# --- weapons and targets ---------------------------------------------------------------------------------


class FightWeaponChosen(StrictModel):
    """A weapon on the attacker's card, by one of its profiles."""

    weapon: Name
    """Its name on the card."""
    profile: Name
    """Which of its profiles."""


def _weapon_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<name>"
    return "<chosen>" if "weapon" in given else "<numbers>"


FightWeaponUsed = Annotated[
    Annotated[WeaponFullNumbers, Tag("<numbers>")]
    | Annotated[FightWeaponChosen, Tag("<chosen>")]
    | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]

_Dice = Annotated[int, NumberNotation(lowest=0, highest=40)]
_DiceList = Annotated[list[_Dice], Field(min_length=1, max_length=3)]


def _dice_listed(given: Any) -> Any:
    return given if isinstance(given, list) else [given]


DiceOfTarget = Annotated[_DiceList, BeforeValidator(_dice_listed, json_schema_input_type=_Dice | _DiceList)]


class TargetWritten(WrittenForm):
    """An enemy under attack, with its details."""

    makes = records.FightTarget

    fighter: IdOrName
    """Who is attacked."""
    dice: DiceOfTarget | None = None
    """Attack dice against this enemy: for each weapon in order, unarmed last; left out for all there are."""
    across: records.Across = "nothing"
    """What lies between: nothing, a `barricade` of less than 1 inch, or something `wider`."""
    save_with: records.SaveWith = "best"
    """What the owner saves with."""
    keeps: records.KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; else the milder."""
    grudge_against: IdOrName | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    in_arc: bool | None = None
    """Whether it is in the attacker's vision arc before any turn, where that is to be checked."""
    behind: bool | None = None
    """Whether the attacker is outside its vision arc, where a trait or a skill asks for it."""
    cannot_be_moved: bool = False
    """Whether something keeps it from being knocked back."""
    follows: bool = False
    """Whether the attacker follows, should it be knocked back; who stays behind is no longer engaged."""
    psyker: bool = False
    """Whether it is a psyker, where a trait asks for it."""
    inspired_by: IdOrName | None = None
    """A friend of theirs within 6 inches who makes up for a failed Cool test with Inspirational."""
    wards_off: Name | None = None
    """The weapon whose hits it parries and steps aside from first; left out, as they were rolled."""

    def stated(self) -> records.FightTarget:
        target: records.FightTarget = self.made(model=self.fighter, attack_dice=tuple(self.dice or ()))
        return target


_Symbols = Annotated[list[Name], Field(max_length=6)]


class VehicleUnderAttack(WrittenForm):
    """A vehicle under attack."""

    makes = records.VehicleAttacked

    vehicle: IdOrName
    """Which vehicle is attacked."""
    facing: records.FacingHit
    """The facing in contact; for a fighter who stands on it, the one of the lowest Toughness."""
    mobile: bool
    """Whether the vehicle was Mobile."""
    dice: DiceOfTarget | None = None
    """Attack dice against this vehicle: as for a fighter."""
    keep_location: _Symbols = Field(default=[])
    """Which Location die is kept, in order of preference: body, crew, drive, engine."""
    keep_damage: _Symbols = Field(default=[])
    """Which Damage die is kept, in order of preference; else the gravest."""
    kept_by: Literal["attacker", "vehicle", "nobody"] = "attacker"
    """Who chooses; nobody where a rule says that every result is applied."""
    cannot_be_hit: _Symbols = Field(default=[])
    """Locations that cannot be hit from there."""

    def stated(self) -> records.FightTarget:
        dice = tuple(self.dice or ())
        return records.FightTarget(model=self.vehicle, vehicle=self.made(), attack_dice=dice)


def _target_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<id>"
    return "<vehicle>" if "vehicle" in given else "<map>"


TargetUnderAttack = Annotated[
    Annotated[TargetWritten, Tag("<map>")]
    | Annotated[VehicleUnderAttack, Tag("<vehicle>")]
    | Annotated[IdOrName, Tag("<id>")],
    Discriminator(_target_written),
]


Moved = Annotated[
    int, NumberNotation(lowest=-9, highest=9, pattern="([-+]?[0-9])", example="such as +1 or -1")
]


class ExtraWritten(WrittenForm):
    """What a skill, a condition or wargear adds that the tool does not know."""

    makes = records.ExtraModifier

    why: Name
    """What it is."""
    attack_dice: Annotated[int, NumberNotation(lowest=0, highest=9)] = 0
    """Attack dice more."""
    hit: Moved = 0
    """Modifier on every Hit roll."""
    strength: Moved = Field(default=0, alias="S")
    """Added to the Strength of every attack."""
    armour_penetration: Moved = Field(default=0, alias="AP")
    """Added to its AP: -1 pierces better."""
    weapon: Name | None = None
    """The weapon whose attacks it is for, or `unarmed`; left out, all, but S and AP not for unarmed ones."""

    def stated(self) -> records.ExtraModifier:
        harder = bool(self.strength or self.armour_penetration)
        extra: records.ExtraModifier = self.made(spares_unarmed=harder and self.weapon is None)
        return extra


# --- afterwards ------------------------------------------------------------------------------------------


class AfterFight(StrictModel):
    """What the attacker does afterwards, if the rules allow it."""

    coup_de_grace: IdOrName | None = None
    """The enemy who gets the free Coup de Grace."""
    consolidate: bool = False
    """Whether the attacker consolidates."""


def _after_written(given: Any) -> str:
    return "<map>" if isinstance(given, dict) else "<word>"


def _read_consolidate(given: Any) -> str:
    if given != "consolidate":
        raise expected("consolidate, or {coup_de_grace: FIGHTER}")
    return "consolidate"


_Consolidate = Annotated[
    Literal["consolidate"], PlainValidator(_read_consolidate), WithJsonSchema({"const": "consolidate"})
]
After = Annotated[
    Annotated[AfterFight, Tag("<map>")] | Annotated[_Consolidate, Tag("<word>")],
    Discriminator(_after_written),
]

# --- fights ----------------------------------------------------------------------------------------------

_Beside = Annotated[TargetUnderAttack, BeforeValidator(vehicle_in_short)]
_Fighters = Annotated[list[IdOrName], Field(max_length=MODELS_MAX)]


class FightWritten(WrittenForm):
    """One fighter's close combat attacks: a Fight, the free one of a Charge, or Reaction attacks."""

    makes = records.Fight
    asks = (
        "attacker targets facing mobile assists? interference?"
        " weapons?+charging?+reaction?+ride_by?+behind?+follows?+psyker?+target_psyker?"
        " named_die? wards_off? in_contact?"
    )

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        of_targets = ("engaged", "behind", "follows", "wards_off")
        stated = {key: value for key, value in super().stated_of(record).items() if key not in of_targets}
        stated["targets"] = [_target_stated(target) for target in record.targets]
        if record.in_contact:
            stated["in_contact"] = [_target_stated(target) for target in record.in_contact]
        if record.weapons:
            stated["weapons"] = [_weapon_stated(weapon) for weapon in record.weapons]
        engaged: dict[str, list[str]] = {}
        for one, other in record.engaged:
            engaged.setdefault(one, []).append(other)
        after: Any = {"coup_de_grace": record.coup_de_grace, "consolidate": record.consolidate}
        after = {key: value for key, value in after.items() if value}
        if after:
            stated["after"] = "consolidate" if after == {"consolidate": True} else after
        return {**stated, "engaged": engaged} if engaged else stated

    attacker: IdOrName
    """Who attacks."""
    targets: Annotated[list[TargetUnderAttack], Field(min_length=1, max_length=MODELS_MAX)]
    """Whom, in the order that dice are rolled: ids, or maps that say more."""
    weapons: Annotated[list[FightWeaponUsed], Field(max_length=12)] = Field(default=[])
    """Up to two weapons, and any with Digi beside them; none for unarmed attacks."""
    shares: Annotated[list[DiceOfTarget], Field(max_length=MODELS_MAX)] = Field(default=[])
    """Attack dice at each target, in their order, where they have to be shared out: as `dice` of a target."""
    facing: records.FacingHit | None = None
    """The facing in contact, where the only target is a vehicle by its id."""
    mobile: bool | None = None
    """Whether the vehicle that `targets` names alone was Mobile."""
    keep_location: _Symbols = Field(default=[])
    """Which Location die against that vehicle is kept, in order of preference."""
    charging: bool = False
    """Whether it is the free Fight of a Charge."""
    charged_unseen: bool = False
    """Whether the enemy charged was out of line of sight."""
    ride_by: bool = False
    """Whether a mounted fighter strikes once in passing; who was struck may strike back once."""
    turn_to_face: bool = False
    """Whether the attacker turned to face first."""
    reaction: bool = False
    """Whether these are Reaction attacks."""
    drives_off: bool = False
    """true for reactions against a vehicle that drives off: an Initiative test comes first (drive_off)."""
    assists: _Fighters = Field(default=[])
    """Friends engaged with the only target, and with nobody else of its {game.gang}."""
    interference: _Fighters = Field(default=[])
    """Other enemies engaged with the attacker, and with no friend of the attacker."""
    engaged: Annotated[dict[IdOrName, _Fighters], EACH_ONCE, Field(max_length=MODELS_MAX)] = Field(default={})
    """Who else is engaged with whom, where that decides on assists, interference and reactions."""
    extra: Annotated[list[ExtraWritten], Field(max_length=20)] = Field(default=[])
    """What conditions and wargear add; traits and skills of the book count by themselves."""
    named_die: Name | None = None
    """The weapon, or `unarmed`, of the one Attack die that a skill strengthens; left out, the first."""
    psyker: bool = False
    """Whether the attacker is a psyker, where a weapon's trait asks for it."""
    behind: bool | None = None
    """Whether the attacker is outside the only target's vision arc, where a trait or a skill asks for it."""
    wards_off: Name | None = None
    """The weapon whose hits the only target parries and steps aside from first; left out, as rolled."""
    target_psyker: bool = False
    """Whether the only target is a psyker, where a weapon's trait asks for it."""
    follows: bool = False
    """Whether the attacker follows the only target, should it be knocked back."""
    in_contact: Annotated[list[_Beside], Field(max_length=MODELS_MAX)] = Field(default=[])
    """Who else is in base contact, friend or foe, vehicles too, where the hits of a weapon fall at random."""
    without: Annotated[list[Name], Field(max_length=6)] = Field(default=[])
    """Traits and skills that their player may use, and does not."""
    after: After | None = None
    """`consolidate`, or {coup_de_grace: FIGHTER}: done if the rules allow it once the hits are resolved."""

    @model_validator(mode="after")
    def _assists_against_whom(self) -> Self:
        if self.assists and len(self.targets) > 1:
            raise fault("with several targets, say under `engaged` with whom each friend is engaged.")
        check_facing_said(
            self.targets[0] if len(self.targets) == 1 else None, facing=self.facing, mobile=self.mobile
        )
        if self.keep_location and self.facing is None:
            raise fault("`keep_location` is of a vehicle: say `facing` and `mobile`, too.")
        if self.assists and isinstance(self._only_target(), VehicleUnderAttack):
            raise fault("nobody assists against a vehicle: take `assists` out.")
        if len(self.shares) > len(self.targets):
            raise fault("`shares` are of the targets, in their order: write one for each.")
        if self.shares and any(not isinstance(target, str) and target.dice for target in self.targets):
            raise fault("`shares` and the `dice` of a target say the same: write one of them.")
        of_target = self.behind is not None or self.follows or self.target_psyker or self.wards_off
        if of_target and not self._only_target_is_a_fighter():
            what = "`behind`, `follows`, `psyker` and `wards_off`"
            raise fault(f"with several targets, or a vehicle, say {what} of each fighter there.")
        return self

    def _only_target_is_a_fighter(self) -> bool:
        return len(self.targets) == 1 and not isinstance(self._only_target(), VehicleUnderAttack)

    def _only_target(self) -> TargetWritten | VehicleUnderAttack | str:
        """The first target, with what is said beside its id where it is a vehicle."""
        first = self.targets[0]
        if self.facing is None or self.mobile is None or not isinstance(first, str):
            return first
        return VehicleUnderAttack(
            vehicle=first, facing=self.facing, mobile=self.mobile, keep_location=self.keep_location
        )

    def command(self, activation: str | None) -> records.Command:
        targets = tuple(map(_target, [self._only_target(), *self.targets[1:]]))
        targets = tuple(
            replace(target, attack_dice=tuple(share)) if share else target
            for target, share in zip_longest(targets, self.shares)
        )
        if self._only_target_is_a_fighter():
            behind = self.behind if self.behind is not None else targets[0].behind
            targets = (
                replace(
                    targets[0],
                    behind=behind,
                    follows=self.follows or targets[0].follows,
                    psyker=self.target_psyker or targets[0].psyker,
                    wards_off=self.wards_off or targets[0].wards_off,
                ),
            )
        pairs = [(friend, targets[0].model) for friend in self.assists]
        pairs += [(enemy, self.attacker) for enemy in self.interference]
        pairs += [(fighter, other) for fighter, others in self.engaged.items() for other in others]
        after = self.after if isinstance(self.after, AfterFight) else None
        return self.asking(
            targets=targets,
            in_contact=tuple(map(_target, self.in_contact)),
            weapons=tuple(map(_fight_weapon, self.weapons)),
            engaged=tuple(pairs),
            extra=tuple(one.stated() for one in self.extra),
            coup_de_grace=after.coup_de_grace if after is not None else None,
            consolidate=self.after == "consolidate" or (after is not None and after.consolidate),
            activation=activation,
        )


def _target(written: TargetWritten | VehicleUnderAttack | str) -> records.FightTarget:
    return records.FightTarget(model=written) if isinstance(written, str) else written.stated()


def _target_stated(target: records.FightTarget) -> Any:
    """An id where there is nothing else to say."""
    dice = {"dice": [*target.attack_dice]} if target.attack_dice else {}
    if target.vehicle is not None:
        return {"vehicle": target.model, **VehicleUnderAttack.stated_of(target.vehicle), **dice}
    said = {"fighter": target.model, **TargetWritten.stated_of(target), **dice}
    return target.model if [*said] == ["fighter"] else said


def _weapon_stated(weapon: records.FightWeapon) -> Any:
    if weapon.profile is not None:
        return {"name": weapon.weapon, **WeaponFullNumbers.stated_of(weapon.profile)}
    if weapon.profile_name is not None:
        return {"weapon": weapon.weapon, "profile": weapon.profile_name}
    return weapon.weapon


def _fight_weapon(written: WeaponFullNumbers | FightWeaponChosen | str) -> records.FightWeapon:
    match written:
        case str():
            return records.FightWeapon(weapon=written)
        case FightWeaponChosen():
            return records.FightWeapon(weapon=written.weapon, profile_name=written.profile)
        case _:
            return records.FightWeapon(weapon=written.name, profile=written.profile_called(""))

"""Entries of a battle report: hits, outcomes and nerve, each as the command that it asks for.

Knows the format of each and of faces, and nothing of the report around them. To add an entry:
`exchange=` where its command is declared; a model here only where a file writes it differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, Self

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
from tracker.documents.card_numbers import DiceCount, FallInches, HitFace, NumberNotation
from tracker.documents.close_combat_entries import FightWritten
from tracker.documents.derived_forms import DerivedForm, WrittenForm, exchange_commands
from tracker.documents.ids import EACH_ONCE, IdOrName
from tracker.documents.nodes import Path
from tracker.documents.shooting_entries import Reloading, Shot
from tracker.documents.text import Name, Note, expected
from tracker.documents.validation import Problems, fault
from tracker.documents.vehicle_entries import VehicleHit
from tracker.documents.weapon_sheet import WeaponNumbers, WeaponUsed, check_weapon_known, weapon_stated

DICE_PER_PURPOSE_MAX: Final = 60


# --- how things are written ------------------------------------------------------------------------------


def _face(given: Any) -> Any:
    if isinstance(given, dict) and list(given) == ["rolled"]:
        return {"rolled": _plain_face(given["rolled"])}
    if isinstance(given, dict) and {*given} == {"rolled", "request"}:
        request = given["request"]
        if type(request) is not int or not 0 < request < 2**53:
            raise expected("the number of the request that drew it, such as 57")
        return {"rolled": _plain_face(given["rolled"]), "request": request}
    return _plain_face(given)


def _plain_face(given: Any) -> Any:
    pair = isinstance(given, list) and len(given) == 2 and all(type(face) is int for face in given)
    if type(given) is int or isinstance(given, str) or pair:
        return given
    raise expected("a face as it lies on the table: 4, 4-6 for a D66, or a symbol's name")


def _faces(given: Any) -> Any:
    return given if isinstance(given, list) else [given]


_PLAIN_FACES: Final[list[dict[str, Any]]] = [
    {"type": "integer", "minimum": 1, "maximum": 66},
    {"type": "string", "minLength": 1, "maxLength": 80},
    {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
]
_ROLLED_FACE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A face that the tool rolled when the report was written, and which request drew it.",
    "properties": {"rolled": {"anyOf": _PLAIN_FACES}, "request": {"type": "integer", "minimum": 1}},
    "required": ["rolled"],
    "additionalProperties": False,
}
Face = Annotated[Any, PlainValidator(_face), WithJsonSchema({"anyOf": [*_PLAIN_FACES, _ROLLED_FACE]})]
_FaceList = Annotated[list[Face], Field(max_length=DICE_PER_PURPOSE_MAX)]
Faces = Annotated[_FaceList, BeforeValidator(_faces, json_schema_input_type=Face | _FaceList)]
DiceByPurpose = dict[str, Faces]


# --- hits and outcomes -----------------------------------------------------------------------------------


class Hit(WrittenForm):
    """A hit that struck. What follows is rolled: wound, save, injury, lasting_injury."""

    makes = records.ResolveHit
    asks = "attacker weapon profile? target+close_combat?+behind?+target_psyker?+cannot_be_moved?"
    kept_as = MappingProxyType({
        "profile": "profile_name", "close_combat": "in_close_combat", "range": "range_band",
    })  # fmt: skip

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), **weapon_stated(record, WeaponNumbers)}

    attacker: IdOrName | None = None
    """The fighter who made the attack; left out where nobody did."""
    weapon: WeaponUsed
    """A weapon on the attacker's card, or its numbers."""
    profile: Name | None = None
    """Which of the weapon's profiles was used."""
    target: IdOrName
    """The fighter who was hit."""
    save_cover: records.Cover = "none"
    """Cover that helps the save: only against Blast and Template."""
    save_with: records.SaveWith = "best"
    """What the owner saves with."""
    keeps: records.KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; else the milder."""
    close_combat: bool = False
    """Whether it was a close combat attack."""
    hit_roll: HitFace | None = None
    """The natural hit die, where a trait of the weapon asks for it."""
    hit_needs: HitFace | None = None
    """What the Hit roll needed, where the target may still parry it or step aside; left out, that is over."""
    range: Literal["short", "long"] | None = None
    """How far it was, where a trait of the weapon asks for it."""
    behind: bool | None = None
    """Whether the attacker was outside the target's vision arc, where a trait or a skill asks for it."""
    cannot_be_moved: bool = False
    """Whether something keeps the target from being knocked back."""
    stays_beneath: bool = False
    """Whether the target would lie under the marker or template still, should a dodge move it by 2 inches."""
    target_psyker: bool = False
    """Whether the target is a psyker, where a trait asks for it."""
    inspired_by: IdOrName | None = None
    """A friend of the target within 6 inches who makes up for a failed Cool test with Inspirational."""
    without: list[Name] = Field(default=[], max_length=6)
    """Traits and skills that their player may use, and does not."""
    attack: bool = True
    """false for a hit that no Attack action caused: it earns no experience."""
    reaction: bool = False
    """true for a Reaction attack, the only one that a Broken fighter may make."""
    grudge_against: IdOrName | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    @model_validator(mode="after")
    def _weapon_can_be_found(self) -> Self:
        check_weapon_known(self.weapon, profile=self.profile, attacker=self.attacker)
        return self

    def command(self, activation: str | None) -> records.Command:
        given = self.weapon if isinstance(self.weapon, WeaponNumbers) else None
        return self.asking(
            weapon=given.name if given is not None else self.weapon,
            profile_name=self.profile,
            profile=given.profile_called("") if given is not None else None,
            in_close_combat=self.close_combat,
            range_band=self.range,
            activation=activation,
        )


class Outcome(WrittenForm):
    """What the notes say happened, without the dice that led there."""

    makes = records.StateOutcome
    kept_as = MappingProxyType({
        "fighter": "target", "by": "attacker", "close_combat": "in_close_combat",
    })  # fmt: skip

    fighter: IdOrName
    """Whom it happened to."""
    by: IdOrName | None = None
    """Who did it, if anybody."""
    close_combat: bool = False
    """Whether it happened in close combat."""
    attack: bool = True
    """false when no Attack action caused it: it earns no experience."""
    reaction: bool = False
    """true for a Reaction attack, the only one that a Broken fighter may make."""
    grudge_against: IdOrName | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    def command(self, activation: str | None) -> records.Command:
        return self.asking(
            **self.outcome(),
            target=self.fighter,
            attacker=self.by,
            in_close_combat=self.close_combat,
            activation=activation,
        )

    def outcome(self) -> dict[str, Any]:
        """What happened."""
        raise NotImplementedError


class OutOfAction(Outcome):
    """The fighter went Out of Action."""

    asks = "fighter by?+close_combat?"

    lasting_injury: Faces = Field(default=[])
    """The Lasting Injury roll: 4-6, a row's name, or a list when several were rolled."""
    out_of_action_dice: DiceCount | None = None
    """How many Injury dice showed Out of Action; else one for each Lasting Injury roll, at least 1."""
    coup_de_grace: bool = False
    """Whether it was a Coup de Grace."""

    def outcome(self) -> dict[str, Any]:
        dice = self.out_of_action_dice or max(1, len(self.lasting_injury))
        return {"outcome": "out_of_action", "out_of_action_dice": dice}


class SeriouslyInjured(Outcome):
    """The fighter was Seriously Injured."""

    asks = "fighter by?+close_combat?"

    def outcome(self) -> dict[str, Any]:
        return {"outcome": "serious_injury"}


class FleshWound(Outcome):
    """The fighter took a Flesh Wound."""

    asks = "fighter by?"

    def outcome(self) -> dict[str, Any]:
        return {"outcome": "flesh_wound"}


# --- nerve and flight ------------------------------------------------------------------------------------

MODELS_MAX = 100

ModelCount = Annotated[int, NumberNotation(lowest=0, highest=MODELS_MAX)]
RoundNumber = Annotated[int, NumberNotation(lowest=1, highest=99)]
_Fighters = Annotated[list[IdOrName], Field(max_length=MODELS_MAX)]
_SomeFighters = Annotated[list[IdOrName], Field(min_length=1, max_length=MODELS_MAX)]


def _near_written(given: Any) -> str:
    return "<list>" if isinstance(given, list) else "<number>"


FriendsNear = Annotated[
    Annotated[_Fighters, Tag("<list>")] | Annotated[ModelCount, Tag("<number>")],
    Discriminator(_near_written),
]


class Nerve(WrittenForm):
    """A Nerve test. Dice: nerve."""

    makes = records.TakeNerveTest
    asks = "fighter because_of friends_near inspired_by?@failed:nerve"

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        stated = {**super().stated_of(record), **_near_stated(record)}
        if "inches" in stated:
            stated["inches"] = Decimal(stated["inches"]) / 100
        return stated

    fighter: IdOrName
    """Who tests; a vehicle by its crew's id."""
    because_of: IdOrName | None = None
    """The friend who was Seriously Injured or went Out of Action."""
    wreck: Name | None = None
    """The friendly vehicle that was Wrecked, in words."""
    fate: Literal["seriously_injured", "out_of_action"] | None = None
    """Which of the friend's fates is meant, where both have happened."""
    friends_near: FriendsNear
    """Friends within reach: a list of ids (who of them helps is worked out), or how many help; 0 for none."""
    mobile: bool | None = None
    """For vehicles: whether it is Mobile."""
    inspired_by: IdOrName | None = None
    """A friend with Inspirational within 6 inches, who may make up for a failed test."""
    distance_hundredths: FallInches | None = Field(default=None, alias="inches")
    """Inches from who tests to the friend or wreck: further away than the book says, no test is due."""
    immune_by: Note | None = None
    """The special rule that spares who would test: no test is due."""

    @model_validator(mode="after")
    def _one_cause(self) -> Self:
        if (self.because_of is None) == (self.wreck is None):
            raise fault("write one cause: `because_of: FIGHTER` or `wreck: which vehicle`.")
        if self.wreck is not None and self.fate is not None:
            raise fault("a wreck is a fate already: take `fate` out.")
        return self

    def command(self, activation: str | None) -> records.Command:
        return self.asking(**_near(self.friends_near), activation=activation)


class RallyTest(WrittenForm):
    """A Rally test in the End phase. Dice: rally."""

    makes = records.TakeRallyTest
    asks = "fighter friends_near inspired_by?@failed:rally"

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), **_near_stated(record)}

    fighter: IdOrName
    """Who is Broken; a vehicle by its crew's id."""
    friends_near: FriendsNear
    """Friends within reach: a list of ids (who of them helps is worked out), or how many help; 0 for none."""
    home_turf: bool = False
    """Whether the {game.gang} fights on its Home Turf."""
    round: RoundNumber | None = None
    """The round: there is one Rally test in each End phase."""
    inspired_by: IdOrName | None = None
    """A friend with Inspirational within 6 inches, who may make up for a failed test."""

    def command(self, _: str | None) -> records.Command:
        return self.asking(**_near(self.friends_near))


class Flee(WrittenForm):
    """Who of a bottled {game.gang} flees. Dice: flee, or flee_engaged."""

    asks = "gang voluntarily? fighters near? engaged?"
    makes_one_of: ClassVar = (records.TakeFleeingTests, records.FleeBattlefield)

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        stated = {"gang": record.gang, "fighters": [*record.fighters]}
        if isinstance(record, records.FleeBattlefield):
            engaged = {"engaged": [*record.engaged]} if record.engaged else {}
            return {**stated, "voluntarily": True, **engaged}
        near = {leader: [*friends] for leader, friends in record.near.items()}
        inspired = {"inspired_by": record.inspired_by} if record.inspired_by else {}
        return {**stated, **({"near": near} if near else {}), **inspired}

    gang: IdOrName
    """The {game.gang} that has bottled out."""
    fighters: _SomeFighters
    """Its fighters on the battlefield, in the order tested."""
    near: Annotated[dict[IdOrName, _SomeFighters], EACH_ONCE] = Field(default={}, max_length=MODELS_MAX)
    """For a Leader (12 inches) or Champion (6): who of them stands within reach of the example."""
    inspired_by: Annotated[dict[IdOrName, IdOrName], EACH_ONCE] = Field(default={}, max_length=MODELS_MAX)
    """For who is tested: a friend within 6 inches with Inspirational, who may make up for a failed test."""
    voluntarily: bool = False
    """Whether they leave of their own will at the start of an Action phase, without Cool tests."""
    engaged: _Fighters = Field(default=[])
    """Who of those that leave so is engaged: an Initiative test first."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.voluntarily and (self.near or self.inspired_by):
            raise fault("who leaves of their own will takes no Cool test: take `near` and `inspired_by` out.")
        if self.engaged and not self.voluntarily:
            raise fault("being engaged matters only with `voluntarily: true`.")
        return self

    def command(self, _: str | None) -> records.Command:
        if self.voluntarily:
            return records.FleeBattlefield(
                gang=self.gang, fighters=tuple(self.fighters), engaged=tuple(self.engaged)
            )
        near = {leader: tuple(friends) for leader, friends in self.near.items()}
        return records.TakeFleeingTests(
            gang=self.gang, fighters=tuple(self.fighters), near=near, inspired_by=self.inspired_by
        )


def refuse_second_tests(entries: Iterable[tuple[Path, object]], problems: Problems) -> None:
    """One Recovery test of a fighter in each End phase, by its round.

    Refused here, where the whole battle is known, and not by `decide`: what older logs hold stays decided.
    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
    """
    taken: set[tuple[str, int]] = set()
    for path, exchange in entries:
        if not isinstance(exchange, DerivedForm) or exchange.makes is not records.TakeRecoveryTest:
            continue
        test: records.TakeRecoveryTest = exchange.made()
        if test.round is None:
            continue
        if (test.fighter, test.round) in taken:
            taken_before = f"{test.fighter!r} has taken the Recovery test of round {test.round} already"
            problems.add(path, f"{taken_before}: there is one in each End phase. Put the round right.")
        taken.add((test.fighter, test.round))


def _near_stated(record: Any) -> dict[str, Any]:
    near = record.friends_near
    return {"friends_near": record.friends_near_count if near is None else list(near)}


def _near(written: list[str] | int) -> dict[str, Any]:
    if isinstance(written, list):
        return {"friends_near": tuple(written)}
    return {"friends_near": None, "friends_near_count": written}


Exchange = (
    Hit
    | OutOfAction
    | SeriouslyInjured
    | FleshWound
    | FightWritten
    | Shot
    | Reloading
    | Nerve
    | Flee
    | RallyTest
    | VehicleHit
    | DerivedForm
)
_IN_ORDER: Final = (
    "hit", "injury_roll", "fall", "out_of_action", "seriously_injured", "flesh_wound", "experience",
    "injury_chart", "blood_markers", "stand", "trauma", "fight", "coup_de_grace", "unpin", "nerve",
    "shoot", "reload",
    "bottle", "flee", "recovery", "rally", "flight", "corruption", "mutation",
    "vehicle_hit", "control", "thrown_clear", "vehicle_nerve",
    "restart", "driver", "rolls_on",
    "blessing", "blessing_spent", "morale", "move",
)  # fmt: skip
DERIVED_EXCHANGES: Final = exchange_commands()
EXCHANGES: Final = (*_IN_ORDER, *(key for key in DERIVED_EXCHANGES if key not in _IN_ORDER))

"""Commands of the chapter on vehicles. Facing, Mobile or Stationary, and what cannot be hit are stated."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.hits import Cover
from tracker.errors import BadInput, RulesRefuse, nearest
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


@command("ResolveVehicleHit")
class ResolveVehicleHit(Command):
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


@command("CheckControl")
class CheckControl(Command):
    """A Loss of Control test for a reason that is no hit. Core Rulebook (2023) · Vehicles."""

    vehicle: str
    mobile: bool
    why: str
    modifier: int = 0
    by: str | None = None
    activation: str | None = None


@command("ThrowClear")
class ThrowClear(Command):
    """A fighter who was aboard a vehicle when it was wrecked. The height is stated (G-11)."""

    fighter: str
    vehicle: str
    height_hundredths: int
    mobile: bool | None = None
    save_with: Literal["best", "armour", "field_armour", "none"] = "best"
    grudge_against: str | None = None


@command("TakeVehicleNerveTest")
class TakeVehicleNerveTest(Command):
    """A vehicle's Nerve test because of a friendly wreck: its crew's Cool, +1 for each friendly vehicle near.

    `friends_near` counts those within reach that are neither Broken nor wrecked.
    """

    vehicle: str
    wreck: str
    friends_near: int
    mobile: bool
    activation: str | None = None


@command("RestartVehicle")
class RestartVehicle(Command):
    """A Restart test in the End phase of a vehicle that is Stationary and Stalled.

    `smoke_markers` are those placed when it Burned Out. Core Rulebook (2023) · The End Phase · 3.
    """

    vehicle: str
    smoke_markers: int = 0


@command("CheckDriver")
class CheckDriver(Command):
    """The End phase die of a driver wounded or unconscious. Core Rulebook (2023) · The End Phase · 3."""

    vehicle: str


@command("MoveRollingVehicle")
class MoveRollingVehicle(Command):
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


@event("VehicleEnlisted")
class VehicleEnlisted(Event):
    """A vehicle joins a gang with the card that the user typed; `crew` is the fighter who drives it.

    `armament` are those of its weapons whose numbers stand on its own card.
    """

    vehicle: str
    gang: str
    name: str
    kind: str
    cost_credits: int
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    save: int | None
    crew: str
    weapons: tuple[str, ...] = ()
    armament: tuple[Weapon, ...] = ()


@event("VehicleDamaged")
class VehicleDamaged(Event):
    """One result of the damage table, by location and damage; what it brought follows as events."""

    vehicle: str
    by: str | None
    location: str
    damage: str
    name: str
    section: str


@event("VehicleHitPointsLost")
class VehicleHitPointsLost(Event):
    """`called` is what the book calls them: Hull Points, Wounds."""

    vehicle: str
    by: str | None
    lost: int
    left: int
    called: str


@event("VehicleShaken")
class VehicleShaken(Event):
    """The vehicle and everybody aboard have Concussion."""

    vehicle: str


@event("VehicleStalled")
class VehicleStalled(Event):
    """Stationary and Stalled."""

    vehicle: str


@event("VehicleMoved")
class VehicleMoved(Event):
    """Mobile or Stationary, as stated at the table; a Mobile vehicle is Stalled no more."""

    vehicle: str
    mobile: bool


@event("VehicleMovementCapped")
class VehicleMovementCapped(Event):
    """For the battle no activation moves it further than its Movement."""

    vehicle: str
    inches: int


@event("VehicleHandlingHindered")
class VehicleHandlingHindered(Event):
    """For the battle every Handling test has `by` more, `total` in all."""

    vehicle: str
    by: int
    total: int


@event("VehicleWeaponDestroyed")
class VehicleWeaponDestroyed(Event):
    """The weapon is out for the battle."""

    vehicle: str
    weapon: str


@event("VehicleLostControl")
class VehicleLostControl(Event):
    """Swerve (45 degrees) or jackknife (90), to the left or right; or a roll."""

    vehicle: str
    result: Literal["swerve", "jackknife", "roll"]
    direction: Literal["left", "right"]
    mobile: bool


@event("DriverWounded")
class DriverWounded(Event):
    """The driver has `flesh_wounds` in all, each worth -1 on Ballistic Skill and Handling."""

    vehicle: str
    flesh_wounds: int


@event("DriverBlackedOut")
class DriverBlackedOut(Event):
    """Unconscious until an End phase says otherwise."""

    vehicle: str


@event("VehicleWrecked")
class VehicleWrecked(Event):
    """Out of Action. `causes` are what wrecked it at once, each worth one Lasting Damage roll."""

    vehicle: str
    by: str | None
    causes: tuple[str, ...]
    mobile: bool
    lasting_damage_rolls: int


@event("LastingDamageSuffered")
class LastingDamageSuffered(Event):
    """One result of the Lasting Damage chart, and the vehicle's card as it stands after it.

    `rattles` and `unreliable` count results so far; `handling_modifier` is what all of them bring.
    """

    vehicle: str
    by: str | None
    damage: str
    name: str
    total: int
    battle: int | None
    rattles: int
    handling_modifier: int
    unreliable: int
    in_repair: bool
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    movement: int
    hit_points: int
    section: str


@event("VehicleDidNotStart")
class VehicleDidNotStart(Event):
    """An Unreliable vehicle takes no part in this battle after all."""

    vehicle: str


@event("VehicleRestarted")
class VehicleRestarted(Event):
    """Mobile again."""

    vehicle: str


@event("DriverRecovered")
class DriverRecovered(Event):
    """One of the driver's Flesh Wounds is gone; `flesh_wounds` are left."""

    vehicle: str
    flesh_wounds: int


@event("DriverWokeUp")
class DriverWokeUp(Event):
    """Unconscious no more."""

    vehicle: str


@event("VehicleRolledOn")
class VehicleRolledOn(Event):
    """A vehicle that rolled over while Mobile goes on: so many rolls of so many inches each."""

    vehicle: str
    rolls: int
    inches_each: int


class UnknownVehicle(BadInput):
    """There is no vehicle {vehicle!r} in this campaign.{vehicle:nearest} Known: {known:or none}."""

    vehicle: str
    known: tuple[str, ...]


class FighterNotVehicle(BadInput):
    """{fighter} is a fighter, and this is about a vehicle. For a fighter write `hit`."""

    fighter: str


class VehicleNotInBattle(RulesRefuse):
    """{vehicle} takes no part in battle {battle!r}: its crew must be among the gang's fighters, and it must
    not be In Repair.
    """

    vehicle: str
    battle: str


class VehicleWreckedAlready(RulesRefuse):
    """{vehicle} was wrecked earlier in battle {battle!r} and takes no further part in it."""

    vehicle: str
    battle: str


class VehicleNotWrecked(RulesRefuse):
    """{vehicle} is not wrecked, so nobody is thrown clear of it."""

    vehicle: str


class CrewIsNotThrownClear(RulesRefuse):
    """{fighter} is the crew of {vehicle} and went Out of Action with it: only who was aboard besides is
    thrown clear.
    """

    fighter: str
    vehicle: str


class MobileAndNot(BadInput):
    """{vehicle} is said to be {said}, but {known}. Put one of the two right."""

    vehicle: str
    said: str
    known: str


class DieNotChosen(BadInput):
    """Several Location dice fell, and nobody said which is kept."""

    vehicle: str
    rolled: tuple[str, ...]
    chooser: str

    def message(self) -> str:
        return (
            f"{self.vehicle} was hit on {' and '.join(self.rolled)}; the {self.chooser} keeps one of"
            f" them. Say which, or an order of preference: choose: {{location: [{', '.join(self.rolled)}]}}."
        )


class UnknownChoice(BadInput):
    what: str
    given: str
    known: tuple[str, ...]

    def message(self) -> str:
        guess = nearest(self.given, self.known)
        return f"{self.given!r} is no {self.what}.{guess} Known: {', '.join(self.known)}."


class NothingCanBeHit(BadInput):
    """Every location of {vehicle} is said to be impossible to hit: leave out at least one."""

    vehicle: str


class TraitMeansNothingToVehicles(RulesRefuse):
    """{trait} acts on fighters, and the book at hand does not say what it does to {vehicle}. Agree at the
    table, and record a hit by plain numbers if there is one.
    """

    trait: str
    vehicle: str


class HitsOwnVehicle(BadInput):
    """{fighter} is the crew of {vehicle} and cannot hit it. Leave the attacker out."""

    fighter: str
    vehicle: str


class VehicleEnlistedAlready(RulesRefuse):
    """The id {vehicle!r} is taken by a {known_as} of this campaign. Give this one another."""

    vehicle: str
    known_as: str


class CrewNotInGang(BadInput):
    """The crew of {vehicle}, {crew!r}, is no fighter of its gang.{crew:nearest}"""

    vehicle: str
    crew: str
    known: tuple[str, ...]


class CrewHasVehicle(BadInput):
    """{crew} drives {other} already and cannot be the crew of {vehicle} too."""

    vehicle: str
    crew: str
    other: str


class VehicleNumberOutOfRange(BadInput):
    vehicle: str
    number: str
    value: int
    lowest: int
    highest: int

    def message(self) -> str:
        mark = {"handling": "+", "save": "+", "movement": '"'}.get(self.number, "")
        what = self.number.replace("_", " ").capitalize()
        return (
            f"{self.vehicle}: {what} {self.value}{mark} cannot be: the book prints {self.lowest}{mark} to"
            f" {self.highest}{mark}. Put the card right."
        )


class NoWreckToTestFor(RulesRefuse):
    """{vehicle} takes no Nerve test for {wreck}, which {why}: vehicles test for friendly wrecks alone."""

    vehicle: str
    wreck: str
    why: str


class VehicleNotDescribed(BadInput):
    """{vehicle} is a vehicle: say how it is hit, as {{vehicle: ID, facing: front, mobile: true}} in the place
    of its id alone.
    """

    vehicle: str


class CrewInsideVehicle(RulesRefuse):
    """{fighter} drives {vehicle} and is hit through it alone. Name the vehicle."""

    fighter: str
    vehicle: str


class WeaponOfAnotherGang(RulesRefuse):
    """{fighter} cannot man a weapon of {vehicle}, which is another gang's."""

    fighter: str
    vehicle: str


class MansAnotherVehicle(RulesRefuse):
    """{fighter} drives {other} and cannot man a weapon of {vehicle}."""

    fighter: str
    vehicle: str
    other: str


class DriverUnconscious(RulesRefuse):
    """The driver of {vehicle} has blacked out and {what}. Record 'driver:' in the End phase first: the driver
    may wake up.
    """

    vehicle: str
    what: str


class NeedsNoRestart(RulesRefuse):
    """{vehicle} is Mobile: only a vehicle that is Stationary and Stalled takes a Restart test."""

    vehicle: str


class DriverUnhurt(RulesRefuse):
    """The driver of {vehicle} is neither wounded nor unconscious: nothing is rolled."""

    vehicle: str


class DoesNotRoll(RulesRefuse):
    """{vehicle} does not roll on: only a vehicle that rolled over while Mobile does, once and at once."""

    vehicle: str


class ChoosesAndNot(BadInput):
    """Every result against {vehicle} is applied where nobody chooses: take the location and damage that are
    kept out, or say whether the attacker or the vehicle chooses.
    """

    vehicle: str

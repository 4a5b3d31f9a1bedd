"""Hits on vehicles, Loss of Control, wrecks.

Facing, Mobile or Stationary, and what cannot be hit are stated. Source: Core Rulebook (2023) · Vehicles.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import in_battle, on_combat_vehicle, vehicle_on_card
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records import kinds
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import Cover, KeptInjury, SaveWith
from tracker.campaign.state import CampaignState, CombatVehicle, LastingDamageOnCard
from tracker.errors import BadInput, ChoiceLeft, ChoiceOption, RulesRefuse, nearest
from tracker.records import Record, replace

FacingHit: TypeAlias = Literal["front", "side", "rear", "in_doubt"]
KeptBy: TypeAlias = Literal["attacker", "vehicle", "nobody"]


# --- commands --------------------------------------------------------------------------------------------


class VehicleAttacked(Record):
    """The facts about a vehicle under attack; the rest is as for any hit on a vehicle."""

    facing: FacingHit
    """Where it is hit; in_doubt takes the highest Toughness."""
    mobile: bool
    """Whether the vehicle is Mobile."""
    keep_location: tuple[kinds.Name, ...] = ()
    """Which Location die is kept, in order of preference."""
    keep_damage: tuple[kinds.Name, ...] = ()
    """Which Damage die is kept, in order of preference; else the gravest."""
    kept_by: KeptBy = "attacker"
    """Who chooses; nobody where a rule says that every result is applied."""
    cannot_be_hit: tuple[kinds.Name, ...] = ()
    """Locations that cannot be hit from there."""


@command("ResolveVehicleHit", part="vehicles")
class ResolveVehicleHit(Command):
    """A hit that struck a vehicle: wound roll, save, Location and Damage dice, effect."""

    vehicle: kinds.VehicleId
    """The vehicle that was hit."""
    facing: FacingHit
    """Where it was hit; in_doubt takes the highest Toughness."""
    mobile: bool
    """Whether the vehicle is Mobile."""
    attacker: kinds.FighterId | None = None
    """The fighter who made the attack; None where nobody did."""
    weapon: kinds.Name | None = None
    """A weapon on the attacker's card, or what to call the one that `profile` gives the numbers of."""
    profile_name: kinds.Name | None = None
    """Which of the weapon's profiles was used."""
    profile: WeaponProfile | None = None
    """The weapon's numbers, where it stands on nobody's card."""
    save_cover: Cover = "none"
    """Cover that helps the save: only against Blast and Template."""
    in_close_combat: bool = False
    """Whether it was a close combat attack: one more Location die."""
    hit_roll: int | None = None
    """The natural hit die, where a trait of the weapon asks for it."""
    keep_location: tuple[kinds.Name, ...] = ()
    """Which Location die is kept, in order of preference."""
    keep_damage: tuple[kinds.Name, ...] = ()
    """Which Damage die is kept, in order of preference; else the gravest."""
    kept_by: KeptBy = "attacker"
    """Who chooses; nobody where a rule says that every result is applied."""
    cannot_be_hit: tuple[kinds.Name, ...] = ()
    """Locations that cannot be hit from there: such a die is rolled again."""
    attack: bool = True
    """False for a hit that no Attack action caused: it earns no experience."""
    activation: kinds.Note | None = None
    range_band: Literal["short", "long"] | None = None
    """How far it was, where a trait of the weapon asks for it."""
    without: tuple[kinds.Name, ...] = ()
    """Traits and skills that their player may use, and does not."""

    def in_words(self, wording: Wording) -> str:
        weapon = wording.text(self.weapon or (self.profile.name if self.profile is not None else ""))
        attacker = wording.fighter(self.attacker) if self.attacker is not None else ""
        whose = f"{attacker}'s {weapon}" if attacker and weapon else attacker or weapon
        facing = "facing unclear" if self.facing == "in_doubt" else self.facing
        on = f"on {wording.fighter(self.vehicle)} ({facing})"
        return f"hit: {whose} {on}" if whose else f"hit {on}"


@command("CheckControl", part="vehicles", exchange="control")
class CheckControl(Command):
    """A Loss of Control test for another reason than a hit. Dice: handling, control, control_direction."""

    sentence = "Loss of Control test: {vehicle}: {why}"

    vehicle: kinds.VehicleId
    """Which vehicle."""
    mobile: bool
    """Whether it is Mobile."""
    why: kinds.Note
    """Why it is tested."""
    modifier: kinds.TestModifier = 0
    """Modifier on the test."""
    by: kinds.FighterId | None = None
    """The fighter whose Attack action caused it, if any."""
    activation: kinds.Note | None = None


@command("ThrowClear", part="vehicles", exchange="thrown_clear")
class ThrowClear(Command):
    """A fighter aboard a vehicle when it was wrecked. Dice: thrown_clear, then as for a fall."""

    sentence = "thrown clear of {vehicle}: {fighter}"

    fighter: kinds.FighterId
    """Who was aboard."""
    vehicle: kinds.VehicleId
    """The wreck."""
    height_hundredths: Annotated[kinds.Hundredths, kinds.FileKey(name="height")]
    """From how high, in inches, with up to two decimals."""
    mobile: bool | None = None
    """Whether the vehicle was Mobile when it was wrecked; known from the wreck, and must agree with it."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""


@command("TakeVehicleNerveTest", part="vehicles", exchange="vehicle_nerve")
class TakeVehicleNerveTest(Command):
    """A vehicle's Nerve test because of a friendly wreck. Dice: nerve, by the crew."""

    sentence = "Nerve test: {vehicle} because of the wreck of {wreck}"

    vehicle: kinds.VehicleId
    """The vehicle that tests."""
    wreck: kinds.VehicleId
    """The friendly vehicle that was wrecked within 6"."""
    friends_near: Annotated[int, kinds.FieldKind(name="number", highest=20)]
    """How many friendly vehicles within 6" are neither Broken nor wrecked; 0 for none."""
    mobile: bool
    """Whether the vehicle that tests is Mobile."""
    activation: kinds.Note | None = None
    distance_hundredths: Annotated[kinds.Hundredths, kinds.FileKey(name="inches")] | None = None
    """Inches from the vehicle to the wreck: further away than the book says, no test is due."""
    immune_by: kinds.Note | None = None
    """The special rule that spares the vehicle: no test is due."""
    inspired_by: kinds.FighterId | None = None
    """A friend within 6 inches whose Leadership test makes up for a failed test (Inspirational)."""


# --- events ----------------------------------------------------------------------------------------------


@event("VehicleDamaged")
class VehicleDamaged(Event):
    """One result of the damage table, by location and damage; its effects follow as events."""

    sentence = "{vehicle} takes a {damage} hit on the {location}: {name}"

    vehicle: kinds.VehicleId
    by: kinds.FighterId | None
    location: kinds.Note
    damage: kinds.Note
    name: str
    section: str


@event("VehicleHitPointsLost")
class VehicleHitPointsLost(Event):
    """A vehicle lost Hull Points. `called` is the book's name for them: Hull Points, Wounds."""

    vehicle: kinds.VehicleId
    by: kinds.FighterId | None
    lost: int
    left: int
    called: str

    def in_words(self, wording: Wording) -> str:
        lost = wording.counted(self.lost, self.called.removesuffix("s"), self.called)
        return f"{wording.fighter(self.vehicle)} loses {lost}: {self.left} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, hit_points_left=self.left)


@event("VehicleShaken")
class VehicleShaken(Event):
    """The vehicle and everybody aboard have Concussion."""

    sentence = "{vehicle} and everybody aboard suffer Concussion"

    vehicle: kinds.VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, shaken=True)


@event("VehicleStalled")
class VehicleStalled(Event):
    """A vehicle is Stationary and Stalled."""

    sentence = "{vehicle} is Stationary and Stalled"

    vehicle: kinds.VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, stalled=True, mobile=False, turned_over=False)


@event("VehicleMoved")
class VehicleMoved(Event):
    """A vehicle is Mobile or Stationary, as stated; a Mobile vehicle is no longer Stalled."""

    vehicle: kinds.VehicleId
    mobile: bool

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.vehicle)} is {'Mobile' if self.mobile else 'Stationary'}"

    def apply(self, state: CampaignState) -> CampaignState:
        condition = _condition(state, self.vehicle)
        stalled = condition is not None and condition.stalled and not self.mobile
        return on_combat_vehicle(state, self.vehicle, mobile=self.mobile, stalled=stalled)


@event("VehicleMovementCapped")
class VehicleMovementCapped(Event):
    """For the battle no activation moves the vehicle further than its Movement."""

    sentence = '{vehicle} moves no further than {inches}" in an activation until the battle ends'

    vehicle: kinds.VehicleId
    inches: int

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, movement_capped=True)


@event("VehicleHandlingHindered")
class VehicleHandlingHindered(Event):
    """For the battle every Handling test has a modifier of `by` more, `total` in all."""

    vehicle: kinds.VehicleId
    by: int
    total: int

    def in_words(self, wording: Wording) -> str:
        total = f", {self.total:+d} in all" if self.total != self.by else ""
        hindered = f"has {self.by:+d} on Handling tests until the battle ends{total}"
        return f"{wording.fighter(self.vehicle)} {hindered}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, handling_hindered=self.total)


@event("VehicleWeaponDestroyed")
class VehicleWeaponDestroyed(Event):
    """A weapon is out for the battle."""

    sentence = "{vehicle} cannot use its {weapon} until the battle ends"

    vehicle: kinds.VehicleId
    weapon: str

    def apply(self, state: CampaignState) -> CampaignState:
        condition = _condition(state, self.vehicle)
        gone = (*condition.weapons_destroyed, self.weapon) if condition is not None else ()
        return on_combat_vehicle(state, self.vehicle, weapons_destroyed=gone)


@event("VehicleLostControl")
class VehicleLostControl(Event):
    """A vehicle swerved (45 degrees) or jackknifed (90), to the left or right, or rolled over."""

    TURNS: ClassVar[dict[str, str]] = {"swerve": "swerves 45°", "jackknife": "jackknifes 90°"}

    vehicle: kinds.VehicleId
    result: Literal["swerve", "jackknife", "roll"]
    direction: Literal["left", "right"]
    mobile: bool

    def in_words(self, wording: Wording) -> str:
        if self.result == "roll":
            return f"{wording.fighter(self.vehicle)} rolls over"
        pivots = " and moves half its Movement" if self.mobile else " in place"
        turns = f"{self.TURNS[self.result]} to the {self.direction}{pivots}"
        return f"{wording.fighter(self.vehicle)} {turns}"


@event("DriverWounded")
class DriverWounded(Event):
    """The driver has `flesh_wounds` in all, each worth -1 on Ballistic Skill and Handling."""

    vehicle: kinds.VehicleId
    flesh_wounds: int

    def in_words(self, wording: Wording) -> str:
        wounds = wording.counted(self.flesh_wounds, "Flesh Wound")
        worth = f"-{self.flesh_wounds} on Ballistic Skill and Handling"
        return f"the driver of {wording.fighter(self.vehicle)} has {wounds}: {worth}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, driver_flesh_wounds=self.flesh_wounds)


@event("DriverBlackedOut")
class DriverBlackedOut(Event):
    """The driver is unconscious until an End phase."""

    sentence = "the driver of {vehicle} blacks out"

    vehicle: kinds.VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, driver_blacked_out=True)


@event("VehicleWrecked")
class VehicleWrecked(Event):
    """A vehicle is Out of Action. Each of `causes`, which wrecked it, brings a Lasting Damage roll."""

    CAUSES: ClassVar[dict[str, str]] = {
        "abandoned": "abandoned by its crew",
        "hit_points": "no Hit Points left",
        "roll": "it rolled over",
    }

    vehicle: kinds.VehicleId
    by: kinds.FighterId | None
    causes: tuple[str, ...]
    mobile: bool
    lasting_damage_rolls: int

    def in_words(self, wording: Wording) -> str:
        why = " and ".join(self.CAUSES[cause] for cause in self.causes)
        wrecked = f"{wording.fighter(self.vehicle)} is wrecked{wording.by(self.by)}, {why}"
        if not self.lasting_damage_rolls:
            return wrecked
        return f"{wrecked}: {wording.counted(self.lasting_damage_rolls, 'Lasting Damage roll')}"

    def apply(self, state: CampaignState) -> CampaignState:
        # Who rolls over has no Hull Points left, however many there were.
        rolling = self.mobile and "roll" in self.causes
        state = on_combat_vehicle(
            state, self.vehicle, wrecked=True, mobile=self.mobile, hit_points_left=0, rolling=rolling
        )
        vehicle = vehicle_on_card(state, self.vehicle)
        state = state.with_vehicle(replace(vehicle, times_wrecked=vehicle.times_wrecked + 1))
        by = state.gang_of.get(self.by) if self.by is not None else None
        if by is None or by == vehicle.gang:
            return state
        gang = state.gangs[by]
        return state.with_gang(replace(gang, enemy_vehicles_wrecked=gang.enemy_vehicles_wrecked + 1))


@event("LastingDamageSuffered")
class LastingDamageSuffered(Event):
    """One result of the Lasting Damage chart, and the vehicle's card after it, with its counts so far."""

    CHANGED: ClassVar[tuple[str, ...]] = (
        "rattles",
        "handling_modifier",
        "unreliable",
        "in_repair",
        "toughness_front",
        "toughness_side",
        "toughness_rear",
        "movement",
        "hit_points",
    )

    vehicle: kinds.VehicleId
    by: kinds.FighterId | None
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

    def in_words(self, wording: Wording) -> str:
        written_off = ", In Repair until it is repaired" if self.in_repair else ""
        suffers = f"suffers {wording.text(self.name)} ({self.total}){written_off}"
        return f"{wording.fighter(self.vehicle)} {suffers}"

    def apply(self, state: CampaignState) -> CampaignState:
        vehicle = vehicle_on_card(state, self.vehicle)
        suffered = LastingDamageOnCard(damage=self.damage, name=self.name, battle=self.battle)
        changed = {name: getattr(self, name) for name in self.CHANGED}
        damage = (*vehicle.lasting_damage, suffered)
        return state.with_vehicle(replace(vehicle, lasting_damage=damage, **changed))


@event("VehicleDidNotStart")
class VehicleDidNotStart(Event):
    """An Unreliable vehicle did not start and takes no part in this battle."""

    sentence = "{vehicle} does not start and takes no part in the battle"

    vehicle: kinds.VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        there = state.under_way.vehicles if state.under_way is not None else {}
        left = {name: vehicle for name, vehicle in there.items() if name != self.vehicle}
        return in_battle(state, vehicles=left)


def _condition(state: CampaignState, vehicle: str) -> CombatVehicle | None:
    return state.under_way.vehicles.get(vehicle) if state.under_way is not None else None


# --- refusals --------------------------------------------------------------------------------------------


class UnknownVehicle(BadInput):
    """There is no vehicle {vehicle!r} in this campaign.{vehicle:nearest} Known: {known:or none}."""

    vehicle: str
    known: tuple[str, ...]


class FighterNotVehicle(BadInput):
    """`drives` is the id of the fighter's own vehicle, or empty."""

    fighter: str
    drives: str = ""

    def message(self) -> str:
        need = f"{self.fighter} is a fighter, and this is about a vehicle."
        return (
            f"{need} Name the vehicle: {self.drives!r}."
            if self.drives
            else f"{need} For a fighter write `hit`."
        )


class VehicleNotInBattle(RulesRefuse):
    """{vehicle} takes no part in battle {battle!r}: its crew must be among the {game.gang}'s fighters, and it
    must not be In Repair.
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


class DieNotChosen(ChoiceLeft):
    """Several Location dice fell, and nobody said which is kept."""

    key = "keep_location"
    vehicle: str
    vehicle_id: str
    rolled: tuple[str, ...]
    chooser: str
    model = property(lambda self: self.vehicle_id)

    def question(self) -> str:
        return f"Which Location die counts? The {self.chooser} chooses."

    def offered(self) -> list[ChoiceOption]:
        return [ChoiceOption(said=location, words=location) for location in self.rolled]

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
        known = f"{nearest(self.given, self.known)} Known: {', '.join(self.known)}."
        return f"{self.given!r} is no {self.what}.{known}"


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
    """{fighter} cannot man a weapon of {vehicle}, which is another {game.gang}'s."""

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


class ChoosesAndNot(BadInput):
    """Every result against {vehicle} is applied where nobody chooses: take the location and damage that are
    kept out, or say whether the attacker or the vehicle chooses.
    """

    vehicle: str

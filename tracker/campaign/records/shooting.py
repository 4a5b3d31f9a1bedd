"""Commands of the chapter on shooting: a ranged attack, a Reload.

Who is nearest, in cover, engaged, near the line of fire or under a marker is stated: only the table knows it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.hits import Cover, SaveWith
from tracker.campaign.records.vehicles import VehicleAttacked
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record

RangeBand: TypeAlias = Literal["short", "long", "beyond"]
FreeSkip: TypeAlias = Literal["seriously_injured", "wrecked", "harder_to_hit"]
ShootAction: TypeAlias = Literal["basic", "double"]
ReloadAction: TypeAlias = Literal["simple", "double"]
ShootingSkill: TypeAlias = Literal["fast_shot", "hip_shooting"]
Unseen: TypeAlias = Literal["no", "darkness", "smoke"]
"""Whether the place lies beyond sight in darkness, or in or behind smoke."""


class NearerEnemy(Record):
    """An enemy nearer than the target, why it may be skipped, and whether it is outside the vision arc."""

    model: str
    because: FreeSkip | None = None
    out_of_arc: bool = False


class ModelThere(Record):
    """A model that is hit or might be: a fighter, or a vehicle if `vehicle` says so. `prone` None is as the
    battle knows it.

    `cover` is towards a Blast marker's centre or the attacker with a template. `engaged_with` are others
    who are engaged with this fighter.
    """

    fighter: str
    cover: Cover = "none"
    engaged: bool = False
    engaged_with: tuple[str, ...] = ()
    prone: bool | None = None
    save_with: SaveWith = "best"
    vehicle: VehicleAttacked | None = None


class SecondSidearm(Record):
    """The other weapon of Twin Guns Blazing."""

    weapon: str
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    range_band: RangeBand | None = None
    firepower_dice: int = 1


class ShotModifier(Record):
    """What a skill, an action or a condition adds to the hit roll."""

    why: str
    by: int


@command("Shoot", needs=("shooting", "rules for shooting"))
class Shoot(Command):
    """A ranged attack. `weapon` is a name on the attacker's card, or what `profile` gives the numbers of.

    `closest`: the target is the closest eligible one (a template: it touches that one). `hits_on` allots the
    hits of Rapid Fire in order, the first to the target; hits beyond the list are the target's.
    `at_risk` is in order from the attacker. `under_scatter` are those under a marker that scattered, where
    they are others than `under_marker` (None: the same); `under_misfire` are the others under one that is
    centred on the attacker. `from_vehicle`: the weapon is that vehicle's, the attacker its crew or who
    mans it.
    `vehicle` is what there is to say of a target that is a vehicle; `hull_down`: the attacker sees nothing
    of the facing that it hits. `off_the_table`: where a marker that scatters ends, its centre is off the
    table.
    Core Rulebook (2023) · Shooting.
    """

    attacker: str
    weapon: str
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    target: str | None = None
    point: bool = False
    range_band: RangeBand | None = None
    cover: Cover = "none"
    engaged: bool = False
    prone: bool | None = None
    closest: bool = True
    nearer: tuple[NearerEnemy, ...] = ()
    priority_waived: str | None = None
    action: ShootAction | None = None
    using: tuple[ShootingSkill, ...] = ()
    unseen: Unseen = "no"
    modifiers: tuple[ShotModifier, ...] = ()
    firepower_dice: int = 1
    hits_on: tuple[ModelThere, ...] = ()
    at_risk: tuple[ModelThere, ...] = ()
    also: SecondSidearm | None = None
    under_marker: tuple[ModelThere, ...] = ()
    under_misfire: tuple[ModelThere, ...] = ()
    under_template: tuple[ModelThere, ...] = ()
    save_with: SaveWith = "best"
    activation: str | None = None
    grudge_against: str | None = None
    from_vehicle: str | None = None
    vehicle: VehicleAttacked | None = None
    hull_down: bool = False
    off_the_table: bool = False
    under_scatter: tuple[ModelThere, ...] | None = None


@command("Reload", needs=("shooting", "rules for shooting"))
class Reload(Command):
    """A Reload for a weapon that is Out of Ammo, by one of its profiles; one `on_vehicle`, if it says.

    `profile` gives the numbers of a weapon that stands on no card. `action` None: nobody said which it was.
    """

    fighter: str
    weapon: str
    profile_name: str | None = None
    on_vehicle: str | None = None
    action: ReloadAction | None = None
    profile: WeaponProfile | None = None


ShootingCommand: TypeAlias = Shoot | Reload


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


@event("ShotFired")
class ShotFired(Event):
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


@event("WeaponRanOutOfAmmo")
class WeaponRanOutOfAmmo(Event):
    """Unusable until reloaded. `slot` tells apart weapons of one name, and the halves of a combi-weapon."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


@event("WeaponJammed")
class WeaponJammed(Event):
    """Unusable for the rest of the battle."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


@event("AmmoSpent")
class AmmoSpent(Event):
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


@event("WeaponReloaded")
class WeaponReloaded(Event):
    """The weapon in that slot fires again; `vehicle` is the one that bears it."""

    fighter: str
    weapon: str
    slot: str
    vehicle: str | None = None


@event("LimitedAmmoDeleted")
class LimitedAmmoDeleted(Event):
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


class SituationContradicts(BadInput):
    """{said} does not go with {against}: put one of them right (Shooting)."""

    said: str
    against: str


class BookKnowsNot(RulesRefuse):
    """{book} knows of no {what} (Shooting)."""

    book: str
    what: str


class WrongReloadAction(RulesRefuse):
    fighter: str
    action: str
    needed: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot reload as a {self.action.title()} action: under the rules in force a"
            f" Reload is a {self.needed.title()} one. Say so, or leave 'action' out."
        )


class NothingShotAt(BadInput):
    """{weapon} is fired at nothing: name a target, or 'point: true' for a Blast weapon."""

    weapon: str


class RangeNotStated(BadInput):
    """Say how far {weapon} fires: range: short, long or beyond (Shooting · 3. Measure Range)."""

    weapon: str


class NotForShooting(BadInput):
    """{weapon} cannot be fired: its profile has no {missing}. Give it, or another weapon."""

    weapon: str
    missing: str


class ShootsOwnGang(RulesRefuse):
    """{fighter} cannot choose {target} of the same gang as a target: ranged attacks are made against enemies.
    Friends are hit under a marker, a template or by strays.
    """

    fighter: str
    target: str


class ShooterDown(RulesRefuse):
    """{fighter} is {condition} and makes no ranged attack. Record the recovery first, or look at the entries
    before.
    """

    # `condition` is 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str


class TargetHides(RulesRefuse):
    """{target} is Prone and in cover and cannot be targeted (Shooting · 1. Assess Target Priority). If this
    fighter stands again, write 'prone: false'.
    """

    target: str


class SkipNotFree(RulesRefuse):
    """{model} cannot be skipped as {because:words}: {fault}. Leave 'because' out and roll the Cool test, or
    record first what happened.
    """

    model: str
    because: str
    fault: str


class PostureContradicted(RulesRefuse):
    """{fighter} is Seriously Injured and so Prone, not standing. Record the recovery first, or take 'prone:
    false' out.
    """

    fighter: str


class TooManyFirepowerDice(BadInput):
    """{weapon} rolls 1 to {allowed} Firepower dice, not {asked} (Shooting · The Firepower Dice)."""

    weapon: str
    asked: int
    allowed: int


class NotASidearm(RulesRefuse):
    """{weapon} is no Sidearm, and only two Sidearms are fired together (Shooting · Twin Guns Blazing)."""

    weapon: str


class CrewFiresSidearms(RulesRefuse):
    """{crew} is the crew of a vehicle and fires Sidearms alone of what crew carry; {weapon} is none. If it is
    the vehicle's weapon, write 'from_vehicle' with its id; house rules that allow more: 'arbitrator rules
    show crew.own_weapons'.
    """

    crew: str
    weapon: str


class UnwieldyNeedsDouble(RulesRefuse):
    """{weapon} is Unwieldy: firing it is a Double action, not a Basic one (Weapon Traits)."""

    weapon: str


class SkillNotHeld(RulesRefuse):
    fighter: str
    skill: str

    def message(self) -> str:
        return f"{self.fighter} does not have the skill {self.skill.replace('_', ' ').title()}."


class WeaponOutOfAmmo(RulesRefuse):
    """{fighter}'s {weapon} is Out of Ammo: record a successful 'reload:' first (Shooting · The Firepower
    Dice).
    """

    fighter: str
    weapon: str


class WeaponDoneForBattle(RulesRefuse):
    """{fighter}'s {weapon} is done for this battle: {why}."""

    fighter: str
    weapon: str
    why: str


class NoReloadNow(RulesRefuse):
    """{fighter} is {condition} and makes no Reload action. Record the rally or the recovery first, or look at
    the entries before.
    """

    # `condition` is 'Broken', 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str


class NothingToReload(RulesRefuse):
    """{fighter}'s {weapon} is not Out of Ammo, so there is nothing to reload."""

    fighter: str
    weapon: str

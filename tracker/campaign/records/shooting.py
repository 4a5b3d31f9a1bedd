"""Shooting: ranged attacks, Reloads, and ammunition.

Who is nearest, in cover, engaged, near the line of fire or under a marker is stated: only the table knows it.
Spent ammunition is restored after the battle, except Limited ammo. Source: Core Rulebook (2023) · Shooting.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.cards import (
    fighter_on_card,
    on_combat_vehicle,
    on_combatant,
    on_fighter,
    vehicle_on_card,
)
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import Cover, KeptInjury, RangeBand, SaveWith
from tracker.campaign.records.kinds import Credits, FighterId, GangId, Name, Note, VehicleId
from tracker.campaign.records.shot_parts import (
    EligibleModel,
    ModelThere,
    NearerEnemy,
    SecondSidearm,
    ShotModifier,
)
from tracker.campaign.records.vehicles import VehicleAttacked
from tracker.campaign.state import CampaignState, Combatant, CombatVehicle
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

ShootAction: TypeAlias = Literal["basic", "double"]
ReloadAction: TypeAlias = Literal["simple", "double"]
ShootingSkill: TypeAlias = Literal["fast_shot", "hip_shooting", "overwatch"]
Unseen: TypeAlias = Literal["no", "darkness", "smoke"]
"""Whether the place lies beyond sight in darkness, or in or behind smoke."""
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
    "burrows",
]
WhySpent: TypeAlias = Literal["ammo_test", "single_shot"]


def ammo_key(slot: str, profile: str) -> str:
    """The key under which a profile of a weapon is remembered as spent for the battle."""
    return f"{slot}|{profile}"


def _with_profile(wording: Wording, weapon: str, profile: str | None) -> str:
    return f"{wording.text(weapon)} ({wording.text(profile)})" if profile else wording.text(weapon)


# --- commands --------------------------------------------------------------------------------------------


_ON_CHART = ("RollInjuryChart", "injury_chart in a battle report")


@command(
    "Shoot", part="rules for shooting", needs="shooting", instead=_ON_CHART, action=("attacker", "shooting")
)
class Shoot(Command):
    """A ranged attack, from target priority to its last hit."""

    attacker: FighterId
    """Who shoots."""
    weapon: Name
    """A weapon on the attacker's card, or what to call the one that `profile` gives the numbers of."""
    profile_name: Name | None = None
    """Which of the weapon's profiles is used."""
    profile: WeaponProfile | None = None
    """The weapon's numbers, where it stands on nobody's card."""
    target: str | None = None
    """The enemy shot at, a fighter or a vehicle; None for a template or a point."""
    point: bool = False
    """Whether a Blast is aimed at a point of the battlefield."""
    range_band: RangeBand | None = None
    """How far it is; None for a template."""
    cover: Cover = "none"
    """The target's cover, for the hit roll."""
    engaged: bool = False
    """Whether the target is Standing and Engaged."""
    prone: bool | None = None
    """Whether the target is Prone; None as the battle knows it."""
    closest: bool = True
    """Whether the target is the closest eligible enemy, or a template touches that one."""
    nearer: tuple[NearerEnemy, ...] = ()
    """Enemies nearer than the target, nearest first, hiding ones left out."""
    priority_waived: Note | None = None
    """The skill or rule by which no Cool test is needed."""
    action: ShootAction | None = None
    """The action, where an Unwieldy weapon asks for it."""
    using: tuple[ShootingSkill, ...] = ()
    """Skills used for this shot."""
    unseen: Unseen = "no"
    """Whether the place aimed at lies beyond sight."""
    modifiers: tuple[ShotModifier, ...] = ()
    """What skills, actions and conditions add to the hit roll."""
    firepower_dice: int = 1
    """Firepower dice rolled: more than one for Rapid Fire (X) only."""
    hits_on: tuple[ModelThere, ...] = ()
    """Rapid Fire: who takes each hit, the target first; hits beyond the list are the target's."""
    at_risk: tuple[ModelThere, ...] = ()
    """Who a miss may hit, nearest to the attacker first."""
    also: SecondSidearm | None = None
    """The second Sidearm, for Twin Guns Blazing."""
    under_marker: tuple[ModelThere, ...] = ()
    """Who lies under the Blast marker where it ends, in the order to be resolved."""
    under_misfire: tuple[ModelThere, ...] = ()
    """Who else lies under a marker that misfires onto the attacker."""
    under_template: tuple[ModelThere, ...] = ()
    """Who lies under the Flame template, in the order to be resolved."""
    save_with: SaveWith = "best"
    """What the target's owner saves with."""
    keeps: KeptInjury | None = None
    """What the target's owner keeps of two Injury dice, where one shows it; None: the milder."""
    activation: Note | None = None
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    from_vehicle: VehicleId | None = None
    """The vehicle whose weapon is fired, the attacker being its crew or who mans the weapon."""
    vehicle: VehicleAttacked | None = None
    """What there is to say of a target that is a vehicle."""
    hull_down: bool = False
    """Whether the attacker sees nothing of the facing that it hits."""
    off_the_table: bool = False
    """Whether the centre of a marker that scatters leaves the table."""
    under_scatter: tuple[ModelThere, ...] | None = None
    """Who lies under the marker once it has scattered; None: the same as `under_marker`."""
    in_arc: bool | None = None
    """Whether the target, or the whole template, is in the vision arc; None: nobody said."""
    in_sight: bool | None = None
    """Whether the target, or the marker's centre, is in line of sight; None: nobody said."""
    stopped_after: int | None = None
    """Inches after which something solid stops a marker that scatters; None: nothing did."""
    behind: bool | None = None
    """Whether the attacker is outside the target's vision arc; None: nobody said."""
    cannot_be_moved: bool = False
    """Whether something keeps the target from being knocked back."""
    without: tuple[Name, ...] = ()
    """Traits and skills that their player may use, and does not."""
    next_in_line: tuple[ModelThere, ...] = ()
    """Who stands behind the target in the line of fire, nearest first, for an attack that goes on."""
    stays_beneath: tuple[FighterId, ...] = ()
    """Who would lie under the marker or template still, should a dodge move them by 2 inches."""
    drawn_among: tuple[EligibleModel, ...] = ()
    """All eligible models, friends too, where a trait draws the target at random; then no `target`."""
    target_psyker: bool = False
    """Whether the target is a psyker, where a trait asks for it."""
    inspired_by: FighterId | None = None
    """A friend within 6 inches of the attacker who makes up for a failed Cool test with Inspirational."""
    target_inspired_by: FighterId | None = None
    """The same for the target."""
    munitioneer: FighterId | None = None
    """A friend within 6 inches whose skill lets a failed Ammo test be made again."""

    def bystanders(self) -> tuple[tuple[ModelThere, ...], ...]:
        """The lists of models near the line of fire, and under a marker or a template."""
        return (
            self.at_risk,
            self.under_marker,
            self.under_scatter or (),
            self.under_misfire,
            self.under_template,
            self.next_in_line,
        )

    def in_words(self, wording: Wording) -> str:
        weapons = _with_profile(wording, self.weapon, self.profile_name)
        if self.also is not None:
            weapons += f" and {_with_profile(wording, self.also.weapon, self.also.profile_name)}"
        at = " at a point" if self.point else ""
        if self.target is not None:
            at = f" at {wording.fighter(self.target)}"
        aboard = wording.by(self.from_vehicle, "from")
        return f"shoot: {wording.fighter(self.attacker)}'s {weapons}{aboard}{at}"


@command("Reload", part="rules for shooting", needs="shooting", action=("fighter", "reload"))
class Reload(Command):
    """A Reload of a weapon that is Out of Ammo."""

    fighter: FighterId
    """Who reloads."""
    weapon: Name
    """The weapon on the card, or what to call the one that `profile` gives the numbers of."""
    profile_name: Name | None = None
    """The profile it is reloaded by, where it has several."""
    on_vehicle: VehicleId | None = None
    """The vehicle whose weapon it is, if it is none of the fighter's own."""
    action: ReloadAction | None = None
    """The action, where it is to be checked against the rules in force; None: nobody said."""
    profile: WeaponProfile | None = None
    """The numbers of a weapon that stands on no card."""

    def in_words(self, wording: Wording) -> str:
        weapon = _with_profile(wording, self.weapon, self.profile_name)
        return f"reload: {wording.fighter(self.fighter)}'s {weapon}{wording.by(self.on_vehicle, 'on')}"


# --- events ----------------------------------------------------------------------------------------------


@event("ShotFired")
class ShotFired(Event):
    """One weapon was fired. `hits` is how many hits a passed hit roll scores, and how many strays a miss; for
    a marker or template, how many models it hits. `target` None: a point, or a template. `vehicle`, here and
    below: the vehicle it belongs to, None for the fighter's own.
    """

    fighter: FighterId
    weapon: str
    profile: str
    target: str | None
    result: ShotResult
    hits: int
    section: str
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        at = f" {wording.fighter(self.target)}" if self.target is not None else ""
        times = f" ({wording.counted(self.hits, 'hit')})"
        outcome = {
            "hit": f"hits{at}{times if self.hits != 1 else ''}",
            "missed": f"misses{at}{f' with {self.hits} shots' if self.hits != 1 else ''}",
            "beyond_range": f"is out of range and misses{at}",
            "marker_stays": f"hits{at}, the marker stays{times}",
            "marker_scatters": f"misses{at}, the marker scatters{times}",
            "marker_removed": f"misses{at}, the marker leaves the table and is removed",
            "dud": "is a dud",
            "misfire": f"misfires{times}",
            "template": f"sweeps the Template{times}",
            "burrows": "burrows towards a place beyond sight",
        }[self.result]
        weapon = _with_profile(wording, self.weapon, self.profile)
        return f"{wording.fighter(self.fighter)}'s {weapon}{wording.by(self.vehicle, 'on')} {outcome}"


@event("WeaponRanOutOfAmmo")
class WeaponRanOutOfAmmo(Event):
    """A weapon is unusable until reloaded. `slot` tells apart weapons of one name, and the halves of a
    combi-weapon.
    """

    fighter: FighterId
    weapon: str
    slot: str
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        owner = wording.fighter(self.vehicle or self.fighter)
        return f"{owner}'s {wording.text(self.slot)} is Out of Ammo until reloaded"

    def apply(self, state: CampaignState) -> CampaignState:
        held = _bearer(state, self.fighter, self.vehicle)
        empty = tuple(sorted({*held.out_of_ammo, self.slot})) if held is not None else ()
        return _on_bearer(state, self.fighter, self.vehicle, out_of_ammo=empty)


@event("WeaponJammed")
class WeaponJammed(Event):
    """A weapon is unusable for the rest of the battle."""

    fighter: FighterId
    weapon: str
    slot: str
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        owner = wording.fighter(self.vehicle or self.fighter)
        return f"{owner}'s {wording.text(self.slot)} is jammed for the rest of the battle"

    def apply(self, state: CampaignState) -> CampaignState:
        held = _bearer(state, self.fighter, self.vehicle)
        jammed = tuple(sorted({*held.jammed, self.slot})) if held is not None else ()
        return _on_bearer(state, self.fighter, self.vehicle, jammed=jammed)


@event("AmmoSpent")
class AmmoSpent(Event):
    """One profile of a weapon is unusable for the rest of the battle, reload or not.

    `limited`: it leaves the card when the battle ends, if the rules in force say so.
    """

    fighter: FighterId
    weapon: str
    profile: str
    slot: str
    why: WhySpent
    limited: bool
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        why = "Single Shot" if self.why == "single_shot" else "Limited" if self.limited else "Scarce"
        weapon = _with_profile(wording, self.weapon, self.profile)
        return f"{wording.fighter(self.vehicle or self.fighter)} has no {weapon} left for this battle ({why})"

    def apply(self, state: CampaignState) -> CampaignState:
        held = _bearer(state, self.fighter, self.vehicle)
        key = ammo_key(self.slot, self.profile)
        spent = tuple(sorted({*held.ammo_spent, key})) if held is not None else ()
        return _on_bearer(state, self.fighter, self.vehicle, ammo_spent=spent)


@event("WeaponReloaded")
class WeaponReloaded(Event):
    """The weapon in that slot fires again; `vehicle` is the vehicle it belongs to."""

    fighter: FighterId
    weapon: str
    slot: str
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.vehicle or self.fighter)}'s {wording.text(self.slot)} is reloaded"

    def apply(self, state: CampaignState) -> CampaignState:
        held = _bearer(state, self.fighter, self.vehicle)
        empty = tuple(slot for slot in held.out_of_ammo if slot != self.slot) if held is not None else ()
        return _on_bearer(state, self.fighter, self.vehicle, out_of_ammo=empty)


@event("LimitedAmmoDeleted")
class LimitedAmmoDeleted(Event):
    """A profile leaves the card of the fighter (or of the `vehicle`, whose crew fires it) for good, its
    weapon with the last one.

    `cost_credits` is the card's new cost: a weapon's price is known, a profile's own is not.
    """

    fighter: FighterId
    weapon: str
    profile: str
    weapon_gone: bool
    cost_credits: Credits
    vehicle: VehicleId | None = None

    def in_words(self, wording: Wording) -> str:
        weapon = _with_profile(wording, self.weapon, None if self.weapon_gone else self.profile)
        spent = f"{wording.fighter(self.vehicle or self.fighter)} has used up the Limited {weapon}"
        return f"{spent}: the card costs {wording.money(self.cost_credits)} now"

    def apply(self, state: CampaignState) -> CampaignState:
        if self.vehicle is None:
            left = self._left_of(fighter_on_card(state, self.fighter).weapons)
            return on_fighter(state, self.fighter, weapons=left, cost_credits=self.cost_credits)
        vehicle = vehicle_on_card(state, self.vehicle)
        names = list(vehicle.weapons)
        if self.weapon_gone and self.weapon in names:
            names.remove(self.weapon)
        left = self._left_of(vehicle.armament)
        lighter = replace(vehicle, weapons=tuple(names), armament=left, cost_credits=self.cost_credits)
        return state.with_vehicle(lighter)

    def _left_of(self, carried: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
        weapons = list(carried)
        for place, weapon in enumerate(weapons):
            left = tuple(profile for profile in weapon.profiles if profile.name != self.profile)
            if weapon.weapon == self.weapon and len(left) < len(weapon.profiles):
                weapons[place : place + 1] = [replace(weapon, profiles=left)] if left else []
                break
        return tuple(weapons)


def _bearer(state: CampaignState, fighter: str, vehicle: str | None) -> Combatant | CombatVehicle | None:
    """The fighter or vehicle that carries a weapon in the battle under way; None without a battle."""
    battle = state.under_way
    if battle is None:
        return None
    return battle.combatants.get(fighter) if vehicle is None else battle.vehicles.get(vehicle)


def _on_bearer(state: CampaignState, fighter: str, vehicle: str | None, **changes: object) -> CampaignState:
    if vehicle is None:
        return on_combatant(state, fighter, **changes)
    return on_combat_vehicle(state, vehicle, **changes)


# --- refusals --------------------------------------------------------------------------------------------


class SituationContradicts(BadInput):
    """{said} does not go with {against}: put one of them right (Shooting)."""

    rules_out = True
    said: str
    against: str


class NotInRulebook(RulesRefuse):
    """{book} has no {what} (Shooting)."""

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


class ModelNamedTwice(BadInput):
    """{model} is named twice where a shot hits each model once: name it once, a vehicle by the one side
    that is hit.
    """

    rules_out = True
    model: str


class NothingShotAt(BadInput):
    """{weapon} is fired at nothing: name a target, or 'point: true' for a Blast weapon."""

    weapon: str


class RangeNotStated(BadInput):
    """Say how far {weapon} fires: range: short, long or beyond (Shooting · 3. Measure Range)."""

    weapon: str


class TargetIsDrawn(RulesRefuse):
    """{weapon} draws no target at random: {why}."""

    weapon: str
    why: str


class NotForShooting(BadInput):
    """{weapon} cannot be fired: its profile has no {missing}. Give it, or another weapon."""

    weapon: str
    missing: str


class ShootsOwnGang(RulesRefuse):
    """{fighter} cannot choose {target} of the same {game.gang} as a target: ranged attacks are made against
    enemies. Friends are hit under a marker, a template or by strays.
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


class NotEligible(RulesRefuse):
    """{target} is {where}, and only what is in the vision arc and in line of sight is shot at (Shooting · 1.
    Assess Target Priority). Name another target, or look at `in_arc` and `in_sight`.
    """

    target: str
    where: str


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

    rules_out = True
    weapon: str
    asked: int
    allowed: int


class NotASidearm(RulesRefuse):
    """{weapon} is no Sidearm, and only two Sidearms are fired together (Shooting · Twin Guns Blazing)."""

    weapon: str


class CrewFiresSidearms(RulesRefuse):
    """{crew} is the crew of a vehicle and fires only Sidearms of their own; {weapon} is not one. If it is the
    vehicle's weapon, write 'from_vehicle' with its id; house rules that allow more: 'arbitrator rules show
    crew.own_weapons'.
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

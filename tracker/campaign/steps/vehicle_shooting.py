"""Vehicles in shooting: as shooter, as target, and in the way.

Vision arc and line of sight, the facing hit, hull-down and Mobile are stated. The attacker is still a
fighter: the crew, or whoever mans the weapon. Source: Core Rulebook (2023) · Shooting; Vehicles · Resolving
Hits on Vehicles.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.nerve import broken_attack
from tracker.campaign.steps.vehicle_control import say_mobile
from tracker.campaign.steps.vehicle_damage import (
    check_choices,
    refuse_fighters_traits,
    strike_vehicle,
)
from tracker.campaign.steps.weapons import WeaponInUse
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda import vehicles as vehicle_rules
from tracker.rules.necromunda.shooting import RangeBand


def is_vehicle(decision: Decision, model: str) -> bool:
    """Whether the id is a vehicle's."""
    return model in decision.state.vehicle_of


def out_of_play(decision: Decision, model: str) -> bool:
    """Whether a fighter is Out of Action, or a vehicle wrecked."""
    battle = decision.battle("a shot")
    if model in battle.vehicles:
        return battle.vehicles[model].wrecked
    return battle.combatants[model].out_of_action


# --- a vehicle that shoots -------------------------------------------------------------------------------


def check_firing_vehicle(decision: Decision, command: records.Shoot) -> None:
    """Refuses a vehicle that cannot shoot, and a fighter who cannot man its weapon."""
    if command.from_vehicle is None:
        return
    card = decision.vehicle(command.from_vehicle)
    condition = decision.combat_vehicle(command.from_vehicle, what="a shot")
    shooter = decision.fighter(command.attacker)
    if shooter.gang != card.gang:
        raise records.WeaponOfAnotherGang(fighter=shooter.name, vehicle=card.name)
    for name in decision.battle("a shot").vehicles:
        other = decision.vehicle(name)
        if other.crew == command.attacker and other.vehicle != card.vehicle:
            raise records.MansAnotherVehicle(fighter=shooter.name, vehicle=card.name, other=other.name)
    if card.crew == command.attacker and condition.driver_blacked_out:
        raise records.DriverUnconscious(vehicle=card.name, what="shoots nothing")
    if condition.blind:
        raise records.BlindMayNotAttack(fighter=card.name)
    if card.crew in decision.battle("a shot").combatants:
        broken_attack(decision, card.crew, reaction=False)
    if command.also is not None:
        raise records.SituationContradicts(
            said="'also'", against="a vehicle's weapon: two Sidearms are a fighter's"
        )


def ballistic_skill(decision: Decision, command: records.Shoot) -> int:
    """The Ballistic Skill of the crew, worsened by its Flesh Wounds, or of the fighter who mans the
    weapon.
    """
    shooter = decision.fighter(command.attacker)
    skill = shooter.characteristics["ballistic_skill"]
    if command.from_vehicle is None or decision.vehicle(command.from_vehicle).crew != command.attacker:
        return skill
    return vehicle_rules.skill_of_driver(
        skill,
        flesh_wounds=decision.combat_vehicle(command.from_vehicle, what="a shot").driver_flesh_wounds,
        worst=decision.rulebook.book.characteristics["ballistic_skill"].worst,
    )


def misfired_on(decision: Decision, command: records.Shoot) -> records.ModelThere:
    """The model under the centre of a misfiring marker: the attacker, or a vehicle with its facing in
    doubt.
    """
    if command.from_vehicle is None:
        return records.ModelThere(fighter=command.attacker)
    mobile = decision.combat_vehicle(command.from_vehicle, what="a misfire").mobile
    return records.ModelThere(
        fighter=command.from_vehicle, vehicle=records.VehicleAttacked(facing="in_doubt", mobile=mobile)
    )


# --- a vehicle that is shot at ---------------------------------------------------------------------------


def check_vehicles(
    decision: Decision,
    command: records.Shoot,
    models: Sequence[records.ModelThere],
    arms: Sequence[WeaponInUse],
) -> None:
    """Refuses impossible statements about vehicles, and settles which of them are Mobile.

    `models` are all models of the command, the target first.
    """
    if command.target is None or not is_vehicle(decision, command.target):
        if command.vehicle is not None:
            name = decision.name_of_model(command.target or command.attacker)
            raise records.FighterNotVehicle(fighter=name)
        if command.hull_down:
            raise records.SituationContradicts(said="hull-down", against="a target that is no vehicle")
    if command.hull_down and command.cover == "partial":
        raise records.SituationContradicts(said="hull-down", against="partial cover")
    in_battle = decision.battle("a shot").vehicles
    for model in models:
        if not is_vehicle(decision, model.fighter):
            if model.vehicle is not None:
                raise records.FighterNotVehicle(fighter=decision.fighter(model.fighter).name)
            if in_battle:
                _refuse_crew_inside(decision, model.fighter)
            continue
        _check_vehicle(decision, command, model, arms)
    if command.from_vehicle is not None:
        own = decision.vehicle(command.from_vehicle).name
        named = (*command.at_risk, *command.under_misfire, *command.under_template)
        if any(model.fighter == command.from_vehicle for model in named):
            raise records.SituationContradicts(said=f"{own} in the way", against=f"{own} shooting")


def check_enemy_vehicle(decision: Decision, attacker: str, target: str) -> None:
    """Refuses a vehicle of the attacker's own side, or one that is not in the battle.

    A wreck may be ignored as the closest target, but need not be. Source: Core Rulebook (2023) · Shooting ·
    1. Assess Target Priority.
    """
    card = decision.vehicle(target)
    if not _is_wreck(decision, target):
        decision.combat_vehicle(target, what="a shot")
    shooter = decision.fighter(attacker)
    if shooter.gang == card.gang:
        raise records.ShootsOwnGang(fighter=shooter.name, target=card.name)


def hull_down(command: records.Shoot) -> Modifiers:
    """The modifier for a vehicle whose facing the attacker cannot see; none beside full cover."""
    return (("hull-down", rules.HULL_DOWN),) if command.hull_down and command.cover == "none" else ()


def strike_model(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    model: records.ModelThere,
    *,
    how: HowHit,
    natural: int | None,
    covered: bool,
    band: RangeBand | None = None,
    first: bool = True,
    last: bool = True,
) -> None:
    """Resolve a ranged hit on a vehicle. A wreck takes no more."""
    if out_of_play(decision, model.fighter):
        why = "Wrecked already, this hit is lost"
        decision.note_rule(model.fighter, why, section="shooting")
        return
    struck = _said_of(command, model)
    assert struck is not None, "what there is to say of a vehicle was checked"
    hit = records.ResolveVehicleHit(
        vehicle=model.fighter,
        facing=struck.facing,
        # As stated before the first die; a hit since may have stopped it.
        mobile=decision.combat_vehicle(model.fighter, what="a hit").mobile,
        attacker=command.attacker,
        weapon=arm.name,
        profile=arm.profile,
        save_cover=model.cover if covered else "none",
        hit_roll=natural,
        keep_location=struck.keep_location,
        keep_damage=struck.keep_damage,
        kept_by=struck.kept_by,
        cannot_be_hit=struck.cannot_be_hit,
        activation=command.activation,
        range_band="long" if band == "beyond" else band,
        without=command.without,
    )
    strike_vehicle(decision, hit, how=how, first=first, last=last)


def _is_wreck(decision: Decision, vehicle: str) -> bool:
    condition = decision.battle("a shot").vehicles.get(vehicle)
    return condition is not None and condition.wrecked


def _said_of(command: records.Shoot, model: records.ModelThere) -> records.VehicleAttacked | None:
    if model.vehicle is None and model.fighter == command.target:
        return command.vehicle
    return model.vehicle


def _check_vehicle(
    decision: Decision, command: records.Shoot, model: records.ModelThere, arms: Sequence[WeaponInUse]
) -> None:
    card = decision.vehicle(model.fighter)
    struck = _said_of(command, model)
    if model.fighter == command.target and _is_wreck(decision, model.fighter):
        if struck is not None and struck.mobile:
            raise records.MobileAndNot(vehicle=card.name, said="Mobile", known="it is Wrecked")
        return  # No hit is resolved against it: the facing is nobody's question.
    decision.combat_vehicle(model.fighter, what="a shot")
    if struck is None:
        raise records.VehicleNotDescribed(vehicle=card.name)
    if model.fighter == command.target and command.vehicle not in (None, struck):
        raise records.SituationContradicts(said=f"{card.name} so", against=f"{card.name} as the target")
    if model.engaged or model.prone is not None or model.save_with != "best":
        raise records.SituationContradicts(
            said="engaged, prone or save_with", against=f"{card.name}, a vehicle"
        )
    check_choices(struck, decision.rulebook.book.vehicles, card.name)
    for arm in arms:
        if not arm.has(rules.SMOKE):
            refuse_fighters_traits(decision, arm.profile.traits, card.name)
    say_mobile(decision, model.fighter, mobile=struck.mobile, what="a shot")


def _refuse_crew_inside(decision: Decision, fighter: str) -> None:
    """Refuses the driver of a vehicle that still runs: the vehicle is the model."""
    for name, now in decision.battle("a shot").vehicles.items():
        card = decision.vehicle(name)
        if card.crew == fighter and not now.wrecked:
            raise records.CrewInsideVehicle(fighter=decision.fighter(fighter).name, vehicle=card.name)

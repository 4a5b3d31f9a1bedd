"""A shot that was fired, and its hit on one fighter: Pinned by the hit, then resolved to its end.

Source: Core Rulebook (2023) · Shooting · Hit Fighters Become Pinned; 5. Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import conditions, resolve_hits, special_rules
from tracker.campaign.steps.after_attack import after_the_attack
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.special_rules import Attack
from tracker.campaign.steps.vehicle_shooting import is_vehicle, strike_model
from tracker.campaign.steps.weapons import WeaponInUse, strength_of
from tracker.records import replace
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda import weapon_traits
from tracker.rules.necromunda.rules_in_force import Situation, SpecialRules
from tracker.rules.necromunda.shooting import RangeBand


def resolve_ranged_hit(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    model: records.ModelThere,
    *,
    how: HowHit,
    natural: int | None,
    save_bonus: int,
    band: RangeBand | None = None,
    first: bool = True,
    last: bool = True,
    ends_attack: bool = False,
) -> bool:
    """One hit. A Standing and Active model is Pinned by it; a model that is out takes no more (G-29).

    A vehicle is never Pinned and takes its hit by the vehicle rules. Returns False if it missed after all:
    the model moved out from under a Blast or Template. With `ends_attack` the effects after the attack
    follow.
    """
    if is_vehicle(decision, model.fighter):
        covered = bool(save_bonus)
        strike_model(
            decision,
            command,
            arm,
            model,
            how=how,
            natural=natural,
            covered=covered,
            band=band,
            first=first,
            last=last,
        )
        return True
    engaged, save_with = model.engaged, model.save_with
    if model.fighter == command.target:
        engaged = engaged or command.engaged
        save_with = command.save_with if save_with == "best" else save_with
    combatant = decision.battle("a shot").combatants[model.fighter]
    if combatant.out_of_action:
        why = "Out of Action already, this hit is lost"
        decision.note_rule(model.fighter, why, section="shooting")
        return True
    traits = weapon_traits.resolving_traits(arm.profile.traits, decision.rulebook)
    standing = not (combatant.pinned or conditions.lies_helpless(decision, combatant))
    acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, model.fighter)
    attack = None
    if acts is not None:
        attack = attack_with(
            decision,
            command,
            arm,
            model,
            acts,
            band=band,
            natural=natural,
            prone=not standing,
            engaged=engaged,
            first=first,
        )
    if special_rules.gets_out_from_under(decision, attack):
        return False
    if standing and not engaged:
        resolve_hits.pin(decision, model.fighter, traits, attack)
    resolve_hits.resolve(
        decision,
        _harm(command, model),
        resolve_hits.HitToResolve(
            strength=strength_of(decision, command.attacker, arm),
            armour_penetration=arm.profile.armour_penetration,
            damage=arm.profile.damage,
            traits=traits,
            hit_roll=natural,
            save_bonus=save_bonus,
            save_with=save_with,
            attack=attack,
            next_in_line=command.next_in_line if model.fighter == command.target else (),
            ends_attack=ends_attack,
        ),
        weapon=arm.name,
        how=how,
    )
    return True


def end_of_attack(
    decision: Decision, command: records.Shoot, arm: WeaponInUse, model: records.ModelThere
) -> None:
    """Apply the effects of traits and skills on a fighter after all hits of an attack on them.

    For a vehicle this is part of its last hit.
    """
    if is_vehicle(decision, model.fighter):
        return
    acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, model.fighter)
    if acts is None or not acts.at("after_attack"):
        return
    attack = attack_with(decision, command, arm, model, acts, band=None, prone=False, engaged=model.engaged)
    after_the_attack(decision, attack, _harm(command, model))


def _harm(command: records.Shoot, model: records.ModelThere) -> Harm:
    return Harm(
        target=model.fighter,
        attacker=command.attacker,
        attack=True,
        activation=command.activation,
        grudge_against=command.grudge_against,
        without=command.without,
        keeps=model.keeps or (command.keeps if model.fighter == command.target else None),
    )


def attack_with(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    model: records.ModelThere,
    acts: SpecialRules,
    *,
    band: RangeBand | None,
    natural: int | None = None,
    prone: bool,
    engaged: bool,
    first: bool = True,
) -> Attack:
    """The special rules of a shot at one fighter."""
    aimed_at = model.fighter == command.target
    behind = command.behind if aimed_at and model.behind is None else model.behind
    situation = replace(
        _situation(command, arm, band=band),
        behind=behind,
        prone=prone,
        engaged=engaged,
        first_hit=first,
        cover=aimed_at and command.cover != "none",
        against_psyker=model.psyker or (aimed_at and command.target_psyker),
        hit_face=natural,
        target_strength=decision.fighter(model.fighter).characteristics["strength"],
    )
    return Attack(
        rules=acts,
        situation=situation,
        attacker=command.attacker,
        target=model.fighter,
        without=command.without,
        slot=arm.slot,
        traits=arm.profile.traits,
        cannot_be_moved=model.cannot_be_moved or (aimed_at and command.cannot_be_moved),
        stays_beneath=model.fighter in command.stays_beneath,
        inspired_by=model.inspired_by or (command.target_inspired_by if aimed_at else None),
    )


def attack_at_no_fighter(
    command: records.Shoot, arm: WeaponInUse, acts: SpecialRules, *, band: RangeBand
) -> Attack:
    """The attacker's special rules in a shot at a vehicle or at a point."""
    return Attack(
        rules=acts,
        situation=_situation(command, arm, band=band),
        attacker=command.attacker,
        target=command.attacker,
        without=command.without,
        slot=arm.slot,
    )


def _situation(command: records.Shoot, arm: WeaponInUse, *, band: RangeBand | None) -> Situation:
    """The situation of a shot, whoever it hits."""
    return Situation(
        band=band,
        any_range_is_short=arm.profile.range_short_inches is None,
        area=arm.has(rules.BLAST) or arm.has(rules.TEMPLATE),
        aiming=any(modifier.why.casefold().startswith("aim") for modifier in command.modifiers),
        melee_weapon=arm.has(rules.MELEE),
        armour_penetration=arm.profile.armour_penetration,
    )


def note_shot(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    *,
    result: records.ShotResult,
    hits: int,
    cause: int = 0,
) -> None:
    """Note that a weapon was fired, and the result."""
    decision.emit(
        records.ShotFired(
            fighter=command.attacker,
            weapon=arm.name,
            profile=arm.profile.name,
            target=command.target,
            result=result,
            hits=hits,
            section=decision.rulebook.section("shooting"),
            vehicle=arm.vehicle,
        ),
        cause=cause,
    )

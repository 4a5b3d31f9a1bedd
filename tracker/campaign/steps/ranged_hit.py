"""A shot that was fired, and its hit on one fighter: Pinned by the hit, then resolved to its end.

Source: Core Rulebook (2023) · Shooting · Hit Fighters Become Pinned; 5. Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import resolve_hits
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.vehicle_shooting import is_vehicle, strike_model
from tracker.campaign.steps.weapons import WeaponInUse, strength_of
from tracker.rules.necromunda import weapon_traits


def resolve_ranged_hit(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    model: records.ModelThere,
    *,
    how: HowHit,
    natural: int | None,
    save_bonus: int,
) -> None:
    """One hit. Whoever is Standing and Active is Pinned by it; whoever is out takes no more (G-29).

    A vehicle is never Pinned, and takes its hit by the rules for vehicles.
    """
    if is_vehicle(decision, model.fighter):
        strike_model(decision, command, arm, model, how=how, natural=natural, covered=bool(save_bonus))
        return
    engaged, save_with = model.engaged, model.save_with
    if model.fighter == command.target:
        engaged = engaged or command.engaged
        save_with = command.save_with if save_with == "best" else save_with
    combatant = decision.battle("a shot").combatants[model.fighter]
    if combatant.out_of_action:
        why = "Out of Action already, this hit is lost"
        decision.note_rule(model.fighter, why, section="shooting")
        return
    traits = weapon_traits.resolving_traits(arm.profile.traits, decision.rulebook)
    standing = not (combatant.pinned or combatant.seriously_injured)
    if standing and not engaged and all(trait.pins for trait in traits):
        decision.emit(records.FighterPinned(fighter=model.fighter))
    resolve_hits.resolve(
        decision,
        Harm(
            target=model.fighter,
            attacker=command.attacker,
            attack=True,
            activation=command.activation,
            grudge_against=command.grudge_against,
        ),
        resolve_hits.HitToResolve(
            strength=strength_of(decision, command.attacker, arm),
            armour_penetration=arm.profile.armour_penetration,
            damage=arm.profile.damage,
            traits=traits,
            hit_roll=natural,
            save_bonus=save_bonus,
            save_with=save_with,
        ),
        weapon=arm.name,
        how=how,
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
    """Note that a weapon was fired, and what came of it."""
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

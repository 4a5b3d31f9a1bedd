"""Hits recorded by themselves: who was hit with what. The consequences: `resolve_hits.py`.

Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.steps import (
    after_attack,
    conditions,
    injury_dice,
    inspirational,
    resolve_hits,
    special_rules,
    warded_hit,
)
from tracker.campaign.steps import save_roll as save_roll_rules
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.nerve import broken_attack
from tracker.campaign.steps.weapons import check_strength, profile_of_hit, strength_with
from tracker.rules.necromunda import save_roll, shooting, weapon_traits
from tracker.rules.necromunda.rules_in_force import Situation


@handles(records.ResolveHit)
def resolve_hit(decision: Decision, command: records.ResolveHit) -> None:
    """Resolve one hit of a weapon, from the wound roll on."""
    harm = _harm_of(command)
    check_fighters(decision, harm, what="a hit", reaction=command.reaction)
    inspirational.check(decision, command.target, command.inspired_by)
    profile = profile_of_hit(decision, command)
    strength = strength_with(decision, profile, command.attacker, called=command.weapon)
    traits = weapon_traits.resolving_traits(profile.traits, decision.rulebook)
    called = profile.name or command.weapon or "This weapon"
    check_strength(decision, profile.traits, strength=strength, called=called)
    attack = _attack_of(decision, command, profile)
    if special_rules.gets_out_from_under(decision, attack):
        return
    if attack is not None:
        attack = warded_hit.warded(decision, command, attack)
        if attack is None:
            return
    hit = resolve_hits.HitToResolve(
        strength=strength,
        armour_penetration=profile.armour_penetration,
        damage=profile.damage,
        traits=traits,
        hit_roll=command.hit_roll if attack is None else attack.situation.hit_face,
        save_bonus=save_roll.save_bonus_from_cover(command.save_cover),
        save_with=command.save_with,
        attack=attack,
    )
    how: HowHit = "close_combat" if command.in_close_combat else "hit"
    resolve_hits.resolve(decision, harm, hit, weapon=command.weapon or profile.name or None, how=how)
    if attack is not None:
        after_attack.after_the_attack(decision, attack, harm)


def _attack_of(
    decision: Decision, command: records.ResolveHit, profile: WeaponProfile
) -> special_rules.Attack | None:
    """The special rules of a hit that is recorded by itself; None if none are in effect."""
    acts = special_rules.rules_between(decision, profile.traits, command.attacker, command.target)
    if acts is None:
        return None
    now = decision.combatant(command.target, what="a hit")
    area = any(shooting.has_trait(profile.traits, trait) for trait in (shooting.BLAST, shooting.TEMPLATE))
    return special_rules.Attack(
        rules=acts,
        situation=Situation(
            attack=command.attack,
            melee=command.in_close_combat,
            band=command.range_band,
            any_range_is_short=profile.range_short_inches is None,
            area=area,
            behind=command.behind,
            prone=now.pinned or conditions.lies_helpless(decision, now),
            cover=command.save_cover != "none",
            against_psyker=command.target_psyker,
            melee_weapon=shooting.has_trait(profile.traits, shooting.MELEE),
            armour_penetration=profile.armour_penetration,
            hit_face=command.hit_roll,
            target_strength=decision.fighter(command.target).characteristics["strength"],
        ),
        attacker=command.attacker,
        target=command.target,
        without=command.without,
        cannot_be_moved=command.cannot_be_moved,
        stays_beneath=command.stays_beneath,
        inspired_by=command.inspired_by,
    )


@handles(records.RollInjuryDice)
def roll_injury_dice(decision: Decision, command: records.RollInjuryDice) -> None:
    """Injury dice for any reason: a save first if one is allowed, then every die. No Wound is lost.

    Source: Core Rulebook (2023) · Resolve Hits · Damage '-' Weapons.
    """
    harm = _harm_of(command)
    check_fighters(decision, harm, what="an Injury roll", reaction=command.reaction)
    saved = save_roll_rules.make_save(
        decision,
        harm,
        allowed="none" if command.save_with == "none" else "any",
        armour_penetration=command.armour_penetration,
        save_bonus=0,
        save_with=command.save_with,
        cause=0,
        why_no_save=None,
    )
    if not saved:
        injury_dice.roll_injuries(decision, harm, dice=command.injury_dice, cause=0)


@handles(records.StateOutcome)
def state_outcome(decision: Decision, command: records.StateOutcome) -> None:
    """A fighter's fate as the notes state it. From there on the same rules apply as after dice."""
    harm = _harm_of(command)
    check_fighters(decision, harm, what="an injury", reaction=command.reaction and not command.coup_de_grace)
    if command.outcome == "out_of_action":
        reason: records.OutOfActionReason = "coup_de_grace" if command.coup_de_grace else "stated"
        dice = 0 if command.coup_de_grace else command.out_of_action_dice
        injury_dice.go_out_of_action(decision, harm, reason=reason, out_of_action_dice=dice, cause=0)
        return
    symbol = "serious_injury" if command.outcome == "serious_injury" else "flesh_wound"
    injury_dice.apply_injuries(decision, harm, (symbol,), cause=0)


def _harm_of(command: records.ResolveHit | records.RollInjuryDice | records.StateOutcome) -> Harm:
    return Harm(
        target=command.target,
        attacker=command.attacker,
        attack=command.attack,
        in_close_combat=command.in_close_combat,
        activation=command.activation,
        grudge_against=command.grudge_against,
        without=command.without if isinstance(command, records.ResolveHit) else (),
        keeps=None if isinstance(command, records.StateOutcome) else command.keeps,
    )


def check_fighters(decision: Decision, harm: Harm, *, what: str, reaction: bool = False) -> None:
    decision.battle(what)
    if harm.attacker is not None:
        attacker = decision.fighter(harm.attacker)
        if harm.attacker == harm.target:
            raise records.TargetsSelf(fighter=attacker.name)
        decision.combatant(harm.attacker, what=what)
        if harm.attack:
            broken_attack(decision, harm.attacker, reaction=reaction)
    decision.combatant(harm.target, what=what)
    if harm.grudge_against is not None:
        decision.gang(harm.grudge_against)

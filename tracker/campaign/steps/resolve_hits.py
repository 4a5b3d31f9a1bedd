"""Resolve Hits: the effect of a hit on a fighter, from the wound roll on.

Dice are asked for in the order of the table: wound, save, injury, lasting injury. Every chapter that scores
hits ends here. Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import conditions, special_rules
from tracker.campaign.steps.after_attack import after_the_attack
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.injury_dice import roll_injuries
from tracker.campaign.steps.save_roll import make_save
from tracker.campaign.steps.special_rules import Attack
from tracker.campaign.steps.weapons import note_no_strength
from tracker.records import Record, replace
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.necromunda import injury_dice, save_roll
from tracker.rules.necromunda import wound_roll as rules
from tracker.rules.necromunda.rules_in_force import LATER_READINGS, REST_OF_THE_BOOK
from tracker.rules.special_rules import HitsNext


class HitToResolve(Record):
    """The numbers of a hit that struck. `hit_roll` is the natural die, if a trait needs it; `attack` holds
    its special rules, None if none are in effect.
    """

    strength: int
    armour_penetration: int
    damage: int | None
    traits: tuple[WeaponTrait, ...] = ()
    hit_roll: int | None = None
    save_bonus: int = 0
    save_with: records.SaveWith = "best"
    attack: Attack | None = None
    next_in_line: tuple[records.ModelThere, ...] = ()
    ends_attack: bool = False
    """Whether what follows the attack on this target follows this hit."""


def pin(decision: Decision, fighter: str, traits: tuple[WeaponTrait, ...], attack: Attack | None) -> None:
    """A ranged hit pins a Standing and Active fighter, unless a trait or a skill prevents it."""
    if traits and not all(trait.pins for trait in traits):
        return
    if conditions.sits_in_saddle(decision, fighter):
        return
    if attack is None or not special_rules.stays_up(decision, attack):
        decision.emit(records.FighterPinned(fighter=fighter))


def resolve(decision: Decision, harm: Harm, hit: HitToResolve, *, weapon: str | None, how: HowHit) -> None:
    """Resolve one hit, from the wound roll on. Callers read the result from the state."""
    decision.note_hit(
        harm.target,
        by=harm.attacker,
        weapon=weapon,
        how=how,
        strength=hit.strength,
        armour_penetration=hit.armour_penetration,
        damage=hit.damage,
    )
    decision.independent(_resolve, harm, hit)


def resolve_without_weapon(decision: Decision, harm: Harm, hit: HitToResolve, *, how: HowHit) -> None:
    """Resolve one hit without a weapon, such as that of a fall.

    The target's own rules are in effect: a table's own row may need no attack.
    """
    if decision.plays_by(LATER_READINGS):
        hit = replace(hit, attack=special_rules.attack_by_nobody(decision, harm))
    resolve(decision, harm, hit, weapon=None, how=how)


def _resolve(decision: Decision, harm: Harm, hit: HitToResolve) -> None:
    went_on = _strike(decision, harm, hit)
    if hit.ends_attack and hit.attack is not None:
        situation = replace(hit.attack.situation, hit_last=not went_on)
        after_the_attack(decision, replace(hit.attack, situation=situation), harm)


def _strike(decision: Decision, harm: Harm, hit: HitToResolve) -> bool:
    """Resolve one hit. Returns whether it went on and hit somebody else."""
    attack = hit.attack
    if attack is None:
        wound_face, wounded, cause = _roll_to_wound(decision, harm, hit)
        if wounded:
            _wounded(decision, harm, hit, wound_face=wound_face, cause=cause)
        return False
    struck = special_rules.on_the_hit(decision, attack, hit.damage, hit.strength)
    if struck is None:
        return False
    hit = replace(
        hit,
        attack=struck.attack,
        damage=struck.damage,
        strength=struck.strength,
        armour_penetration=hit.armour_penetration + struck.armour_penetration,
    )
    instead = special_rules.in_place_of_wound_roll(decision, struck.attack)
    unsaved = False
    if instead.wounds:
        unsaved = _wounded(decision, harm, hit, wound_face=None, cause=instead.cause)
    elif not instead.over and hit.strength < 1 and _wounds_by_strength(hit):
        note_no_strength(decision, harm.target)
    elif not instead.over:
        unsaved = _roll_to_wound_so_often(decision, harm, hit, instead.rolls)
    return unsaved and bool(hit.next_in_line) and _go_on(decision, harm, hit, struck.attack)


def _wounds_by_strength(hit: HitToResolve) -> bool:
    return all(trait.wound_roll == "by_strength" for trait in hit.traits)


def _roll_to_wound_so_often(decision: Decision, harm: Harm, hit: HitToResolve, rolls: int) -> bool:
    """Resolve each of several wound rolls before the next, until the model is out.

    Returns whether any of them wounded and was not saved.
    """
    unsaved = False
    for nth in range(rolls):
        if nth:
            decision.merge_point("wound rolls", rolls - nth, hit, unsaved)
            if decision.battle("a hit").combatants[harm.target].out_of_action:
                break
        wound_face, wounded, cause = _roll_to_wound(decision, harm, hit)
        if wounded and _wounded(decision, harm, hit, wound_face=wound_face, cause=cause):
            unsaved = True
    return unsaved


def _go_on(decision: Decision, harm: Harm, hit: HitToResolve, attack: Attack) -> bool:
    """The attack goes on to the next model in the line that is still in the battle, weakened.

    Returns whether there is one.
    """
    went_on = False
    combatants = decision.battle("a hit").combatants
    line = [model for model in hit.next_in_line if model.fighter in combatants]
    line = [model for model in line if not combatants[model.fighter].out_of_action]
    for acts in special_rules.acting(decision, attack, "unsaved"):
        strength = hit.strength + (acts.effect.strength if isinstance(acts.effect, HitsNext) else 0)
        if not line or strength < 1:
            return went_on
        model, now = line[0], combatants[line[0].fighter]
        rules_there = special_rules.rules_between(decision, attack.traits, attack.attacker, model.fighter)
        standing = not (now.pinned or conditions.lies_helpless(decision, now))
        there = None
        if rules_there is not None:
            situation = replace(
                attack.situation,
                behind=model.behind,
                prone=not standing,
                engaged=model.engaged,
                cover=False,
                against_psyker=model.psyker,
                target_strength=decision.fighter(model.fighter).characteristics["strength"],
            )
            there = replace(attack, rules=rules_there, target=model.fighter, situation=situation)
        if standing and not model.engaged:
            pin(decision, model.fighter, hit.traits, there)
        further = replace(
            hit,
            strength=strength,
            attack=there,
            save_with=model.save_with,
            next_in_line=tuple(line[1:]),
            ends_attack=decision.plays_by(REST_OF_THE_BOOK),
        )
        _resolve(decision, replace(harm, target=model.fighter, keeps=model.keeps), further)
        went_on = True
    return went_on


def _wounded(
    decision: Decision, harm: Harm, hit: HitToResolve, *, wound_face: int | None, cause: int
) -> bool:
    """Resolve a wound: effects that void it, the save, then the Damage or its replacement.

    Returns whether nothing saved.
    """
    traits, attack = hit.traits, hit.attack
    on_wound = next((trait.on_wound for trait in traits if trait.on_wound != "damage"), "damage")
    if attack is not None:
        situation = replace(attack.situation, wound_face=wound_face)
        attack = replace(attack, situation=situation)
        rolled_to_wound = on_wound != "injury_die" or decision.rulebook.knob("dodge.injury_roll") == "dodged"
        if rolled_to_wound and special_rules.is_ignored(decision, attack, cause=cause):
            return False
    if on_wound == "webbed":
        decision.emit(records.FighterWebbed(fighter=harm.target, by=harm.attacker), cause=cause)
        return True
    saved = make_save(
        decision,
        harm,
        allowed=save_roll.saves_allowed(traits, hit_face=hit.hit_roll, wound_face=wound_face),
        armour_penetration=hit.armour_penetration,
        save_bonus=hit.save_bonus,
        save_with=hit.save_with,
        cause=cause,
        why_no_save=", ".join(trait.trait for trait in traits) or None,
        attack=attack,
    )
    if saved:
        return False
    if on_wound == "injury_die":
        roll_injuries(decision, harm, dice=1, cause=cause, attack=attack)
        return True
    if hit.damage is None:
        why = "Damage '-' takes no Wounds, and nothing of this weapon causes an Injury roll"
        decision.note_rule(harm.target, why, section="damage_dash", cause=cause)
        return True
    damage = hit.damage
    if hit.hit_roll == 6:
        damage += sum(trait.on_natural_6_to_hit.extra_damage for trait in traits)
    damage = special_rules.damage_of(decision, attack, damage, cause=cause)
    _inflict_damage(decision, harm, damage=damage, cause=cause, attack=attack)
    return True


def _roll_to_wound(decision: Decision, harm: Harm, hit: HitToResolve) -> tuple[int, bool, int]:
    strength, toughness = hit.strength, decision.current_toughness(harm.target)
    if hit.attack is not None:
        toughness += hit.attack.toughness
    by_toughness = bool(hit.traits) and any(trait.wound_roll == "by_toughness" for trait in hit.traits)
    # Gas and Toxin must reach the Toughness itself; a natural 6 always does.
    target = (
        min(toughness, 6)
        if by_toughness
        else rules.wound_threshold(strength=strength, toughness=toughness, rulebook=decision.rulebook)
    )
    against = (
        f"Toughness {toughness}" if by_toughness else f"Strength {strength} against Toughness {toughness}"
    )
    die = decision.tray.d6("wound", why=f"wound roll, {against}, needs {target}+", fighter=harm.target)
    wounded = die.face >= target
    rolled = decision.roll(
        die,
        outcome=f"{against}: {'wounds' if wounded else 'no wound'}",
        section="wound_roll",
        rolled_by=opponent(decision, harm),
        target=target,
        passed=wounded,
    )
    return die.face, wounded, rolled


def _inflict_damage(
    decision: Decision, harm: Harm, *, damage: int, cause: int, attack: Attack | None
) -> None:
    combatant = decision.combatant(harm.target, what="damage")
    lost = min(damage, combatant.wounds_left)
    if lost:
        cause = decision.emit(
            records.WoundsLost(
                fighter=harm.target,
                by=harm.attacker,
                wounds_lost=lost,
                wounds_left=combatant.wounds_left - lost,
            ),
            cause=cause,
        )
    dice = injury_dice.injury_dice_from_damage(
        wounds_left=combatant.wounds_left, damage=damage, rulebook=decision.rulebook
    )
    if dice:
        roll_injuries(decision, harm, dice=dice, cause=cause, attack=attack, damage=damage)

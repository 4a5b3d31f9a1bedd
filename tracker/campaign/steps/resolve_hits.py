"""Resolve Hits: what a hit does to a fighter, from the wound roll on.

The order of asking for dice is the order at the table: wound, save, injury, lasting injury. Every chapter
that scores hits ends here. Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.injury_dice import roll_injuries
from tracker.campaign.steps.save_roll import make_save
from tracker.dice import Die
from tracker.rules.combat_tables import Saves, WeaponTrait
from tracker.rules.necromunda import injury_dice, save_roll
from tracker.rules.necromunda import wound_roll as rules


def resolve(
    decision: Decision,
    harm: Harm,
    *,
    strength: int,
    armour_penetration: int,
    damage: int | None,
    traits: tuple[WeaponTrait, ...],
    hit_roll: int | None,
    save_bonus: int,
    save_with: records.SaveWith,
) -> None:
    """One hit, from the wound roll on. Callers learn what came of it from the state alone."""
    decision.independent(
        _resolve,
        harm,
        strength=strength,
        armour_penetration=armour_penetration,
        damage=damage,
        traits=traits,
        hit_roll=hit_roll,
        save_bonus=save_bonus,
        save_with=save_with,
    )


def _resolve(
    decision: Decision,
    harm: Harm,
    *,
    strength: int,
    armour_penetration: int,
    damage: int | None,
    traits: tuple[WeaponTrait, ...],
    hit_roll: int | None,
    save_bonus: int,
    save_with: records.SaveWith,
) -> None:
    wound, wounded, cause = _roll_to_wound(decision, harm, strength=strength, traits=traits)
    if not wounded:
        return
    on_wound = next((trait.on_wound for trait in traits if trait.on_wound != "damage"), "damage")
    if on_wound == "webbed":
        decision.emit(records.FighterWebbed(fighter=harm.target, by=harm.attacker), cause=cause)
        return
    named = [trait.trait for trait in traits]
    saved = make_save(
        decision,
        harm,
        allowed=_saves_allowed(traits, hit_roll, wound) if traits else "any",
        armour_penetration=armour_penetration,
        save_bonus=save_bonus,
        save_with=save_with,
        cause=cause,
        why_no_save=", ".join(named) or None,
    )
    if saved:
        return
    if on_wound == "injury_die":
        roll_injuries(decision, harm, dice=1, cause=cause)
        return
    if damage is None:
        why = "Damage '-' takes no Wounds, and nothing of this weapon causes an Injury roll"
        decision.note_rule(harm.target, why, section="damage_dash", cause=cause)
        return
    if hit_roll == 6:
        damage += sum(trait.on_natural_6_to_hit.extra_damage for trait in traits)
    _inflict_damage(decision, harm, damage=damage, cause=cause)


def _roll_to_wound(
    decision: Decision, harm: Harm, *, strength: int, traits: tuple[WeaponTrait, ...]
) -> tuple[Die, bool, int]:
    toughness = decision.current_toughness(harm.target)
    by_toughness = any(trait.wound_roll == "by_toughness" for trait in traits)
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
    return die, wounded, rolled


def _saves_allowed(traits: tuple[WeaponTrait, ...], hit_roll: int | None, wound: Die) -> Saves:
    return save_roll.strictest_saves(
        *(trait.saves for trait in traits),
        *(trait.on_natural_6_to_hit.saves for trait in traits if hit_roll == 6),
        *(trait.on_natural_6_to_wound.saves for trait in traits if wound.face == 6),
    )


def _inflict_damage(decision: Decision, harm: Harm, *, damage: int, cause: int) -> None:
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
        roll_injuries(decision, harm, dice=dice, cause=cause)

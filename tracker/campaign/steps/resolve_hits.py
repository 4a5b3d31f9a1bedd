"""Resolve Hits: what a hit does to a fighter, from the wound roll on.

The order of asking for dice is the order at the table: wound, save, injury, lasting injury. Every chapter
that scores hits ends here. Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.injury_dice import roll_injuries
from tracker.campaign.steps.save_roll import make_save
from tracker.dice import Die
from tracker.records import Record
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.necromunda import injury_dice, save_roll
from tracker.rules.necromunda import wound_roll as rules


class HitToResolve(Record):
    """The numbers of a hit that struck. `hit_roll` is the natural die, where a trait asks for it."""

    strength: int
    armour_penetration: int
    damage: int | None
    traits: tuple[WeaponTrait, ...] = ()
    hit_roll: int | None = None
    save_bonus: int = 0
    save_with: records.SaveWith = "best"


def resolve(decision: Decision, harm: Harm, hit: HitToResolve, *, weapon: str | None, how: HowHit) -> None:
    """One hit, from the wound roll on. Callers learn what came of it from the state alone."""
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


def _resolve(decision: Decision, harm: Harm, hit: HitToResolve) -> None:
    traits = hit.traits
    wound, wounded, cause = _roll_to_wound(decision, harm, hit)
    if not wounded:
        return
    on_wound = next((trait.on_wound for trait in traits if trait.on_wound != "damage"), "damage")
    if on_wound == "webbed":
        decision.emit(records.FighterWebbed(fighter=harm.target, by=harm.attacker), cause=cause)
        return
    saved = make_save(
        decision,
        harm,
        allowed=save_roll.saves_allowed(traits, hit_face=hit.hit_roll, wound_face=wound.face),
        armour_penetration=hit.armour_penetration,
        save_bonus=hit.save_bonus,
        save_with=hit.save_with,
        cause=cause,
        why_no_save=", ".join(trait.trait for trait in traits) or None,
    )
    if saved:
        return
    if on_wound == "injury_die":
        roll_injuries(decision, harm, dice=1, cause=cause)
        return
    if hit.damage is None:
        why = "Damage '-' takes no Wounds, and nothing of this weapon causes an Injury roll"
        decision.note_rule(harm.target, why, section="damage_dash", cause=cause)
        return
    damage = hit.damage
    if hit.hit_roll == 6:
        damage += sum(trait.on_natural_6_to_hit.extra_damage for trait in traits)
    _inflict_damage(decision, harm, damage=damage, cause=cause)


def _roll_to_wound(decision: Decision, harm: Harm, hit: HitToResolve) -> tuple[Die, bool, int]:
    strength, toughness = hit.strength, decision.current_toughness(harm.target)
    by_toughness = any(trait.wound_roll == "by_toughness" for trait in hit.traits)
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

"""Special rules of hits on vehicles: the effects of traits, and of the skills on both sides.

The rows and triggers are those for fighters (`special_rules.py`), limited to rules that apply to vehicles. A
vehicle has the skills of its driver while that fighter is awake. Source: Core Rulebook (2023) · Weapon
Traits; Skills.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import special_rules as attacks
from tracker.campaign.steps import vehicle_control
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.effect_words import words_for
from tracker.campaign.steps.special_rules import Attack, acting, inflict, section_of
from tracker.records import replace
from tracker.rules import special_rules as rules
from tracker.rules.necromunda import shooting
from tracker.rules.necromunda.rules_in_force import (
    LATER_READINGS,
    Situation,
    SpecialRules,
    special_rules,
)

SINCE: Final = 2
"""The stage of the rules from which on traits and skills act on vehicles (ADR 29)."""


def rules_on_vehicle(
    decision: Decision, traits: tuple[str, ...], attacker: str | None, card: Vehicle
) -> SpecialRules | None:
    """The special rules of a hit on a vehicle; None if there are none, as in older battles."""
    battle = decision.battle("a hit")
    if battle.whole_book is None or battle.whole_book < SINCE:
        return None
    shooter = decision.card(attacker) if attacker is not None else None
    skills = shooter.skills if shooter is not None else ()
    awake = card.crew in battle.combatants and not battle.vehicles[card.vehicle].driver_blacked_out
    driven = decision.fighter(card.crew).skills if awake else ()
    if not (traits or skills or driven):
        return None
    return special_rules(
        decision.rulebook.book,
        traits=traits,
        skills=skills,
        against_skills=driven,
        against_traits=(),
        stage=battle.whole_book,
        against="vehicle",
    )


def acts_on_vehicle(
    decision: Decision,
    command: records.ResolveVehicleHit,
    profile: WeaponProfile,
    *,
    facing_toughness: int,
    first: bool,
    fought: Situation | None = None,
) -> Attack | None:
    """The special rules and the situation of a hit on a vehicle; None if no rule is in effect.

    `fought` holds a fight's facts about the hit, such as a Charge; None for other hits.
    """
    card = decision.vehicle(command.vehicle)
    acts = rules_on_vehicle(decision, profile.traits, command.attacker, card)
    if acts is None:
        return None
    area = any(shooting.has_trait(profile.traits, trait) for trait in (shooting.BLAST, shooting.TEMPLATE))
    return Attack(
        rules=acts,
        situation=replace(
            fought or Situation(),
            attack=command.attack,
            melee=command.in_close_combat,
            band=command.range_band,
            any_range_is_short=profile.range_short_inches is None,
            area=area,
            first_hit=first,
            engaged=False,  # A vehicle never is.
            melee_weapon=shooting.has_trait(profile.traits, shooting.MELEE),
            armour_penetration=profile.armour_penetration,
            hit_face=command.hit_roll,
        ),
        attacker=command.attacker,
        target=command.vehicle,
        without=command.without,
        facing_toughness=facing_toughness,
        user=card.crew,
    )


def on_the_hit(decision: Decision, attack: Attack, strength: int) -> int | None:
    """The Strength of a hit after the effects on it, before the wound roll; None if the hit is ignored.

    Effects that move a model, or change its Toughness or the AP, apply to fighters alone (G-83).
    """
    for acts in acting(decision, attack, "hit"):
        match acts.effect:
            case rules.NoFurtherEffect():
                return None
            case rules.ChangesStrength(by=by) if decision.plays_by(LATER_READINGS):
                attacks.note(decision, attack, acts, words_for(acts.rule.declared))
                strength = attacks.at_least_1(strength, by)
            case rules.ChangesStrength(by=by):
                strength += by
            case rules.Inflicts():
                inflict(decision, attack, acts, acts.effect)
            case _:
                pass
    return strength


def _driven(decision: Decision, card: Vehicle, without: tuple[str, ...]) -> Attack | None:
    """The driver's skills for a vehicle that nobody attacks; None if none are in effect."""
    driving = rules_on_vehicle(decision, (), None, card)
    if driving is None:
        return None
    return Attack(
        rules=driving,
        situation=Situation(attack=False),
        attacker=None,
        target=card.vehicle,
        without=without,
        user=card.crew,
    )


def impact_on(decision: Decision, card: Vehicle, facing_toughness: int) -> Attack | None:
    """The driver's skills for a collision or a fall; None if none are in effect, as in older battles."""
    driven = _driven(decision, card, ()) if decision.plays_by(LATER_READINGS) else None
    if driven is None:
        return None
    situation = replace(driven.situation, by_nobody=True)
    return replace(driven, facing_toughness=facing_toughness, situation=situation)


def may_move_further(decision: Decision, card: Vehicle) -> bool:
    """Whether a skill of the driver lets a vehicle move further by a die, used in this round or not."""
    driven = _driven(decision, card, ())
    found = driven.rules.at("vehicle_moves") if driven is not None else ()
    return any(isinstance(rule.declared.then, rules.MovesFurther) for rule in found)


def moves_further(decision: Decision, card: Vehicle) -> Iterator[tuple[str, rules.MovesFurther, str]]:
    """The rule that lets a vehicle move further by a die: its name, effect and section."""
    for acts in acting(decision, _driven(decision, card, ()), "vehicle_moves"):
        if isinstance(acts.effect, rules.MovesFurther):
            yield acts.rule.name, acts.effect, section_of(acts.rule)


def hardens_front(
    decision: Decision, card: Vehicle, without: tuple[str, ...]
) -> Iterator[tuple[str, str, int]]:
    """The rule that adds a die to the Front Toughness head-on: its name, section and cause."""
    for acts in acting(decision, _driven(decision, card, without), "head_on"):
        yield acts.rule.name, section_of(acts.rule), acts.cause


def more_damage_dice(decision: Decision, attack: Attack | None, *, cause: int) -> int:
    """How many Damage dice the rules add to those that were rolled."""
    dice = 0
    for acts in acting(decision, attack, "injured", cause):
        if isinstance(acts.effect, rules.ChangesDamage):
            dice += acts.effect.by
    return dice


def after_the_attack(decision: Decision, accident: vehicle_control.VehicleAccident, attack: Attack) -> None:
    """Apply the effects on a vehicle after all hits of an attack, unless it is a wreck."""
    if decision.battle("an attack").vehicles[accident.vehicle].wrecked:
        return
    for acts in acting(decision, attack, "after_attack"):
        match acts.effect:
            case rules.Inflicts():
                inflict(decision, attack, acts, acts.effect)
            case rules.TestsControl():
                vehicle_control.loss_of_control(decision, accident, modifier=0, cause=acts.cause)
                vehicle_control.wreck(decision, accident, cause=len(decision.events))
            case _:
                pass  # It acts on fighters alone (G-83).

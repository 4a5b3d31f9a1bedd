"""After an attack: the effects of traits and skills once every hit on a model is resolved."""

from __future__ import annotations

from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.injury_dice import apply_injuries
from tracker.campaign.steps.special_rules import Attack, acting, bearer_of, inflict, section_of
from tracker.rules import special_rules as rules


def after_the_attack(decision: Decision, attack: Attack, harm: Harm) -> None:
    """Apply the effects on one model after all hits of an attack, if it is still in the battle."""
    if decision.battle("an attack").combatants[attack.target].out_of_action:
        return
    for acts in acting(decision, attack, "after_attack"):
        match acts.effect:
            case rules.MoreFleshWounds():
                apply_injuries(decision, harm, ("flesh_wound",), cause=acts.cause)
            case rules.Inflicts():
                inflict(decision, attack, acts, acts.effect)
            case rules.DraggedAlong(purpose=purpose):
                die = decision.tray.d3(purpose, why=f"{acts.rule.name}, inches", fighter=attack.target)
                decision.roll(
                    die,
                    outcome=f'{acts.rule.name}: {die.face}" towards the attacker',
                    section=section_of(acts.rule),
                    rolled_by=decision.fighter(bearer_of(attack, acts.rule)).gang,
                    cause=acts.cause,
                )
            case _:
                raise AssertionError(f"{acts.effect.kind} does not act after an attack")

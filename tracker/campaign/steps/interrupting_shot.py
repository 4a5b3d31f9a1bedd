"""A shot that interrupts an enemy's action, and a shot whose target is drawn at random.

Source: Core Rulebook (2023) · Skills · Overwatch; Weapon Traits · Reckless.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps import conditions, special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.random_fighter import draw_fighter
from tracker.campaign.steps.weapons import WeaponInUse
from tracker.records import replace
from tracker.rules.necromunda import shooting as rules
from tracker.rules.special_rules import SpreadsHits

OVERWATCH = "overwatch"


def draw_target(decision: Decision, command: records.Shoot, arms: Sequence[WeaponInUse]) -> records.Shoot:
    """The shot with its target drawn by dice among all eligible models, unless the table's draw is stated."""
    if not command.drawn_among:
        return command
    arm = arms[0]
    acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, None)
    before = acts.at("target_priority") if acts is not None else ()
    rule = next((rule for rule in before if isinstance(rule.declared.then, SpreadsHits)), None)
    why = "" if rule is not None else "no trait of it does so in this battle"
    if command.target is not None:
        why = "its target is stated"
    elif arm.has(rules.TEMPLATE):
        why = "it is a Template"
    if why or rule is None:
        raise records.TargetIsDrawn(weapon=arm.shown, why=why)
    names = [model.fighter for model in command.drawn_among]
    for place, name in enumerate(names):
        decision.combatant(name, what="a shot")
        if name == command.attacker:
            raise records.TargetsSelf(fighter=decision.fighter(name).name)
        if name in names[:place]:
            raise records.FighterListedTwice(fighter=decision.fighter(name).name)
    drawn, _ = draw_fighter(
        decision,
        tuple(names),
        stated=None,
        what=f"the target of {arm.shown}, {rule.name}",
        section=special_rules.section_of(rule),
        cause=0,
    )
    model = command.drawn_among[names.index(drawn)]
    return replace(
        command,
        target=drawn,
        range_band=model.range_band or command.range_band,
        cover=model.cover or command.cover,
        engaged=model.engaged,
        prone=model.prone,
    )


def check_interrupting(decision: Decision, command: records.Shoot, arms: Sequence[WeaponInUse]) -> None:
    """Refuses a shooter who is not standing, and a weapon that no Basic action fires."""
    now = decision.combatant(command.attacker, what="a shot")
    if now.pinned:
        name = decision.fighter(command.attacker).name
        raise records.MayNotActSo(fighter=name, condition="Pinned", action="Overwatch")
    for arm in arms:
        if arm.has(rules.UNWIELDY) and decision.rulebook.knob("unwieldy.basic_action") == "refused":
            raise records.UnwieldyNeedsDouble(weapon=arm.shown)


def is_down(decision: Decision, fighter: str | None) -> bool:
    """Whether a fighter is Prone or out of the battle; False for None and for vehicles."""
    now = decision.battle("a shot").combatants.get(fighter or "")
    return now is not None and (now.pinned or now.out_of_action or conditions.lies_helpless(decision, now))


def end_interrupted(decision: Decision, command: records.Shoot, *, was_down: bool) -> None:
    """Note that the target, pinned or injured by the shot, does not make the interrupted action."""
    if command.target is not None and is_down(decision, command.target) and not was_down:
        why = "Overwatch: the action is not made, and the activation ends"
        decision.note_rule(command.target, why, section="skills")

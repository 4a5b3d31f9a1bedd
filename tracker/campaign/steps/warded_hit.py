"""A close combat hit recorded by itself, which its target may still parry or step aside from.

Without `hit_needs` both are over. With it the dice fall in the order of a Fight: Parry, then Step Aside.
Source: Core Rulebook (2023) · Weapon Traits · Parry; Skills · Step Aside.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import fight_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.special_rules import Attack
from tracker.records import replace
from tracker.rules.necromunda.rules_in_force import REST_OF_THE_BOOK


def warded(decision: Decision, command: records.ResolveHit, attack: Attack | None) -> Attack | None:
    """The attack with the die that counts, if it still hits; None if it is warded off.

    Nothing wards off a hit that is no attack, or one of an older battle (ADR 29).
    """
    if attack is None or attack.attacker is None:
        return attack
    stated = command.hit_needs is not None and command.attack and command.in_close_combat
    if not stated or not decision.plays_by(REST_OF_THE_BOOK):
        return attack
    if decision.fighter(attack.attacker).gang == decision.fighter(attack.target).gang:
        return attack
    parried = _parried(decision, command, attack)
    missed = parried is None or fight_rules.steps_aside(decision, parried, cause=0)
    return None if missed else parried


def _parried(decision: Decision, command: records.ResolveHit, attack: Attack) -> Attack | None:
    """The Hit roll repeated, if the target parries, against the number stated."""
    assert command.hit_needs is not None, "only such hits are warded off"
    defender, attacker = decision.fighter(attack.target), decision.fighter(command.attacker or "")
    for parry in fight_rules.parries_of(defender, attack):
        if not fight_rules.is_parried_by(attack, parry.traits):
            continue
        needs = command.hit_needs
        why = f"hit roll again, {parry.rule.name} of {defender.name}, needs {needs}+"
        die = decision.tray.d6("parry", why=why, fighter=attacker.fighter)
        strikes = die.face >= needs and die.face != 1
        decision.roll(
            die,
            outcome=f"{parry.rule.name}: {'hits' if strikes else 'misses'}",
            section="melee_hit_roll",
            rolled_by=attacker.gang,
            target=needs,
            passed=strikes,
        )
        if not strikes:
            return None
        return replace(attack, situation=replace(attack.situation, hit_face=die.face))
    return attack

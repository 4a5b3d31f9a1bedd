"""Candidates for what the table alone knows, asked only where a skill, a trait or a mount makes it matter.

Knows who has which. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from typing import get_args

from tracker.campaign import records
from tracker.documents.wizard import context, fight_candidates, shot_candidates
from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.rules.special_rules import HitsNext, KnockedBack, Trigger

_INSPIRES = "inspirational"


def inspirers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Friends of who tests who may make up for a failed Cool test."""
    known = {card.fighter for card in table.fighters() if card.has_skill(_INSPIRES)}
    return tuple(friend for friend in context.friends(table, answers) if friend.value in known)


def munitioneers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Friends of the shooter with a skill that has to do with Ammo tests."""
    rows = table.book.skills.items()
    skills = [key for key, row in rows if any(effect.when == "ammo_test" for effect in row.effects)]
    shooter = table.state.fighter(str(answers.get("attacker")))
    return context.fighter_choices(
        card
        for card in table.fighters()
        if shooter is not None
        and card.gang == shooter.gang
        and card.fighter != shooter.fighter
        and any(map(card.has_skill, skills))
    )


def shooting_skills(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Those of the skills used for a shot that the shooter has."""
    shooter = table.state.fighter(str(answers.get("attacker")))
    listed = get_args(records.ShootingSkill)
    return context.word_choices(skill for skill in listed if shooter is not None and shooter.has_skill(skill))


def cannot_be_moved(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Yes or no where a hit knocks the target back."""
    moves = _acts(table, answers, "hit", KnockedBack)
    return None if moves and table.state.fighter(str(answers.get("target"))) is not None else ()


def next_in_line(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Who may stand behind the target, where the attack goes on to them."""
    return context.enemies_first(table, answers) if _acts(table, answers, "unsaved", HitsNext) else ()


def _acts(table: Context, answers: Answers, trigger: Trigger, kind: type) -> bool:
    attacker = table.state.fighter(str(answers.get("attacker")))
    target = table.state.fighter(str(answers.get("target")))
    if attacker is None:
        return False
    traits = shot_candidates.traits_used(table, answers)
    acts = fight_candidates.rules_between(table, attacker, target, traits)
    # Neither a shot nor a hit by itself is made in a Charge.
    return acts is not None and any(
        isinstance(rule.declared.then, kind) and "charging" not in rule.declared.conditions
        for rule in acts.at(trigger)
    )


def ride_by(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Yes or no of a mounted fighter with one target."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    mounted = attacker is not None and attacker.mounted
    return None if mounted and len(context.listed(answers, "targets")) == 1 else ()

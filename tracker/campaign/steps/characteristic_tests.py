"""Tests of a characteristic on dice that were just rolled: Cool, Leadership and Willpower on two, Initiative
on one.

Source: Core Rulebook (2023) · General Principles.
"""

from __future__ import annotations

from tracker.campaign.steps.conditions import initiative_needed
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.dice import Die
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import nerve as rules


def needed(decision: Decision, fighter: str, characteristic: str) -> int:
    return decision.fighter(fighter).characteristics[characteristic]


def take_on_two_dice(
    decision: Decision,
    die: Die,
    fighter: str,
    characteristic: str,
    *,
    section: str,
    outcomes: tuple[str, str],
    modifiers: Modifiers = (),
    cause: int = 0,
) -> tuple[bool, int]:
    """Note 2D6 that were just rolled as a test. Returns whether it passed, and its place in the entry."""
    target = needed(decision, fighter, characteristic)
    total = die.total + sum(by for _, by in modifiers)
    passed = rules.passes_on_two_dice(
        total=total, natural=die.total, target=target, rulebook=decision.rulebook
    )
    rolled = decision.roll(
        die,
        outcome=outcomes[0] if passed else outcomes[1],
        section=section,
        rolled_by=decision.fighter(fighter).gang,
        modifiers=as_modifiers(modifiers),
        target=target,
        passed=passed,
        cause=cause,
    )
    return passed, rolled


def take_initiative(
    decision: Decision,
    die: Die,
    fighter: str,
    *,
    section: str,
    outcomes: tuple[str, str],
    modifiers: Modifiers = (),
    fails_on_1: bool = False,
) -> tuple[bool, int]:
    """Note a D6 that was just rolled as an Initiative test. Returns whether it passed, and its place in the
    entry.
    """
    target = initiative_needed(decision, fighter)
    passed = rules.passes_on_one_die(
        die.face, modifier=sum(by for _, by in modifiers), target=target, rulebook=decision.rulebook
    )
    passed = passed and not (fails_on_1 and die.face == 1)
    rolled = decision.roll(
        die,
        outcome=outcomes[0] if passed else outcomes[1],
        section=section,
        rolled_by=decision.fighter(fighter).gang,
        modifiers=as_modifiers(modifiers),
        target=target,
        passed=passed,
    )
    return passed, rolled

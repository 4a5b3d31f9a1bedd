"""Inspirational: a friend's failed Cool test counts as passed by a Leadership test. Who is near is stated.

Source: Core Rulebook (2023) · Skills · Inspirational.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import conditions
from tracker.campaign.steps.decision import Decision


def check(decision: Decision, fighter: str, inspired_by: str | None) -> None:
    """Refuses a fighter who cannot inspire: without the skill, no friend, Broken or down."""
    if inspired_by is None:
        return
    now = decision.combatant(inspired_by, what="an example")
    leader, tester = decision.fighter(inspired_by), decision.fighter(fighter)
    if inspired_by == fighter:
        raise records.ActsOnSelf(fighter=tester.name)
    if leader.gang != tester.gang:
        raise records.NotAFriend(fighter=tester.name, friend=leader.name)
    if not leader.has_skill("inspirational"):
        raise records.SkillNotHeld(fighter=leader.name, skill="inspirational")
    down = conditions.lies_helpless(decision, now)
    called = "Seriously Injured" if now.seriously_injured else "Webbed"
    for condition, holds in (("Broken", now.broken), (called, down)):
        if holds:
            raise records.MayNotActSo(fighter=leader.name, condition=condition, action="inspire a friend")


def make_up(
    decision: Decision, fighter: str, inspired_by: str | None, *, passed: bool, cause: int
) -> tuple[bool, int]:
    """Whether the Cool test counts as passed after all, and the place of the last die."""
    if passed or inspired_by is None:
        return passed, cause
    needs = tests.needed(decision, inspired_by, "leadership")
    why = f"Leadership test for {decision.fighter(fighter).name}, needs {needs}+"
    die = decision.tray.two_d6("inspirational", why=why, fighter=inspired_by)
    return tests.take_on_two_dice(
        decision,
        die,
        inspired_by,
        "leadership",
        section="skills",
        outcomes=("the Cool test counts as passed", "no example"),
        cause=cause,
    )

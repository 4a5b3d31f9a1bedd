"""Rally tests: Broken models recover in the End phase.

Source: Core Rulebook (2023) · The End Phase.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import experience, inspirational
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.nerve import cool_needed, friends_near


@handles(records.TakeRallyTest)
def take_rally_test(decision: Decision, command: records.TakeRallyTest) -> None:
    """A Cool test in the End phase. A model that passes is no longer Broken and gains the XP for it.

    Source: Core Rulebook (2023) · The End Phase · 4. Rally Tests.
    """
    combatant = decision.combatant(command.fighter, what="a Rally test")
    fighter, numbers = decision.fighter(command.fighter), decision.rulebook.book.nerve
    if not combatant.broken:
        raise records.NotBroken(fighter=fighter.name)
    inspirational.check(decision, command.fighter, command.inspired_by)
    if command.round in decision.battle("a Rally test").rally_tests.get(command.fighter, ()):
        raise records.RalliedAlready(fighter=fighter.name, round=command.round or 0)
    helped = friends_near(
        decision,
        fighter,
        command.friends_near,
        command.friends_near_count,
        kinds=("fighter", "vehicle"),
        inches=numbers.friends_within_inches.rally,
    )
    if command.home_turf and numbers.home_turf.rally:
        helped += (("Home Turf", numbers.home_turf.rally),)
    die = decision.tray.two_d6(
        "rally", why=f"Rally test, {cool_needed(fighter, helped)}", fighter=command.fighter
    )
    passed, rolled = tests.take_on_two_dice(
        decision,
        die,
        command.fighter,
        "cool",
        modifiers=helped,
        section="rally_tests",
        outcomes=("rallies", "stays Broken"),
    )
    passed, rolled = inspirational.make_up(
        decision, command.fighter, command.inspired_by, passed=passed, cause=rolled
    )
    if command.round is not None:
        decision.emit(records.RallyTestTaken(fighter=command.fighter, round=command.round), cause=rolled)
    if not passed:
        return
    rallied = decision.emit(records.FighterRallied(fighter=command.fighter), cause=rolled)
    amount = decision.rulebook.book.experience.rallied
    experience.award(decision, command.fighter, amount, "rallied", cause=rallied)

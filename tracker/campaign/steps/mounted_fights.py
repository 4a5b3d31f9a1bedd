"""Close combat and retreats of the Mounted: one weapon, lances, and attacks in passing.

Source: Core Rulebook (2023) · Conditions · Mounted.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.engagement import answers
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda.close_combat import takes_both_hands
from tracker.rules.necromunda.rules_in_force import FURTHER_READINGS, REST_OF_THE_BOOK
from tracker.rules.necromunda.weapon_traits import trait_keys

LANCE = "lance"


def check_ride_by(decision: Decision, command: records.Fight) -> None:
    """Refuses an attack in passing by a fighter on foot, or one combined with something else."""
    if not command.ride_by:
        return
    if not decision.fighter(command.attacker).mounted:
        why = "only the Mounted strike in passing"
        raise records.ContradictoryStatement(one="ride_by", other="a fighter on foot", why=why)
    why = "one attack is made in passing"
    if command.charging or command.reaction:
        other = "charging" if command.charging else "reaction"
        raise records.ContradictoryStatement(one="ride_by", other=other, why=why)
    if len(command.targets) > 1:
        raise records.ContradictoryStatement(one="ride_by", other="several targets", why=why)


def is_one_attack(decision: Decision, command: records.Fight) -> bool:
    """Whether the fight is limited to one Attack die: in passing, or in reaction to that."""
    if command.ride_by:
        return True
    last = decision.battle("close combat").last_fight
    return last is not None and last.ride_by and command.reaction and answers(command, last)


def check_weapons(
    decision: Decision, command: records.Fight, weapons: Sequence[tuple[str, tuple[str, ...]]]
) -> None:
    """Refuses a second weapon of a mounted fighter, and an Unwieldy one other than a lance (ADR 29).

    `weapons` are those in hand, each with its name and traits.
    """
    fighter = decision.fighter(command.attacker)
    if not fighter.mounted or not decision.plays_by(REST_OF_THE_BOOK):
        return
    if len(weapons) > 1:
        raise records.MountedFightsSo(fighter=fighter.name, why="one weapon is used in close combat")
    for name, traits in weapons:
        if takes_both_hands(traits) and not _is_lance(name, traits):
            why = f"{name} is Unwieldy, and only a lance is used from the saddle"
            raise records.MountedFightsSo(fighter=fighter.name, why=why)


def _is_lance(name: str, traits: tuple[str, ...]) -> bool:
    return LANCE in name.casefold() or LANCE in trait_keys(traits)


def stands_by_test(decision: Decision, fighter: str) -> bool:
    """Whether a fighter stands up only by an Initiative test: the Mounted, from FURTHER_READINGS on (ADR
    29).
    """
    return decision.fighter(fighter).mounted and decision.plays_by(FURTHER_READINGS)


def of_retreat(decision: Decision, fighter: str) -> Modifiers:
    """The modifier of the Mounted on a Retreat; none in older battles, where the table states it (ADR 29)."""
    if not decision.fighter(fighter).mounted or not decision.plays_by(FURTHER_READINGS):
        return ()
    return (("Mounted", decision.rulebook.book.conditions.mounted.retreat),)

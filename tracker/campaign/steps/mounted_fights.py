"""Close combat and retreats from the saddle: one weapon, no Unwieldy one but a lance, an attack in passing.

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
    """Refuses an attack in passing by a fighter who is not mounted, or that is something else as well."""
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
    """Whether one Attack die is all: in passing, or in answer to that."""
    if command.ride_by:
        return True
    last = decision.battle("close combat").last_fight
    return last is not None and last.ride_by and command.reaction and answers(command, last)


def check_weapons(
    decision: Decision, command: records.Fight, weapons: Sequence[tuple[str, tuple[str, ...]]]
) -> None:
    """Refuses a second weapon of a mounted fighter, and an Unwieldy one that is no lance (ADR 29).

    `weapons` are those in hand: what each is called, and its traits.
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
    """Whether a fighter stands up by an Initiative test alone: the Mounted, since that stage (ADR 29)."""
    return decision.fighter(fighter).mounted and decision.plays_by(FURTHER_READINGS)


def of_retreat(decision: Decision, fighter: str) -> Modifiers:
    """What the saddle adds to a Retreat; in a battle recorded before that, the table states it (ADR 29)."""
    if not decision.fighter(fighter).mounted or not decision.plays_by(FURTHER_READINGS):
        return ()
    return (("Mounted", decision.rulebook.book.conditions.mounted.retreat),)

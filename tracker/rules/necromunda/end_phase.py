"""The End phase and succumbing: Bottle checks, fleeing, Recovery tests, Rally tests.

Knows numbers and symbols. Knows no campaign and rolls nothing: each function answers one question of Core
Rulebook (2023) · The End Phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from tracker.records import Record
from tracker.rules.rulebook import Rulebook

RecoveryNow: TypeAlias = Literal["out_of_action", "stays", "pinned"]


# --- 1. Bottle checks ------------------------------------------------------------------------------------


def bottle_limit(
    *, starting_crew: int, reinforcements_arrived: int, eligible: int, rulebook: Rulebook
) -> int:
    """The number that a Bottle check must not exceed. `eligible` are all models that may take part,
    Reinforcements too.

    Without Reinforcements it is the starting crew in every reading. Source: Core Rulebook (2023) · The End
    Phase · 1. Bottle Checks; knob bottle.compared_with.
    """
    if eligible == starting_crew:
        return starting_crew
    compared = rulebook.knob("bottle.compared_with")
    if compared == "eligible_models":
        return eligible
    return starting_crew + (reinforcements_arrived if compared == "models_arrived" else 0)


def bottle_dice(*, home_turf: bool, rulebook: Rulebook) -> int:
    """The number of dice of a Bottle check. Source: Core Rulebook (2023) · The End Phase · Home Turf."""
    return rulebook.book.nerve.home_turf.bottle_dice if home_turf else 1


def bottles_out(*, face: int, casualties: int, limit: int) -> bool:
    """Whether D6 plus casualties exceed the limit; an equal sum passes.

    `casualties` are fighters Seriously Injured or Out of Action and vehicles Wrecked. Source: Core Rulebook
    (2023) · The End Phase · 1. Bottle Checks.
    """
    return face + casualties > limit


# --- 2. Fleeing ------------------------------------------------------------------------------------------


def example_reaches(category: str, rulebook: Rulebook) -> int | None:
    """How far (inches) a rank that stays sets an example; None for ranks that do not.

    Source: Core Rulebook (2023) · The End Phase · 2. Fleeing the Battlefield; Gang Hierarchy (X).
    """
    return rulebook.book.nerve.hierarchy_within_inches.get(category)


# --- 3. Recovery tests -----------------------------------------------------------------------------------

_BEST_FIRST = ("flesh_wound", "serious_injury", "out_of_action")


class RecoveryOutcome(Record):
    """The result of one Injury die of a Recovery test. Flesh Wounds come first, and may leave no
    Toughness.
    """

    now: RecoveryNow
    flesh_wounds: int = 0


def kinder_die(symbols: Sequence[str]) -> int:
    """The place of the die that is best for the fighter, the first of equals."""
    return min(range(len(symbols)), key=lambda place: _BEST_FIRST.index(symbols[place]))


def recovery_outcome(symbol: str, *, webbed: bool, assisted: bool, rulebook: Rulebook) -> RecoveryOutcome:
    """What an Injury die of a Recovery test does to a fighter who is Seriously Injured or Webbed.

    A Serious Injury costs a Flesh Wound (knob recovery_test.serious_injury) but not in a web; assistance
    spares every Flesh Wound (knob recovery_test.assisted).
    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
    """
    if symbol == "out_of_action":
        return RecoveryOutcome(now="out_of_action")
    spared = assisted and rulebook.knob("recovery_test.assisted") == "no_flesh_wound"
    if symbol == "serious_injury":
        costs = not webbed and not spared and rulebook.knob("recovery_test.serious_injury") == "flesh_wound"
        return RecoveryOutcome(now="stays", flesh_wounds=int(costs))
    return RecoveryOutcome(now="pinned", flesh_wounds=0 if spared else 1)


# --- the Wrap-up -----------------------------------------------------------------------------------------


def succumbs(face: int, rulebook: Rulebook) -> bool:
    """Whether a fighter who ended the battle Seriously Injured goes Out of Action after all.

    Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up.
    """
    return face <= rulebook.book.nerve.succumb.highest

"""Wound roll: what a D6 needs, by Strength against Toughness.

Source: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll.
"""

from __future__ import annotations

from tracker.rules.combat_tables import Comparison
from tracker.rules.rulebook import Rulebook


def compared(*, strength: int, toughness: int) -> Comparison:
    """The row of the wound table for this Strength and Toughness.

    Source: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll.
    """
    # The extremes come first: "twice" is also "greater", "half" is also "lower".
    if strength >= 2 * toughness:
        return "twice"
    if 2 * strength <= toughness:
        return "half"
    if strength > toughness:
        return "greater"
    if strength == toughness:
        return "equal"
    return "lower"


def wound_threshold(*, strength: int, toughness: int, rulebook: Rulebook) -> int:
    """Lowest D6 face that wounds, 2 to 6.

    Source: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll.
    """
    return rulebook.book.wound_roll[compared(strength=strength, toughness=toughness)]

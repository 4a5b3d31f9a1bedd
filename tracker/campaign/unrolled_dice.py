"""Dice that nobody rolled, for a decision that is only looked at: all alike, as long as that comes to an end.

Knows no rule.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from tracker.dice import Roller

ALIKE_MAX: Final = 100
"""So many dice of `showing_alike` show one face."""


def showing_alike(face: int) -> Roller:
    """Dice that nobody rolled: each shows this face, or its highest.

    A rule may have a die rolled again until it shows another face, so after many of them they fall each way
    in turn.
    """
    thrown = count()

    def roll(sides: int) -> int:
        number = next(thrown)
        if number < ALIKE_MAX:
            return min(face, sides)
        pair, second = divmod(number, 2)  # of a D66, too, each way comes in its turn
        return (pair if second else pair // sides) % sides + 1

    return roll

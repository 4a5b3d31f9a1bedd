"""Dice as pictures: where the pips are, and what a picture says to who does not see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracker.dice import Die

_LOW, _MIDDLE, _HIGH = 6.5, 12, 17.5
_ONE: Final = ((_MIDDLE, _MIDDLE),)
_TWO: Final = ((_LOW, _HIGH), (_HIGH, _LOW))
_FOUR: Final = (*_TWO, (_LOW, _LOW), (_HIGH, _HIGH))
PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: _ONE,
    2: _TWO,
    3: (*_ONE, *_TWO),
    4: _FOUR,
    5: (*_ONE, *_FOUR),
    6: (*_FOUR, (_LOW, _MIDDLE), (_HIGH, _MIDDLE)),
}


def shown(die: Mapping[str, Any]) -> str:
    """A die of a report's data in words: 'D66 4-6'."""
    held = Die(purpose="", die=die["die"], faces=tuple(die["faces"]), symbol=die["symbol"])
    return f"{die['die']} {held.shown()}"

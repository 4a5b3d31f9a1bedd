"""What may be done on a board, and what it is called at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

_DOES: Final[Mapping[str, str]] = {
    "bottle": "Bottle check",
    "catch_fire": "Catch fire?",
    "condition": "A condition begins or ends",
    "control": "Loss of Control test",
    "driver": "The driver is hurt",
    "experience": "Gain XP",
    "fall": "Fall",
    "fight": "Fight",
    "flee": "Flee the battle",
    "hit": "Take a hit struck at the table",
    "injury_chart": "Is hit: Injury Chart",
    "injury_roll": "Injury dice",
    "morale": "Morale check",
    "nerve": "Nerve test",
    "rally": "Rally test",
    "recovery": "Recovery test",
    "reload": "Reload",
    "restart": "Restart",
    "rolls_on": "It rolls on",
    "shoot": "Shoot",
    "stand": "Stand up",
    "thrown_clear": "Thrown clear",
    "trauma": "Fate",
    "unpin": "Stand up",
    "vehicle_hit": "Hit a vehicle",
    "vehicle_nerve": "Nerve test",
}
"""Kinds of entries, as somebody at the table calls them; others by their own name."""


class Action(NamedTuple):
    """Something that somebody may do now: the answers that begin it, and what it is called."""

    lines: str
    words: str
    about: str
    weapon: str = ""


def does(kind: str) -> str:
    """What a kind of entry is called at the table."""
    words = _DOES.get(kind) or kind.replace("_", " ")
    return words[:1].upper() + words[1:]

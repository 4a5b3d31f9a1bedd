"""Annotations: numbers of a decision that no event holds, for explanations.

They are not recorded. Knows no rule.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

HowHit: TypeAlias = Literal[
    "hit",
    "shot",
    "stray",
    "blast",
    "template",
    "spill",
    "close_combat",
    "fall",
    "thrown_clear",
    "blaze",
    "headbutt",
    "hurl",
    "knocked_down",
    "collision",
    "run_over",
]


class HitTaken(Record):
    """A hit from the wound roll on, with the numbers it began with. `after_events` counts the events of the
    entry before it, without the header.
    """

    after_events: int
    on: str
    by: str | None
    weapon: str | None
    how: HowHit
    strength: int
    armour_penetration: int
    damage: int | None
    toughness: int


class FightOver(Record):
    """The options after the hits of a Fight are resolved."""

    coup_de_grace: tuple[str, ...]
    """Against whom the free Coup de Grace may be made; one of them, instead of consolidating."""
    consolidate: bool
    """Whether the attacker may consolidate."""
    reactions: tuple[str, ...]
    """Who may make Reaction attacks."""


class Annotations:
    """The annotations of one decision. `rolled_against` names the target of a roll by its event's place."""

    def __init__(self) -> None:
        self.hits: list[HitTaken] = []
        self.rolled_against: dict[int, str] = {}
        self.fight_over: FightOver | None = None

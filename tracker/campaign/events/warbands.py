"""Warbands: promotion dice, Threshold, reinforcements, exploration, glory, ransoms, shell shock, morale."""

from __future__ import annotations

from typing import Literal

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionDieSpent:
    """A promotion die of a troop. `failures` are those in a row after it; `automatic`: nothing was rolled."""

    gang: str
    fighter: str
    succeeded: bool
    automatic: bool
    failures: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRaised:
    """What a warband may have in a game: ducats, and models on the field."""

    gang: str
    game: int
    ducats: int
    field_strength: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinforcementsCalled:
    """A warband worth so much may buy anew up to its Threshold, `less` taken off."""

    gang: str
    threshold: int
    worth: int
    less: int
    ducats: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WarbandExplored:
    """What the dice of exploration came to; `faces` are those that count."""

    gang: str
    faces: tuple[int, ...]
    score: int
    ducats: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationFound:
    """A location that nobody finds again in this campaign."""

    gang: str
    location: str
    kind: str | None
    score: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GloryChanged:
    """Glory Points were gained or spent."""

    gang: str
    before: int
    after: int
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RansomSettled:
    """A captive is nobody's captive any more: `ducats` were paid to `to`, or None."""

    fighter: str
    to: str | None
    ducats: int | None
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellShockTested:
    """Before the warband's so-manieth battle."""

    fighter: str
    battle: int
    bears: bool
    means: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlessingMarkersGained:
    """`lost` are those over the most that a model can have; `markers` is what it has now."""

    fighter: str
    gained: int
    lost: int
    markers: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlessingMarkersSpent:
    """The owner took markers off a model, so that `markers` are left. `use` is injury_roll or action."""

    fighter: str
    spent: int
    use: str
    markers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoraleTested:
    """What came of the success roll at the end of a turn. Who flees has lost."""

    gang: str
    turn: int
    models: int
    down_or_out: int
    result: Literal["holds", "shaken", "flees"]
    section: str

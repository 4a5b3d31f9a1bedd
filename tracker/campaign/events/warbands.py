"""Warbands: promotion dice, Threshold, reinforcements, exploration, glory, ransoms, shell shock, morale."""

from __future__ import annotations

from typing import Literal

from tracker.records import Record


class PromotionDieSpent(Record):
    """A promotion die of a troop. `failures` are those in a row after it; `automatic`: nothing was rolled."""

    gang: str
    fighter: str
    succeeded: bool
    automatic: bool
    failures: int
    section: str


class ThresholdRaised(Record):
    """What a warband may have in a game: ducats, and models on the field."""

    gang: str
    game: int
    ducats: int
    field_strength: int
    section: str


class ReinforcementsCalled(Record):
    """A warband worth so much may buy anew up to its Threshold, `less` taken off."""

    gang: str
    threshold: int
    worth: int
    less: int
    ducats: int
    section: str


class WarbandExplored(Record):
    """What the dice of exploration came to; `faces` are those that count."""

    gang: str
    faces: tuple[int, ...]
    score: int
    ducats: int
    section: str


class LocationFound(Record):
    """A location that nobody finds again in this campaign."""

    gang: str
    location: str
    kind: str | None
    score: int
    section: str


class GloryChanged(Record):
    """Glory Points were gained or spent."""

    gang: str
    before: int
    after: int
    why: str
    section: str


class RansomSettled(Record):
    """A captive is nobody's captive any more: `ducats` were paid to `to`, or None."""

    fighter: str
    to: str | None
    ducats: int | None
    section: str


class ShellShockTested(Record):
    """Before the warband's so-manieth battle."""

    fighter: str
    battle: int
    bears: bool
    means: str
    section: str


class BlessingMarkersGained(Record):
    """`lost` are those over the most that a model can have; `markers` is what it has now."""

    fighter: str
    gained: int
    lost: int
    markers: int
    why: str


class BlessingMarkersSpent(Record):
    """The owner took markers off a model, so that `markers` are left. `use` is injury_roll or action."""

    fighter: str
    spent: int
    use: str
    markers: int


class MoraleTested(Record):
    """What came of the success roll at the end of a turn. Who flees has lost."""

    gang: str
    turn: int
    models: int
    down_or_out: int
    result: Literal["holds", "shaken", "flees"]
    section: str

"""Commands that doubt a roll and rule on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tracker.dice import Die


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRoll:
    """Doubt one event, named by its place in the log."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnDispute:
    """The arbitrator's ruling: the verdict, corrected faces, dice newly supplied, and what becomes of slots
    that no longer follow (`kept` and `voided`)."""

    dispute: int
    verdict: Literal["confirmed", "corrected", "voided"]
    reason: str
    faces: Die | None = None
    supplied: dict[int, tuple[Die, ...]] | None = None
    kept: tuple[int, ...] = ()
    voided: tuple[int, ...] = ()

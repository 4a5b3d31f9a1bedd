"""Disputes and rulings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracker.dice import Die

Verdict: TypeAlias = Literal["confirmed", "corrected", "voided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDisputed:
    """Somebody doubts an event. It stays in force until a ruling. `dispute` is this entry's number."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMade:
    """The arbitrator's word on a dispute. What it changes follows in the same entry, stamped with its slots.

    `before` and `after` are the disputed die as it was taken and as it is taken now.
    """

    dispute: int
    verdict: Verdict
    reason: str
    before: Die | None = None
    after: Die | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotVoided:
    """This slot counts for nothing any more. What it held stays in the log."""

    voided_slot: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotKept:
    """The rules would not decide this slot so any more, and the ruling keeps it as it was played."""

    kept_slot: int
    reason: str

"""The columns of the dispute board, for its writer and for readers that import no events."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tracker.campaign.verdicts import Verdict
from tracker.dice import Source
from tracker.projections import LogPosition


class DieShown(TypedDict):
    """A die as it was recorded."""

    purpose: str
    die: str
    faces: list[int]
    symbol: str | None
    fighter: str | None
    source: Source


class RulingRow(LogPosition):
    """A ruling. `actor` is who ruled; `before` and `after` are the disputed die."""

    actor: str
    verdict: Verdict
    reason: str
    before: DieShown | None
    after: DieShown | None


class Withdrawal(TypedDict):
    """Who withdrew the dispute, and why."""

    entry: int
    at: str
    by: str
    reason: str


class Statement(TypedDict):
    """A comment on an open dispute."""

    entry: int
    at: str
    by: str
    says: str


class DisputeRow(LogPosition):
    """A dispute. `status` is the verdict once there is one; `target` is written as '57.3'. `ruling` is the
    latest one, `taken_back_by` the entry that took it back and so opened the dispute again. `statements` is
    left out while there are none, so that rows of earlier releases stay equal.
    """

    dispute: int
    status: Verdict | Literal["open", "withdrawn"]
    raised_by: str
    reason: str
    rule: str | None
    target: str
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    ruling: RulingRow | None
    taken_back_by: int | None
    withdrawn: Withdrawal | None
    statements: NotRequired[list[Statement]]

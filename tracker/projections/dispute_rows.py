"""The columns of the dispute board, for its writer and for readers that import no events."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tracker.campaign.verdicts import Verdict
from tracker.dice import Source
from tracker.projections import LogPosition


class DieShown(TypedDict):
    """A die as it lay there."""

    purpose: str
    die: str
    faces: list[int]
    symbol: str | None
    fighter: str | None
    source: Source


class RulingRow(LogPosition):
    """The arbitrator's word. `actor` is who ruled; `before` and `after` are the disputed die."""

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
    """What somebody says about an open dispute."""

    entry: int
    at: str
    by: str
    says: str


class DisputeRow(LogPosition):
    """A dispute. `status` is the verdict once there is one, `target` reads '57.3'.

    `ruling` is the last one made, `taken_back_by` the entry that took it back, which opened it again.
    `statements` is left out while nobody said anything: so rows of earlier releases are rows of today.
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

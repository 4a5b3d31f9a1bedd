"""An event with its place in the log: what the boards, reports and rulings read.

Knows places, not bytes: hashes and envelopes belong to the log.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.records import Record


class RecordedEvent(Record):
    """One event of the log. `position` counts from 1 within its entry: people write '57.3'.

    `slot` is the place in the order of play that the event fills; it differs from `entry` only for what a
    ruling decided again. `causation` is the seq of the event that led to this one.
    """

    seq: int
    entry: int
    position: int
    slot: int
    at: str
    actor: str
    policy_version: str
    policy_digest: str
    causation: int | None
    event: records.Event

    @property
    def address(self) -> str:
        """The event's address as people write it: '57.3'."""
        return f"{self.entry}.{self.position}"

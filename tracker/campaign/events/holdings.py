"""Money and things: every movement has two sides, so that what a gang has is the sum of its ledger.

A side of `CreditsMoved` is a gang, or an account outside every gang, written with a leading '@'. A side of
`ItemMoved` is 'stash:GANG', 'fighter:ID', 'vehicle:ID', or such an account.
"""

from __future__ import annotations

from tracker.campaign.profiles import Item
from tracker.records import Record


class CreditsMoved(Record):
    """So many credits went from one account to another; `amount` is never negative."""

    source: str
    target: str
    amount: int
    why: str
    section: str
    fighter: str | None = None
    item: str | None = None


class ItemMoved(Record):
    """One thing changed its place, between gangs or within one; None where a side lies outside them all.

    `item` is as it was at its source; `worth` is what it counts for at its target where that differs.
    """

    item: Item
    source: str
    target: str
    source_gang: str | None
    target_gang: str | None
    why: str
    section: str
    worth: int | None = None


class FighterCostChanged(Record):
    """What a fighter counts for in the gang's rating changed: things came or went, or an advancement."""

    fighter: str
    before: int
    after: int
    why: str


class VehicleCostChanged(Record):
    """What a vehicle counts for in the gang's rating changed."""

    vehicle: str
    before: int
    after: int
    why: str


class VehicleCrewChanged(Record):
    """A vehicle got another driver; None: it stands in the stash."""

    vehicle: str
    before: str | None
    after: str | None
    why: str


class VehicleGone(Record):
    """A vehicle left its gang for good: scrapped or sold."""

    vehicle: str
    why: str


class RatingRecorded(Record):
    """A gang's rating was worked out anew: until the next time, this is the one that rules read."""

    gang: str
    before: int | None
    after: int
    wealth: int
    section: str

"""Territories and the campaign's cycles."""

from __future__ import annotations

from tracker.records import Record


class TerritoryGained(Record):
    """A gang holds a territory. `before` is the gang that held it until now, if any."""

    gang: str
    territory: str
    kind: str
    name: str
    before: str | None
    why: str
    section: str


class TerritoryLost(Record):
    """A gang no longer holds a territory; `to` is who holds it now, if anybody."""

    gang: str
    territory: str
    name: str
    to: str | None
    why: str
    section: str


class CycleBegan(Record):
    """The campaign's so-manieth cycle began, in this phase."""

    number: int
    phase: str
    name: str
    reason: str
    section: str


class SpendingGranted(Record):
    """Of a gang's credits so many are there to be spent in this phase, and what is left of them lapses."""

    gang: str
    amount: int

"""Territories and the campaign's cycles."""

from __future__ import annotations

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TerritoryGained:
    """A gang holds a territory. `before` is the gang that held it until now, if any."""

    gang: str
    territory: str
    kind: str
    name: str
    before: str | None
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TerritoryLost:
    """A gang no longer holds a territory; `to` is who holds it now, if anybody."""

    gang: str
    territory: str
    name: str
    to: str | None
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleBegan:
    """The campaign's so-manieth cycle began, in this phase."""

    number: int
    phase: str
    name: str
    reason: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingGranted:
    """Of a gang's credits so many are there to be spent in this phase, and what is left of them lapses."""

    gang: str
    amount: int

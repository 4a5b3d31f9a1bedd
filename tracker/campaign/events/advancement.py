"""Advancement: XP spent, what it bought, and who rose in rank."""

from __future__ import annotations

from dataclasses import field

from tracker.campaign.profiles import Category, Characteristics
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceSpent:
    """XP left a fighter's card."""

    fighter: str
    amount: int
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancementTaken:
    """A fighter advanced: one more in their count. `characteristic` is what it improved, if anything."""

    fighter: str
    advancement: str
    name: str
    advancements: int
    characteristic: str | None = None
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterPromoted:
    """A fighter's category and type changed; from now on improvements are measured from `basic_profile`."""

    fighter: str
    category_before: Category
    category: Category
    kind_before: str
    kind: str
    why: str
    section: str
    basic_profile: Characteristics = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BionicFitted:
    """A bionic replaces what an injury spoiled; it may be ruined when the same place is hurt again."""

    fighter: str
    place: str
    name: str
    section: str
    may_be_ruined: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BionicRuined:
    """A bionic was hit at its place once more, and is gone with what it did."""

    fighter: str
    place: str
    name: str
    section: str

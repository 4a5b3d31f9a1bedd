"""Advancement: XP spent, what it bought, and who rose in rank."""

from __future__ import annotations

from tracker.campaign.profiles import Category, Characteristics
from tracker.records import Record, field


class ExperienceSpent(Record):
    """XP left a fighter's card."""

    fighter: str
    amount: int
    why: str
    section: str


class AdvancementTaken(Record, kw_only=True):
    """A fighter advanced: one more in their count. `characteristic` is what it improved, if anything."""

    fighter: str
    advancement: str
    name: str
    advancements: int
    characteristic: str | None = None
    section: str


class FighterPromoted(Record):
    """A fighter's category and type changed; from now on improvements are measured from `basic_profile`."""

    fighter: str
    category_before: Category
    category: Category
    kind_before: str
    kind: str
    why: str
    section: str
    basic_profile: Characteristics = field(default_factory=dict)


class BionicFitted(Record):
    """A bionic replaces what an injury spoiled; it may be ruined when the same place is hurt again."""

    fighter: str
    place: str
    name: str
    section: str
    may_be_ruined: bool = False


class BionicRuined(Record):
    """A bionic was hit at its place once more, and is gone with what it did."""

    fighter: str
    place: str
    name: str
    section: str

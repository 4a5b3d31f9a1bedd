"""Commands of advancement. Sets of skills are the table's own, so their six skills are written out."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import Category, Characteristics
from tracker.records import Record, field

SkillAccess: TypeAlias = Literal["primary", "secondary"]


class SkillSet(Record):
    """A set of skills in the order of their die, and what access the fighter's type has to it, if any."""

    name: str
    skills: tuple[str, ...]
    access: SkillAccess | None = None


class BuyAdvancement(Record):
    """A fighter spends XP. `skill` names the one chosen; `kind` and `basic_profile` are a new type's.

    `cannot_take` are skills of the set that this fighter may not have: rolled again.
    """

    fighter: str
    advancement: str
    skill_set: SkillSet | None = None
    skill: str | None = None
    cannot_take: tuple[str, ...] = ()
    kind: str | None = None
    basic_profile: Characteristics = field(default_factory=dict)
    reason: str | None = None


class RollAdvancement(Record):
    """A Ganger with enough XP rolls. `choose` is in order of preference, for rows that offer two."""

    fighter: str
    choose: tuple[str, ...] = ()
    skill_set: SkillSet | None = None
    cannot_take: tuple[str, ...] = ()
    reason: str | None = None


class PromoteFighter(Record):
    """A fighter rises in rank; characteristics and cost stay."""

    fighter: str
    category: Category
    kind: str
    basic_profile: Characteristics = field(default_factory=dict)
    reason: str | None = None
    beyond_rules: bool = False


class NameLeader(Record):
    """A gang without a Leader gets one. `fighter` decides only where the rules leave a choice."""

    gang: str
    fighter: str | None = None
    kind: str = "Leader"
    basic_profile: Characteristics = field(default_factory=dict)
    reason: str | None = None


class FitBionic(Record):
    """A bionic out of the stash replaces what an injury took: +1 on one characteristic, or on two.

    `reading` 1 is how entries were decided before it mattered that the same place can be hurt again.
    """

    fighter: str
    place: str
    item: str
    characteristics: tuple[str, ...]
    reason: str | None = None
    reading: int = 1


AdvancementCommand: TypeAlias = BuyAdvancement | RollAdvancement | PromoteFighter | NameLeader | FitBionic

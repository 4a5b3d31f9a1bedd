"""Advancement, as a post-battle file tells it: what fighters do with their XP, who rises and who leads."""

from __future__ import annotations

from pydantic import Field

from tracker.campaign import records
from tracker.campaign.profiles import Category
from tracker.documents.armoury import PriceLookup
from tracker.documents.market_entries import MarketEntry
from tracker.documents.text import Name, Note, Slug


class Advance(MarketEntry):
    """A fighter spends XP. A random skill asks for dice: skill."""

    fighter: Slug
    """Who advances."""
    take: Name
    """What is bought: a characteristic such as strength, or primary_random, secondary_chosen, any_random,
    champion.
    """
    set: Name | None = None
    """The set of skills, as the armoury lists it."""
    skill: Name | None = None
    """The skill, where it is chosen."""
    cannot_take: list[Name] = Field(default=[], max_length=6)
    """Skills of the set that this fighter may not have."""
    type: Name | None = None
    """The new type of who becomes a Champion, as the armoury lists it."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.BuyAdvancement(
            fighter=self.fighter,
            advancement=self.take,
            skill_set=lookup.skill_set(self.set, self.fighter) if self.set is not None else None,
            skill=self.skill,
            cannot_take=tuple(self.cannot_take),
            kind=self.type,
            basic_profile=lookup.basic_profile(self.type, lookup.house_of_fighter(self.fighter)),
            reason=self.reason,
        )


class GangerRoll(MarketEntry):
    """A Ganger with XP enough rolls. Dice: ganger_advancement, and skill where it is one."""

    fighter: Slug
    """Who rolls."""
    choose: list[Name] = Field(default=[], max_length=12)
    """Characteristics in order of preference, for rows that offer two."""
    set: Name | None = None
    """The set of skills of who becomes a Specialist, as the armoury lists it."""
    cannot_take: list[Name] = Field(default=[], max_length=6)
    """Skills of the set that this fighter may not have."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.RollAdvancement(
            fighter=self.fighter,
            choose=tuple(self.choose),
            skill_set=lookup.skill_set(self.set, self.fighter) if self.set is not None else None,
            cannot_take=tuple(self.cannot_take),
            reason=self.reason,
        )


class Promote(MarketEntry):
    """A Juve or Prospect with advancements enough rises in rank."""

    fighter: Slug
    """Who rises."""
    to: Category
    """The new rank."""
    type: Name
    """What the gang list calls it; with an armoury its profile is the one measured from."""
    beyond_rules: bool = False
    """true where the Arbitrator promotes outside Downtime, or who has not the advancements."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.PromoteFighter(
            fighter=self.fighter,
            category=self.to,
            kind=self.type,
            basic_profile=lookup.basic_profile(self.type, lookup.house_of_fighter(self.fighter)),
            reason=self.reason,
            beyond_rules=self.beyond_rules,
        )


class NewLeader(MarketEntry):
    """Who is next in line leads a gang that has lost its Leader."""

    gang: Slug
    """The gang."""
    fighter: Slug | None = None
    """Who, where the rules leave a choice."""
    type: Name = "Leader"
    """What the gang list calls its Leader; with an armoury its profile is the one measured from."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.NameLeader(
            gang=self.gang,
            fighter=self.fighter,
            kind=self.type,
            basic_profile=lookup.basic_profile(self.type, lookup.house_of(self.gang)),
            reason=self.reason,
        )

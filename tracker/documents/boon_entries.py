"""Recruits and equipment of territories, as a post-battle file tells them."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from tracker.campaign import records
from tracker.documents.armoury import ItemOnPaper, PriceLookup
from tracker.documents.card_numbers import ExperiencePoints
from tracker.documents.checking import Strict
from tracker.documents.gang_sheet import FighterOnSheet
from tracker.documents.market_entries import ItemWritten, MarketEntry, card_written, refuse_two_cards
from tracker.documents.text import Name, Slug


class RecruitWritten(Strict):
    """Somebody who may come: of a type in the armoury, or with the whole card written out."""

    type: Name | None = None
    """The type, as the armoury lists it."""
    name: Name | None = None
    """What the fighter is called."""
    id: Slug | None = None
    """What reports call the fighter; made from the name when left out."""
    fighter: FighterOnSheet | None = None
    """The card, as on a gang sheet; instead of `type` and `name`."""
    xp: ExperiencePoints = 0
    """Experience that the fighter comes with."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        refuse_two_cards(self)
        return self


class Recruited(MarketEntry):
    """The recruit of a territory, who costs nothing. Dice, where a territory asks for them: recruit."""

    territory: Slug
    """The territory's id."""
    who: list[RecruitWritten] = Field(default=[], max_length=6)
    """Who comes; where dice tell, one for each rank that they may bring, and the one that fits joins."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        territory = lookup.state.territories.get(self.territory)
        gang = (territory.holder or "") if territory is not None else ""
        cards = tuple(card_written(one, lookup, gang) for one in self.who)
        return records.TakeRecruit(territory=self.territory, cards=cards)


class EquipmentTaken(MarketEntry):
    """The equipment of a territory, for the stash: as many as the book says."""

    territory: Slug
    """The territory's id."""
    item: ItemWritten
    """One of them: its name in the armoury, or the thing written out."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        if isinstance(self.item, ItemOnPaper):
            offer = self.item.offer()
        else:
            offer = lookup.stocked(self.item).offer(self.item)
        return records.TakeEquipment(territory=self.territory, item=offer.item)

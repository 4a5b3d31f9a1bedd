"""Trading: fighters hired, things bought, sold and handed out, as a post-battle file tells them.

Knows how each is written. What only an armoury can tell is looked up at the lookup.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Protocol, Self

from pydantic import Discriminator, Field, Tag, model_validator

from tracker.campaign import records
from tracker.campaign.holdings import on_fighter, on_vehicle, stash_of
from tracker.documents.armoury import ItemOnPaper, Offer, PriceLookup
from tracker.documents.card_numbers import Credits, ExperiencePoints, SearchTotal
from tracker.documents.checking import Strict, fault
from tracker.documents.gang_sheet import CharacteristicsOnSheet, FighterOnSheet
from tracker.documents.text import Name, Note, Slug, slug_of
from tracker.documents.vehicle_sheet import VehicleOnSheet
from tracker.records import replace

STASH: Final = "stash"
LOST: Final = "lost"


class MarketEntry(Strict):
    """Something a gang does between battles."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign. Raises NoArmoury or NotInArmoury."""
        raise NotImplementedError


def _item_written(given: Any) -> str:
    return "<numbers>" if isinstance(given, dict) else "<name>"


ItemWritten = Annotated[
    Annotated[ItemOnPaper, Tag("<numbers>")] | Annotated[Name, Tag("<name>")], Discriminator(_item_written)
]


class CardWritten(Protocol):
    """Somebody who joins: of a type in the armoury, or with the whole card written out."""

    type: str | None
    name: str | None
    id: str | None
    fighter: FighterOnSheet | None
    xp: int


def refuse_two_cards(written: CardWritten) -> None:
    """Refuses both ways of writing a card at once, and neither."""
    by_type = written.type is not None and written.name is not None
    if by_type == (written.fighter is not None):
        raise fault("write either `type` and `name`, or the whole card under `fighter`.")
    sheet = written.fighter
    if sheet is not None and not isinstance(sheet.characteristics, CharacteristicsOnSheet):
        raise fault("a card with other numbers is enlisted from a gang sheet.")


def card_written(
    written: CardWritten, lookup: PriceLookup, gang: str, *, beyond_rules: bool = False
) -> records.FighterCard:
    """The card, looked up for a gang where only the type is named.

    A type of another house than the gang's is refused, unless `beyond_rules`.
    """
    if written.fighter is not None:
        return written.fighter.card(written.fighter.id or slug_of(written.fighter.name))
    assert written.type is not None, "neither a type nor a card was let in"
    assert written.name is not None, "a type without a name was let in"
    armoury, house = lookup.stocked(written.type), lookup.house_of(gang)
    look_up = armoury.fighter_type if beyond_rules else armoury.type_to_hire
    listed = look_up(written.type, house)
    named = written.id or slug_of(written.name)
    return replace(listed.card, fighter=named, name=written.name, experience=written.xp)


class Hire(MarketEntry):
    """A fighter is hired: of a type in the armoury, or with the whole card written out."""

    gang: Slug
    """The gang that hires."""
    type: Name | None = None
    """The type, as the armoury lists it."""
    name: Name | None = None
    """What the fighter is called."""
    id: Slug | None = None
    """What reports call the fighter; made from the name when left out."""
    fighter: FighterOnSheet | None = None
    """The card, as on a gang sheet; instead of `type` and `name`."""
    price: Credits | None = None
    """What is paid, where that is not what the card costs: 0 for who comes free."""
    xp: ExperiencePoints = 0
    """Experience that the fighter comes with."""
    beyond_rules: bool = False
    """true where the Arbitrator lets the gang be made up otherwise, or have a type of another house."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        refuse_two_cards(self)
        return self

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.HireFighter(
            gang=self.gang,
            card=card_written(self, lookup, self.gang, beyond_rules=self.beyond_rules),
            price=self.price,
            reason=self.reason,
            beyond_rules=self.beyond_rules,
        )


class Buy(MarketEntry):
    """A thing is bought."""

    gang: Slug
    """The gang that buys."""
    item: ItemWritten
    """Its name in the armoury, or the thing written out."""
    market: records.Market | None = None
    """Where; left out: the own list where it is `for` somebody, else as the armoury lists it."""
    number: SearchTotal | None = None
    """The X of Rare (X) or Illegal (X), where the armoury does not tell."""
    found: SearchTotal | None = None
    """Up to which number there is, modifiers included; left out, what the sequence's search came to."""
    fighter: Slug | None = Field(default=None, alias="for")
    """The fighter who gets it, from the gang's own list."""
    vehicle: Slug | None = None
    """The vehicle it is fitted to, from the gang's own list."""
    replaces: Name | None = None
    """What it takes the place of on the fighter's card."""
    price: Credits | None = None
    """What is paid, where that is not the list's price."""
    beyond_rules: bool = False
    """true where the Arbitrator lets it be had otherwise."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        offer = self._offer(lookup)
        return records.BuyItem(
            gang=self.gang,
            item=offer.item,
            market=offer.market,
            number=self.number if self.number is not None else offer.number,
            found=self.found,
            price=self.price,
            fighter=self.fighter,
            vehicle=self.vehicle,
            replaces=self.replaces,
            reason=self.reason,
            beyond_rules=self.beyond_rules,
        )

    def _offer(self, lookup: PriceLookup) -> Offer:
        direct = self.fighter is not None or self.vehicle is not None
        market = self.market or ("own_list" if direct else None)
        if isinstance(self.item, ItemOnPaper):
            offer = self.item.offer()
        elif market == "own_list":
            house = lookup.house_of(self.gang) or self.gang
            offer = lookup.stocked(self.item).on_list(house, self.item)
        else:
            offer = lookup.stocked(self.item).offer(self.item)
        return replace(offer, market=market) if market is not None else offer


class HandOver(MarketEntry):
    """A thing is handed out, taken off or stashed."""

    gang: Slug
    """The gang whose stash is meant."""
    item: Name
    """What, by its name."""
    source: Slug = Field(default=STASH, alias="from")
    """The fighter or vehicle it comes from; the stash when left out."""
    target: Slug = Field(default=STASH, alias="to")
    """The fighter or vehicle that gets it; the stash when left out, `lost` for nobody."""
    replaces: Name | None = None
    """What it takes the place of, which goes to the stash."""
    worth: Credits | None = None
    """What it counts for with its new bearer, such as the price on the own list."""
    beyond_rules: bool = False
    """true where the Arbitrator lets it be handed over all the same; with a reason."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """As asked of the campaign."""
        return records.MoveItem(
            item=self.item,
            source=self._place(self.source, lookup),
            target=self._place(self.target, lookup),
            worth=self.worth,
            replaces=self.replaces,
            reason=self.reason,
            beyond_rules=self.beyond_rules,
        )

    def _place(self, named: str, lookup: PriceLookup) -> str:
        if named == STASH:
            return stash_of(self.gang)
        if named == LOST:
            return "@lost"
        return on_vehicle(named) if named in lookup.state.vehicle_of else on_fighter(named)


class VehicleForSale(VehicleOnSheet):
    """A vehicle's card, as on a gang sheet; nobody need drive it yet."""

    crew: Slug = ""
    """The fighter who drives it; left out, it stands in the stash."""


class VehicleBought(MarketEntry):
    """A vehicle is bought, with its card as on a gang sheet."""

    gang: Slug
    """The gang that buys."""
    vehicle: VehicleForSale
    """The card."""
    price: Credits | None = None
    """What is paid, where that is not what the card costs."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:  # noqa: ARG002  # one signature for all
        """As asked of the campaign."""
        card = self.vehicle.card(self.vehicle.id or slug_of(self.vehicle.name))
        return records.BuyVehicle(gang=self.gang, card=card, price=self.price, reason=self.reason)

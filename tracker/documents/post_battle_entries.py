"""Entries of a post-battle file that are written differently from how their commands are kept.

Knows how each is written. What only an armoury knows is looked up as the command is made.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, Protocol, Self

from pydantic import Discriminator, Field, Tag, model_validator

from tracker.campaign import records
from tracker.campaign.holdings import on_fighter, on_vehicle, split_place, stash_of
from tracker.campaign.profiles import Category
from tracker.documents.armoury import ItemOnPaper, Offer, PriceLookup
from tracker.documents.card_numbers import Credits, ExperiencePoints, NumberNotation, SearchTotal
from tracker.documents.derived_forms import WrittenForm
from tracker.documents.gang_sheet import CharacteristicsOnSheet, FighterOnSheet, VehicleOnSheet
from tracker.documents.ids import EACH_ONCE, IdOrName
from tracker.documents.sheet_ids import id_for_hire, id_for_vehicle
from tracker.documents.text import Name, Note, Slug
from tracker.documents.validation import StrictModel, fault
from tracker.records import replace

STASH: Final = "stash"
LOST: Final = "lost"


class MarketEntry(WrittenForm):
    """Something a {game.gang} does between battles."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        """The command that the entry asks for. Raises NoArmoury or NotInArmoury."""
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
        return written.fighter.card(written.fighter.id or _id_for_hire(lookup, gang, written.fighter.name))
    assert written.type is not None, "neither a type nor a card was let in"
    assert written.name is not None, "a type without a name was let in"
    armoury, house = lookup.stocked(written.type), lookup.house_of(gang)
    look_up = armoury.fighter_type if beyond_rules else armoury.type_to_hire
    listed = look_up(written.type, house)
    named = written.id or _id_for_hire(lookup, gang, written.name)
    return replace(listed.card, fighter=named, name=written.name, experience=written.xp)


def _id_for_hire(lookup: PriceLookup, gang: str, name: str) -> str:
    return id_for_hire(lookup.state, gang, name, lookup.coming)


class Hire(MarketEntry):
    """A fighter is hired: of a type in the armoury, or with the whole card written out."""

    makes = records.HireFighter
    asks = "gang type name"

    gang: IdOrName
    """The {game.gang} that hires."""
    type: Name | None = None
    """The type, as the armoury lists it."""
    name: Name | None = None
    """What the fighter is called."""
    id: Slug | None = None
    """What reports call the fighter; made from the name when left out."""
    fighter: FighterOnSheet | None = None
    """The card, as on a {game.gang} sheet; instead of `type` and `name`."""
    price: Credits | None = None
    """What is paid, where that is not what the card costs: 0 for who comes free."""
    xp: ExperiencePoints = 0
    """Experience that the fighter comes with."""
    beyond_rules: bool = False
    """true where the Arbitrator lets the {game.gang} be made up differently, or have a type of another
    {game.house}.
    """
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        refuse_two_cards(self)
        return self

    def command_at(self, lookup: PriceLookup) -> records.Command:
        return self.asking(card=card_written(self, lookup, self.gang, beyond_rules=self.beyond_rules))


class Buy(MarketEntry):
    """A thing is bought."""

    makes = records.BuyItem
    asks = "gang item for? vehicle? price?"
    activity = "trading_post"

    gang: IdOrName
    """The {game.gang} that buys."""
    item: ItemWritten
    """Its name in the armoury, or the thing written out."""
    market: records.Market | None = None
    """Where; left out: the own list where it is `for` somebody, else as the armoury lists it."""
    number: SearchTotal | None = None
    """The X of Rare (X) or Illegal (X), where the armoury does not say."""
    found: SearchTotal | None = None
    """Up to which number there is, modifiers included; left out, what the sequence's search came to."""
    fighter: IdOrName | None = Field(default=None, alias="for")
    """The fighter who gets it, from the {game.gang}'s own list."""
    vehicle: IdOrName | None = None
    """The vehicle it is fitted to, from the {game.gang}'s own list."""
    replaces: Name | None = None
    """What it takes the place of on the fighter's card."""
    price: Credits | None = None
    """What is paid, where that is not the list's price."""
    beyond_rules: bool = False
    """true where the Arbitrator lets the {game.gang} have it all the same."""
    savvy_trader: IdOrName | None = None
    """The Savvy Trader who traded and takes something off the price of one thing for each trade."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        offer = self._offer(lookup)
        number = self.number if self.number is not None else offer.number
        return self.asking(item=offer.item, market=offer.market, number=number)

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

    makes = records.MoveItem
    asks = "gang item from? to?"
    activity = "distribute_equipment"

    gang: IdOrName
    """The {game.gang} whose stash is meant."""
    item: Name
    """What, by its name."""
    source: IdOrName = Field(default=STASH, alias="from")
    """The fighter or vehicle it comes from; the stash when left out."""
    target: IdOrName = Field(default=STASH, alias="to")
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
        return self.asking(source=self._place(self.source, lookup), target=self._place(self.target, lookup))

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        stated = super().stated_of(record)
        for key, place in (("from", record.source), ("to", record.target)):
            kind, whose = split_place(place) if place != "@lost" else ("", LOST)
            if kind == "stash":
                stated["gang"] = whose
                stated.pop(key, None)
            else:
                stated[key] = whose
        return stated

    def _place(self, named: str, lookup: PriceLookup) -> str:
        if named == STASH:
            return stash_of(self.gang)
        if named == LOST:
            return "@lost"
        return on_vehicle(named) if named in lookup.state.vehicle_of else on_fighter(named)


class VehicleForSale(VehicleOnSheet):
    """A vehicle's card, as on a {game.gang} sheet; nobody need drive it yet."""

    crew: IdOrName = ""
    """The fighter who drives it; left out, it stands in the stash."""


class VehicleBought(MarketEntry):
    """A vehicle is bought, with its card as on a {game.gang} sheet."""

    makes = records.BuyVehicle
    activity = "trading_post"

    gang: IdOrName
    """The {game.gang} that buys."""
    vehicle: VehicleForSale
    """The card."""
    price: Credits | None = None
    """What is paid, where that is not what the card costs."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        made = id_for_vehicle(lookup.state, self.gang, self.vehicle.name, lookup.coming)
        return self.asking(card=self.vehicle.card(self.vehicle.id or made))


# --- recruits and equipment of territories ---------------------------------------------------------------


class RecruitWritten(StrictModel):
    """Somebody who may come: of a type in the armoury, or with the whole card written out."""

    type: Name | None = None
    """The type, as the armoury lists it."""
    name: Name | None = None
    """What the fighter is called."""
    id: Slug | None = None
    """What reports call the fighter; made from the name when left out."""
    fighter: FighterOnSheet | None = None
    """The card, as on a {game.gang} sheet; instead of `type` and `name`."""
    xp: ExperiencePoints = 0
    """Experience that the fighter comes with."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        refuse_two_cards(self)
        return self


class Recruited(MarketEntry):
    """The recruit of a territory, who costs nothing. Dice, where a territory asks for them: recruit."""

    makes = records.TakeRecruit
    asks = "territory"
    activity = "boons"

    territory: IdOrName
    """The territory's id."""
    who: list[RecruitWritten] = Field(default=[], max_length=6)
    """Who comes; where dice decide, one for each rank that they may bring, and the one that fits joins."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        territory = lookup.state.territories.get(self.territory)
        gang = (territory.holder or "") if territory is not None else ""
        cards = tuple(card_written(recruit, lookup, gang) for recruit in self.who)
        return self.asking(cards=cards)


class EquipmentTaken(MarketEntry):
    """The equipment of a territory, for the stash: as many as the book says."""

    makes = records.TakeEquipment
    activity = "boons"

    territory: IdOrName
    """The territory's id."""
    item: ItemWritten
    """One of them: its name in the armoury, or the thing written out."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        if isinstance(self.item, ItemOnPaper):
            offer = self.item.offer()
        else:
            offer = lookup.stocked(self.item).offer(self.item)
        return self.asking(item=offer.item)


# --- what fighters do with their XP, who rises and who leads ---------------------------------------------


class Advance(MarketEntry):
    """A fighter spends XP. A random skill asks for dice: skill."""

    makes = records.BuyAdvancement
    kept_as = MappingProxyType({"take": "advancement", "set": "skill_set", "type": "kind"})
    asks = "fighter take set? skill? type?"
    activity = "advancements"

    fighter: IdOrName
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
        return self.asking(
            advancement=self.take,
            skill_set=lookup.skill_set(self.set, self.fighter) if self.set is not None else None,
            kind=self.type,
            basic_profile=lookup.basic_profile(self.type, lookup.house_of_fighter(self.fighter)),
        )


class GangerRoll(MarketEntry):
    """A Ganger with XP enough rolls. Dice: ganger_advancement, and skill where it is one."""

    makes = records.RollAdvancement
    kept_as = MappingProxyType({"set": "skill_set"})
    asks = "fighter choose? set?"
    activity = "advancements"

    fighter: IdOrName
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
        return self.asking(
            skill_set=lookup.skill_set(self.set, self.fighter) if self.set is not None else None
        )


class Promote(MarketEntry):
    """A Juve or Prospect with advancements enough rises in rank."""

    makes = records.PromoteFighter
    kept_as = MappingProxyType({"to": "category", "type": "kind"})
    activity = "advancements"

    fighter: IdOrName
    """Who rises."""
    to: Category
    """The new rank."""
    type: Name
    """What the {game.gang} list calls it; with an armoury its profile is the one measured from."""
    beyond_rules: bool = False
    """true where the Arbitrator promotes outside Downtime, or who has not the advancements."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        profile = lookup.basic_profile(self.type, lookup.house_of_fighter(self.fighter))
        return self.asking(category=self.to, kind=self.type, basic_profile=profile)


class NewLeader(MarketEntry):
    """Who is next in line leads a {game.gang} that has lost its Leader."""

    makes = records.NameLeader
    kept_as = MappingProxyType({"type": "kind"})
    asks = "gang fighter? type?"
    activity = "clean_house"

    gang: IdOrName
    """The {game.gang}."""
    fighter: IdOrName | None = None
    """Who, where the rules leave a choice."""
    type: Name = "Leader"
    """What the {game.gang} list calls its Leader; with an armoury its profile is the one measured from."""
    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def command_at(self, lookup: PriceLookup) -> records.Command:
        profile = lookup.basic_profile(self.type, lookup.house_of(self.gang))
        return self.asking(kind=self.type, basic_profile=profile)


# --- awards of house rules -------------------------------------------------------------------------------


class Best(WrittenForm):
    """By house rule: XP for the best of a {game.gang}, as the opponent names them. Dice: mvp."""

    makes = records.RollPraise
    fighter: IdOrName
    """Who it is."""

    def command(self, _: str | None) -> records.Command:
        return self.asking(praise="mvp")


class Painted(WrittenForm):
    """By house rule: XP for a model that is painted, once. Dice: painted."""

    makes = records.RollPraise
    fighter: IdOrName
    """Whose model it is."""

    def command(self, _: str | None) -> records.Command:
        return self.asking(praise="painted")


# --- warbands --------------------------------------------------------------------------------------------


Deeds = Annotated[int, NumberNotation(lowest=0, highest=50)]
DiceShare = Annotated[int, NumberNotation(lowest=1, highest=50)]
Score = Annotated[int, NumberNotation(lowest=1, highest=120)]
MoreDice = Annotated[int, NumberNotation(lowest=0, highest=10)]
DieNumber = Annotated[int, NumberNotation(lowest=1, highest=20)]


class Promotions(WrittenForm):
    """The promotion dice of a warband. Dice: promotion, troop by troop in this order."""

    makes = records.RollPromotions
    asks = "gang troops deeds?"
    activity = "promotion"

    gang: IdOrName
    """The warband."""
    troops: Annotated[dict[IdOrName, DiceShare], EACH_ONCE] = Field(min_length=1, max_length=50)
    """How many dice each troop has, such as {odo: 2}."""
    deeds: Deeds | None = None
    """All Glorious Deeds of the battle, by anybody; left out, one for each of `deeds_by`."""
    deeds_by: list[IdOrName] = Field(default=[], max_length=50)
    """The troops who did one."""

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        return {**super().stated_of(record), "troops": {die.fighter: die.dice for die in record.dice}}

    def command(self, _: str | None) -> records.Command:
        dice = tuple(records.PromotionDice(fighter=name, dice=count) for name, count in self.troops.items())
        return self.asking(dice=dice, deeds=len(set(self.deeds_by)) if self.deeds is None else self.deeds)


class LocationWritten(StrictModel):
    """A location of the players' own table."""

    name: Name
    """What it is called."""
    score: Score
    """The score that the table prints for it."""
    kind: Literal["common", "rare", "legendary"] | None = None
    """Which table it stands in."""


class Exploring(WrittenForm):
    """Looting and exploration. Dice: exploration, and exploration_reroll for each of `rerolls`."""

    makes = records.Explore
    asks = "gang more_dice? rerolls?@exploration location?@exploration"
    activity = "exploration"

    gang: IdOrName
    """The warband."""
    rerolls: list[DieNumber] = Field(default=[], max_length=20)
    """Which dice are rolled again, counted from 1."""
    more_dice: MoreDice = 0
    """Dice that skills or things add."""
    more_rerolls: MoreDice = 0
    """Re-rolls that skills or things add."""
    location: LocationWritten | None = None
    """The location that is found on exactly this score."""

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        stated = super().stated_of(record)
        place = {"name": record.location, "score": record.location_score, "kind": record.location_kind}
        if record.location is not None:
            stated["location"] = {key: value for key, value in place.items() if value is not None}
        return stated

    def command(self, _: str | None) -> records.Command:
        place = self.location
        if place is None:
            return self.asking()
        return self.asking(location=place.name, location_score=place.score, location_kind=place.kind)


class RansomWritten(WrittenForm):
    """A ransom settled later than with the Trauma roll."""

    makes = records.SettleRansom
    asks = "fighter ducats?"

    fighter: IdOrName
    """The captive."""
    ducats: Credits | None = None
    """What is paid."""
    unpaid: bool = False
    """true where nobody will pay."""
    to: IdOrName | None = None
    """The warband that is paid, where it is not the one that took the model out."""

    @model_validator(mode="after")
    def _paid_or_not(self) -> Self:
        if (self.ducats is None) != self.unpaid:
            raise fault("write either `ducats` or `unpaid: true`.")
        return self

    def command(self, _: str | None) -> records.Command:
        return self.asking()

"""Commands about money and things. A price, a find and for whom are stated; what is bought is written out.

`reason` is why an Arbitrator enters it outside the post-battle sequence; `beyond_rules` lets a limit of the
rules pass, never one of the ledger.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import Item
from tracker.campaign.records.campaigns import FighterCard
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.vehicle_cards import VehicleCard
from tracker.errors import BadInput, RulesRefuse, nearest

Market: TypeAlias = Literal["own_list", "common", "rare", "illegal", "given"]


@command("MoveCredits", game="every")
class MoveCredits(Command):
    """The Arbitrator moves credits between two accounts. `overdraw`: what is paid may be owed."""

    source: str
    target: str
    amount: int
    reason: str
    overdraw: bool = False


@command("BuyItem", game="every")
class BuyItem(Command):
    """A gang buys a thing. `number` is the X of Rare (X) or Illegal (X), `found` up to which X there is,
    where no search of the sequence tells.

    From the own list it goes straight to `fighter` or `vehicle`, else to the stash. `price` None is what it
    is worth; `given` costs nothing. `replaces` is taken off the fighter, into the stash.
    """

    gang: str
    item: Item
    market: Market
    number: int | None = None
    found: int | None = None
    price: int | None = None
    fighter: str | None = None
    vehicle: str | None = None
    replaces: str | None = None
    reason: str | None = None
    beyond_rules: bool = False


@command("SellItem", game="every")
class SellItem(Command):
    """A gang sells a thing out of its stash. `worth` where the stash does not know it."""

    gang: str
    item: str
    worth: int | None = None
    reason: str | None = None


@command("MoveItem", game="every")
class MoveItem(Command):
    """A thing goes from one place to another: 'stash:GANG', 'fighter:ID', 'vehicle:ID', '@lost'.

    `worth` is what it counts for at its new place where that differs; `replaces` is taken off its new bearer.
    """

    item: str
    source: str
    target: str
    worth: int | None = None
    replaces: str | None = None
    reason: str | None = None
    beyond_rules: bool = False


@command("HireFighter", game="every")
class HireFighter(Command):
    """A fighter joins a gang for credits. `price` None is what the card costs."""

    gang: str
    card: FighterCard
    price: int | None = None
    reason: str | None = None
    beyond_rules: bool = False


@command("BuyVehicle")
class BuyVehicle(Command):
    """A gang buys a vehicle; its card's `crew` may be "", then it stands in the stash."""

    gang: str
    card: VehicleCard
    price: int | None = None
    reason: str | None = None


@command("CrewVehicle")
class CrewVehicle(Command):
    """A vehicle gets another driver; None puts it into the stash."""

    vehicle: str
    fighter: str | None
    reason: str | None = None


@command("ScrapVehicle")
class ScrapVehicle(Command):
    """A damaged vehicle is scrapped. `base` is what it and its upgrades cost, where the card says more."""

    vehicle: str
    base: int | None = None
    reason: str | None = None
    beyond_rules: bool = False


@command("RemoveUpgrade")
class RemoveUpgrade(Command):
    """An upgrade is taken off a vehicle, and may break."""

    vehicle: str
    upgrade: str
    reason: str | None = None


@command("CleanHouse")
class CleanHouse(Command):
    """The things of a gang's dead are shared out. `saved` None: as the battle's record tells."""

    gang: str
    saved: bool | None = None
    reason: str | None = None


@command("RecordRating", game="every")
class RecordRating(Command):
    """A gang's rating is worked out anew.

    `reading` 1 is how entries were decided before a gang without its Leader was told to name one first.
    """

    gang: str
    reason: str | None = None
    reading: int = 1


TradingCommand: TypeAlias = (
    MoveCredits
    | BuyItem
    | SellItem
    | MoveItem
    | HireFighter
    | BuyVehicle
    | CrewVehicle
    | ScrapVehicle
    | RemoveUpgrade
    | CleanHouse
    | RecordRating
)


@event("CreditsMoved")
class CreditsMoved(Event):
    """So many credits went from one account to another; `amount` is never negative."""

    source: str
    target: str
    amount: int
    why: str
    section: str
    fighter: str | None = None
    item: str | None = None


@event("ItemMoved")
class ItemMoved(Event):
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


@event("FighterCostChanged")
class FighterCostChanged(Event):
    """What a fighter counts for in the gang's rating changed: things came or went, or an advancement."""

    fighter: str
    before: int
    after: int
    why: str


@event("VehicleCostChanged")
class VehicleCostChanged(Event):
    """What a vehicle counts for in the gang's rating changed."""

    vehicle: str
    before: int
    after: int
    why: str


@event("VehicleCrewChanged")
class VehicleCrewChanged(Event):
    """A vehicle got another driver; None: it stands in the stash."""

    vehicle: str
    before: str | None
    after: str | None
    why: str


@event("VehicleGone")
class VehicleGone(Event):
    """A vehicle left its gang for good: scrapped or sold."""

    vehicle: str
    why: str


@event("RatingRecorded")
class RatingRecorded(Event):
    """A gang's rating was worked out anew: until the next time, this is the one that rules read."""

    gang: str
    before: int | None
    after: int
    wealth: int
    section: str


class NotEnoughCredits(RulesRefuse):
    """{gang} has {credits} {currency}s and needs {needed} for this: {why}. Nothing goes below zero; see
    'arbitrator gang ledger'.
    """

    gang: str
    credits: int
    needed: int
    why: str
    currency: str


class UnknownAccount(BadInput):
    account: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no account {self.account!r}.{nearest(self.account, self.known)} It is a gang, or one"
            f" of: {', '.join(one for one in self.known if one.startswith('@'))}."
        )


class NothingMoves(BadInput):
    amount: int
    source: str
    target: str
    currency: str

    def message(self) -> str:
        if self.source == self.target:
            money = f"{self.currency.capitalize()}s"
            return f"{money} cannot go from {self.source} to {self.target}: the two sides are one."
        return f"{self.amount} {self.currency}s are none to move: give a whole number from 1 on."


class ItemNotThere(RulesRefuse):
    item: str
    place: str
    known: tuple[str, ...]

    def message(self) -> str:
        there = ", ".join(self.known) or "nothing"
        return f"There is no {self.item!r} {self.place}.{nearest(self.item, self.known)} There is: {there}."


class CannotCarry(RulesRefuse):
    """{who} cannot take {item}: {why}."""

    item: str
    who: str
    why: str


class WeaponsOverTheLimit(RulesRefuse):
    """{fighter} would carry weapons that count as {weapons}, and may carry {limit} ({section})."""

    fighter: str
    weapons: int
    limit: int
    section: str


class NotTakenOff(RulesRefuse):
    """{item} may not be taken off {fighter} unless something takes its place ({section}). Say what replaces
    it, or adopt a house rule that lets equipment be swapped; see 'arbitrator policy list'.
    """

    item: str
    fighter: str
    section: str


class BelowZero(RulesRefuse):
    """{who} counts for {cost} {currency}s, and {by} cannot be taken from that: state what the thing was
    really worth.
    """

    who: str
    cost: int
    by: int
    currency: str


class NotFound(RulesRefuse):
    """A Rare or Illegal item that the search did not turn up."""

    item: str
    market: str
    number: int
    found: int | None
    section: str

    def message(self) -> str:
        up_to = "no search was made" if self.found is None else f"the search allows up to ({self.found})"
        return f"{self.item} is {self.market.capitalize()} ({self.number}), and {up_to} ({self.section})."


class AvailabilityMissing(BadInput):
    item: str
    market: str

    def message(self) -> str:
        return (
            f"{self.item} is bought as {self.market}: say the number, such as {self.market.capitalize()} (9)."
        )


class WhoTakesIt(BadInput):
    """{item} from the gang's own list goes straight to a model: say which fighter or vehicle."""

    item: str


class GoesToStash(RulesRefuse):
    """{item} from the Trading Post goes to the stash first ({section}). Buy it without a fighter, then hand
    it out.
    """

    item: str
    section: str


class TroubledGang(RulesRefuse):
    """{gang} cannot take {who}: then {trouble} ({section})."""

    gang: str
    who: str
    trouble: str
    section: str


class VehicleNotDamaged(RulesRefuse):
    """{vehicle} is not damaged, and only a damaged vehicle is scrapped ({section})."""

    vehicle: str
    section: str


class OtherGangs(RulesRefuse):
    """{item} would go from {gang} to {other}. Between gangs things change hands only by the Arbitrator's
    word: give a reason.
    """

    item: str
    gang: str
    other: str


class VehicleIsGone(RulesRefuse):
    """{vehicle} was scrapped or sold: nothing more can be done with it."""

    vehicle: str


class NotOfThisGang(BadInput):
    """{who} is not of {gang}."""

    who: str
    gang: str


class NeverDiscarded(RulesRefuse):
    """{item} is a weapon, and weapons are never discarded ({section}): sell or stash it."""

    item: str
    section: str

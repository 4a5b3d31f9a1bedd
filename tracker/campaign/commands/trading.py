"""Commands about money and things. A price, a find and for whom are stated; what is bought is written out.

`reason` is why an Arbitrator enters it outside the post-battle sequence; `beyond_rules` lets a limit of the
rules pass, never one of the ledger.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.commands.campaigns import FighterCard
from tracker.campaign.commands.vehicles import VehicleCard
from tracker.campaign.profiles import Item
from tracker.records import Record

Market: TypeAlias = Literal["own_list", "common", "rare", "illegal", "given"]


class MoveCredits(Record):
    """The Arbitrator moves credits between two accounts. `overdraw`: what is paid may be owed."""

    source: str
    target: str
    amount: int
    reason: str
    overdraw: bool = False


class BuyItem(Record):
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


class SellItem(Record):
    """A gang sells a thing out of its stash. `worth` where the stash does not know it."""

    gang: str
    item: str
    worth: int | None = None
    reason: str | None = None


class MoveItem(Record):
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


class HireFighter(Record):
    """A fighter joins a gang for credits. `price` None is what the card costs."""

    gang: str
    card: FighterCard
    price: int | None = None
    reason: str | None = None
    beyond_rules: bool = False


class BuyVehicle(Record):
    """A gang buys a vehicle; its card's `crew` may be "", then it stands in the stash."""

    gang: str
    card: VehicleCard
    price: int | None = None
    reason: str | None = None


class CrewVehicle(Record):
    """A vehicle gets another driver; None puts it into the stash."""

    vehicle: str
    fighter: str | None
    reason: str | None = None


class ScrapVehicle(Record):
    """A damaged vehicle is scrapped. `base` is what it and its upgrades cost, where the card says more."""

    vehicle: str
    base: int | None = None
    reason: str | None = None
    beyond_rules: bool = False


class RemoveUpgrade(Record):
    """An upgrade is taken off a vehicle, and may break."""

    vehicle: str
    upgrade: str
    reason: str | None = None


class CleanHouse(Record):
    """The things of a gang's dead are shared out. `saved` None: as the battle's record tells."""

    gang: str
    saved: bool | None = None
    reason: str | None = None


class RecordRating(Record):
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

"""Money and items: what gangs buy, sell and hand out, whom they hire, and what they are worth.

Prices, finds and recipients are stated; a bought item is written out. `beyond_rules` allows exceeding a limit
of the rules, but never one of the ledger.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.cards import fighter_on_card, put_into, taken_from, vehicle_on_card
from tracker.campaign.holdings import OUTSIDE, at_worth, is_outside, split_place
from tracker.campaign.profiles import Item
from tracker.campaign.records import kinds
from tracker.campaign.records.campaigns import FighterCard
from tracker.campaign.records.declaring import Event, ReasonedCommand, Wording, command, event
from tracker.campaign.records.territories import with_grant
from tracker.campaign.records.vehicle_cards import VehicleCard
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import replace

Market: TypeAlias = Literal["own_list", "common", "rare", "illegal", "given"]

_MARKETS: dict[Market, str] = {
    "own_list": "from the own list",
    "common": "at the Trading Post",
    "rare": "Rare",
    "illegal": "Illegal",
    "given": "given",
}


# --- commands --------------------------------------------------------------------------------------------


@command("MoveCredits", game="every", entry="credits")
class MoveCredits(ReasonedCommand, kw_only=True):
    """The Arbitrator moves {game.credits}; one side at least is a {game.gang}."""

    source: Annotated[kinds.Account, kinds.FileKey(name="from")]
    """A {game.gang}, or an account such as @rewards."""
    target: Annotated[kinds.Account, kinds.FileKey(name="to")]
    """A {game.gang}, or an account such as @doc."""
    amount: kinds.Payment
    """How many."""
    overdraw: bool = False
    """true if the {game.gang} may go into debt."""
    reason: kinds.Note
    """Why."""

    def request_in_words(self, wording: Wording) -> str:
        sides = f"{account_words(self.source, wording)} -> {account_words(self.target, wording)}"
        return f"move {wording.money(self.amount)}, {sides}"


@command("BuyItem", game="every")
class BuyItem(ReasonedCommand, kw_only=True):
    """A {game.gang} buys an item. `number` is the X of Rare (X) or Illegal (X); `found` is the highest X
    found, unless a search of the sequence tells. From the own list it goes straight to `fighter` or
    `vehicle`, else to the stash. `price` None is its worth; `given` makes it free. `replaces` is taken off
    the fighter, into the stash. `savvy_trader` traded in this sequence and gets a discount on this one item.
    """

    gang: kinds.GangId
    item: Item
    market: Market
    number: int | None = None
    found: int | None = None
    price: kinds.Credits | None = None
    fighter: kinds.FighterId | None = None
    vehicle: kinds.VehicleId | None = None
    replaces: kinds.Name | None = None
    beyond_rules: bool = False
    savvy_trader: kinds.FighterId | None = None

    def request_in_words(self, wording: Wording) -> str:
        bearer = self.fighter or self.vehicle
        for_whom = f" for {wording.fighter(bearer)}" if bearer is not None else ""
        what = f"{wording.text(self.item.name)} ({_MARKETS[self.market]})"
        return f"buy {what}{for_whom}: {wording.gang(self.gang)}"


@command("SellItem", game="every", entry="sell", activity="trading_post")
class SellItem(ReasonedCommand, kw_only=True):
    """An item of the stash is sold. One die is rolled: sale."""

    sentence = "sell {item}: {gang}"

    gang: kinds.GangId
    """The {game.gang} that sells."""
    item: kinds.Name
    """What is sold, by its name in the stash."""
    worth: kinds.Credits | None = None
    """What it is worth, if the stash does not list its worth."""


@command("MoveItem", game="every")
class MoveItem(ReasonedCommand, kw_only=True):
    """An item goes from one place to another: 'stash:GANG', 'fighter:ID', 'vehicle:ID', '@lost'. `worth` is
    its worth at the new place, if it differs; `replaces` is taken off its new bearer.
    """

    item: kinds.Name
    source: str
    target: str
    worth: kinds.Credits | None = None
    replaces: kinds.Name | None = None
    beyond_rules: bool = False

    def request_in_words(self, wording: Wording) -> str:
        sides = f"{place_words(self.source, wording)} -> {place_words(self.target, wording)}"
        return f"hand over {wording.text(self.item)}, {sides}"


@command("HireFighter", game="every")
class HireFighter(ReasonedCommand, kw_only=True):
    """A fighter joins a {game.gang} for {game.credits}. `price` None is what the card costs."""

    gang: kinds.GangId
    card: FighterCard
    price: kinds.Credits | None = None
    beyond_rules: bool = False

    def request_in_words(self, wording: Wording) -> str:
        return f"hire {wording.text(self.card.name)} for {wording.gang(self.gang)}"


@command("BuyVehicle", part="vehicles")
class BuyVehicle(ReasonedCommand, kw_only=True):
    """A {game.gang} buys a vehicle. With "" as the card's `crew` it goes to the stash."""

    gang: kinds.GangId
    card: VehicleCard
    price: kinds.Credits | None = None

    def request_in_words(self, wording: Wording) -> str:
        return f"buy vehicle {wording.text(self.card.name)} for {wording.gang(self.gang)}"


@command(
    "CrewVehicle", part="vehicles", entry="crew", activity="distribute_equipment", asks="vehicle fighter?"
)
class CrewVehicle(ReasonedCommand, kw_only=True):
    """A vehicle gets another driver, or goes to the stash."""

    vehicle: kinds.VehicleId
    """The vehicle."""
    fighter: kinds.FighterId | None = None
    """Who drives it; left out, it stands in the stash."""

    def request_in_words(self, wording: Wording) -> str:
        if self.fighter is None:
            return f"{wording.fighter(self.vehicle)} into the stash"
        return f"{wording.fighter(self.fighter)} drives {wording.fighter(self.vehicle)}"


@command("ScrapVehicle", part="vehicles", entry="scrap_vehicle", activity="clean_house")
class ScrapVehicle(ReasonedCommand, kw_only=True):
    """A damaged vehicle is scrapped."""

    sentence = "scrap {vehicle}"

    vehicle: kinds.VehicleId
    """The vehicle."""
    base: kinds.Credits | None = None
    """What it and its upgrades cost, where the card does not tell it apart from its weapons."""
    beyond_rules: bool = False
    """true if the Arbitrator allows scrapping a sound vehicle."""


@command("RemoveUpgrade", part="vehicles", entry="remove_upgrade", activity="distribute_equipment")
class RemoveUpgrade(ReasonedCommand, kw_only=True):
    """An upgrade is taken off a vehicle. One die is rolled: upgrade_removal."""

    sentence = "take {upgrade} off {vehicle}"

    vehicle: kinds.VehicleId
    """The vehicle."""
    upgrade: kinds.Name
    """What is taken off."""


@command("CleanHouse", part="clearing up after its dead", entry="clean_house", activity="clean_house")
class CleanHouse(ReasonedCommand, kw_only=True):
    """The gear of a {game.gang}'s dead goes to the stash, or is lost if nobody could save it."""

    sentence = "clean house of {gang}"

    gang: kinds.GangId
    """The {game.gang}."""
    saved: bool | None = None
    """Whether a friendly fighter remained or the Doc had them; left out, as the battle's record tells."""


@command("RecordRating", game="every", entry="rating", activity="gang_rating", stated={"reading": 2})
class RecordRating(ReasonedCommand, kw_only=True):
    """A {game.gang}'s rating is worked out anew, at the end of its sequence."""

    sentence = "work out the rating of {gang}"

    gang: kinds.GangId
    """The {game.gang}."""
    reading: int = 1
    """1 is how entries were decided before a {game.gang} without its Leader had to name one first."""


# --- events ----------------------------------------------------------------------------------------------


@event("CreditsMoved")
class CreditsMoved(Event):
    """Credits went from one account to another; `amount` is never negative."""

    source: kinds.Account
    target: kinds.Account
    amount: kinds.Credits
    why: str
    section: str
    fighter: kinds.FighterId | None = None
    item: str | None = None

    def in_words(self, wording: Wording) -> str:
        sides = f"{account_words(self.source, wording)} -> {account_words(self.target, wording)}"
        return f"{wording.money(self.amount)}, {sides}: {wording.text(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        state = _on_account(_on_account(state, self.source, -self.amount), self.target, self.amount)
        # What a gang pays comes first out of what lapses.
        left = state.cycle.grants.get(self.source) if state.cycle is not None else None
        return with_grant(state, self.source, max(0, left - self.amount)) if left else state


@event("ItemMoved")
class ItemMoved(Event):
    """One item changed its place, between gangs or within one; a gang of None is outside. `item` is as it was
    at its source; `worth` is its worth at the target, if it differs.
    """

    item: Item
    source: str
    target: str
    source_gang: kinds.GangId | None
    target_gang: kinds.GangId | None
    why: str
    section: str
    worth: int | None = None

    def in_words(self, wording: Wording) -> str:
        sides = f"{place_words(self.source, wording)} -> {place_words(self.target, wording)}"
        worth = f" (worth {wording.money(self.item.cost_credits)})" if self.item.cost_credits else ""
        return f"{wording.text(self.item.name)}{worth}, {sides}: {wording.text(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        state = taken_from(state, self.source, self.item)
        return put_into(state, self.target, at_worth(self.item, self.worth))


@event("FighterCostChanged")
class FighterCostChanged(Event):
    """A fighter's cost in the gang's rating changed: by items, or by an advancement."""

    sentence = "{fighter}: cost {before} -> {after} ({why})"

    fighter: kinds.FighterId
    before: int
    after: kinds.Credits
    why: str

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        cost = fighter.cost_credits + self.after - self.before
        return state.with_fighter(replace(fighter, cost_credits=cost))


@event("VehicleCostChanged")
class VehicleCostChanged(Event):
    """A vehicle's cost in the gang's rating changed."""

    sentence = "{vehicle}: cost {before} -> {after} ({why})"

    vehicle: kinds.VehicleId
    before: int
    after: kinds.Credits
    why: str

    def apply(self, state: CampaignState) -> CampaignState:
        vehicle = vehicle_on_card(state, self.vehicle)
        cost = vehicle.cost_credits + self.after - self.before
        return state.with_vehicle(replace(vehicle, cost_credits=cost))


@event("VehicleCrewChanged")
class VehicleCrewChanged(Event):
    """A vehicle got another driver; None: it is in the stash."""

    vehicle: kinds.VehicleId
    before: kinds.FighterId | None
    after: kinds.FighterId | None
    why: str

    def in_words(self, wording: Wording) -> str:
        who = f"is driven by {wording.fighter(self.after)}" if self.after else "stands in the stash"
        return f"{wording.fighter(self.vehicle)} {who}: {wording.text(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return state.with_vehicle(replace(vehicle_on_card(state, self.vehicle), crew=self.after or ""))


@event("VehicleGone")
class VehicleGone(Event):
    """A vehicle left its gang for good: scrapped or sold."""

    sentence = "{vehicle} is gone: {why}"

    vehicle: kinds.VehicleId
    why: str

    def apply(self, state: CampaignState) -> CampaignState:
        return state.with_vehicle(replace(vehicle_on_card(state, self.vehicle), gone=True, crew=""))


@event("RatingRecorded")
class RatingRecorded(Event):
    """A gang's rating was worked out anew: rules read this one until the next time."""

    gang: kinds.GangId
    before: int | None
    after: int
    wealth: int
    section: str

    def in_words(self, wording: Wording) -> str:
        before = f"{self.before} -> " if self.before is not None else ""
        return f"{wording.gang(self.gang)}: rating {before}{self.after}, wealth {self.wealth}"

    def apply(self, state: CampaignState) -> CampaignState:
        return state.with_gang(replace(state.gangs[self.gang], rating_recorded=self.after))


def account_words(account: str, wording: Wording) -> str:
    """An account in words: 'Iron Skulls', or 'the Trading Post'."""
    outside = OUTSIDE.get(account)
    return wording.game.said(outside) if outside else wording.gang(account)


def place_words(place: str, wording: Wording) -> str:
    """A place in words: 'the stash of Iron Skulls', 'Krug', 'the Trading Post'."""
    kind, whose = split_place(place)
    if kind == "stash":
        return f"the stash of {wording.gang(whose)}"
    return account_words(place, wording) if kind == "outside" else wording.fighter(whose)


def _on_account(state: CampaignState, account: str, by: int) -> CampaignState:
    if is_outside(account):
        return state
    gang = state.gangs[account]
    return state.with_gang(replace(gang, credits=gang.credits + by))


# --- refusals --------------------------------------------------------------------------------------------


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
        accounts = ", ".join(name for name in self.known if name.startswith("@"))
        return (
            f"There is no account {self.account!r}.{nearest(self.account, self.known)} It is a"
            f" {self.called('gang')}, or one of: {accounts}."
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
        return f"{self.amount} {self.currency}s cannot be moved: give a whole number from 1 on."


class ItemNotThere(RulesRefuse):
    lacks = "from"
    item: str
    place: str
    known: tuple[str, ...]

    def message(self) -> str:
        there = ", ".join(self.known) or "nothing"
        return f"There is no {self.item!r} {self.place}.{nearest(self.item, self.known)} There is: {there}."


class CannotCarry(RulesRefuse):
    """{who} cannot take {item}: {why}."""

    lacks = "to"
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
    """{who} counts for {cost} {currency}s, and {by} cannot be taken off: state what the thing was really
    worth.
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
    """{item} from the {game.gang}'s own list goes straight to a model: say which fighter or vehicle."""

    item: str


class GoesToStash(RulesRefuse):
    """{item} from the Trading Post goes to the stash first ({section}). Buy it without a fighter, then hand
    it out.
    """

    item: str
    section: str


class TroubledGang(RulesRefuse):
    """{gang} cannot take {who}: with this fighter {trouble} ({section})."""

    gang: str
    who: str
    trouble: str
    section: str


class VehicleNotDamaged(RulesRefuse):
    """{vehicle} is not damaged, and only a damaged vehicle is scrapped ({section})."""

    vehicle: str
    section: str


class OtherGangs(RulesRefuse):
    """{item} would go from {gang} to {other}. Between {game.gangs} things change hands only by the
    Arbitrator's word: give a reason.
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

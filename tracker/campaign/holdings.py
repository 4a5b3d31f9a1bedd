"""Holdings: accounts, places, and what a gang is worth. The one home of rating and wealth.

Knows how a place is written and what counts for what. Knows no rule that moves anything.
Source: Core Rulebook (2023) · Gangs · Gang Rating; Wealth.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tracker.campaign.profiles import Item
from tracker.campaign.state import Gang
from tracker.records import replace

OUTSIDE: Mapping[str, str] = MappingProxyType(
    {
        "@trading_post": "the Trading Post",
        "@black_market": "the Black Market",
        "@own_list": "the {game.gang}'s own list",
        "@hiring": "hiring",
        "@guilders": "the Guilders",
        "@doc": "the Doc",
        "@repairs": "repairs",
        "@scrap": "scrap",
        "@bounty": "bounties",
        "@ransom": "ransom",
        "@rewards": "rewards",
        "@income": "income",
        "@territory": "a territory",
        "@founding": "the founding",
        "@exploration": "exploration",
        "@reinforcements": "reinforcements",
        "@campaign": "the campaign",
        "@arbitrator": "the Arbitrator",
        "@lost": "lost",
    }
)
"""The accounts and places outside every gang, and what they are called."""


def is_outside(account: str) -> bool:
    """Whether an account or a place lies outside every gang."""
    return account.startswith("@")


def stash_of(gang: str) -> str:
    """A gang's stash as a place."""
    return f"stash:{gang}"


def on_fighter(fighter: str) -> str:
    """A fighter's card as a place."""
    return f"fighter:{fighter}"


def on_vehicle(vehicle: str) -> str:
    """A vehicle's card as a place."""
    return f"vehicle:{vehicle}"


def split_place(place: str) -> tuple[str, str]:
    """'stash:skulls' as ('stash', 'skulls'); a place outside as ('outside', '@doc')."""
    if is_outside(place):
        return "outside", place
    kind, _, whose = place.partition(":")
    return kind, whose


def rating(gang: Gang) -> int:
    """The gang's rating in credits: the cost of all its models with their gear. The dead and gone do not
    count.
    """
    fighters = sum(fighter.cost_credits for fighter in gang.enlisted.values() if not fighter.off_rating)
    vehicles = sum(
        vehicle.cost_credits for vehicle in gang.vehicles.values() if vehicle.crew and not vehicle.gone
    )
    return fighters + vehicles


def stash_value(gang: Gang) -> int:
    """The value of a gang's stash in credits, with vehicles that have no driver."""
    vehicles = sum(
        vehicle.cost_credits for vehicle in gang.vehicles.values() if not vehicle.crew and not vehicle.gone
    )
    return sum(item.cost_credits for item in gang.stash) + vehicles


def wealth(gang: Gang, rated: int | None = None) -> int:
    """Rating, credits and stash together, in credits. Pass `rated` to save working out the rating again."""
    return (rating(gang) if rated is None else rated) + gang.credits + stash_value(gang)


def at_worth(item: Item, worth: int | None) -> Item:
    """The item, and its weapon, with this worth in credits; unchanged for None."""
    worth = item.cost_credits if worth is None else worth
    weapon = item.weapon
    if weapon is not None and weapon.cost_credits != worth:
        weapon = replace(weapon, cost_credits=worth)
    return replace(item, cost_credits=worth, weapon=weapon)

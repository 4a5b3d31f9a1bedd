"""Words about money, things and advancement: their events as sentences."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.gangs import GangEvent
from tracker.campaign.holdings import OUTSIDE, split_place
from tracker.reports.cards import plain, titled
from tracker.reports.names import Names
from tracker.reports.paper import safe


def account_words(account: str, names: Names) -> str:
    """'Iron Skulls', or 'the Trading Post'."""
    return OUTSIDE.get(account) or names.gang(account)


def place_words(place: str, names: Names) -> str:
    """'the stash of Iron Skulls', 'Krug', 'the Trading Post'."""
    kind, whose = split_place(place)
    if kind == "stash":
        return f"the stash of {names.gang(whose)}"
    return account_words(place, names) if kind == "outside" else names.fighter(whose)


def gang_sentence(event: GangEvent, names: Names) -> str:
    """One line for one event."""
    match event:
        case records.CreditsMoved():
            sides = f"{account_words(event.source, names)} -> {account_words(event.target, names)}"
            return f"{names.money(event.amount)}, {sides}: {safe(event.why)}"
        case records.ItemMoved():
            sides = f"{place_words(event.source, names)} -> {place_words(event.target, names)}"
            worth = f" (worth {names.money(event.item.cost_credits)})" if event.item.cost_credits else ""
            return f"{safe(event.item.name)}{worth}, {sides}: {safe(event.why)}"
        case records.FighterCostChanged():
            return (
                f"{names.fighter(event.fighter)} counts for {event.before} -> {names.money(event.after)}:"
                f" {safe(event.why)}"
            )
        case records.VehicleCostChanged():
            return (
                f"{names.fighter(event.vehicle)} counts for {event.before} -> {names.money(event.after)}:"
                f" {safe(event.why)}"
            )
        case records.VehicleCrewChanged():
            who = f"is driven by {names.fighter(event.after)}" if event.after else "stands in the stash"
            return f"{names.fighter(event.vehicle)} {who}: {safe(event.why)}"
        case records.VehicleGone():
            return f"{names.fighter(event.vehicle)} is gone: {safe(event.why)}"
        case records.RatingRecorded():
            before = f"{event.before} -> " if event.before is not None else ""
            return f"{names.gang(event.gang)}: rating {before}{event.after}, wealth {event.wealth}"
        case records.ExperienceSpent():
            return f"{names.fighter(event.fighter)} spends {event.amount} XP: {safe(event.why)}"
        case records.AdvancementTaken():
            which = f"advancement {event.advancements}"
            return f"{names.fighter(event.fighter)} advances: {safe(event.name)} ({which})"
        case records.FighterPromoted():
            was = f"{plain(event.category_before)} ({plain(event.kind_before)})"
            now = f"{plain(event.category)} ({plain(event.kind)})"
            return f"{names.fighter(event.fighter)}: {was} -> {now}, {safe(event.why)}"
        case records.BionicFitted():
            return f"{names.fighter(event.fighter)} gets a bionic, {safe(event.name)} ({titled(event.place)})"
        case records.BionicRuined():
            return f"{names.fighter(event.fighter)}'s {safe(event.name)} is ruined ({titled(event.place)})"
        case _:
            assert_never(event)

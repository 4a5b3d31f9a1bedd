"""Asked about money, things and advancement: a command in the words of the table."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.reports.cards import plain
from tracker.reports.holdings_words import account_words, place_words
from tracker.reports.names import Names
from tracker.reports.paper import safe

_MARKETS = {
    "own_list": "from the own list",
    "common": "at the Trading Post",
    "rare": "Rare",
    "illegal": "Illegal",
    "given": "given",
}


def holdings_asked(command: records.TradingCommand | records.AdvancementCommand, names: Names) -> str:
    """One line that says what was asked for."""
    return _asked(command, names) + (f": {safe(command.reason)}" if command.reason else "")


def _asked(command: records.TradingCommand | records.AdvancementCommand, names: Names) -> str:
    match command:
        case records.MoveCredits():
            sides = f"{account_words(command.source, names)} -> {account_words(command.target, names)}"
            return f"move {names.money(command.amount)}, {sides}"
        case records.BuyItem():
            bearer = command.fighter or command.vehicle
            for_whom = f" for {names.fighter(bearer)}" if bearer is not None else ""
            return f"buy {safe(command.item.name)} ({_MARKETS[command.market]}){for_whom}: " + names.gang(
                command.gang
            )
        case records.SellItem():
            return f"sell {safe(command.item)}: {names.gang(command.gang)}"
        case records.MoveItem():
            sides = f"{place_words(command.source, names)} -> {place_words(command.target, names)}"
            return f"hand over {safe(command.item)}, {sides}"
        case records.HireFighter():
            return f"hire {safe(command.card.name)} for {names.gang(command.gang)}"
        case records.BuyVehicle():
            return f"buy vehicle {safe(command.card.name)} for {names.gang(command.gang)}"
        case records.CrewVehicle():
            if command.fighter is None:
                return f"{names.fighter(command.vehicle)} into the stash"
            return f"{names.fighter(command.fighter)} drives {names.fighter(command.vehicle)}"
        case records.ScrapVehicle():
            return f"scrap {names.fighter(command.vehicle)}"
        case records.RemoveUpgrade():
            return f"take {safe(command.upgrade)} off {names.fighter(command.vehicle)}"
        case records.BuyAdvancement():
            return f"advancement of {names.fighter(command.fighter)}: {plain(command.advancement)}"
        case records.RollAdvancement():
            return f"advancement roll of {names.fighter(command.fighter)}"
        case records.PromoteFighter():
            return f"promote {names.fighter(command.fighter)} to {plain(command.category)}"
        case records.NameLeader():
            who = f": {names.fighter(command.fighter)}" if command.fighter is not None else ""
            return f"a new Leader for {names.gang(command.gang)}{who}"
        case records.FitBionic():
            return f"fit {safe(command.item)} to {names.fighter(command.fighter)}"
        case records.CleanHouse():
            return f"clean house: {names.gang(command.gang)}"
        case records.RecordRating():
            return f"work out the rating of {names.gang(command.gang)}"
        case _:
            assert_never(command)

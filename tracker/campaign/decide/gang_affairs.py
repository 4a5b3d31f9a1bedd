"""Gang affairs: which function decides a command about money, things or advancement."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign.commands import (
    BuyAdvancement,
    BuyItem,
    BuyVehicle,
    CleanHouse,
    CrewVehicle,
    FitBionic,
    HireFighter,
    MoveCredits,
    MoveItem,
    NameLeader,
    PromoteFighter,
    RecordRating,
    RemoveUpgrade,
    RollAdvancement,
    ScrapVehicle,
    SellItem,
)
from tracker.campaign.decide import advancement, bionics, equipment, roster_update, succession, trading
from tracker.campaign.decide.decision import Decision

GangCommand: TypeAlias = (
    MoveCredits
    | BuyItem
    | SellItem
    | MoveItem
    | HireFighter
    | BuyVehicle
    | CrewVehicle
    | ScrapVehicle
    | RemoveUpgrade
    | BuyAdvancement
    | RollAdvancement
    | PromoteFighter
    | NameLeader
    | FitBionic
    | CleanHouse
    | RecordRating
)


def carry_out_affair(decision: Decision, command: GangCommand) -> None:
    """Decide one of them."""
    match command:
        case MoveCredits():
            trading.move_by_word(decision, command)
        case BuyItem():
            trading.buy_item(decision, command)
        case SellItem():
            trading.sell_item(decision, command)
        case MoveItem():
            equipment.move_item(decision, command)
        case HireFighter():
            trading.hire_fighter(decision, command)
        case BuyVehicle():
            trading.buy_vehicle(decision, command)
        case CrewVehicle():
            equipment.crew_vehicle(decision, command)
        case ScrapVehicle():
            equipment.scrap_vehicle(decision, command)
        case RemoveUpgrade():
            equipment.remove_upgrade(decision, command)
        case BuyAdvancement():
            advancement.buy_advancement(decision, command)
        case RollAdvancement():
            advancement.roll_advancement(decision, command)
        case PromoteFighter():
            advancement.promote_fighter(decision, command)
        case NameLeader():
            succession.name_leader(decision, command)
        case FitBionic():
            bionics.fit_bionic(decision, command)
        case CleanHouse():
            roster_update.clean_house(decision, command)
        case RecordRating():
            roster_update.compute_rating(decision, command)
        case _:
            assert_never(command)

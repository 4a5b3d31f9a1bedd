"""Trading: fighters hired, items bought and sold, vehicles bought.

Knows stated prices and the limits of the book. Knows no price list: that is the table's own. Source: Core
Rulebook (2023) · The Post-battle Sequence · 6B. Trading Post.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.holdings import at_worth, on_fighter, on_vehicle, stash_of
from tracker.campaign.steps import aftermath_skills, equipment, gang_composition
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.gangs import enlist_card, enlist_vehicle
from tracker.campaign.steps.ledger import hand_over, in_stash, move_credits
from tracker.campaign.steps.post_battle_sequence import advance_unless_overridden, with_reason

_SELLERS = {
    "own_list": "@own_list",
    "common": "@trading_post",
    "rare": "@trading_post",
    "illegal": "@black_market",
    "given": "@arbitrator",
}


@handles(records.MoveCredits)
def move_by_word(decision: Decision, command: records.MoveCredits) -> None:
    """Move credits by the Arbitrator's decision."""
    decision.refuse_during_battle()
    move_credits(
        decision,
        command.source,
        command.target,
        command.amount,
        why=command.reason,
        section="corrections",
        overdraw=command.overdraw,
    )


@handles(records.BuyItem)
def buy_item(decision: Decision, command: records.BuyItem) -> None:
    """A gang buys an item: from its own list for a model, else into the stash; Rare and Illegal ones if
    found.
    """
    decision.refuse_during_battle()
    advance_unless_overridden(decision, command.gang, "trading_post", command.reason)
    gang, item = decision.gang(command.gang), at_worth(command.item, None)
    _refuse_not_found(decision, command)
    bearer = _bearer(decision, command)
    if command.market == "own_list" and bearer is None:
        raise records.WhoTakesIt(item=item.name)
    to_stash = command.market in ("common", "rare", "illegal") and not gang_composition.is_warband(decision)
    if to_stash and bearer is not None and not command.beyond_rules:
        raise records.GoesToStash(item=item.name, section=decision.rulebook.section("trading_post"))
    price = 0 if command.market == "given" else item.cost_credits if command.price is None else command.price
    seller, why = _SELLERS[command.market], with_reason(f"{item.name} bought", command.reason)
    if command.savvy_trader is not None:
        price = aftermath_skills.savvy_price(decision, command.gang, command.savvy_trader, price)
    paid = move_credits(
        decision,
        command.gang,
        seller,
        price,
        why=why,
        section="trading_post",
        fighter=command.fighter,
        item=item.name,
    )
    if command.replaces is not None and bearer is not None:
        equipment.take_off(decision, bearer, command.replaces, why=f"replaced by {item.name}", cause=paid)
    hand_over(
        decision,
        item,
        seller,
        bearer or stash_of(gang.gang),
        why=why,
        section="trading_post",
        cause=paid,
        beyond_rules=command.beyond_rules,
    )


@handles(records.SellItem)
def sell_item(decision: Decision, command: records.SellItem) -> None:
    """Sell an item of the stash for its worth less a roll, at least for the book's minimum.

    Source: Core Rulebook (2023) · The Post-battle Sequence · Visit the Trading Post.
    """
    decision.refuse_during_battle()
    advance_unless_overridden(decision, command.gang, "trading_post", command.reason)
    if gang_composition.is_warband(decision):
        why = with_reason(f"{command.item} sold", command.reason)
        _sell_out_of_stash(decision, command.gang, command.item, command.worth, why=why)
        return
    rules = decision.rulebook.book.gangs
    item = in_stash(decision, command.gang, command.item)
    equipment.refuse_boon(decision, command.gang, item.name)
    worth = item.cost_credits if command.worth is None else command.worth
    die = decision.tray.d6("sale", why=f"what is taken off for {item.name}")
    price = max(rules.sale.minimum, worth - die.face * rules.sale.times)
    rolled = decision.roll(
        die,
        outcome=f"{worth} less {die.face * rules.sale.times}: sold for {price} credits",
        section="trading_post",
        rolled_by=command.gang,
    )
    why = with_reason(f"{item.name} sold", command.reason)
    sold = hand_over(
        decision,
        item,
        stash_of(command.gang),
        "@trading_post",
        why=why,
        section="trading_post",
        cause=rolled,
    )
    move_credits(
        decision,
        "@trading_post",
        command.gang,
        price,
        why=why,
        section="trading_post",
        item=item.name,
        cause=sold,
    )


@handles(records.HireFighter)
def hire_fighter(decision: Decision, command: records.HireFighter) -> None:
    """Hire a fighter for credits. The gang must then be composed as the rules want it."""
    decision.refuse_during_battle()
    advance_unless_overridden(
        decision,
        command.gang,
        "hire" if gang_composition.is_warband(decision) else "trading_post",
        command.reason,
    )
    decision.gang(command.gang)
    price = command.card.cost_credits if command.price is None else command.price
    paid = move_credits(
        decision,
        command.gang,
        "@hiring",
        price,
        why=with_reason(f"{command.card.name} hired", command.reason),
        section="hiring" if gang_composition.is_warband(decision) else "trading_post",
    )
    join(decision, command.gang, command.card, cause=paid, beyond_rules=command.beyond_rules)


def join(
    decision: Decision, gang: str, card: records.FighterCard, *, cause: int, beyond_rules: bool = False
) -> None:
    """A fighter joins a gang. Faults of its composition may stay, but not grow worse.

    Source: Core Rulebook (2023) · Gangs · Composition.
    """
    before = gang_composition.composition_faults(decision, decision.gang(gang))
    enlist_card(decision, gang, card, cause=cause)
    if beyond_rules:
        return
    for what, trouble in gang_composition.composition_faults(decision, decision.gang(gang)).items():
        if what not in before or trouble.by > before[what].by:
            raise records.TroubledGang(
                gang=decision.gang(gang).name,
                who=card.name,
                trouble=trouble.words,
                section=decision.rulebook.section("gang_composition"),
            )


@handles(records.BuyVehicle)
def buy_vehicle(decision: Decision, command: records.BuyVehicle) -> None:
    decision.refuse_during_battle()
    advance_unless_overridden(decision, command.gang, "trading_post", command.reason)
    decision.gang(command.gang)
    price = command.card.cost_credits if command.price is None else command.price
    why = with_reason(f"{command.card.name} bought", command.reason)
    paid = move_credits(decision, command.gang, "@trading_post", price, why=why, section="trading_post")
    enlist_vehicle(decision, command.gang, command.card, cause=paid)


def _refuse_not_found(decision: Decision, command: records.BuyItem) -> None:
    if command.market not in ("rare", "illegal"):
        return
    if command.number is None:
        raise records.AvailabilityMissing(item=command.item.name, market=command.market)
    total = command.found if command.found is not None else _searched(decision, command)
    if command.beyond_rules or (total is not None and total >= command.number):
        return
    raise records.NotFound(
        item=command.item.name,
        market=command.market,
        number=command.number,
        found=total,
        section=decision.rulebook.section("trading_post"),
    )


def _searched(decision: Decision, command: records.BuyItem) -> int | None:
    """How rare or how illegal an item this sequence's search allows; None without a search."""
    after = decision.state.after_battle.get(command.gang)
    if after is None or after.rare is None:
        return None
    return after.rare.rare_up_to if command.market == "rare" else after.rare.illegal_up_to


def _bearer(decision: Decision, command: records.BuyItem) -> str | None:
    if command.fighter is not None:
        fighter = decision.enlisted(command.fighter)
        if fighter.gang != command.gang:
            raise records.NotOfThisGang(who=fighter.name, gang=decision.gang(command.gang).name)
        equipment.refuse_captive(decision, on_fighter(command.fighter), command.item)
        return on_fighter(command.fighter)
    if command.vehicle is not None:
        vehicle = equipment.standing_vehicle(decision, command.vehicle)
        if vehicle.gang != command.gang:
            raise records.NotOfThisGang(who=vehicle.name, gang=decision.gang(command.gang).name)
        return on_vehicle(command.vehicle)
    return None


def _sell_out_of_stash(decision: Decision, gang: str, item: str, worth: int | None, *, why: str) -> None:
    """Sell an item of the stash for a share of its worth, without a die."""
    book, thing = decision.rulebook.book.warbands, in_stash(decision, gang, item)
    value = thing.cost_credits if worth is None else worth
    sold = hand_over(decision, thing, stash_of(gang), "@trading_post", why=why, section="trading_post")
    move_credits(
        decision,
        "@trading_post",
        gang,
        book.sold_for(value),
        why=why,
        section="trading_post",
        item=thing.name,
        cause=sold,
    )

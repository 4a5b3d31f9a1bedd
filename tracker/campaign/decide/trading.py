"""Trading: fighters hired, things bought, sold and handed out, vehicles scrapped.

Knows prices as they are stated, and the limits of the book. Knows no price list: that is the table's own.
Source: Core Rulebook (2023) · The Post-battle Sequence · 6. Update Roster.
"""

from __future__ import annotations

from tracker.campaign.commands import (
    BuyItem,
    BuyVehicle,
    CrewVehicle,
    HireFighter,
    MoveCredits,
    MoveItem,
    RemoveUpgrade,
    ScrapVehicle,
    SellItem,
)
from tracker.campaign.decide.composition import troubles
from tracker.campaign.decide.decision import Decision
from tracker.campaign.decide.gangs import enlist_card, refuse_during_battle
from tracker.campaign.decide.ledger import (
    at_place,
    gang_of_place,
    hand_over,
    in_stash,
    known_vehicle,
    move_credits,
    on_card,
    on_wheels,
    pay,
    receive,
    things_of_vehicle,
)
from tracker.campaign.decide.ledger_refusals import CannotCarry, NotTakenOff
from tracker.campaign.decide.sequence import reach
from tracker.campaign.decide.trading_refusals import (
    AvailabilityMissing,
    GoesToStash,
    NeverDiscarded,
    NotFound,
    NotOfThisGang,
    OtherGangs,
    TroubledGang,
    VehicleIsGone,
    VehicleNotDamaged,
    WhoTakesIt,
)
from tracker.campaign.decide.vehicle_gangs import enlist_vehicle
from tracker.campaign.decide.vehicle_refusals import CrewHasVehicle, CrewNotInGang
from tracker.campaign.decide.warbands import sell_out_of_stash
from tracker.campaign.events import VehicleCrewChanged, VehicleGone
from tracker.campaign.holdings import at_worth, on_fighter, on_vehicle, split_place, stash_of
from tracker.campaign.profiles import Item
from tracker.campaign.refusals import FighterGone
from tracker.campaign.state import Fighter, Vehicle

_SELLERS = {
    "own_list": "@own_list",
    "common": "@trading_post",
    "rare": "@trading_post",
    "illegal": "@black_market",
    "given": "@arbitrator",
}


def move_by_word(decision: Decision, command: MoveCredits) -> None:
    """Credits move because the Arbitrator says so."""
    refuse_during_battle(decision)
    move_credits(
        decision,
        command.source,
        command.target,
        command.amount,
        why=command.reason,
        section="corrections",
        overdraw=command.overdraw,
    )


def buy_item(decision: Decision, command: BuyItem) -> None:
    """A gang buys a thing: from its own list for a model, else into the stash; Rare and Illegal if found."""
    refuse_during_battle(decision)
    in_sequence(decision, command.gang, "trading_post", command.reason)
    gang, item = decision.gang(command.gang), at_worth(command.item, None)
    _refuse_not_found(decision, command)
    bearer = _bearer(decision, command)
    if command.market == "own_list" and bearer is None:
        raise WhoTakesIt(item=item.name)
    to_stash = command.market in ("common", "rare", "illegal") and not is_warband(decision)
    if to_stash and bearer is not None and not command.beyond_rules:
        raise GoesToStash(item=item.name, section=decision.rulebook.section("trading_post"))
    price = 0 if command.market == "given" else item.cost_credits if command.price is None else command.price
    seller, why = _SELLERS[command.market], because(f"{item.name} bought", command.reason)
    paid = pay(
        decision,
        command.gang,
        price,
        seller,
        why=why,
        section="trading_post",
        fighter=command.fighter,
        item=item.name,
    )
    if command.replaces is not None and bearer is not None:
        _take_off(decision, bearer, command.replaces, why=f"replaced by {item.name}", cause=paid)
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


def sell_item(decision: Decision, command: SellItem) -> None:
    """A thing out of the stash is sold for its worth less a roll, but never for less than the book's least.

    Source: Core Rulebook (2023) · The Post-battle Sequence · Visit the Trading Post.
    """
    refuse_during_battle(decision)
    in_sequence(decision, command.gang, "trading_post", command.reason)
    if is_warband(decision):
        why = because(f"{command.item} sold", command.reason)
        sell_out_of_stash(decision, command.gang, command.item, command.worth, why=why)
        return
    rules = decision.rulebook.book.gangs
    item = in_stash(decision, command.gang, command.item)
    worth = item.cost_credits if command.worth is None else command.worth
    die = decision.tray.d6("sale", why=f"what is taken off for {item.name}")
    price = max(rules.sale_minimum, worth - die.face * rules.sale_times)
    rolled = decision.roll(
        die,
        outcome=f"{worth} less {die.face * rules.sale_times}: sold for {price} credits",
        section="trading_post",
        rolled_by=command.gang,
    )
    why = because(f"{item.name} sold", command.reason)
    sold = hand_over(
        decision,
        item,
        stash_of(command.gang),
        "@trading_post",
        why=why,
        section="trading_post",
        cause=rolled,
    )
    receive(
        decision,
        command.gang,
        price,
        "@trading_post",
        why=why,
        section="trading_post",
        item=item.name,
        cause=sold,
    )


def move_item(decision: Decision, command: MoveItem) -> None:
    """A thing is handed out, taken off, stashed or thrown away.

    Off a fighter only if something takes its place, unless the table plays otherwise; weapons are never
    thrown away. Between gangs only with a reason.
    """
    refuse_during_battle(decision)
    item = at_place(decision, command.source, command.item)
    if command.source == command.target:
        raise CannotCarry(item=item.name, who=command.target, why="it is there already")
    source, target = gang_of_place(decision, command.source), gang_of_place(decision, command.target)
    for place in (command.source, command.target):
        _refuse_gone(decision, place)
        _refuse_captive(decision, place, item)
    for gang in {source, target} - {None}:
        in_sequence(decision, str(gang), "distribute_equipment", command.reason)
    # Warbands share their things out as they like.
    by_word = is_warband(decision) or (command.beyond_rules and command.reason is not None)
    if source is not None and target is not None and source != target and command.reason is None:
        gangs = decision.state.gangs
        raise OtherGangs(item=item.name, gang=gangs[source].name, other=gangs[target].name)
    if not by_word:
        _refuse_taking_off(decision, command, item)
        if target is None and item.kind == "weapon":
            section = decision.rulebook.section("distribute_equipment")
            raise NeverDiscarded(item=item.name, section=section)
    why = command.reason or "handed out"
    if command.replaces is not None:
        _take_off(decision, command.target, command.replaces, why=f"replaced by {item.name}", cause=0)
    hand_over(
        decision,
        item,
        command.source,
        command.target,
        why=why,
        section="distribute_equipment",
        beyond_rules=by_word,
        worth=command.worth,
    )


def hire_fighter(decision: Decision, command: HireFighter) -> None:
    """A fighter is hired for credits, and the gang must be made up as the rules want it then.

    What was wrong with the gang before may stay wrong, but not grow worse.
    Source: Core Rulebook (2023) · Gangs · Composition.
    """
    refuse_during_battle(decision)
    in_sequence(decision, command.gang, "hire" if is_warband(decision) else "trading_post", command.reason)
    gang = decision.gang(command.gang)
    before = troubles(decision, gang)
    price = command.card.cost_credits if command.price is None else command.price
    paid = pay(
        decision,
        command.gang,
        price,
        "@hiring",
        why=because(f"{command.card.name} hired", command.reason),
        section="hiring" if is_warband(decision) else "trading_post",
    )
    enlist_card(decision, command.gang, command.card, cause=paid)
    if command.beyond_rules:
        return
    for what, trouble in troubles(decision, decision.gang(command.gang)).items():
        if what not in before or trouble.by > before[what].by:
            section = decision.rulebook.section("gang_composition")
            raise TroubledGang(gang=gang.name, who=command.card.name, trouble=trouble.words, section=section)


def buy_vehicle(decision: Decision, command: BuyVehicle) -> None:
    """A gang buys a vehicle."""
    refuse_during_battle(decision)
    in_sequence(decision, command.gang, "trading_post", command.reason)
    decision.gang(command.gang)
    price = command.card.cost_credits if command.price is None else command.price
    why = because(f"{command.card.name} bought", command.reason)
    paid = pay(decision, command.gang, price, "@trading_post", why=why, section="trading_post")
    enlist_vehicle(decision, command.gang, command.card, cause=paid)


def crew_vehicle(decision: Decision, command: CrewVehicle) -> None:
    """A vehicle gets another driver of its gang, or goes into the stash."""
    refuse_during_battle(decision)
    vehicle = _standing_vehicle(decision, command.vehicle)
    in_sequence(decision, vehicle.gang, "distribute_equipment", command.reason)
    members = decision.gang(vehicle.gang).fighters
    if command.fighter is not None:
        if command.fighter not in members:
            raise CrewNotInGang(vehicle=vehicle.name, crew=command.fighter, known=tuple(members))
        if members[command.fighter].standing != "enlisted":
            driver = members[command.fighter]
            raise FighterGone(fighter=driver.name, standing=driver.standing)
        for other in decision.gang(vehicle.gang).vehicles.values():
            if other.crew == command.fighter and other is not vehicle:
                driver = members[command.fighter]
                raise CrewHasVehicle(vehicle=vehicle.name, crew=driver.name, other=other.name)
    decision.note(
        VehicleCrewChanged(
            vehicle=command.vehicle,
            before=vehicle.crew or None,
            after=command.fighter,
            why=command.reason or "crew chosen",
        )
    )


def scrap_vehicle(decision: Decision, command: ScrapVehicle) -> None:
    """A damaged vehicle is scrapped for a part of what it and its upgrades cost; weapons go to the stash.

    Source: Core Rulebook (2023) · The Post-battle Sequence · Clean House.
    """
    refuse_during_battle(decision)
    rules, vehicle = decision.rulebook.book.gangs, _standing_vehicle(decision, command.vehicle)
    in_sequence(decision, vehicle.gang, "clean_house", command.reason)
    if not (vehicle.lasting_damage or vehicle.in_repair or command.beyond_rules):
        section = decision.rulebook.section("clean_house")
        raise VehicleNotDamaged(vehicle=vehicle.name, section=section)
    things = things_of_vehicle(vehicle)
    carried = sum(item.cost_credits for item in things if item.kind != "vehicle_upgrade")
    base = max(0, vehicle.cost_credits - carried) if command.base is None else command.base
    why = because(f"{vehicle.name} scrapped", command.reason)
    gone = decision.note(VehicleGone(vehicle=command.vehicle, why=why))
    for item in things:
        hand_over(
            decision,
            item,
            on_vehicle(command.vehicle),
            "@lost" if item.kind == "vehicle_upgrade" else stash_of(vehicle.gang),
            why=why,
            section="clean_house",
            cause=gone,
            cost_follows=False,
        )
    receive(
        decision,
        vehicle.gang,
        rules.share(base, rules.scrap_percent),
        "@scrap",
        why=f"{rules.scrap_percent}% of {base}: {why}",
        section="clean_house",
        cause=gone,
    )


def remove_upgrade(decision: Decision, command: RemoveUpgrade) -> None:
    """An upgrade comes off a vehicle: into the stash, unless it breaks."""
    refuse_during_battle(decision)
    vehicle = _standing_vehicle(decision, command.vehicle)
    in_sequence(decision, vehicle.gang, "distribute_equipment", command.reason)
    item = on_wheels(decision, command.vehicle, command.upgrade)
    die = decision.tray.d6("upgrade_removal", why=f"whether {item.name} survives")
    worst = decision.rulebook.book.gangs.upgrade_destroyed_on
    breaks = die.face <= worst
    rolled = decision.roll(
        die,
        outcome="destroyed" if breaks else "goes to the stash",
        section="distribute_equipment",
        rolled_by=vehicle.gang,
        target=worst + 1,
        passed=not breaks,
    )
    hand_over(
        decision,
        item,
        on_vehicle(command.vehicle),
        "@lost" if breaks else stash_of(vehicle.gang),
        why=because(f"taken off {vehicle.name}", command.reason),
        section="distribute_equipment",
        cause=rolled,
    )


def in_sequence(decision: Decision, gang: str, activity: str, reason: str | None) -> None:
    """Bring a gang to the step of its sequence, unless an Arbitrator's reason takes it out of it."""
    if reason is None:
        reach(decision, gang, activity)


def is_warband(decision: Decision) -> bool:
    """Whether the book's gangs are warbands, which trade in another way."""
    return decision.rulebook.book.warband_rules is not None


def because(what: str, reason: str | None) -> str:
    """What happened, and the Arbitrator's reason behind it."""
    return what if reason is None else f"{what}: {reason}"


def _refuse_not_found(decision: Decision, command: BuyItem) -> None:
    if command.market not in ("rare", "illegal"):
        return
    if command.number is None:
        raise AvailabilityMissing(item=command.item.name, market=command.market)
    found = command.found if command.found is not None else _searched(decision, command)
    if command.beyond_rules or (found is not None and found >= command.number):
        return
    raise NotFound(
        item=command.item.name,
        market=command.market,
        number=command.number,
        found=found,
        section=decision.rulebook.section("trading_post"),
    )


def _searched(decision: Decision, command: BuyItem) -> int | None:
    """How rare or how illegal a thing this sequence's search allows; None where nobody searched."""
    after = decision.state.after_battle.get(command.gang)
    if after is None or after.rare is None:
        return None
    return after.rare.rare_up_to if command.market == "rare" else after.rare.illegal_up_to


def _bearer(decision: Decision, command: BuyItem) -> str | None:
    if command.fighter is not None:
        fighter = _standing_fighter(decision, command.fighter)
        if fighter.gang != command.gang:
            raise NotOfThisGang(who=fighter.name, gang=decision.gang(command.gang).name)
        _refuse_captive(decision, on_fighter(command.fighter), command.item)
        return on_fighter(command.fighter)
    if command.vehicle is not None:
        vehicle = _standing_vehicle(decision, command.vehicle)
        if vehicle.gang != command.gang:
            raise NotOfThisGang(who=vehicle.name, gang=decision.gang(command.gang).name)
        return on_vehicle(command.vehicle)
    return None


def _take_off(decision: Decision, bearer: str, name: str, *, why: str, cause: int) -> None:
    kind, whose = split_place(bearer)
    item = on_card(decision, whose, name) if kind == "fighter" else on_wheels(decision, whose, name)
    gang = gang_of_place(decision, bearer)
    assert gang is not None, "a bearer is of a gang"
    hand_over(decision, item, bearer, stash_of(gang), why=why, section="distribute_equipment", cause=cause)


def _refuse_taking_off(decision: Decision, command: MoveItem, item: Item) -> None:
    kind, whose = split_place(command.source)
    if kind != "fighter":
        return
    fighter, section = decision.fighter(whose), decision.rulebook.section("distribute_equipment")
    if fighter.standing != "enlisted":
        raise FighterGone(fighter=fighter.name, standing=fighter.standing)
    if decision.rulebook.knob("equipment.taken_off") == "as_replacement":
        raise NotTakenOff(item=item.name, fighter=fighter.name, section=section)
    if fighter.recovering_since is not None:
        raise NotTakenOff(item=item.name, fighter=f"{fighter.name} (in Recovery)", section=section)


def _refuse_gone(decision: Decision, place: str) -> None:
    kind, whose = split_place(place)
    if kind == "vehicle":
        _standing_vehicle(decision, whose)


def _refuse_captive(decision: Decision, place: str, item: Item) -> None:
    """What a captive carries is out of the gang's reach until they are home."""
    kind, whose = split_place(place)
    if kind != "fighter":
        return
    fighter = decision.fighter(whose)
    if fighter.held_by is not None:
        holder = decision.gang(fighter.held_by).name
        raise CannotCarry(item=item.name, who=fighter.name, why=f"{fighter.name} is a captive of {holder}")


def _standing_vehicle(decision: Decision, vehicle: str) -> Vehicle:
    found = known_vehicle(decision, vehicle)
    if found.gone:
        raise VehicleIsGone(vehicle=found.name)
    return found


def _standing_fighter(decision: Decision, fighter: str) -> Fighter:
    found = decision.fighter(fighter)
    if found.standing != "enlisted":
        raise FighterGone(fighter=found.name, standing=found.standing)
    return found

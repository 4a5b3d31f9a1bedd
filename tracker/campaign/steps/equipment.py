"""Equipment: handing out, taking off, driving, scrapping and discarding.

Knows who may carry an item, and what may be taken from whom. Knows no prices. Source: Core Rulebook (2023) ·
The Post-battle Sequence · 6A. Clean House; 6D. Distribute Equipment.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.holdings import on_vehicle, split_place, stash_of
from tracker.campaign.profiles import Item
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.gang_composition import is_warband
from tracker.campaign.steps.post_battle_sequence import advance_unless_overridden, with_reason
from tracker.rules.necromunda.post_battle import percent_of


@handles(records.MoveItem)
def move_item(decision: Decision, command: records.MoveItem) -> None:
    """Hand out, take off, stash or discard an item.

    An item comes off a fighter only if another replaces it, unless the table plays otherwise. Weapons are
    never discarded. Between gangs an item moves only with a reason.
    """
    decision.refuse_during_battle()
    item = ledger.at_place(decision, command.source, command.item)
    if command.source == command.target:
        where = ledger.called(decision, command.target)
        raise records.CannotCarry(item=item.name, who=where, why="it is there already")
    source, target = (
        ledger.gang_of_place(decision, command.source),
        ledger.gang_of_place(decision, command.target),
    )
    kind, bearer = split_place(command.target)
    if kind == "fighter" and bearer in decision.state.gang_of:
        decision.enlisted(bearer)
    for place in (command.source, command.target):
        _refuse_gone(decision, place)
        refuse_captive(decision, place, item)
    for gang in dict.fromkeys((source, target)):
        if gang is not None:
            advance_unless_overridden(decision, gang, "distribute_equipment", command.reason)
    # Warbands share their things out as they like.
    by_word = is_warband(decision) or (command.beyond_rules and command.reason is not None)
    if source is not None and source != target:
        refuse_boon(decision, source, item.name)
    if source is not None and target is not None and source != target and command.reason is None:
        gangs = decision.state.gangs
        raise records.OtherGangs(item=item.name, gang=gangs[source].name, other=gangs[target].name)
    if not by_word:
        _refuse_taking_off(decision, command, item)
        if target is None and item.kind == "weapon":
            section = decision.rulebook.section("distribute_equipment")
            raise records.NeverDiscarded(item=item.name, section=section)
    why = command.reason or "handed out"
    if command.replaces is not None:
        take_off(decision, command.target, command.replaces, why=f"replaced by {item.name}", cause=0)
    ledger.hand_over(
        decision,
        item,
        command.source,
        command.target,
        why=why,
        section="distribute_equipment",
        beyond_rules=by_word,
        worth=command.worth,
    )


@handles(records.CrewVehicle)
def crew_vehicle(decision: Decision, command: records.CrewVehicle) -> None:
    """Give a vehicle another driver of its gang, or put it into the stash."""
    decision.refuse_during_battle()
    vehicle = standing_vehicle(decision, command.vehicle)
    advance_unless_overridden(decision, vehicle.gang, "distribute_equipment", command.reason)
    members = decision.gang(vehicle.gang).fighters
    if command.fighter is not None:
        if command.fighter not in members:
            raise records.CrewNotInGang(vehicle=vehicle.name, crew=command.fighter, known=tuple(members))
        if members[command.fighter].standing != "enlisted":
            driver = members[command.fighter]
            raise records.FighterGone(fighter=driver.name, standing=driver.standing)
        for other in decision.gang(vehicle.gang).vehicles.values():
            if other.crew == command.fighter and other is not vehicle:
                driver = members[command.fighter]
                raise records.CrewHasVehicle(vehicle=vehicle.name, crew=driver.name, other=other.name)
    decision.emit(
        records.VehicleCrewChanged(
            vehicle=command.vehicle,
            before=vehicle.crew or None,
            after=command.fighter,
            why=command.reason or "crew chosen",
        )
    )


@handles(records.ScrapVehicle)
def scrap_vehicle(decision: Decision, command: records.ScrapVehicle) -> None:
    """Scrap a damaged vehicle for a share of the cost of it and its upgrades; its weapons go to the stash.

    Source: Core Rulebook (2023) · The Post-battle Sequence · Clean House.
    """
    decision.refuse_during_battle()
    rules, vehicle = decision.rulebook.book.gangs, standing_vehicle(decision, command.vehicle)
    advance_unless_overridden(decision, vehicle.gang, "clean_house", command.reason)
    if not (vehicle.lasting_damage or vehicle.in_repair or command.beyond_rules):
        section = decision.rulebook.section("clean_house")
        raise records.VehicleNotDamaged(vehicle=vehicle.name, section=section)
    things = ledger.things_of_vehicle(vehicle)
    base = ledger.worth_without_weapons(vehicle) if command.base is None else command.base
    why = with_reason(f"{vehicle.name} scrapped", command.reason)
    gone = decision.emit(records.VehicleGone(vehicle=command.vehicle, why=why))
    for item in things:
        ledger.hand_over(
            decision,
            item,
            on_vehicle(command.vehicle),
            "@lost" if item.kind == "vehicle_upgrade" else stash_of(vehicle.gang),
            why=why,
            section="clean_house",
            cause=gone,
            cost_follows=False,
        )
    ledger.move_credits(
        decision,
        "@scrap",
        vehicle.gang,
        percent_of(base, rules.scrap.percent, to=rules.scrap.round_up_to),
        why=f"{rules.scrap.percent}% of {base}: {why}",
        section="clean_house",
        cause=gone,
    )


@handles(records.RemoveUpgrade)
def remove_upgrade(decision: Decision, command: records.RemoveUpgrade) -> None:
    """Take an upgrade off a vehicle: into the stash, unless it breaks."""
    decision.refuse_during_battle()
    vehicle = standing_vehicle(decision, command.vehicle)
    advance_unless_overridden(decision, vehicle.gang, "distribute_equipment", command.reason)
    item = ledger.on_wheels(decision, command.vehicle, command.upgrade)
    die = decision.tray.d6("upgrade_removal", why=f"whether {item.name} survives")
    worst = decision.rulebook.book.gangs.upgrades.destroyed_on
    breaks = die.face <= worst
    rolled = decision.roll(
        die,
        outcome="destroyed" if breaks else "goes to the stash",
        section="distribute_equipment",
        rolled_by=vehicle.gang,
        target=worst + 1,
        passed=not breaks,
    )
    ledger.hand_over(
        decision,
        item,
        on_vehicle(command.vehicle),
        "@lost" if breaks else stash_of(vehicle.gang),
        why=with_reason(f"taken off {vehicle.name}", command.reason),
        section="distribute_equipment",
        cause=rolled,
    )


def refuse_boon(decision: Decision, gang: str, item: str) -> None:
    """Raises BoonNotSold if all items of that name came with a territory."""
    name = item.casefold()
    for territory in decision.gang(gang).territories:
        lent = [item.casefold() for item in territory.equipment].count(name)
        if lent and _owned(decision, gang, name) <= lent:
            raise records.BoonNotSold(item=item, territory=territory.name)


def take_off(decision: Decision, bearer: str, name: str, *, why: str, cause: int) -> None:
    """Move an item from a fighter or vehicle into the gang's stash."""
    kind, whose = split_place(bearer)
    item = (
        ledger.on_card(decision, whose, name)
        if kind == "fighter"
        else ledger.on_wheels(decision, whose, name)
    )
    gang = ledger.gang_of_place(decision, bearer)
    assert gang is not None, "a bearer is of a gang"
    ledger.hand_over(
        decision, item, bearer, stash_of(gang), why=why, section="distribute_equipment", cause=cause
    )


def refuse_captive(decision: Decision, place: str, item: Item) -> None:
    """Refuses to move what a captive carries: their gang gets at it when they are home."""
    kind, whose = split_place(place)
    if kind != "fighter":
        return
    fighter = decision.fighter(whose)
    if fighter.held_by is not None:
        holder = decision.gang(fighter.held_by).name
        raise records.CannotCarry(
            item=item.name, who=fighter.name, why=f"{fighter.name} is a captive of {holder}"
        )


def standing_vehicle(decision: Decision, vehicle: str) -> Vehicle:
    """The vehicle. Raises VehicleIsGone if it was scrapped or sold."""
    known = decision.vehicle(vehicle)
    if known.gone:
        raise records.VehicleIsGone(vehicle=known.name)
    return known


def _refuse_taking_off(decision: Decision, command: records.MoveItem, item: Item) -> None:
    kind, whose = split_place(command.source)
    if kind != "fighter":
        return
    fighter, section = decision.enlisted(whose), decision.rulebook.section("distribute_equipment")
    if decision.rulebook.knob("equipment.taken_off") == "as_replacement":
        raise records.NotTakenOff(item=item.name, fighter=fighter.name, section=section)
    if fighter.recovering_since is not None:
        raise records.NotTakenOff(item=item.name, fighter=f"{fighter.name} (in Recovery)", section=section)


def _refuse_gone(decision: Decision, place: str) -> None:
    kind, whose = split_place(place)
    if kind == "vehicle":
        standing_vehicle(decision, whose)


def _owned(decision: Decision, gang: str, name: str) -> int:
    card = decision.gang(gang)
    carried = [item for fighter in card.fighters.values() for item in ledger.things_of(fighter)]
    return sum(item.name.casefold() == name for item in (*card.stash, *carried))

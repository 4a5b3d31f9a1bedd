"""State changes to the card of a fighter or vehicle, to a stash, or to a model in the battle."""

from __future__ import annotations

from tracker.campaign.fighters import Fighter, Standing
from tracker.campaign.holdings import split_place
from tracker.campaign.profiles import Item
from tracker.campaign.state import CampaignState, Vehicle
from tracker.records import replace


def fighter_on_card(state: CampaignState, fighter: str) -> Fighter:
    """The fighter whom an event names. Asserts that the fighter enlisted: otherwise the log is wrong."""
    card = state.fighter(fighter)
    assert card is not None, f"an event names {fighter}, who never enlisted"
    return card


def vehicle_on_card(state: CampaignState, vehicle: str) -> Vehicle:
    """The vehicle that an event names. Asserts that it enlisted: otherwise the log is wrong."""
    card = state.vehicle(vehicle)
    assert card is not None, f"an event names {vehicle}, which never enlisted"
    return card


def on_fighter(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    """The state with some fields of a fighter's card changed."""
    return state.with_fighter(replace(fighter_on_card(state, fighter), **changes))


def gone_for_good(state: CampaignState, fighter: str, standing: Standing) -> CampaignState:
    """The state after a fighter died or retired. Nobody holds the fighter captive any more."""
    card = replace(fighter_on_card(state, fighter), standing=standing)
    if card.held_by is not None:
        card = replace(card, held_by=None, rescue=None, works_at=None, off_rating=False)
    return state.with_fighter(card)


def in_battle(state: CampaignState, **changes: object) -> CampaignState:
    """The state with fields of the current battle changed; unchanged if no battle is under way."""
    if state.under_way is None:
        return state
    return replace(state, under_way=replace(state.under_way, **changes))


def on_combatant(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    """The state with fields of a combatant changed; unchanged for a fighter who is not in the battle."""
    if state.under_way is None or fighter not in state.under_way.combatants:
        return state
    combatant = replace(state.under_way.combatants[fighter], **changes)
    return state.with_combatant(fighter, combatant)


def on_combat_vehicle(state: CampaignState, vehicle: str, **changes: object) -> CampaignState:
    """The state with fields of a vehicle in the battle changed; unchanged for one that is not in it."""
    if state.under_way is None or vehicle not in state.under_way.vehicles:
        return state
    return state.with_combat_vehicle(vehicle, replace(state.under_way.vehicles[vehicle], **changes))


def taken_from(state: CampaignState, place: str, item: Item) -> CampaignState:
    """The state with one item removed from a place."""
    kind, whose = split_place(place)
    match kind:
        case "outside":
            return state
        case "stash":
            gang = state.gangs[whose]
            return state.with_gang(replace(gang, stash=_without(gang.stash, item)))
        case "vehicle":
            vehicle = vehicle_on_card(state, whose)
            weapons = list(vehicle.weapons)
            if item.kind == "weapon" and item.name in weapons:
                weapons.remove(item.name)
            armed = list(vehicle.armament)
            if item.weapon in armed:
                armed.remove(item.weapon)
            fitted = _without(vehicle.fitted, item)
            lighter = replace(vehicle, fitted=fitted, weapons=tuple(weapons), armament=tuple(armed))
            return state.with_vehicle(lighter)
        case _:
            return state.with_fighter(_without_item(fighter_on_card(state, whose), item))


def put_into(state: CampaignState, place: str, item: Item) -> CampaignState:
    """The state with one item added to a place."""
    kind, whose = split_place(place)
    match kind:
        case "outside":
            return state
        case "stash":
            gang = state.gangs[whose]
            return state.with_gang(replace(gang, stash=(*gang.stash, item)))
        case "vehicle":
            vehicle = vehicle_on_card(state, whose)
            weapons = (*vehicle.weapons, item.name) if item.kind == "weapon" else vehicle.weapons
            armed = [*vehicle.armament, *([item.weapon] if item.weapon is not None else [])]
            laden = replace(vehicle, fitted=(*vehicle.fitted, item), weapons=weapons, armament=tuple(armed))
            return state.with_vehicle(laden)
        case _:
            return state.with_fighter(_with_item(fighter_on_card(state, whose), item))


def _without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """The items without this one: the equal item, else the first of its name."""
    place = next((at for at, held in enumerate(items) if held == item), None)
    if place is None:
        place = next((at for at, held in enumerate(items) if held.name == item.name), len(items))
    return items[:place] + items[place + 1 :]


def _with_item(fighter: Fighter, item: Item) -> Fighter:
    """The fighter with one more item on the card. New armour replaces the old."""
    if item.kind == "weapon":
        assert item.weapon is not None, f"nobody knows what {item.name} does"
        return replace(fighter, weapons=(*fighter.weapons, item.weapon))
    prices = {**fighter.prices, item.name: (*fighter.prices.get(item.name, ()), item.cost_credits)}
    fighter = replace(fighter, prices=dict(sorted(prices.items())))
    match item.kind:
        case "armour":
            return replace(fighter, armour=item.armour)
        case "field_armour":
            return replace(fighter, field_armour=item.armour)
        case _:
            return replace(fighter, wargear=(*fighter.wargear, item.name))


def _without_item(fighter: Fighter, item: Item) -> Fighter:
    """The fighter without one item: the equal one, else the first on the card of that kind and name."""
    match item.kind:
        case "weapon":
            at = next(
                (place for place, weapon in enumerate(fighter.weapons) if weapon == item.weapon),
                next(
                    (place for place, weapon in enumerate(fighter.weapons) if weapon.weapon == item.name),
                    None,
                ),
            )
            if at is None:
                return fighter
            return replace(fighter, weapons=fighter.weapons[:at] + fighter.weapons[at + 1 :])
        case "armour":
            fighter = replace(fighter, armour=None)
        case "field_armour":
            fighter = replace(fighter, field_armour=None)
        case _:
            wargear = list(fighter.wargear)
            if item.name in wargear:
                wargear.remove(item.name)
            fighter = replace(fighter, wargear=tuple(wargear))
    prices = {**fighter.prices, item.name: fighter.prices.get(item.name, ())[1:]}
    return replace(fighter, prices={name: left for name, left in prices.items() if left})

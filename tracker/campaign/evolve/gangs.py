"""Evolve for what gangs have and what their fighters learn. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card, vehicle_on_card
from tracker.campaign.holdings import at_worth, is_outside, split_place
from tracker.campaign.profiles import Bionic, Item
from tracker.campaign.state import CampaignState, Fighter
from tracker.records import replace

GangEvent: TypeAlias = (
    records.CreditsMoved
    | records.ItemMoved
    | records.FighterCostChanged
    | records.VehicleCostChanged
    | records.VehicleCrewChanged
    | records.VehicleGone
    | records.RatingRecorded
    | records.ExperienceSpent
    | records.AdvancementTaken
    | records.FighterPromoted
    | records.BionicFitted
    | records.BionicRuined
)


def evolve_gang(state: CampaignState, event: GangEvent) -> CampaignState:
    """The state after one event about money, things or advancement."""
    match event:
        case records.CreditsMoved():
            return _moved(state, event)
        case records.ItemMoved():
            return _put(
                _taken(state, event.source, event.item), event.target, at_worth(event.item, event.worth)
            )
        case records.FighterCostChanged():
            fighter = fighter_on_card(state, event.fighter)
            cost = fighter.cost_credits + event.after - event.before
            return state.with_fighter(replace(fighter, cost_credits=cost))
        case records.VehicleCostChanged():
            vehicle = vehicle_on_card(state, event.vehicle)
            cost = vehicle.cost_credits + event.after - event.before
            return state.with_vehicle(replace(vehicle, cost_credits=cost))
        case records.VehicleCrewChanged():
            return state.with_vehicle(replace(vehicle_on_card(state, event.vehicle), crew=event.after or ""))
        case records.VehicleGone():
            return state.with_vehicle(replace(vehicle_on_card(state, event.vehicle), gone=True, crew=""))
        case records.RatingRecorded():
            return state.with_gang(replace(state.gangs[event.gang], rating_recorded=event.after))
        case records.ExperienceSpent():
            fighter = fighter_on_card(state, event.fighter)
            left, spent = fighter.experience - event.amount, fighter.experience_spent + event.amount
            return state.with_fighter(replace(fighter, experience=left, experience_spent=spent))
        case records.AdvancementTaken():
            return _advanced(state, event)
        case records.FighterPromoted():
            fighter = fighter_on_card(state, event.fighter)
            promoted = replace(fighter, category=event.category, kind=event.kind)
            return state.with_fighter(
                replace(promoted, basic_profile=event.basic_profile) if event.basic_profile else promoted
            )
        case records.BionicFitted():
            fighter = fighter_on_card(state, event.fighter)
            fighter = replace(fighter, bionics=(*fighter.bionics, event.place))
            if event.may_be_ruined:
                bionic = Bionic(place=event.place, name=event.name)
                fighter = replace(fighter, fitted=(*fighter.fitted, bionic))
            return state.with_fighter(fighter)
        case records.BionicRuined():
            return _ruined(state, event)
        case _:
            assert_never(event)


def _moved(state: CampaignState, event: records.CreditsMoved) -> CampaignState:
    state = _credits(_credits(state, event.source, -event.amount), event.target, event.amount)
    # What a gang pays comes first out of what lapses.
    left = state.cycle.grants.get(event.source) if state.cycle is not None else None
    return records.with_grant(state, event.source, max(0, left - event.amount)) if left else state


def _credits(state: CampaignState, account: str, by: int) -> CampaignState:
    if is_outside(account):
        return state
    gang = state.gangs[account]
    return state.with_gang(replace(gang, credits=gang.credits + by))


def _advanced(state: CampaignState, event: records.AdvancementTaken) -> CampaignState:
    fighter = fighter_on_card(state, event.fighter)
    improved = fighter.times_improved
    if event.characteristic is not None:
        times = {**improved, event.characteristic: improved.get(event.characteristic, 0) + 1}
        improved = dict(sorted(times.items()))
    return state.with_fighter(
        replace(fighter, advancements=fighter.advancements + 1, times_improved=improved)
    )


def _ruined(state: CampaignState, event: records.BionicRuined) -> CampaignState:
    fighter = fighter_on_card(state, event.fighter)
    left, places = list(fighter.fitted), list(fighter.bionics)
    gone = next(one for one in left if (one.place, one.name) == (event.place, event.name))
    left.remove(gone)
    places.remove(event.place)
    return state.with_fighter(replace(fighter, fitted=tuple(left), bionics=tuple(places)))


def _taken(state: CampaignState, place: str, item: Item) -> CampaignState:
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
            return state.with_fighter(without_item(fighter_on_card(state, whose), item))


def _put(state: CampaignState, place: str, item: Item) -> CampaignState:
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
            return state.with_fighter(with_item(fighter_on_card(state, whose), item))


def _without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """The items but for one: that very one, else the first of its name."""
    place = next((at for at, one in enumerate(items) if one == item), None)
    if place is None:
        place = next((at for at, one in enumerate(items) if one.name == item.name), len(items))
    return items[:place] + items[place + 1 :]


def with_item(fighter: Fighter, item: Item) -> Fighter:
    """The fighter with one thing more on the card; armour takes the place of armour."""
    if item.kind == "weapon":
        assert item.weapon is not None, f"nobody knows what {item.name} does"
        return replace(fighter, weapons=(*fighter.weapons, item.weapon))
    known = {**fighter.prices, item.name: (*fighter.prices.get(item.name, ()), item.cost_credits)}
    fighter = replace(fighter, prices=dict(sorted(known.items())))
    match item.kind:
        case "armour":
            return replace(fighter, armour=item.armour)
        case "field_armour":
            return replace(fighter, field_armour=item.armour)
        case _:
            return replace(fighter, wargear=(*fighter.wargear, item.name))


def without_item(fighter: Fighter, item: Item) -> Fighter:
    """The fighter without one thing: the first on the card of that kind and name."""
    match item.kind:
        case "weapon":
            at = next(
                (place for place, one in enumerate(fighter.weapons) if one == item.weapon),
                next((place for place, one in enumerate(fighter.weapons) if one.weapon == item.name), None),
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

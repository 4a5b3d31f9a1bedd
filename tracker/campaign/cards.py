"""Whose card, and which condition in the battle, an event changes."""

from __future__ import annotations

from tracker.campaign.state import CampaignState, Fighter, Standing, Vehicle
from tracker.records import replace


def fighter_on_card(state: CampaignState, fighter: str) -> Fighter:
    """The fighter an event names, who enlisted, or the log is wrong."""
    found = state.fighter(fighter)
    assert found is not None, f"an event names {fighter}, who never enlisted"
    return found


def vehicle_on_card(state: CampaignState, vehicle: str) -> Vehicle:
    """The vehicle an event names, which enlisted, or the log is wrong."""
    found = state.vehicle(vehicle)
    assert found is not None, f"an event names {vehicle}, which never enlisted"
    return found


def on_fighter(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    """The state with some fields of a fighter's card changed."""
    return state.with_fighter(replace(fighter_on_card(state, fighter), **changes))


def gone_for_good(state: CampaignState, fighter: str, standing: Standing) -> CampaignState:
    """The state after a fighter died or retired, who is nobody's captive any more."""
    card = replace(fighter_on_card(state, fighter), standing=standing)
    if card.held_by is not None:
        card = replace(card, held_by=None, rescue=None, works_at=None, off_rating=False)
    return state.with_fighter(card)


def in_battle(state: CampaignState, **changes: object) -> CampaignState:
    """The state with some fields of the battle under way changed; as it was where there is none."""
    if state.under_way is None:
        return state
    return replace(state, under_way=replace(state.under_way, **changes))


def on_combatant(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    """The state with some fields of a combatant changed; as it was for who is in no battle."""
    if state.under_way is None or fighter not in state.under_way.combatants:
        return state
    combatant = replace(state.under_way.combatants[fighter], **changes)
    return state.with_combatant(fighter, combatant)


def on_combat_vehicle(state: CampaignState, vehicle: str, **changes: object) -> CampaignState:
    """The state with some fields of a vehicle in the battle changed; as it was for one that is in none."""
    if state.under_way is None or vehicle not in state.under_way.vehicles:
        return state
    return state.with_combat_vehicle(vehicle, replace(state.under_way.vehicles[vehicle], **changes))

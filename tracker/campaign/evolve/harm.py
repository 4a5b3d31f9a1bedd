"""What hits do to who stands on the table. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card, on_combatant
from tracker.campaign.state import CampaignState
from tracker.records import replace

HarmEvent: TypeAlias = (
    records.WoundsLost
    | records.FleshWoundsSuffered
    | records.SeriousInjurySuffered
    | records.FighterWebbed
    | records.FighterPinned
    | records.FighterUnpinned
    | records.FighterWentOutOfAction
)


def evolve_harm(state: CampaignState, event: HarmEvent) -> CampaignState:
    """The state after one event of harm in a battle."""
    match event:
        case records.WoundsLost():
            return on_combatant(state, event.fighter, wounds_left=event.wounds_left)
        case records.FleshWoundsSuffered():
            return _flesh_wounds_suffered(state, event)
        case records.SeriousInjurySuffered():
            return on_combatant(
                state,
                event.fighter,
                seriously_injured=True,
                pinned=False,
                seriously_injured_in_close_combat=event.in_close_combat,
                seriously_injured_by=event.by,
            )
        case records.FighterWebbed():
            return on_combatant(state, event.fighter, webbed=True)
        case records.FighterPinned():
            return on_combatant(state, event.fighter, pinned=True)
        case records.FighterWentOutOfAction():
            return _fighter_went_out_of_action(state, event)
        case records.FighterUnpinned():
            return on_combatant(state, event.fighter, pinned=False)
        case _:
            assert_never(event)


def _flesh_wounds_suffered(state: CampaignState, event: records.FleshWoundsSuffered) -> CampaignState:
    if state.under_way is None or event.fighter not in state.under_way.combatants:
        return state
    suffered = state.under_way.combatants[event.fighter].flesh_wounds + event.flesh_wounds
    return on_combatant(state, event.fighter, flesh_wounds=suffered)


def _fighter_went_out_of_action(state: CampaignState, event: records.FighterWentOutOfAction) -> CampaignState:
    state = on_combatant(state, event.fighter, out_of_action=True, taken_out_by=event.by)
    fighter = fighter_on_card(state, event.fighter)
    state = state.with_fighter(replace(fighter, times_out_of_action=fighter.times_out_of_action + 1))
    attacker = state.fighter(event.by) if event.by else None
    if attacker is not None and attacker.gang != fighter.gang:
        state = state.with_fighter(replace(attacker, enemies_taken_out=attacker.enemies_taken_out + 1))
    return state

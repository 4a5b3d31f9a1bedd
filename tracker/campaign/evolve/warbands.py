"""Evolve for warbands and what lies around the Injury Chart. Never refuses or rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import on_fighter
from tracker.campaign.state import CampaignState
from tracker.records import replace

WarbandEvent: TypeAlias = (
    records.PromotionDieSpent
    | records.ThresholdRaised
    | records.ReinforcementsCalled
    | records.WarbandExplored
    | records.LocationFound
    | records.GloryChanged
    | records.RansomSettled
    | records.ShellShockTested
    | records.BlessingMarkersGained
    | records.BlessingMarkersSpent
    | records.MoraleTested
)


def evolve_warband(state: CampaignState, event: WarbandEvent) -> CampaignState:
    """The state after one event of a warband."""
    match event:
        case records.PromotionDieSpent():
            return state.with_gang(replace(state.gangs[event.gang], promotion_failures=event.failures))
        case records.ThresholdRaised():
            raised = replace(
                state.gangs[event.gang],
                threshold_ducats=event.ducats,
                field_strength=event.field_strength,
            )
            return state.with_gang(raised)
        case records.ReinforcementsCalled() | records.WarbandExplored():
            return state
        case records.LocationFound():
            return replace(state, locations_found=tuple(sorted({*state.locations_found, event.location})))
        case records.GloryChanged():
            return state.with_gang(replace(state.gangs[event.gang], glory=event.after))
        case records.RansomSettled():
            return on_fighter(state, event.fighter, capture_pending=False, captor=None)
        case records.ShellShockTested():
            return on_fighter(state, event.fighter, shock_tested=event.battle)
        case records.BlessingMarkersGained() | records.BlessingMarkersSpent():
            return _blessed(state, event)
        case records.MoraleTested():
            return _morale_tested(state, event)
        case _:
            assert_never(event)


def _blessed(
    state: CampaignState, event: records.BlessingMarkersGained | records.BlessingMarkersSpent
) -> CampaignState:
    if state.under_way is None or event.fighter not in state.under_way.combatants:
        return state
    combatant = state.under_way.combatants[event.fighter]
    return state.with_combatant(event.fighter, replace(combatant, blessing_markers=event.markers))


def _morale_tested(state: CampaignState, event: records.MoraleTested) -> CampaignState:
    battle = state.under_way
    if battle is None:
        return state
    tested = {**battle.morale_tested, event.gang: (*battle.morale_tested.get(event.gang, ()), event.turn)}
    changed = replace(battle, morale_tested=dict(sorted(tested.items())))
    if event.result == "shaken":
        changed = replace(changed, shaken=tuple(sorted({*battle.shaken, event.gang})))
    if event.result == "flees":
        changed = replace(changed, routed=tuple(sorted({*battle.routed, event.gang})))
    return replace(state, under_way=changed)

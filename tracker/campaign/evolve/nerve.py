"""What nerve, flight and the End phase do to the state. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import on_combatant
from tracker.campaign.state import CampaignState
from tracker.records import replace

NerveEvent: TypeAlias = (
    records.NerveTested
    | records.FighterBroke
    | records.RallyTestTaken
    | records.FighterRallied
    | records.GangBottled
    | records.FighterFled
    | records.RecoveryAssisted
    | records.SeriousInjuryOvercome
    | records.WebShed
)


def evolve_nerve(state: CampaignState, event: NerveEvent) -> CampaignState:
    """The state after one event of nerve, flight or recovery."""
    match event:
        case records.NerveTested():
            return _nerve_tested(state, event)
        case records.FighterBroke():
            return on_combatant(state, event.fighter, broken=True)
        case records.RallyTestTaken():
            return _rally_test_taken(state, event)
        case records.FighterRallied():
            return on_combatant(state, event.fighter, broken=False)
        case records.GangBottled():
            return _gang_bottled(state, event)
        case records.FighterFled():
            return on_combatant(state, event.fighter, fled=True)
        case records.RecoveryAssisted():
            return _recovery_assisted(state, event)
        case records.SeriousInjuryOvercome():
            return on_combatant(
                state,
                event.fighter,
                seriously_injured=False,
                seriously_injured_in_close_combat=False,
                seriously_injured_by=None,
                pinned=True,
            )
        case records.WebShed():
            return on_combatant(state, event.fighter, webbed=False, pinned=True)
        case _:
            assert_never(event)


def nerve_key(activation: str, tester: str) -> str:
    """Under which an activation's Nerve tests of one fighter are remembered until the battle ends.

    Activation '' is for tests told without one after the victim had gone Out of Action.
    """
    return f"{activation}|{tester}"


def _nerve_tested(state: CampaignState, event: records.NerveTested) -> CampaignState:
    cause = event.because_of or event.wreck
    if state.under_way is None or cause is None:
        return state
    if event.activation is None:
        victim = state.under_way.combatants.get(cause)
        if victim is None or not victim.out_of_action:
            return state
    tested, key = state.under_way.nerve_tested, nerve_key(event.activation or "", event.fighter)
    tested = {**tested, key: (*tested.get(key, ()), cause)}
    return replace(state, under_way=replace(state.under_way, nerve_tested=tested))


def _rally_test_taken(state: CampaignState, event: records.RallyTestTaken) -> CampaignState:
    if state.under_way is None:
        return state
    taken = state.under_way.rally_tests
    taken = {**taken, event.fighter: (*taken.get(event.fighter, ()), event.round)}
    return replace(state, under_way=replace(state.under_way, rally_tests=taken))


def _gang_bottled(state: CampaignState, event: records.GangBottled) -> CampaignState:
    battle = state.under_way
    if battle is None:
        return state
    forfeit = (*battle.forfeit, event.gang) if event.forfeit else battle.forfeit
    return replace(state, under_way=replace(battle, bottled=(*battle.bottled, event.gang), forfeit=forfeit))


def _recovery_assisted(state: CampaignState, event: records.RecoveryAssisted) -> CampaignState:
    if state.under_way is None:
        return state
    assisted = state.under_way.assisted
    assisted = {**assisted, event.by: (*assisted.get(event.by, ()), event.round)}
    return replace(state, under_way=replace(state.under_way, assisted=assisted))

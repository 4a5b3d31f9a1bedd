"""What events about mutations do to the state: see `evolve`. Never refuses, never rolls."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card
from tracker.campaign.state import CampaignState
from tracker.records import replace

MutationEvent: TypeAlias = (
    records.GangCorruptionStated
    | records.MutationGained
    | records.MutationCameAgain
    | records.BecameChaosSpawn
)


def evolve_mutation(state: CampaignState, event: MutationEvent) -> CampaignState:
    """The state after one event about mutations."""
    if isinstance(event, records.GangCorruptionStated):
        return _corruption_stated(state, event)
    fighter = fighter_on_card(state, event.fighter)
    match event:
        case records.MutationGained():
            left = fighter.mutations_to_choose - event.chosen
            had = (*fighter.mutations, event.mutation)
            return state.with_fighter(replace(fighter, mutations=had, mutations_to_choose=left))
        case records.MutationCameAgain():
            return state.with_fighter(replace(fighter, mutations_to_choose=fighter.mutations_to_choose + 1))
        case records.BecameChaosSpawn():
            return state.with_fighter(replace(fighter, standing="retired"))
        case _:
            assert_never(event)


def _corruption_stated(state: CampaignState, event: records.GangCorruptionStated) -> CampaignState:
    gang = state.gangs[event.gang]
    fighters = {
        name: replace(fighter, daemon=name in event.daemons)
        if fighter.daemon != (name in event.daemons)
        else fighter
        for name, fighter in gang.fighters.items()
    }
    return state.with_gang(replace(gang, corrupted=event.corrupted, fighters=fighters))

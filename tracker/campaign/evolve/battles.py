"""What the opening and the end of a battle do to the state. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card, vehicle_on_card
from tracker.campaign.evolve.post_battle import after_closing, before_opening
from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, CombatVehicle, Fighter
from tracker.records import replace

BattleEvent: TypeAlias = records.BattleOpened | records.BattleClosed


def evolve_battle(state: CampaignState, event: BattleEvent) -> CampaignState:
    """The state after a battle is opened or closed."""
    match event:
        case records.BattleOpened():
            return _battle_opened(state, event)
        case records.BattleClosed():
            return _battle_closed(state, event)
        case _:
            assert_never(event)


def _battle_opened(state: CampaignState, event: records.BattleOpened) -> CampaignState:
    state = before_opening(state, event)
    combatants: dict[str, Combatant] = {}
    fielded: dict[str, Fighter] = {}
    for crew in event.crews.values():
        for name in crew:
            fighter = fielded.get(name) or fighter_on_card(state, name)
            combatants[name] = Combatant(wounds_left=fighter.characteristics.get("wounds", 0))
            fielded[name] = replace(fighter, battles_fought=fighter.battles_fought + 1)
    state = state.with_fighters(fielded.values())
    battle = BattleUnderWay(
        battle=event.battle,
        number=event.number,
        crews=event.crews,
        combatants=combatants,
        vehicles={
            name: CombatVehicle(hit_points_left=vehicle_on_card(state, name).hit_points)
            for name in event.vehicles
        },
    )
    return replace(state, battles={**state.battles, event.battle: event.number}, under_way=battle)


def _battle_closed(state: CampaignState, event: records.BattleClosed) -> CampaignState:
    crews = state.under_way.crews if state.under_way is not None else {}
    for name in crews:
        gang = state.gangs[name]
        state = state.with_gang(
            replace(
                gang,
                battles=gang.battles + 1,
                won=gang.won + (event.winner == name),
                drawn=gang.drawn + event.drawn,
                lost=gang.lost + (event.winner is not None and event.winner != name),
            )
        )
    return after_closing(replace(state, under_way=None), event, state.under_way)

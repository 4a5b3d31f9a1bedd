"""What the opening and the end of a battle do to the state. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.cards import fighter_on_card, vehicle_on_card
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
    state = _before_opening(state, event)
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
    return _after_closing(replace(state, under_way=None), event, state.under_way)


def _after_closing(
    state: CampaignState, event: records.BattleClosed, battle: BattleUnderWay | None
) -> CampaignState:
    """What the sequences of the gangs that fought have to go on; who missed this battle is back."""
    if battle is None:
        return state
    record = _record(state, event, battle)
    for gang in battle.crews:
        for fighter in state.gangs[gang].fighters.values():
            if fighter.absent_since is not None and fighter.absent_since < battle.number:
                state = state.with_fighter(replace(fighter, absent_since=None))
    return replace(state, after_battle={**state.after_battle, **dict.fromkeys(sorted(battle.crews), record)})


def _before_opening(state: CampaignState, event: records.BattleOpened) -> CampaignState:
    """A gang's next battle ends its sequence."""
    left = {gang: after for gang, after in state.after_battle.items() if gang not in event.crews}
    return replace(state, after_battle=left) if len(left) < len(state.after_battle) else state


def _record(state: CampaignState, event: records.BattleClosed, battle: BattleUnderWay) -> AfterBattle:
    gone = tuple(name for name, one in battle.combatants.items() if one.out_of_action)
    wrecked: dict[str, tuple[str, ...]] = {}
    for name, condition in battle.vehicles.items():
        vehicle = state.vehicle(name)
        if condition.wrecked and vehicle is not None:
            wrecked[vehicle.gang] = (*wrecked.get(vehicle.gang, ()), name)
    return AfterBattle(
        battle=battle.battle,
        number=battle.number,
        crews=dict(sorted(battle.crews.items())),
        winner=event.winner,
        drawn=event.drawn,
        remained={
            gang: tuple(
                name
                for name in crew
                if not battle.combatants[name].out_of_action and not battle.combatants[name].fled
            )
            for gang, crew in sorted(battle.crews.items())
        },
        out_of_action=tuple(sorted(gone)),
        webbed=tuple(sorted(name for name in gone if battle.combatants[name].webbed)),
        wrecked={gang: tuple(sorted(names)) for gang, names in sorted(wrecked.items())},
    )

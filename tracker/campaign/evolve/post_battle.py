"""Evolve for the post-battle sequence, captives, territories and cycles.

Never refuses, never rolls, asks no table.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle, Cycle, RareSought, Territory
from tracker.campaign.cards import fighter_on_card, on_fighter, vehicle_on_card
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Gang,
    LastingDamageOnCard,
)
from tracker.records import replace

PostBattleEvent: TypeAlias = (
    records.StepReached
    | records.PostBattleActionTaken
    | records.CriticalTreated
    | records.RareItemsSought
    | records.VehicleRepaired
    | records.FighterMissesBattle
    | records.PostBattleDone
    | records.ReputationChanged
    | records.AlignmentStated
    | records.TerritoryGained
    | records.TerritoryLost
    | records.CycleBegan
    | records.SpendingGranted
    | records.BoonTaken
    | records.ModelPainted
)


def evolve_post_battle(state: CampaignState, event: PostBattleEvent) -> CampaignState:
    """The state after one event of the sequence."""
    match event:
        case records.StepReached():
            return _after(state, event.gang, step=event.step)
        case records.PostBattleActionTaken():
            return _action_taken(state, event)
        case records.CriticalTreated():
            return _critical_treated(state, event)
        case records.RareItemsSought():
            found = RareSought(
                market=event.market, rare_up_to=event.rare_up_to, illegal_up_to=event.illegal_up_to
            )
            return _after(state, event.gang, rare=found)
        case records.VehicleRepaired():
            return _vehicle_repaired(state, event)
        case records.FighterMissesBattle():
            return on_fighter(state, event.fighter, absent_since=event.battle)
        case records.PostBattleDone():
            after = state.after_battle.get(event.gang)
            return _after(state, event.gang, done=(*after.done, event.what)) if after is not None else state
        case records.ReputationChanged():
            return _reputation_changed(state, event)
        case records.AlignmentStated():
            gang = state.gangs[event.gang]
            switched = gang.alignment_switched or event.before is not None
            return state.with_gang(replace(gang, alignment=event.after, alignment_switched=switched))
        case records.TerritoryGained():
            held = Territory(territory=event.territory, kind=event.kind, name=event.name, holder=event.gang)
            return _territory(state, held)
        case records.TerritoryLost():
            lost = replace(state.territories[event.territory], holder=event.to, recruits=(), equipment=())
            return _territory(state, lost)
        case records.CycleBegan():
            return replace(state, cycle=Cycle(number=event.number, phase=event.phase, name=event.name))
        case records.SpendingGranted():
            return _granted(state, event.gang, event.amount)
        case records.BoonTaken():
            return _boon_taken(state, event)
        case records.ModelPainted():
            return on_fighter(state, event.fighter, painted=True)
        case _:
            assert_never(event)


def after_closing(
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


def before_opening(state: CampaignState, event: records.BattleOpened) -> CampaignState:
    """A gang's next battle ends its sequence."""
    left = {gang: after for gang, after in state.after_battle.items() if gang not in event.crews}
    return replace(state, after_battle=left) if len(left) < len(state.after_battle) else state


def spend_grant(state: CampaignState, event: records.CreditsMoved) -> CampaignState:
    """What a gang pays comes first out of what lapses."""
    left = state.cycle.grants.get(event.source) if state.cycle is not None else None
    return _granted(state, event.source, max(0, left - event.amount)) if left else state


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


def _after(state: CampaignState, gang: str, **changes: object) -> CampaignState:
    after = state.after_battle.get(gang)
    if after is None:
        return state
    changed = replace(after, **changes)
    return replace(state, after_battle={**state.after_battle, gang: changed})


def _action_taken(state: CampaignState, event: records.PostBattleActionTaken) -> CampaignState:
    after = state.after_battle.get(event.gang)
    if after is None:
        return state
    traders = (*after.traders, event.fighter) if event.action == "trade" else after.traders
    acted = dict(sorted({**after.acted, event.fighter: event.action}.items()))
    return _after(state, event.gang, acted=acted, traders=traders)


def _critical_treated(state: CampaignState, event: records.CriticalTreated) -> CampaignState:
    state = on_fighter(state, event.fighter, critical=False)
    gang = fighter_on_card(state, event.fighter).gang
    after = state.after_battle.get(gang)
    if after is None or not event.taken_to_doctor:
        return state
    return _after(
        state, gang, escorted=dict(sorted({**after.escorted, event.fighter: event.outcome}.items()))
    )


def _vehicle_repaired(state: CampaignState, event: records.VehicleRepaired) -> CampaignState:
    vehicle = vehicle_on_card(state, event.vehicle)
    left = event.left
    stays = LastingDamageOnCard(damage=left, name=event.left_name, battle=event.battle) if left else None
    return state.with_vehicle(
        replace(
            vehicle,
            lasting_damage=(stays,) if stays is not None else (),
            rattles=event.rattles,
            handling_modifier=event.handling_modifier,
            unreliable=0,
            in_repair=False,
            toughness_front=event.toughness_front,
            toughness_side=event.toughness_side,
            toughness_rear=event.toughness_rear,
            movement=event.movement,
            hit_points=event.hit_points,
        )
    )


def _reputation_changed(state: CampaignState, event: records.ReputationChanged) -> CampaignState:
    gang: Gang = state.gangs[event.gang]
    state = state.with_gang(replace(gang, reputation=event.after))
    after = state.after_battle.get(event.gang)
    if after is None:
        return state
    before = after.reputation_before if after.reputation_before is not None else event.before
    return _after(
        state,
        event.gang,
        reputation_before=before,
        reputation_gained=after.reputation_gained + max(event.by, 0),
        reputation_lost=after.reputation_lost + max(-event.by, 0),
    )


def _territory(state: CampaignState, territory: Territory) -> CampaignState:
    before = state.territories.get(territory.territory)
    held = {**state.territories, territory.territory: territory}
    state = replace(state, territories=dict(sorted(held.items())))
    for gang in dict.fromkeys((before.holder if before is not None else None, territory.holder)):
        if gang is not None:
            theirs = tuple(one for one in state.territories.values() if one.holder == gang)
            state = state.with_gang(replace(state.gangs[gang], territories=theirs))
    return state


def _boon_taken(state: CampaignState, event: records.BoonTaken) -> CampaignState:
    territory = state.territories[event.territory]
    recruits = territory.recruits if event.recruit is None else (*territory.recruits, event.recruit)
    return _territory(
        state, replace(territory, recruits=recruits, equipment=(*territory.equipment, *event.items))
    )


def _granted(state: CampaignState, gang: str, amount: int) -> CampaignState:
    if state.cycle is None:
        return state
    grants = dict(sorted({**state.cycle.grants, gang: amount}.items()))
    return replace(state, cycle=replace(state.cycle, grants=grants))

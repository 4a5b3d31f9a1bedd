"""What close combat does to the state. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.state import CampaignState, LastFight
from tracker.records import replace

FightingEvent: TypeAlias = records.FightResolved | records.RetreatTried


def evolve_fighting(state: CampaignState, event: FightingEvent) -> CampaignState:
    """The state after a fight, or a retreat from one."""
    match event:
        case records.RetreatTried():
            return _retreat_tried(state, event)
        case records.FightResolved():
            return _fight_resolved(state, event)
        case _:
            assert_never(event)


def _fight_resolved(state: CampaignState, event: records.FightResolved) -> CampaignState:
    if state.under_way is None:
        return state
    battle, last = state.under_way, state.under_way.last_fight
    if event.reaction:
        if last is not None and event.fighter in last.may_react:
            last = replace(
                last,
                may_react=tuple(one for one in last.may_react if one != event.fighter),
                reacted=(*last.reacted, event.fighter),
            )
    else:
        again = (
            last is not None
            and event.activation is not None
            and (last.fighter, last.activation) == (event.fighter, event.activation)
        )
        last = LastFight(
            fighter=event.fighter,
            may_react=event.may_react,
            count_as_turned=event.count_as_turned,
            charging=event.charging or (again and last is not None and last.charging),
            activation=event.activation,
            fights=last.fights + 1 if again and last is not None else 1,
        )
    return replace(state, under_way=replace(battle, fights=battle.fights + 1, last_fight=last))


def _retreat_tried(state: CampaignState, event: records.RetreatTried) -> CampaignState:
    if state.under_way is None or not event.may_react:
        return state
    # They react to it as to a Fight.
    last = LastFight(
        fighter=event.fighter,
        may_react=event.may_react,
        count_as_turned=(),
        charging=False,
        activation=None,
        fights=1,
    )
    return replace(state, under_way=replace(state.under_way, last_fight=last))

"""Evolve: folds events into a state; each event has its own `apply`.

Never refuses, never rolls. Events were decided already, so a fact that does not fit is a bug of ours and is
asserted; an odd log after a ruling is still folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.containers import OwnedDict
from tracker.campaign.state import CampaignState
from tracker.records import collector_held, replace

INFORMING: Final = frozenset(kind for kind in records.EVENTS.values() if kind.apply is records.Event.apply)
"""Events that inform, and change no state."""


def fold(state: CampaignState, events: Iterable[records.Event]) -> CampaignState:
    """The state after all of these events."""
    for event in events:
        state = event.apply(state)
    return state


def fold_in_place(state: CampaignState, events: Iterable[records.Event]) -> CampaignState:
    """The state after all of these events, folded in containers that nobody else sees.

    For long logs of which only the last state is needed: no state in between may be kept.
    """
    with collector_held():
        return _with_containers(fold(_with_containers(state, OwnedDict), events), dict)


def _with_containers(state: CampaignState, kind: Callable[[Any], Any]) -> CampaignState:
    """The state with copies of the containers that grow with a campaign."""
    gangs = {
        name: replace(gang, fighters=gang.members.held_in(kind), vehicles=kind(gang.vehicles))
        for name, gang in state.gangs.items()
    }
    battle = state.under_way
    return replace(
        state,
        gangs=kind(gangs),
        vehicle_of=kind(state.vehicle_of),
        under_way=replace(battle, combatants=kind(battle.combatants)) if battle is not None else None,
    )


def evolve(state: CampaignState, event: records.Event) -> CampaignState:
    """The state after one event."""
    return event.apply(state)

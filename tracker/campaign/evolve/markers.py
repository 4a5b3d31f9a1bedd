"""What Blood Markers, falls and fates do to a model. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign.events.trench_crusade import (
    BloodMarkersGained,
    BloodMarkersSpent,
    FateDecided,
    FighterStoodUp,
    FighterWentDown,
    ToughnessSpent,
)
from tracker.campaign.evolve.cards import on_combatant
from tracker.campaign.state import CampaignState

MarkerEvent: TypeAlias = (
    BloodMarkersGained | BloodMarkersSpent | FighterWentDown | FighterStoodUp | ToughnessSpent | FateDecided
)


def evolve_markers(state: CampaignState, event: MarkerEvent) -> CampaignState:
    """The state after one event about markers, falling down or fate."""
    match event:
        case BloodMarkersGained() | BloodMarkersSpent():
            return on_combatant(state, event.fighter, blood_markers=event.markers)
        case FighterWentDown():
            return on_combatant(state, event.fighter, down=True)
        case FighterStoodUp():
            return on_combatant(state, event.fighter, down=False)
        case ToughnessSpent():
            return on_combatant(state, event.fighter, tough_spent=True)
        case FateDecided():
            return on_combatant(state, event.fighter, fate_decided=True)
        case _:
            assert_never(event)

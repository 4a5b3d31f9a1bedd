"""What Blood Markers, falls and fates do to a model. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import on_combatant
from tracker.campaign.state import CampaignState

MarkerEvent: TypeAlias = (
    records.BloodMarkersGained
    | records.BloodMarkersSpent
    | records.FighterWentDown
    | records.FighterStoodUp
    | records.ToughnessSpent
    | records.FateDecided
)


def evolve_markers(state: CampaignState, event: MarkerEvent) -> CampaignState:
    """The state after one event about markers, falling down or fate."""
    match event:
        case records.BloodMarkersGained() | records.BloodMarkersSpent():
            return on_combatant(state, event.fighter, blood_markers=event.markers)
        case records.FighterWentDown():
            return on_combatant(state, event.fighter, down=True)
        case records.FighterStoodUp():
            return on_combatant(state, event.fighter, down=False)
        case records.ToughnessSpent():
            return on_combatant(state, event.fighter, tough_spent=True)
        case records.FateDecided():
            return on_combatant(state, event.fighter, fate_decided=True)
        case _:
            assert_never(event)

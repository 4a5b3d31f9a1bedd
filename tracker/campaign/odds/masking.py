"""Masks fields that the next steps neither read nor write, so states that differ only there merge.

Knows fields and no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from tracker.campaign.state import CampaignState, Combatant, CombatVehicle
from tracker.records import replace

Masked: TypeAlias = tuple[tuple[str, dict[str, Any]], ...]
"""For each model that had any content, that content by field name."""


def mask_fields(state: CampaignState, names: Sequence[str]) -> tuple[CampaignState, Masked]:
    """The state with these tuple fields emptied for every model, and their former content."""
    battle, masked = state.under_way, []
    if battle is None:
        return state, ()
    for model, condition in (*battle.combatants.items(), *battle.vehicles.items()):
        if type(condition) not in (Combatant, CombatVehicle):
            continue  # hidden (`independent_parts`): these steps do not look at it
        held = {name: getattr(condition, name) for name in names if getattr(condition, name)}
        if held:
            masked.append((model, held))
            state = _with(state, model, dict.fromkeys(held, ()))
    return state, tuple(masked)


def unmask_fields(state: CampaignState, masked: Masked) -> CampaignState:
    """The state with the masked fields restored."""
    for model, held in masked:
        state = _with(state, model, held)
    return state


def _with(state: CampaignState, model: str, changes: dict[str, Any]) -> CampaignState:
    battle = state.under_way
    assert battle is not None, "fields are masked in a battle only"
    if model in battle.combatants:
        return state.with_combatant(model, replace(battle.combatants[model], **changes))
    return state.with_combat_vehicle(model, replace(battle.vehicles[model], **changes))

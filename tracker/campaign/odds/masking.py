"""Setting aside: what of everybody's condition a stretch of an entry neither asks for nor changes.

For `walking`: states that differ in nothing else are walked on as one. Knows fields and no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from tracker.campaign.state import CampaignState, Combatant, CombatVehicle
from tracker.records import replace

Aside: TypeAlias = tuple[tuple[str, dict[str, Any]], ...]
"""For each model that had any of it, what it had by the names of the fields."""


def set_aside(state: CampaignState, names: Sequence[str]) -> tuple[CampaignState, Aside]:
    """The state with these fields, lists of things, empty for everybody; and what they held."""
    battle, aside = state.under_way, []
    if battle is None:
        return state, ()
    for model, condition in (*battle.combatants.items(), *battle.vehicles.items()):
        if type(condition) not in (Combatant, CombatVehicle):
            continue  # hidden (`factors`): these steps do not look at it
        held = {name: getattr(condition, name) for name in names if getattr(condition, name)}
        if held:
            aside.append((model, held))
            state = _with(state, model, dict.fromkeys(held, ()))
    return state, tuple(aside)


def put_back(state: CampaignState, aside: Aside) -> CampaignState:
    """The state with what was set aside."""
    for model, held in aside:
        state = _with(state, model, held)
    return state


def _with(state: CampaignState, model: str, changes: dict[str, Any]) -> CampaignState:
    battle = state.under_way
    assert battle is not None, "nothing is set aside but in a battle"
    if model in battle.combatants:
        return state.with_combatant(model, replace(battle.combatants[model], **changes))
    return state.with_combat_vehicle(model, replace(battle.vehicles[model], **changes))

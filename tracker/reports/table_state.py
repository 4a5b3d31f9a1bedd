"""Table state: how everybody stands in a battle under way, gang by gang. Gone when the battle ends.

Knows the records that a battle keeps of its models. Knows no rule: what a condition means, the book says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, CombatVehicle
from tracker.reports.cards import counted
from tracker.reports.names import Names
from tracker.reports.plain_data import plain_data
from tracker.reports.rendering import sanitize

_FIGHTER = {
    "seriously_injured": "Seriously Injured",
    "down": "Down",
    "pinned": "Pinned",
    "webbed": "Webbed",
    "broken": "Broken",
}
_VEHICLE = {
    "stalled": "Stalled",
    "shaken": "shaken",
    "movement_capped": "movement capped",
    "rolling": "rolling over",
    "driver_blacked_out": "driver blacked out",
}


def table_state_lines(state: CampaignState, battle: str, names: Names) -> list[str]:
    """A line for every gang and model; nothing when that battle is not under way in this state."""
    under_way = state.under_way
    if under_way is None or under_way.battle != battle:
        return []
    lines = []
    for gang in under_way.crews:
        said = [words for words, gangs in _of_gangs(under_way) if gang in gangs]
        lines.append(f"  {names.gang(gang)}" + (f" ({', '.join(said)})" if said else ""))
        lines += [
            f"    {names.fighter(model)}: {', '.join(stands)}" for model, stands, _ in _models(state, gang)
        ]
    if under_way.last_fight is not None and under_way.last_fight.may_react:
        told = ", ".join(names.fighter(fighter) for fighter in under_way.last_fight.may_react)
        lines.append(f"  May still react to the last fight: {told}")
    return lines


def table_state_data(state: CampaignState, battle: str, names: Names) -> dict[str, Any] | None:
    """The same for programs, with each model's record; None when that battle is not under way."""
    under_way = state.under_way
    if under_way is None or under_way.battle != battle:
        return None
    last = under_way.last_fight
    return {
        "gangs": {
            gang: {
                "bottled": gang in under_way.bottled,
                "forfeit": gang in under_way.forfeit,
                "models": {
                    model: {
                        "name": names.fighter(model),
                        "stands": list(stands),
                        "condition": plain_data(record),
                    }
                    for model, stands, record in _models(state, gang)
                },
            }
            for gang in under_way.crews
        },
        "may_react": list(last.may_react) if last is not None else [],
    }


def _of_gangs(battle: BattleUnderWay) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("bottled", battle.bottled),
        ("forfeits the battle", battle.forfeit),
        ("shaken by its losses", battle.shaken),
        ("has fled and lost", battle.routed),
    )


def _models(state: CampaignState, gang: str) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """A gang's fighters and vehicles in the battle: id, how they stand in words, the record."""
    battle = state.under_way
    assert battle is not None, "asked of a battle under way"
    for fighter in battle.crews[gang]:
        if fighter in battle.combatants:
            card = state.fighter(fighter)
            wounds = card.characteristics.get("wounds", 0) if card is not None else 0
            combatant = battle.combatants[fighter]
            yield fighter, tuple(_fighter_words(combatant, wounds)) or ("unhurt",), combatant
    for name, condition in battle.vehicles.items():
        vehicle = state.vehicle(name)
        if vehicle is not None and vehicle.gang == gang:
            words = tuple(_vehicle_words(condition, vehicle.hit_points))
            yield name, words or ("unharmed",), condition


def _fighter_words(one: Combatant, wounds: int) -> Iterator[str]:
    if one.out_of_action or one.fled:
        yield "Out of Action" if one.out_of_action else "fled"
        return
    if one.wounds_left < wounds:
        yield f"{one.wounds_left} of {counted(wounds, 'Wound')} left"
    if one.flesh_wounds:
        yield counted(one.flesh_wounds, "Flesh Wound")
    yield from (words for name, words in _FIGHTER.items() if getattr(one, name))
    if one.blood_markers:
        yield counted(one.blood_markers, "Blood Marker")
    if one.blessing_markers:
        yield counted(one.blessing_markers, "Blessing Marker")
    if one.tough_spent:
        yield "Tough is spent"
    yield from _ammo_words(one)


def _vehicle_words(one: CombatVehicle, hit_points: int) -> Iterator[str]:
    if one.wrecked:
        yield "Wrecked"
        return
    if one.hit_points_left < hit_points:
        yield f"{one.hit_points_left} of {counted(hit_points, 'hit point')} left"
    if not one.mobile and not one.stalled:
        yield "stationary"
    yield from (words for name, words in _VEHICLE.items() if getattr(one, name))
    if one.handling_hindered:
        yield f"handling hindered by {one.handling_hindered}"
    yield from (f"{sanitize(weapon)} destroyed" for weapon in one.weapons_destroyed)
    if one.driver_flesh_wounds:
        yield f"driver: {counted(one.driver_flesh_wounds, 'Flesh Wound')}"
    yield from _ammo_words(one)


def _ammo_words(one: Combatant | CombatVehicle) -> Iterator[str]:
    # A jammed weapon cannot be reloaded, so that it is out of ammo too goes without saying.
    yield from (f"{sanitize(slot)} out of ammo" for slot in one.out_of_ammo if slot not in one.jammed)
    yield from (f"{sanitize(slot)} jammed" for slot in one.jammed)
    for spent in one.ammo_spent:
        slot, _, profile = spent.partition("|")
        yield (
            f"{sanitize(slot)}: no more {sanitize(profile)}" if profile else f"{sanitize(slot)}: ammo used up"
        )

"""Given, when, then for the Injury Chart: two small warbands, dice in the words of that game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenario import Table, campaign, enlist

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.records import replace

BOOK = "trench_crusade"
PILGRIMS, HERETICS = "pilgrims", "heretics"
ANSELM, ODO, VEX, RAT = "anselm", "odo", "vex", "rat"
MODELS_OF = {PILGRIMS: (ANSELM, ODO), HERETICS: (VEX, RAT)}
ORDINARY = {"movement": 6, "ranged": 0, "melee": 0, "armour_modifier": 0}
CLOSING = records.CloseBattle(winner=None, drawn=True)


def model(fighter: str, **changes: Any) -> records.FighterCard:
    """A model without armour but for `changes`: Anselm and Vex are ELITE, Odo and Rat troops."""
    numbers = {name: changes.pop(name) for name in ORDINARY if name in changes}
    ordinary = records.FighterCard(
        fighter=fighter,
        name=fighter.capitalize(),
        category="elite" if fighter in (ANSELM, VEX) else "troop",
        kind="Model",
        cost_credits=50,
        characteristics={**ORDINARY, **numbers},
    )
    return replace(ordinary, **changes)


def given(*cards: records.FighterCard, knobs: Mapping[str, str] | None = None, battle: bool = True) -> Table:
    """Anselm and Odo against Vex and Rat, in their first battle. `cards` replace ordinary models."""
    mine = {fighter.fighter: fighter for fighter in cards}
    warbands = (
        enlist(gang, *(mine.get(name) or model(name) for name in models), house="Warband", reputation=0)
        for gang, models in MODELS_OF.items()
    )
    table = campaign(*warbands, knobs=knobs, book=BOOK)
    return table.when(opening(1)) if battle else table


def opening(number: int) -> records.OpenBattle:
    """The campaign's nth battle, with everybody who can fight."""
    return records.OpenBattle(
        battle=f"battle-{number}", scenario="Crater", date="2026-01-01", crews={PILGRIMS: (), HERETICS: ()}
    )


def injury(target: str, *, by: str | None = None, **more: Any) -> records.RollInjuryChart:
    """An injury roll."""
    return records.RollInjuryChart(target=target, attacker=by, **more)


def said(result: str, target: str, *, by: str | None = None, **more: Any) -> records.RollInjuryChart:
    """The notes say what the chart showed."""
    return records.RollInjuryChart(target=target, attacker=by, result=result, **more)  # type: ignore[arg-type]


def with_markers(table: Table, fighter: str, count: int) -> Table:
    """The model has so many Blood Markers."""
    for _ in range(count):
        table = table.when(said("minor_hit", fighter))
    assert table.combatant(fighter).blood_markers == count
    return table


def taken_out(table: Table, fighter: str, *, by: str | None = None) -> Table:
    """The model is Out of Action."""
    return table.when(said("out_of_action", fighter, by=by))


def fate(fighter: str, **more: Any) -> records.DecideFate:
    """What becomes of a model that is Out of Action."""
    return records.DecideFate(fighter=fighter, **more)


def chart(*faces: int) -> tuple[Die, ...]:
    """The dice on the Injury Chart show."""
    return tuple(read_die("injury_chart", "D6", face) for face in faces)


def added(face: int) -> Die:
    """The D6 that Bloodbath adds shows, where it is rolled apart."""
    return read_die("bloodbath", "D6", face)


def to_stand(*faces: int) -> tuple[Die, ...]:
    """The dice of the RISKY ACTION to stand show."""
    return tuple(read_die("risky_stand", "D6", face) for face in faces)


def trauma(cell: str) -> Die:
    """The Trauma roll shows."""
    return read_die("trauma", "D66", cell)


def hand(face: int) -> Die:
    """Which hand a Hand Wound is about."""
    return read_die("which_hand", "D6", face)


def troop_fate(face: int) -> Die:
    """The die for a troop shows."""
    return read_die("troop_fate", "D6", face)


def lessons(result: int) -> Die:
    """Bitter Lessons teaches so much (D3)."""
    return read_die("bitter_lessons", "D3", result)

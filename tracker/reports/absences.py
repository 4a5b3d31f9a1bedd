"""Absences in words: battles missed before a ruling and after it; who fought where by now they could not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tracker.campaign.rulings.absences import Absence
from tracker.reports.cards import counted
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names


def missed_lines(absences: Sequence[Absence], names: Names) -> list[str]:
    """'Vex (Iron Skulls): battle 2 (quiet-night): dead -> none', for everybody for whom that moves."""
    return [
        f"{names.fighter(one['fighter'])} ({names.gang(one['gang'])}):"
        f" {_battles(one['before'], names)} -> {_battles(one['after'], names)}"
        for one in battles_missed(absences)
    ]


def battles_missed(absences: Sequence[Absence]) -> list[dict[str, Any]]:
    """By fighter, the battles that the rules kept them from, and those of by now; where that moves."""
    people: dict[tuple[str, str], list[Absence]] = {}
    for one in absences:
        people.setdefault((one.gang, one.fighter), []).append(one)
    return [
        {
            "gang": gang,
            "fighter": fighter,
            "before": [_battle(one, one.before) for one in all_of if one.before is not None],
            "after": [_battle(one, one.after) for one in all_of if one.after is not None],
        }
        for (gang, fighter), all_of in people.items()
        if any((one.before is None) != (one.after is None) for one in all_of)
    ]


def fact_lines(absences: Sequence[Absence], names: Names) -> list[str]:
    """Who fought and by now could not have, and who missed a battle and could have come."""
    lines = []
    for (fighter, fought), one in _by_fighter(absences).items():
        who = names.fighter(fighter)
        told = ", ".join(f"{names.battle(each.battle)} ({sanitize(_why(each))})" for each in one)
        number = counted(len(one), "battle")
        if fought:
            lines.append(f"{who} fought {number} and by now could not have: {told}")
        else:
            lines.append(f"{who} missed {number} and by now could have fought: {told}")
    return lines


def facts_data(absences: Sequence[Absence]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "fighter": one.fighter,
            "gang": one.gang,
            "battle": one.battle,
            "number": one.number,
            "fought": one.fought,
            "why": _why(one),
        }
        for one in absences
        if one.moved
    ]


def _battle(one: Absence, why: str | None) -> dict[str, Any]:
    return {"battle": one.battle, "number": one.number, "why": why}


def _battles(listed: Sequence[dict[str, Any]], names: Names) -> str:
    return "; ".join(f"{names.battle(one['battle'])}: {sanitize(one['why'])}" for one in listed) or "none"


def _why(one: Absence) -> str:
    return (one.after if one.fought else one.before) or ""


def _by_fighter(absences: Iterable[Absence]) -> dict[tuple[str, bool], list[Absence]]:
    found: dict[tuple[str, bool], list[Absence]] = {}
    for one in absences:
        if one.moved:
            found.setdefault((one.fighter, one.fought), []).append(one)
    return found

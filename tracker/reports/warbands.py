"""Warbands as a page: Glory, what the next game allows, failed promotion dice, and what waits to be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tracker.campaign.state import Fighter, Gang
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.rendering import table_text
from tracker.rules.warband_tables import WarbandRules

_COLUMNS = (
    "Glory", "Threshold", "Field Strength", "ELITE", "Failed promotion dice",
    "Skill to learn", "Held for ransom",
)  # fmt: skip


def warbands_of(gangs: Iterable[Gang], rules: WarbandRules) -> list[dict[str, Any]]:
    """A line for each warband; what no game has raised yet is as in the first."""
    first = rules.threshold(1)
    return [
        {
            "gang": gang.gang,
            "name": gang.name,
            "ducats": gang.credits,
            "glory": gang.glory,
            "threshold_ducats": first.ducats if gang.threshold_ducats is None else gang.threshold_ducats,
            "field_strength": first.field_strength if gang.field_strength is None else gang.field_strength,
            "elite": sum(one.category == rules.elite.rank for one in _members(gang)),
            "elite_most": rules.elite.most,
            "promotion_failures": gang.promotion_failures,
            "may_learn": [one.name for one in _members(gang) if _learns(one, rules)],
            "held_for_ransom": [one.name for one in _members(gang) if one.capture_pending],
        }
        for gang in gangs
    ]


def warbands_text(
    lines: list[dict[str, Any]], names: Names, *, width: int | None = None, colour: bool = False
) -> str:
    """The warbands as a table."""
    cells = [
        [
            sanitize(one["name"]),
            one["ducats"],
            one["glory"],
            one["threshold_ducats"],
            one["field_strength"],
            f"{one['elite']} of {one['elite_most']}",
            one["promotion_failures"],
            sanitize(", ".join(one["may_learn"]) or "-"),
            sanitize(", ".join(one["held_for_ransom"]) or "-"),
        ]
        for one in lines
    ]
    return table_text(("Warband", names.money_column, *_COLUMNS), cells, width=width, colour=colour)


def warbands_json(lines: list[dict[str, Any]]) -> str:
    """The same for programs."""
    rows: list[Row] = list(lines)
    return json_text("warbands", {"warbands": rows})


def _members(gang: Gang) -> list[Fighter]:
    return [one for one in gang.fighters.values() if one.standing == "enlisted"]


def _learns(fighter: Fighter, rules: WarbandRules) -> bool:
    """Whether a model has XP for a skill that it has not learned yet."""
    word = rules.experience.limited_keyword
    limited = any(skill.strip().lower().replace(" ", "_") == word for skill in fighter.skills)
    steps = [at for at in rules.experience.learns_at if not limited or at <= rules.experience.limited_to]
    reached = sum(fighter.experience >= at for at in steps)
    return fighter.category == rules.elite.rank and reached > fighter.advancements

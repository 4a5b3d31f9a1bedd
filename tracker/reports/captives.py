"""Captives and territories as pages. Knows the boards' rows of fighters and gangs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tracker.reports.cards import lowercase_id
from tracker.reports.dispute_marks import MARK, pending_lines, resting_data
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.page import Row
from tracker.reports.rendering import table_text

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.dependents import DependentEvent

_COLUMNS = ("Captive", "Gang", "Held by", "Rescue", "Works at", "Cost", "Guilders pay")
_TERRITORY_COLUMNS = ("Territory", "Id", "Kind", "Held by")


def captives_of(
    fighters: Sequence[Row], gang_names: dict[str, str], *, percent: int, round_up_to: int
) -> list[Row]:
    """A line for each captive: who, whose, held by whom, and what the Guilders would pay."""
    return [
        {
            "fighter": row["fighter"],
            "name": row["name"],
            "gang": row["gang"],
            "gang_name": gang_names.get(row["gang"], row["gang"]),
            "held_by": row["held_by"],
            "held_by_name": gang_names.get(row["held_by"], row["held_by"]),
            "rescue": row["rescue"],
            "works_at": row["works_at"],
            "cost_credits": row["cost_credits"],
            "guilders_pay": -(-row["cost_credits"] * percent // (100 * round_up_to)) * round_up_to,
        }
        for row in fighters
        if row["held_by"] is not None
    ]


def captives_text(
    lines: Sequence[Row],
    *,
    pending: Sequence[Row] = (),
    doubted: Collection[str] = (),
    width: int | None = None,
    colour: bool = False,
) -> str:
    """The captives as a table; `doubted` are those who are held by what rests on a dispute."""
    if not lines:
        return "Nobody is held captive."
    cells = [
        [
            sanitize(one["name"]),
            sanitize(one["gang_name"]),
            sanitize(one["held_by_name"]) + (MARK if one["fighter"] in doubted else ""),
            lowercase_id(one["rescue"]) if one["rescue"] is not None else "still open",
            sanitize(one["works_at"] or "-"),
            one["cost_credits"],
            one["guilders_pay"],
        ]
        for one in lines
    ]
    table = table_text(_COLUMNS, cells, width=width, colour=colour)
    marked = any(one["fighter"] in doubted for one in lines)
    return "\n\n".join([table, *(["\n".join(pending_lines(pending))] if marked else [])])


def captives_json(
    lines: Sequence[Row], *, pending: Sequence[Row] = (), resting: Sequence[DependentEvent] = ()
) -> str:
    """The same for programs."""
    doubts = {"pending": [dict(one) for one in pending], "resting": resting_data(resting)}
    return json_text("captives", {"captives": list(lines), **doubts})


def territories_text(lines: Sequence[Row], *, width: int | None = None, colour: bool = False) -> str:
    """The territories as a table, those that nobody holds last."""
    if not lines:
        return "No territories yet."
    cells = [
        [
            sanitize(one["name"]),
            sanitize(one["territory"]),
            lowercase_id(one["kind"]),
            sanitize(one["holder_name"] or "-"),
        ]
        for one in lines
    ]
    return table_text(_TERRITORY_COLUMNS, cells, width=width, colour=colour)


def territories_json(lines: Sequence[Row]) -> str:
    """The same for programs."""
    return json_text("territories", {"territories": list(lines)})

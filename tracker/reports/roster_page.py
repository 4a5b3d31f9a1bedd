"""Roster page: the roster as one HTML file to print or to put on a site; it loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tracker.reports.cards import display_name, lowercase_id
from tracker.reports.dispute_marks import pending_lines
from tracker.reports.gang_line import gang_totals
from tracker.reports.html import html, list_html, marked, name_html, page_html, table_html
from tracker.reports.names import Names
from tracker.reports.rating_history import course_html
from tracker.reports.rendering import Row, sanitize
from tracker.reports.roster import (
    EMPTY,
    board_names,
    captive_lines,
    card_columns,
    cards,
    kit_columns,
    kit_lines,
    members_of,
    vehicle_columns,
    vehicle_lines,
)

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.rating_history import CourseRow


def roster_html(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    names: Names | None = None,
    course: Sequence[CourseRow] = (),
) -> str:
    """The roster as one HTML page; on paper each gang begins a sheet. `course` makes its pictures."""
    names = names or board_names(gangs, fighters)
    body = [f"<h1>{html(heading or 'Roster')}</h1>"]
    for number, gang in enumerate(gangs, start=1):
        body.append("<section>")
        body += _gang(gang, fighters, names)
        body += course_html(course, [gang], currency=names.currency, known_as=f"gang{number}")
        body.append("</section>")
    if not gangs:
        body.append(f"<p>{EMPTY}</p>")
    if pending:
        body.append(list_html(pending_lines(pending)))
    return page_html(heading or "Roster", body)


def _gang(gang: Row, fighters: Sequence[Row], names: Names) -> list[str]:
    members = members_of(gang, fighters)
    owner = f"{html(display_name(gang['house']))}, player {name_html(gang['player'])}"
    parts = [f"<h2>{name_html(gang['name'])} ({owner})</h2>", f"<p>{html(gang_totals(gang, names))}</p>"]
    if territories := ", ".join(name_html(one["name"]) for one in gang.get("territories", ())):
        parts.append(f"<p>Territories: {territories}</p>")
    if members:
        parts.append(table_html(card_columns(members, names), cards(members)))
    if kit := kit_lines(members, names):
        parts.append(table_html(kit_columns(members), kit))
    if vehicles := vehicle_lines(gang, names):
        parts.append(table_html(vehicle_columns(names), vehicles))
    if stash := [
        f"{html(item['name'])} ({html(lowercase_id(item['kind']))}, {html(item['cost_credits'])})"
        for item in gang.get("stash", ())
    ]:
        parts.append(f"<p>In the stash: {', '.join(stash)}</p>")
    known = marked(names)
    held = [
        {**row, "name": sanitize(row["name"]).join(known.around)}
        for row in fighters
        if row.get("held_by") is not None
    ]
    if captives := captive_lines(gang, held, known):
        parts.append(list_html(captives))
    return parts

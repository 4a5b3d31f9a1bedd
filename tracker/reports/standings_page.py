"""Standings page: the standings as one HTML file, with pictures of rating and XP over the battles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tracker.reports.cards import CURRENCY, listed
from tracker.reports.dispute_marks import pending_lines
from tracker.reports.html import html, list_html, page_html, table_html
from tracker.reports.rating_history import course_html
from tracker.reports.rendering import Cell, Row, sanitize
from tracker.reports.standings import COLUMNS, EMPTY, ORDER, standing_lines, triumph_shown, triumphs_of
from tracker.rules.post_battle_tables import Triumph

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.rating_history import CourseRow


def standings_html(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
    course: Sequence[CourseRow] = (),
    currency: str = CURRENCY,
) -> str:
    """The standings, who would have each triumph now, and how the gangs came there, in the book's money."""
    title = heading or "Standings"
    body = [f"<h1>{html(title)}</h1>"]
    if not gangs:
        return page_html(title, [*body, f"<p>{EMPTY}</p>"])
    body += [table_html(COLUMNS, standing_lines(gangs)), f"<p>{ORDER}</p>"]
    if triumphs:
        rows: list[list[Cell]] = [
            [
                one["name"],
                sanitize(listed(one["names"])) or "nobody yet",
                triumph_shown(one, gangs, triumphs),
            ]
            for one in triumphs_of(gangs, triumphs)
        ]
        body += ["<h2>Triumphs as things stand</h2>", table_html(("Triumph", "Gang", "With"), rows)]
    if pending:
        body.append(list_html(pending_lines(pending)))
    return page_html(title, [*body, *course_html(course, gangs, currency=currency, known_as="campaign")])

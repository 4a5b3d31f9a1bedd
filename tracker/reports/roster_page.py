"""Roster page: the roster as one HTML file to print or to put on a site; it loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tracker.reports.names import Names
from tracker.reports.paper import Cell, Row, safe
from tracker.reports.roster import (
    EMPTY,
    KIT_COLUMNS,
    board_names,
    card_columns,
    cards,
    gang_title,
    gang_totals,
    kit_lines,
    members_of,
    pending_lines,
)


def roster_html(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    names: Names | None = None,
) -> str:
    """The roster as one HTML page."""
    names = names or board_names(gangs, fighters)
    title = _html(heading or "Roster")
    body = [f"<h1>{title}</h1>"]
    for gang in gangs:
        members = members_of(gang, fighters)
        body.append(f"<section>\n<h2>{_html(gang_title(gang))}</h2>\n<p>{_html(gang_totals(gang))}</p>")
        if members:
            body.append(_html_table(card_columns(members), cards(members)))
        kit = kit_lines(members, names)
        if kit:
            body.append(_html_table(KIT_COLUMNS, kit))
        body.append("</section>")
    if not gangs:
        body.append(f"<p>{EMPTY}</p>")
    if pending:
        lines = "".join(f"<li>{_html(line)}</li>" for line in pending_lines(pending))
        body.append(f"<ul>{lines}</ul>")
    return _PAGE.format(title=title, body="\n".join(body))


def _html(text: object) -> str:
    return escape(safe(text))


def _html_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    head = "".join(f"<th>{_html(column)}</th>" for column in columns)
    lines = [
        "<tr>" + "".join(f"<td>{'' if cell is None else _html(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    ]
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>"


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 0.5rem 0 1rem; }}
th, td {{ border-bottom: 1px solid #ccc; padding: 0.2rem 0.6rem 0.2rem 0; }}
th, td {{ text-align: left; vertical-align: top; }}
section {{ break-inside: avoid; }}
@media print {{ body {{ font-size: 10px; margin: 0; max-width: none; }} }}
</style>
</head>
<body>
{body}
</body>
</html>"""

"""HTML: a page that loads nothing from elsewhere, for screens of any width, light or dark, and paper.

The frame and the one style sheet are a template; what stands in it is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, assert_never

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from tracker.reports import bar_charts, line_charts
from tracker.reports.dispute_marks import MARK
from tracker.reports.escaping import for_attribute, for_html, for_terminal
from tracker.reports.page import (
    Alert,
    Bars,
    Bullets,
    Cell,
    DataTable,
    Details,
    Heading,
    Page,
    Part,
    PerFormat,
    Pictures,
    Section,
    Text,
    in_form,
)

DARK = {"paper": "#16181b", "ink": "#e8e6e3", "faint": "#b0aca6", "rule": "#4a4d52"}
LINES_DARK = ("#7db7ff", "#ff9d94", "#8fd18f", "#d3a6ef", "#e8b85a", "#6fd3d3", "#f29ac5", "#cccccc")

_WORD = 16
_MEASURE = re.compile(rf"-|[-+]?[0-9][^ ]{{0,4}}({re.escape(MARK)})?")
_COUNT = re.compile(rf"-?[0-9]+({re.escape(MARK)})?")
_FEW = 4
"""With more lines than this, a picture takes the width of the page."""


@cache
def _frame() -> Template:
    environment = Environment(
        autoescape=True, loader=PackageLoader("tracker.reports"), undefined=StrictUndefined
    )
    return environment.get_template("page.html.j2")


class Link(NamedTuple):
    """A link to another page of the same site."""

    text: str
    href: str


class Links(NamedTuple):
    """Links under one heading, which may be empty."""

    heading: str
    links: Sequence[Link]


def html_page(page: Page, *, above: Sequence[Link] = (), below: Sequence[Links] = ()) -> str:
    """The whole document. `above` and `below` are percent-encoded links of the site that it belongs to."""
    return _frame().render(
        title=for_terminal(page.title),
        body=Markup("\n".join(elements(page))),  # noqa: S704  # every part escaped what it holds
        light=line_charts.LIGHT,
        dark=DARK,
        lines_light=line_charts.LINES_LIGHT,
        lines_dark=LINES_DARK,
        line_names=[f"line{number}" for number in range(len(LINES_DARK))],
        above=[_safe(link) for link in above],
        below=[(for_terminal(group.heading), [_safe(link) for link in group.links]) for group in below],
    )


def elements(page: Page) -> Iterator[str]:
    """The elements of the document's body."""
    return (part for block in page.blocks() for part in elements_of(in_form(block, "html")))


def _safe(link: Link) -> Link:
    return Link(text=for_terminal(link.text), href=link.href)


def table_html(table: DataTable) -> str:
    """A table that scrolls sideways if it is wider than the screen; short columns are centred."""
    kinds = [_kind([row[place] for row in table.rows]) for place in range(len(table.columns))]
    head = "".join(
        f'<th scope="col"{kind}>{for_attribute(column)}</th>'
        for column, kind in zip(table.columns, kinds, strict=True)
    )
    lines = "\n".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{'' if cell is None else for_attribute(cell)}</td>"
            for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{for_attribute(table.caption)}</caption>\n" if table.caption else ""
    return (
        f'<div class="wide"><table>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n'
        "</table></div>"
    )


def elements_of(parts: Iterable[Part]) -> Iterator[str]:
    """Parts of a page, each as one or more elements."""
    for part in parts:
        match part:
            case Heading():
                level = min(part.level, 3)
                yield f"<h{level}>{for_html(part.text)}</h{level}>"
                if part.context:
                    yield f"<p>{for_html(part.context)}</p>"
            case Text():
                yield from (f"<p>{for_html(line)}</p>" for line in part.lines if line.strip())
            case Alert():
                yield from (f'<p class="alert">{for_html(line)}</p>' for line in part.lines)
            case Bullets():
                if part.lines:
                    yield (
                        "<ul>\n" + "\n".join(f"<li>{for_html(line)}</li>" for line in part.lines) + "\n</ul>"
                    )
            case DataTable():
                yield table_html(part)
            case Details():
                yield from _details(part.summary, elements_of(in_form(part.parts, "html")))
            case Section():
                yield "<section>"
                yield from elements_of(inner for block in part.blocks for inner in in_form(block, "html"))
                yield "</section>"
            case Pictures():
                yield from _pictures(part)
            case Bars():
                title = for_attribute(part.title)
                yield f"<figure>\n<figcaption>{title}</figcaption>\n{bar_charts.picture(part)}\n</figure>"
                yield from _details("The numbers of the picture", [table_html(bar_charts.bar_table(part))])
            case PerFormat():
                pass
            case _:
                assert_never(part)


def _details(summary: str, inside: Iterable[str]) -> Iterator[str]:
    yield f"<details>\n<summary>{for_html(summary)}</summary>"
    yield from inside
    yield "</details>"


def _pictures(part: Pictures) -> Iterator[str]:
    lines = part.charts[0].lines
    yield f'<div class="pictures {"few" if len(lines) <= _FEW else "many"}">'
    for chart in part.charts:
        title = for_attribute(chart.title)
        yield f"<figure>\n<figcaption>{title}</figcaption>\n{line_charts.picture(chart)}\n</figure>"
    yield "</div>"
    if len(lines) > 1:
        legend = "".join(
            f"<li>{line_charts.swatch(number)}<bdi>{for_attribute(line.name)}</bdi></li>"
            for number, line in enumerate(lines)
        )
        yield f'<ul class="legend">{legend}</ul>'
    yield from _details("The numbers of the pictures", map(table_html, part.tables))


def _kind(cells: Sequence[Cell]) -> str:
    """The class of a column: numbers, measures, short words or text."""
    shown = [cell for cell in cells if cell not in (None, "")]
    if any(isinstance(cell, int) for cell in shown) and all(_COUNT.fullmatch(str(cell)) for cell in shown):
        return ' class="number"'
    if shown and all(_MEASURE.fullmatch(str(cell)) for cell in shown):
        return ' class="short"'
    longest = max((len(str(cell)) for cell in shown), default=0)
    return ' class="word"' if longest <= _WORD else ""

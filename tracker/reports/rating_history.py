"""Course: rating and XP over the battles, as pictures, and as a table for those who do not see them.

Knows the rows of a campaign's course. Knows no rule of what a rating is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from tracker.reports.html import name_html, table_html
from tracker.reports.rendering import Cell, Row, sanitize
from tracker.reports.svg import Line, picture, swatch

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.rating_history import CourseRow

Number: TypeAlias = Literal["rating_credits", "experience_earned"]
_Titles: TypeAlias = tuple[tuple[Number, str], ...]

_FEW = 4
"""With more lines than this a picture takes the width of the page."""


def course_html(
    course: Sequence[CourseRow], gangs: Sequence[Row], *, currency: str, known_as: str
) -> list[str]:
    """The pictures of these gangs and the numbers behind them; nothing before a first battle."""
    if not course or not gangs:
        return []
    labels = [_label(row) for row in course]
    several = len(gangs) > 1
    titles = _titles(currency)
    figures = []
    for number, title in titles:
        lines = [Line(name=sanitize(gang["name"]), values=_values(course, gang, number)) for gang in gangs]
        drawn = picture(title, labels, lines, known_as=f"{known_as}-{number.partition('_')[0]}")
        figures.append(f"<figure>\n<figcaption>{title}</figcaption>\n{drawn}\n</figure>")
    legend = "".join(
        f"<li>{swatch(number)}{name_html(gang['name'])}</li>" for number, gang in enumerate(gangs)
    )
    return [
        f'<div class="pictures {"few" if len(gangs) <= _FEW else "many"}">\n'
        + "\n".join(figures)
        + "\n</div>",
        *([f'<ul class="legend">{legend}</ul>'] if several else []),
        "<details>\n<summary>The numbers of the pictures</summary>\n"
        + "\n".join(_tables(course, gangs, labels, titles))
        + "\n</details>",
    ]


def _tables(
    course: Sequence[CourseRow], gangs: Sequence[Row], labels: Sequence[str], titles: _Titles
) -> list[str]:
    if len(gangs) == 1:
        both = [_values(course, gangs[0], number) for number, _ in titles]
        rows: list[list[Cell]] = [list(cells) for cells in zip(labels, *both, strict=True)]
        return [table_html(("After battle", "Rating", "XP earned"), rows)]
    tables = []
    for number, title in titles:
        columns = [_values(course, gang, number) for gang in gangs]
        rows = [list(cells) for cells in zip(labels, *columns, strict=True)]
        tables.append(
            table_html(("After battle", *(sanitize(gang["name"]) for gang in gangs)), rows, caption=title)
        )
    return tables


def _titles(currency: str) -> _Titles:
    return (
        ("rating_credits", f"Rating over the battles, in {currency}s"),
        ("experience_earned", "XP earned over the battles"),
    )


def _values(course: Sequence[CourseRow], gang: Row, number: Number) -> tuple[int | None, ...]:
    return tuple(
        row["gangs"][gang["gang"]][number] if gang["gang"] in row["gangs"] else None for row in course
    )


def _label(row: CourseRow) -> str:
    if row["number"] is None:
        return "now"
    return str(row["number"]) if row["number"] else "start"

"""Rating and XP over the battles, as charts, and as tables for people who do not see them.

Knows the rows of a campaign's history. Knows no rule of ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from tracker.reports.page import Cell, ChartLine, DataTable, LineChart, PerFormat, Pictures, Row
from tracker.rules.glossary import GameWords

if TYPE_CHECKING:
    # Not at run time: reading boards needs no events.
    from tracker.projections.rating_history import RatingRow

Number: TypeAlias = Literal["rating_credits", "experience_earned"]


def history_pictures(
    history: Sequence[RatingRow], gangs: Sequence[Row], *, game: GameWords, id_prefix: str
) -> list[PerFormat]:
    """The charts of these gangs, in HTML; empty before the first battle."""
    if not history or not gangs:
        return []
    labels = [_label(row) for row in history]
    titles: tuple[tuple[Number, str], ...] = (
        ("rating_credits", f"Rating over the battles, in {game.credits}"),
        ("experience_earned", "XP earned over the battles"),
    )
    charts = [
        LineChart(
            title,
            labels,
            [ChartLine(gang["name"], _values(history, gang, number)) for gang in gangs],
            id=f"{id_prefix}-{number.partition('_')[0]}",
        )
        for number, title in titles
    ]
    return [PerFormat({"html": Pictures(charts, _tables(charts))})]


def _tables(charts: Sequence[LineChart]) -> list[DataTable]:
    """For one gang a table with both numbers, for several one for each number."""
    labels = charts[0].labels
    if len(charts[0].lines) == 1:
        numbers = [chart.lines[0].values for chart in charts]
        return [DataTable(("After battle", "Rating", "XP earned"), _rows(labels, numbers))]
    return [
        DataTable(
            ("After battle", *(line.name for line in chart.lines)),
            _rows(labels, [line.values for line in chart.lines]),
            caption=chart.title,
        )
        for chart in charts
    ]


def _rows(labels: Sequence[str], columns: Sequence[Sequence[int | None]]) -> list[list[Cell]]:
    return [list(cells) for cells in zip(labels, *columns, strict=True)]


def _values(history: Sequence[RatingRow], gang: Row, number: Number) -> tuple[int | None, ...]:
    return tuple(
        row["gangs"][gang["gang"]][number] if gang["gang"] in row["gangs"] else None for row in history
    )


def _label(row: RatingRow) -> str:
    if row["number"] is None:
        return "now"
    return str(row["number"]) if row["number"] else "start"

"""Standings: the gangs of a campaign in order. Knows the gang board's rows, in the order its board gives."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.reports.cards import titled
from tracker.reports.paper import (
    Cell,
    Row,
    csv_text,
    json_text,
    markdown_cell,
    markdown_table,
    safe,
    table_text,
)

ORDER = "By battles won, then drawn, then Reputation, then enemies taken out."
"""How the rows come; gangs that are equal in all of it share a place."""

CSV_COLUMNS: tuple[str, ...] = (
    "place",
    "gang",
    "name",
    "house",
    "player",
    "battles",
    "won",
    "drawn",
    "lost",
    "enemies_taken_out",
    "reputation",
    "rating_credits",
    "credits",
)

_COLUMNS = (
    "Place",
    "Gang",
    "House",
    "Player",
    "Battles",
    "Won",
    "Drawn",
    "Lost",
    "Taken out",
    "Reputation",
    "Rating",
)
_EMPTY = "No gangs yet."


def placed(gangs: Sequence[Row]) -> list[tuple[int, Row]]:
    """The rows as they come, each with its place from 1."""
    places: list[tuple[int, Row]] = []
    for count, gang in enumerate(gangs, start=1):
        shared = bool(places) and _merits(places[-1][1]) == _merits(gang)
        places.append((places[-1][0] if shared else count, gang))
    return places


def standings_text(
    gangs: Sequence[Row], *, heading: str = "", width: int | None = None, colour: bool = False
) -> str:
    """The standings as a table, and how they are ordered."""
    blocks = [safe(heading)] if heading else []
    if not gangs:
        return "\n\n".join([*blocks, _EMPTY])
    return "\n\n".join([*blocks, table_text(_COLUMNS, _lines(gangs), width=width, colour=colour), ORDER])


def standings_markdown(gangs: Sequence[Row], *, heading: str = "") -> str:
    """The same for a wiki or a chat."""
    blocks = [f"# {markdown_cell(heading)}"] if heading else []
    if not gangs:
        return "\n\n".join([*blocks, _EMPTY])
    return "\n\n".join([*blocks, markdown_table(_COLUMNS, _lines(gangs)), ORDER])


def standings_csv(gangs: Sequence[Row]) -> str:
    """One line per gang."""
    return csv_text([{**gang, "place": place} for place, gang in placed(gangs)], CSV_COLUMNS)


def standings_json(gangs: Sequence[Row], *, heading: str = "") -> str:
    """The rows in their order, each with its place."""
    told = [{"place": place, **gang} for place, gang in placed(gangs)]
    return json_text("standings", {"heading": heading, "order": ORDER, "gangs": told})


def _merits(gang: Row) -> tuple[int, int, int, int]:
    return gang["won"], gang["drawn"], gang["reputation"], gang["enemies_taken_out"]


def _lines(gangs: Sequence[Row]) -> list[list[Cell]]:
    return [
        [
            place,
            gang["name"],
            titled(gang["house"]),
            gang["player"],
            gang["battles"],
            gang["won"],
            gang["drawn"],
            gang["lost"],
            gang["enemies_taken_out"],
            gang["reputation"],
            gang["rating_credits"],
        ]
        for place, gang in placed(gangs)
    ]

"""Standings: the gangs of a campaign, ranked. Knows the board's ranked rows and has no order of its own."""

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

ORDER = "By battles won, then drawn, then Reputation, then rating."
"""What the standings board ranks by; gangs that are equal in all of it share a rank."""

CSV_COLUMNS: tuple[str, ...] = (
    "rank",
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
    "",
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
    return csv_text(gangs, CSV_COLUMNS)


def standings_json(gangs: Sequence[Row], *, heading: str = "") -> str:
    """The rows in their order."""
    return json_text(
        "standings", {"heading": heading, "order": ORDER, "gangs": [dict(gang) for gang in gangs]}
    )


def _lines(gangs: Sequence[Row]) -> list[list[Cell]]:
    return [
        [
            gang["rank"],
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
        for gang in gangs
    ]

"""Battle: the season's battles, and one battle with its crews, its result and what happened in it.

Knows the battle board's rows and recorded entries. Knows no rule of how a battle is won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tracker.reports.cards import counted
from tracker.reports.log import Entry, Place, StruckOut, log_text
from tracker.reports.names import Names
from tracker.reports.paper import (
    Cell,
    Row,
    csv_text,
    json_text,
    markdown_cell,
    safe,
    table_text,
)
from tracker.reports.plain_data import entry_data

CSV_COLUMNS: tuple[str, ...] = ("number", "battle", "date", "scenario", "gangs", "status", "winner", "drawn")

_COLUMNS = ("No.", "Battle", "Date", "Scenario", "Gangs", "Result")
_EMPTY = "No battles yet."


def battles_text(rows: Sequence[Row], names: Names, *, width: int | None = None, colour: bool = False) -> str:
    """The battles as a table, in the order given."""
    return table_text(_COLUMNS, _lines(rows, names), width=width, colour=colour) if rows else _EMPTY


def battles_csv(rows: Sequence[Row], names: Names) -> str:
    """One line per battle."""
    return csv_text([{**row, "gangs": _gangs(row, names)} for row in rows], CSV_COLUMNS)


def battles_json(rows: Sequence[Row]) -> str:
    """The rows as they are."""
    return json_text("battles", {"battles": [dict(row) for row in rows]})


def battle_text(
    row: Row, entries: Sequence[Entry], names: Names, *, struck: Mapping[Place, StruckOut] | None = None
) -> str:
    """One battle: the head, the crews, the result, then one line per entry."""
    return "\n".join([*_head(row, names), "", log_text(entries, names, struck=struck)])


def battle_markdown(
    row: Row, entries: Sequence[Entry], names: Names, *, struck: Mapping[Place, StruckOut] | None = None
) -> str:
    """The same for a wiki or a chat."""
    title, *rest = _head(row, names)
    blocks = [f"# {markdown_cell(title)}", *(markdown_cell(line) for line in rest)]
    told = log_text(entries, names, struck=struck).split("\n")
    return "\n\n".join([*blocks, "\n".join(f"- {markdown_cell(line)}" for line in told)])


def battle_json(row: Row, entries: Sequence[Entry], names: Names) -> str:
    """The row and its entries whole."""
    return json_text(
        "battle", {"battle": dict(row), "entries": [entry_data(entry, names) for entry in entries if entry]}
    )


def result_words(row: Row, names: Names) -> str:
    """'won by Iron Hawks', 'a draw', 'no winner' or 'under way'."""
    if row["status"] == "under_way":
        return "under way"
    if row["winner"] is not None:
        return f"won by {names.gang(row['winner'])}"
    return "a draw" if row["drawn"] else "no winner"


def _head(row: Row, names: Names) -> list[str]:
    return [
        f"Battle {row['number']} ({safe(row['battle'])}): {safe(row['scenario'])}, {safe(row['date'])}",
        f"Result: {result_words(row, names)}",
        *(f"{names.gang(crew['gang'])}: {_crew(crew, names)}" for crew in row["crews"]),
    ]


def _crew(crew: Row, names: Names) -> str:
    listed = ", ".join(names.fighter(fighter) for fighter in crew["fighters"])
    return f"{counted(len(crew['fighters']), 'fighter')}" + (f" ({listed})" if listed else "")


def _gangs(row: Row, names: Names) -> str:
    return " against ".join(names.gang(crew["gang"]) for crew in row["crews"])


def _lines(rows: Sequence[Row], names: Names) -> list[list[Cell]]:
    return [
        [
            row["number"],
            row["battle"],
            row["date"],
            row["scenario"],
            _gangs(row, names),
            result_words(row, names),
        ]
        for row in rows
    ]

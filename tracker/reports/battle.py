"""Battle: the season's battles, and one battle with its crews, its result and what happened in it.

Knows the battle board's rows and recorded entries. Knows no rule of how a battle is won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from tracker.projections.dependents import DependentEvent
from tracker.reports.battle_story import GangStory, story_data
from tracker.reports.cards import counted
from tracker.reports.discord import bold, chat, messages, pasted
from tracker.reports.dispute_marks import pending_lines, resting_data
from tracker.reports.log import Entry, Place, StruckOut, log_text
from tracker.reports.names import Names
from tracker.reports.plain_data import entry_data
from tracker.reports.rendering import (
    Cell,
    Row,
    csv_text,
    json_text,
    markdown_cell,
    sanitize,
    table_text,
)

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
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    *,
    told: Sequence[GangStory] = (),
    struck: Mapping[Place, StruckOut] | None = None,
    standing: Sequence[str] = (),
    pending: Sequence[Row] = (),
    doubted: AbstractSet[int] = frozenset(),
) -> str:
    """One battle: its head, how everybody stands in it, its story, then its entries.

    `pending` are the disputes that some of it rests on, `doubted` the events that do.
    """
    lines = head(row, names)
    lines += ["", "How everybody stands", *standing] if standing else []
    for gang in told:
        lines += ["", names.gang(gang.gang)]
        for heading, said in chapters(gang):
            lines += [f"  {heading}", *(f"    {line}" for line in said)]
    lines += [
        "",
        *(["Entry by entry"] if told else []),
        log_text(entries, names, struck=struck, doubted=doubted),
    ]
    lines += ["", *pending_lines(pending)] if pending else []
    return "\n".join(lines)


def battle_markdown(
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    *,
    told: Sequence[GangStory] = (),
    struck: Mapping[Place, StruckOut] | None = None,
    pending: Sequence[Row] = (),
    doubted: AbstractSet[int] = frozenset(),
) -> str:
    """The same for a wiki."""
    title, *rest = head(row, names)
    blocks = [f"# {markdown_cell(title)}", *(markdown_cell(line) for line in rest)]
    for gang in told:
        blocks.append(f"## {markdown_cell(names.gang(gang.gang))}")
        for heading, said in chapters(gang):
            blocks += [f"### {heading}", "\n".join(f"- {markdown_cell(line)}" for line in said)]
    blocks += ["## Entry by entry"] if told else []
    listed = log_text(entries, names, struck=struck, doubted=doubted).split("\n")
    blocks.append("\n".join(f"- {markdown_cell(line)}" for line in listed))
    if pending:
        blocks.append("\n".join(f"- {markdown_cell(line)}" for line in pending_lines(pending)))
    return "\n\n".join(blocks)


def battle_discord(row: Row, names: Names, *, told: Sequence[GangStory], pending: Sequence[Row] = ()) -> str:
    """The head and the story as messages for a chat, without the entries."""
    title, result, *crews = head(row, names)
    blocks = [[chat(result), *(f"- {chat(line)}" for line in crews)]]
    for gang in told:
        name = bold(names.gang(gang.gang))
        for heading, said in chapters(gang):
            blocks.append([f"{name}: {heading.lower()}", *(f"- {chat(line)}" for line in said)])
    if pending:
        blocks.append([f"- {chat(line)}" for line in pending_lines(pending)])
    return pasted(messages(title, blocks))


def chapters(gang: GangStory) -> list[tuple[str, list[str]]]:
    """What is told of a gang, under its headings."""
    parts = [("Casualties", [one.told for one in gang.casualties] or ["none"])]
    parts += [("Experience", [one.told for one in gang.experience])] if gang.experience else []
    parts += [("After the battle", list(gang.after))] if gang.after else []
    return parts


def head(row: Row, names: Names) -> list[str]:
    """What stands over a battle: its title, its result, then a line for each crew."""
    return [
        sanitize(f"Battle {row['number']} ({row['battle']}): {row['scenario']}, {row['date']}"),
        f"Result: {result_words(row, names)}",
        *(f"{names.gang(crew['gang'])}: {_crew(crew, names)}" for crew in row["crews"]),
    ]


def battle_json(
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    *,
    told: Sequence[GangStory] = (),
    standing: Mapping[str, Any] | None = None,
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
) -> str:
    """The row, its story and its entries whole; `standing` is how everybody stands while it is under way."""
    listed = [entry_data(entry, names) for entry in entries if entry]
    return json_text(
        "battle",
        {
            "battle": dict(row),
            "in_battle": standing,
            "story": story_data(told),
            "entries": listed,
            "pending": [dict(one) for one in pending],
            "resting": resting_data(resting),
        },
    )


def result_words(row: Row, names: Names) -> str:
    """'won by Iron Hawks', 'a draw', 'no winner' or 'under way'."""
    if row["status"] == "under_way":
        return "under way"
    if row["winner"] is not None:
        return f"won by {names.gang(row['winner'])}"
    return "a draw" if row["drawn"] else "no winner"


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

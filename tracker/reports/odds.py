"""Odds on paper: fractions first, then percent, as small tables.

Knows exact chances. Percent are rounded for reading; the fractions are the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import Odds
from tracker.campaign.state import CampaignState
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.judgement import condition_words, model_name, stands_words
from tracker.reports.names import Names
from tracker.reports.page import Cell
from tracker.reports.plain_data import plain_data
from tracker.reports.rendering import table_text
from tracker.rules.chances import TableOdds

TOGETHER_MAX = 1_000
"""So many ends of all models at once are listed."""


def odds_text(odds: Odds, *, width: int | None = None, colour: bool = False) -> str:
    """For each model every end with its chance; for several models at once the ends together."""
    names = Names.of_state(odds.start)
    lines = [f"By {sanitize(odds.rulebook.version)}, before any die of it is cast. Exact, nothing sampled."]
    lines += [command.in_words(names) for command in odds.commands]
    lines += [f"Note: {note}" for note in _notes(odds)]
    for model in odds.models:
        rows: list[list[Cell]] = [
            [", ".join(stands_words(model.model, changes)), str(chance), percent(chance)]
            for changes, chance in model.ends
        ]
        lines += ["", _table(model_name(odds.start, model.model), rows, width=width, colour=colour)]
    for model in odds.models:
        if model.lasting:
            told: list[list[Cell]] = [[sanitize(row), str(one), percent(one)] for row, one in model.lasting]
            lines += ["", f"{model_name(odds.start, model.model)}: chance that a Lasting Injury roll shows"]
            lines += [_table("Row", told, width=width, colour=colour)]
    if len(odds.models) > 1:
        at_once = odds.ends <= TOGETHER_MAX
        for listed in [odds.together] if at_once else [part.ends for part in odds.apart if part.models[1:]]:
            together: list[list[Cell]] = [
                [_together_words(ends, odds.start), str(chance), percent(chance)] for ends, chance in listed
            ]
            lines += ["", _table("Together", together, width=width, colour=colour)]
        if not at_once:
            lines += ["", _apart_words(odds)]
    return "\n".join(lines)


def odds_json(odds: Odds) -> str:
    """The same for programs; every chance as numerator, denominator and percent."""
    names = Names.of_state(odds.start)
    return json_text(
        "odds",
        {
            "rulebook": {"version": odds.rulebook.version, "digest": odds.rulebook.digest},
            "asked": [command.in_words(names) for command in odds.commands],
            "notes": _notes(odds),
            "models": {
                model.model: {
                    "ends": [
                        {"end": _end(changes), "words": condition_words(changes), **chance_data(chance)}
                        for changes, chance in model.ends
                    ],
                    "lasting": [{"row": row, **chance_data(chance)} for row, chance in model.lasting],
                }
                for model in odds.models
            },
            "together": _ends(odds.together) if odds.ends <= TOGETHER_MAX else None,
            "independent": [{"models": part.models, "ends": _ends(part.ends)} for part in odds.apart],
            "ways_followed": odds.ways,
        },
    )


def _notes(odds: Odds) -> list[str]:
    """What is taken for granted that no die tells: where a marker ends that scatters."""
    shots = [command for command in odds.commands if isinstance(command, records.Shoot)]
    if any(shot.under_marker and shot.under_scatter is None for shot in shots):
        told = "whoever lies under the marker is hit wherever it ends;"
        return [f"{told} 'under_scatter' says who lies there once it has scattered ([] for nobody)."]
    return []


def table_odds_text(odds: TableOdds, *, width: int | None = None, colour: bool = False) -> str:
    """A table or chart with the chance of each line, in n of all ways and in percent."""
    rows: list[list[Cell]] = [
        [line.printed, sanitize(line.name), f"{line.ways}/{line.of}", str(line.chance), percent(line.chance)]
        for line in odds.lines
    ]
    head = f"{sanitize(odds.title)} [{sanitize(odds.source)}]"
    columns = (odds.dice, "Result", "Ways", "Chance", "Percent")
    return head + "\n" + table_text(columns, rows, width=width, colour=colour)


def table_odds_json(odds: TableOdds) -> str:
    """The same for programs."""
    return json_text(
        "table-odds",
        {
            "table": odds.table,
            "title": odds.title,
            "source": odds.source,
            "dice": odds.dice,
            "lines": [
                {
                    "row": line.row,
                    "name": line.name,
                    "printed": line.printed,
                    "ways": line.ways,
                    "of": line.of,
                    **chance_data(line.chance),
                }
                for line in odds.lines
            ],
        },
    )


def percent(chance: Fraction) -> str:
    """To two decimals, rounded half up: '44.44 %'. What is not 0 or 1 never reads as if it were."""
    hundredths = (chance * 10_000 * 2 + 1) // 2
    if hundredths == 0 and chance > 0:
        return "< 0.01 %"
    if hundredths == 10_000 and chance < 1:
        return "> 99.99 %"
    return f"{hundredths // 100}.{hundredths % 100:02d} %"


def chance_data(chance: Fraction) -> dict[str, Any]:
    """A chance for programs. Numerator and denominator are text where they outgrow what JSON readers hold."""
    exact = [part if part < 2**53 else str(part) for part in (chance.numerator, chance.denominator)]
    return {"chance": str(chance), "numerator": exact[0], "denominator": exact[1], "percent": percent(chance)}


def _ends(listed: Sequence[tuple[tuple[tuple[str, Any], ...], Fraction]]) -> list[dict[str, Any]]:
    return [
        {"ends": {model: _end(changes) for model, changes in ends}, **chance_data(chance)}
        for ends, chance in listed
    ]


def _apart_words(odds: Odds) -> str:
    """Instead of a list that nobody would read: who tells nothing of whom."""
    parts = [" and ".join(model_name(odds.start, model) for model in part.models) for part in odds.apart]
    return (
        f"{odds.ends:,} ends together are too many to list. Multiply the chances of these, which tell"
        f" nothing of each other: {'; '.join(parts)}."
    )


def _end(changes: tuple[tuple[str, Any, Any], ...]) -> dict[str, Any]:
    return {name: plain_data(after) for name, _, after in changes}


def _together_words(ends: tuple[tuple[str, Any], ...], state: CampaignState) -> str:
    return "; ".join(
        f"{model_name(state, model)} {', '.join(stands_words(model, changes))}" for model, changes in ends
    )


def _table(head: str, rows: list[list[Cell]], *, width: int | None, colour: bool) -> str:
    return table_text((head, "Chance", "Percent"), rows, width=width, colour=colour)

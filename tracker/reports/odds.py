"""Odds: fractions first, then percent, as small tables.

Knows exact chances. Percent are rounded for reading; the fractions are the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import Odds
from tracker.campaign.state import CampaignState
from tracker.reports.judgement import condition_words, model_name, stands_words
from tracker.reports.names import Names
from tracker.reports.page import Block, DataTable, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.rules.chances import TableOdds

TOGETHER_MAX = 1_000
"""The most ends of all models together that are listed."""


def odds_page(odds: Odds) -> Page:
    """Every end of each model with its chance; for several models also the ends together."""
    names = Names.of_state(odds.start)
    return Page(
        schema="odds",
        blocks=lambda: _blocks(odds, names),
        data=lambda: {
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


def _blocks(odds: Odds, names: Names) -> Iterator[Block]:
    yield [
        Text([f"By {odds.rulebook.version}, before any die of it is cast. Exact, nothing sampled."]),
        Text([command.in_words(names) for command in odds.commands]),
        Text([f"Note: {note}" for note in _notes(odds)]),
    ]
    for model in odds.models:
        name = model_name(odds.start, model.model)
        yield [
            chances_table(
                name, [(", ".join(stands_words(model.model, ends)), chance) for ends, chance in model.ends]
            )
        ]
    for model in odds.models:
        if model.lasting:
            name = model_name(odds.start, model.model)
            yield [
                Text([f"{name}: chance that a Lasting Injury roll shows"]),
                chances_table("Row", model.lasting),
            ]
    if len(odds.models) == 1:
        return
    at_once = odds.ends <= TOGETHER_MAX
    for ends in [odds.together] if at_once else [part.ends for part in odds.apart if part.models[1:]]:
        yield [
            chances_table(
                "Together", [(_together_words(models, odds.start), chance) for models, chance in ends]
            )
        ]
    if not at_once:
        yield [Text([_apart_words(odds)])]


def chances_table(head: str, rows: Iterable[tuple[str, Fraction]]) -> DataTable:
    return DataTable(
        (head, "Chance", "Percent"), [(what, str(chance), percent(chance)) for what, chance in rows]
    )


def _notes(odds: Odds) -> list[str]:
    """Assumptions that no die decides: where a scattering marker ends."""
    shots = [command for command in odds.commands if isinstance(command, records.Shoot)]
    if any(shot.under_marker and shot.under_scatter is None for shot in shots):
        hit = "whoever lies under the marker is hit wherever it ends;"
        return [f"{hit} 'under_scatter' says who lies there once it has scattered ([] for nobody)."]
    return []


def table_odds_page(odds: TableOdds) -> Page:
    """A table or chart with the chance of each line, as a count and in percent."""
    rows = [
        (line.printed, line.name, f"{line.ways}/{line.of}", str(line.chance), percent(line.chance))
        for line in odds.lines
    ]
    columns = (odds.dice, "Result", "Ways", "Chance", "Percent")
    return Page(
        schema="table-odds",
        blocks=lambda: [[Text([f"{odds.title} [{odds.source}]"]), DataTable(columns, rows)]],
        data=lambda: {
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
    """To two decimals, rounded half up: '44.44 %'. Only 0 and 1 are shown as such."""
    hundredths = (chance * 10_000 * 2 + 1) // 2
    if hundredths == 0 and chance > 0:
        return "< 0.01 %"
    if hundredths == 10_000 and chance < 1:
        return "> 99.99 %"
    return f"{hundredths // 100}.{hundredths % 100:02d} %"


def chance_data(chance: Fraction) -> dict[str, Any]:
    """A chance for programs. Numerator and denominator are text if too large for JSON readers."""
    exact = [part if part < 2**53 else str(part) for part in (chance.numerator, chance.denominator)]
    return {"chance": str(chance), "numerator": exact[0], "denominator": exact[1], "percent": percent(chance)}


def _ends(listed: Sequence[tuple[tuple[tuple[str, Any], ...], Fraction]]) -> list[dict[str, Any]]:
    return [
        {"ends": {model: _end(changes) for model, changes in ends}, **chance_data(chance)}
        for ends, chance in listed
    ]


def _apart_words(odds: Odds) -> str:
    """The independent models, instead of a list that is too long to read."""
    parts = [" and ".join(model_name(odds.start, model) for model in part.models) for part in odds.apart]
    return (
        f"{odds.ends:,} ends together are too many to list. Multiply the chances of these, which are"
        f" independent: {'; '.join(parts)}."
    )


def _end(changes: tuple[tuple[str, Any, Any], ...]) -> dict[str, Any]:
    return {name: plain_data(after) for name, _, after in changes}


def _together_words(ends: tuple[tuple[str, Any], ...], state: CampaignState) -> str:
    return "; ".join(
        f"{model_name(state, model)} {', '.join(stands_words(model, changes))}" for model, changes in ends
    )

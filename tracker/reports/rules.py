"""Rules on paper: tables as a book prints them, knobs, policies and presets, each with its source.

Knows books as they are printed. Knows no campaign: what one has adopted is for `policy list` to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracker.records import names_of_fields
from tracker.reports.cards import counted, display_name, lowercase_id
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.page import Cell
from tracker.reports.plain_data import plain_data
from tracker.reports.rendering import table_text
from tracker.rules.chances import cells_printed, totals_printed
from tracker.rules.effects import Kind
from tracker.rules.rulebook import Book, Knob, Policy, Preset
from tracker.rules.tables import Chart, Table

# Where the name of the kind and its facts would not read as a sentence.
_WORDS = {
    "convalescence": "goes into Convalescence",
    "recovery": "goes into Recovery",
    "reduce": "{characteristic} worse by {by}",
    "improve": "{characteristic} better by {by}",
    "experience": "gains {dice} XP",
    "experience_for_attacker": "attacker gains {amount} XP",
    "skill": "gains {skill}",
    "skill_against_culprit": "gains {skill} against the gang that did it",
    "lingering": "after each battle fought, Convalescence on {on} or lower",
    "roll_again": "{dice} further rolls, {rerolls} rolled again",
    "captured": "might be captured",
    "critical": "dies unless treated",
    "death": "dies",
    "suffered_before": "suffered before",
    "has_skill": "{skill} known already",
    "no_known_culprit": "nobody known to have done it",
}
_ORDINALS = {2: "2nd", 3: "3rd"}


def rules_text(
    books: Sequence[Book],
    others: Mapping[str, Sequence[str]],
    policies: Sequence[Policy],
    presets: Sequence[Preset],
    *,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Everything in the books by name. `others` are the parts of a book that are neither table nor chart."""
    parts = []
    for book in books:
        lines: list[list[Cell]] = [
            [table.id, table.title, "D66", sanitize(table.source)] for table in book.tables.values()
        ]
        lines += [
            [chart.id, chart.title, chart.roll, sanitize(chart.source)] for chart in book.charts.values()
        ]
        parts.append(f"{sanitize(book.title)} ({book.book}@{book.edition})")
        if lines:
            parts.append(table_text(("Table", "Title", "Roll", "Source"), lines, width=width, colour=colour))
        if others.get(book.book):
            parts.append(f"Other parts: {', '.join(others[book.book])}")
        if book.knobs:
            knobs: list[list[Cell]] = [
                [knob.name, knob.printed, ", ".join(one for one in knob.choices if one != knob.printed)]
                for knob in book.knobs.values()
            ]
            parts.append(
                table_text(
                    (
                        "Knob",
                        "Printed",
                        "Or",
                    ),
                    knobs,
                    width=width,
                    colour=colour,
                )
            )
    listed: list[list[Cell]] = [[policy.id, policy.title, sanitize(policy.source)] for policy in policies]
    parts.append(
        "House rules\n" + table_text(("Policy", "Title", "Source"), listed, width=width, colour=colour)
    )
    named: list[list[Cell]] = [
        [preset.preset, preset.title, ", ".join(preset.policies) or "none"] for preset in presets
    ]
    parts.append(
        "Presets\n" + table_text(("Preset", "Title", "House rules"), named, width=width, colour=colour)
    )
    return "\n\n".join(parts)


def rules_json(
    books: Sequence[Book],
    others: Mapping[str, Sequence[str]],
    policies: Sequence[Policy],
    presets: Sequence[Preset],
) -> str:
    """The same for programs."""
    return json_text(
        "rules",
        {
            "books": [
                {
                    "book": book.book,
                    "edition": book.edition,
                    "title": book.title,
                    "digest": book.digest,
                    "tables": [_head(table, "D66") for table in book.tables.values()],
                    "charts": [_head(chart, chart.roll) for chart in book.charts.values()],
                    "other_parts": list(others.get(book.book, ())),
                    "knobs": [_knob_data(book, knob) for knob in book.knobs.values()],
                }
                for book in books
            ],
            "policies": [_policy_data(policy) for policy in policies],
            "presets": [plain_data(preset) for preset in presets],
        },
    )


# --- tables and charts -----------------------------------------------------------------------------------


def table_page(book: Book, table: Table | Chart, *, width: int | None = None, colour: bool = False) -> str:
    """A table or chart as the book prints it: roll, result, what it does."""
    roll = table.roll if isinstance(table, Chart) else "D66"
    rows: list[list[Cell]] = [[printed, sanitize(name), does] for _, printed, name, does in _lines(table)]
    head = f"{sanitize(table.title)} · {sanitize(book.title)}\nSource: {sanitize(table.source)}\n"
    return head + "\n" + table_text((roll, "Result", "Effect"), rows, width=width, colour=colour)


def table_page_json(book: Book, table: Table | Chart) -> str:
    """The same for programs; effects as the book's file says them."""
    effects = {
        one.id: [{"kind": effect.kind, **plain_data(effect)} for effect in one.effects]
        for one in (table.rows if isinstance(table, Table) else table.bands)
    }
    return json_text(
        "table",
        {
            "book": book.book,
            "table": table.id,
            "title": table.title,
            "source": table.source,
            "roll": table.roll if isinstance(table, Chart) else "D66",
            "lines": [
                {"row": row, "printed": printed, "name": name, "does": does, "effects": effects[row]}
                for row, printed, name, does in _lines(table)
            ],
        },
    )


def _lines(table: Table | Chart) -> list[tuple[str, str, str, str]]:
    if isinstance(table, Chart):
        return [
            (band.id, totals_printed(band.totals), band.name, _does(band.effects)) for band in table.bands
        ]
    default = table.row(table.default_row).name
    found = []
    for row in table.rows:
        does = [_does(row.effects)]
        if row.counts_as_default_when:
            does.append(f"counts as {default} when {_either(row.counts_as_default_when)}")
        if row.rolled_again_when:
            does.append(f"rolled again when {_either(row.rolled_again_when)}")
        found.append((row.id, cells_printed(row.cells), row.name, "; ".join(one for one in does if one)))
    return found


def _does(effects: Sequence[Kind]) -> str:
    return ", ".join(_words(effect) for effect in effects)


def _either(conditions: Sequence[Kind]) -> str:
    return " or ".join(_words(condition) for condition in conditions)


def _words(effect: Kind) -> str:
    facts = {name: getattr(effect, name) for name in names_of_fields(effect)}
    told = {name: _fact(name, value) for name, value in facts.items()}
    kind = effect.kind
    if kind in _WORDS:
        words = _WORDS[kind].format(**told)
    else:
        words = ": ".join(
            one
            for one in (
                lowercase_id(kind),
                ", ".join(
                    f"{lowercase_id(name)} {value}"
                    for name, value in told.items()
                    if name != "from_occurrence"
                ),
            )
            if one
        )
    later = facts.get("from_occurrence", 1)
    return words + (f" from the {_ORDINALS.get(later, f'{later}th')} time on" if later > 1 else "")


def _fact(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(display_name(str(one)) for one in value)
    return (
        display_name(str(value))
        if name in ("characteristic", "skill")
        else sanitize(lowercase_id(str(value)))
    )


# --- knobs, policies, presets, other parts ---------------------------------------------------------------


def knob_text(found: Sequence[tuple[Book, Knob]], moving: Sequence[Policy]) -> str:
    """A knob in every book that has it: what it is about, what is printed, what else may be, who moves it."""
    lines: list[str] = []
    for book, knob in found:
        if lines:
            lines.append("")
        lines += [
            f"{knob.name} · {sanitize(book.title)}",
            sanitize(knob.about),
            f"Source: {sanitize(book.sections[knob.section])}",
            f"Printed: {knob.printed}",
            f"Choices: {', '.join(knob.choices)}",
        ]
        if knob.at_the_table:
            lines.append("Players apply it themselves; nothing decided here hangs on it.")
        moved = [one for one in moving if one.patch[knob.name] in knob.choices]
        lines += [f"Moved by {one.id}: {one.patch[knob.name]} ({sanitize(one.source)})" for one in moved]
        if not moved:
            lines.append("No house rule moves it.")
    return "\n".join(lines)


def knob_json(found: Sequence[tuple[Book, Knob]], moving: Sequence[Policy]) -> str:
    """The same for programs."""
    told = [_knob_data(book, knob) for book, knob in found]
    return json_text("knob", {"knobs": told, "moved_by": [_policy_data(policy) for policy in moving]})


def policy_page(policy: Policy, books: Sequence[Book]) -> str:
    """A house rule: what it says, where it comes from, what it moves in which book."""
    lines = [
        f"{sanitize(policy.title)} ({policy.id})",
        sanitize(policy.about),
        f"Source: {sanitize(policy.source)}",
        f"Tags: {', '.join(map(sanitize, policy.tags)) or 'none'}",
    ]
    lines += [] if policy.patch else ["It moves no knob."]
    for name, value in policy.patch.items():
        printed = [f"{book.knobs[name].printed} in {book.book}" for book in books if name in book.knobs]
        lines.append(f"{name}: {value} (printed: {', '.join(printed) or 'in no book'})")
    return "\n".join(lines)


def policy_page_json(policy: Policy, books: Sequence[Book]) -> str:
    """The same for programs."""
    fits = [book.book for book in books if set(policy.patch) <= set(book.knobs)]
    return json_text("house-rule", {"policy": _policy_data(policy), "books": fits})


def preset_page(preset: Preset, policies: Sequence[Policy]) -> str:
    """A preset and the house rules in it."""
    lines = [f"{sanitize(preset.title)} ({preset.preset}): {counted(len(policies), 'house rule')}"]
    lines += [f"  {policy.id}: {sanitize(policy.about)}" for policy in policies]
    return "\n".join(lines)


def preset_page_json(preset: Preset, policies: Sequence[Policy]) -> str:
    """The same for programs."""
    return json_text(
        "preset", {"preset": plain_data(preset), "policies": [_policy_data(one) for one in policies]}
    )


def part_page(
    book: Book, part: str, content: Mapping[str, Any], *, width: int | None = None, colour: bool = False
) -> str:
    """Any other part of a book, as its file has it: single facts as lines, grids as tables."""
    lines = [
        f"{display_name(part)} · {sanitize(book.title)}",
        f"Source: {sanitize(content.get('source', '?'))}",
    ]
    for name, value in content.items():
        if name == "source":
            continue
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            columns = list(dict.fromkeys(key for one in value for key in one))
            rows: list[list[Cell]] = [[_shown(one.get(column)) for column in columns] for one in value]
            heads = [display_name(column) for column in columns]
            lines += ["", table_text(heads, rows, width=width, colour=colour)]
        elif isinstance(value, dict):
            lines += [
                "",
                display_name(name),
                *(f"  {sanitize(key)}: {_shown(one)}" for key, one in value.items()),
            ]
        else:
            lines.append(f"{display_name(name)}: {_shown(value)}")
    return "\n".join(lines)


def part_json(book: Book, part: str, content: Mapping[str, Any]) -> str:
    """The same for programs."""
    return json_text("part", {"book": book.book, "part": part, "content": plain_data(dict(content))})


def _shown(value: object) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, list):
        return ", ".join(str(_shown(one)) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{lowercase_id(str(key))} {_shown(one)}" for key, one in value.items())
    return sanitize(value)


def _head(table: Table | Chart, roll: str) -> dict[str, Any]:
    return {"id": table.id, "title": table.title, "roll": roll, "source": table.source}


def _knob_data(book: Book, knob: Knob) -> dict[str, Any]:
    return {
        "book": book.book,
        "knob": knob.name,
        "about": knob.about,
        "printed": knob.printed,
        "choices": list(knob.choices),
        "at_the_table": knob.at_the_table,
        "source": book.sections[knob.section],
    }


def _policy_data(policy: Policy) -> dict[str, Any]:
    return {"id": policy.id, **plain_data(policy)}

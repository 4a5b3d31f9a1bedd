"""Rules: tables as a book prints them, settings, policies and presets, each with its source.

Knows books as printed. Knows no campaign; `policy list` shows what one has adopted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from tracker.records import names_of_fields
from tracker.reports.cards import counted, display_name, lowercase_id
from tracker.reports.escaping import sanitize
from tracker.reports.page import Block, Cell, DataTable, Heading, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.rules import special_rules
from tracker.rules.chances import cells_printed, totals_printed
from tracker.rules.effects import TaggedRecord
from tracker.rules.rulebook import Book, Knob, Policy, Preset
from tracker.rules.tables import Chart
from tracker.rules.tables import Table as Table66

# The name of the kind with its facts would not read as a sentence here.
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


def rules_page(
    books: Sequence[Book],
    others: Mapping[str, Sequence[str]],
    policies: Sequence[Policy],
    presets: Sequence[Preset],
) -> Page:
    """Every book, house rule and preset by name. `others` are a book's parts beside tables and charts."""
    return Page(
        schema="rules",
        blocks=lambda: _list_blocks(books, others, policies, presets),
        data=lambda: {
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


def _list_blocks(
    books: Sequence[Book],
    others: Mapping[str, Sequence[str]],
    policies: Sequence[Policy],
    presets: Sequence[Preset],
) -> Iterator[Block]:
    for book in books:
        tables = [(table.id, table.title, "D66", table.source) for table in book.tables.values()]
        tables += [(chart.id, chart.title, chart.roll, chart.source) for chart in book.charts.values()]
        yield [Heading(f"{book.title} ({book.book}@{book.edition})", level=2)]
        if tables:
            yield [DataTable(("Table", "Title", "Roll", "Source"), tables)]
        if others.get(book.book):
            yield [Text([f"Other parts: {', '.join(others[book.book])}"])]
        if book.knobs:
            yield [DataTable(("Setting", "Printed", "Or"), [_knob_row(knob) for knob in book.knobs.values()])]
    house_rules = [(policy.id, policy.title, policy.source) for policy in policies]
    yield [Heading("House rules", level=2), DataTable(("Policy", "Title", "Source"), house_rules)]
    named = [(preset.preset, preset.title, ", ".join(preset.policies) or "none") for preset in presets]
    yield [Heading("Presets", level=2), DataTable(("Preset", "Title", "House rules"), named)]


def _knob_row(knob: Knob) -> tuple[str, str, str]:
    return knob.name, knob.printed, ", ".join(choice for choice in knob.choices if choice != knob.printed)


# --- tables and charts -----------------------------------------------------------------------------------


def table_page(book: Book, table: Table66 | Chart) -> Page:
    """A table or chart as the book prints it: roll, result, what it does."""
    roll = table.roll if isinstance(table, Chart) else "D66"
    lines, effects = _lines(table), _effects(table)
    return Page(
        schema="table",
        blocks=lambda: [
            [Text([f"{table.title} · {book.title}", f"Source: {table.source}"])],
            [
                DataTable(
                    (roll, "Result", "Effect"), [(printed, name, does) for _, printed, name, does in lines]
                )
            ],
        ],
        data=lambda: {
            "book": book.book,
            "table": table.id,
            "title": table.title,
            "source": table.source,
            "roll": roll,
            "lines": [
                {"row": row, "printed": printed, "name": name, "does": does, "effects": effects[row]}
                for row, printed, name, does in lines
            ],
        },
    )


def _effects(table: Table66 | Chart) -> dict[str, list[dict[str, Any]]]:
    """The effects of each row, as in the book's file."""
    return {
        row.id: [{"kind": effect.kind, **plain_data(effect)} for effect in row.effects]
        for row in (table.bands if isinstance(table, Chart) else table.rows)
    }


def _lines(table: Table66 | Chart) -> list[tuple[str, str, str, str]]:
    if isinstance(table, Chart):
        return [
            (band.id, totals_printed(band.totals), band.name, _does(band.effects)) for band in table.bands
        ]
    default = table.row(table.default_row).name
    lines = []
    for row in table.rows:
        does = [_does(row.effects)]
        if row.counts_as_default_when:
            does.append(f"counts as {default} when {_either(row.counts_as_default_when)}")
        if row.rolled_again_when:
            does.append(f"rolled again when {_either(row.rolled_again_when)}")
        lines.append((row.id, cells_printed(row.cells), row.name, "; ".join(doe for doe in does if doe)))
    return lines


def _does(effects: Sequence[TaggedRecord]) -> str:
    return ", ".join(_words(effect) for effect in effects)


def _either(conditions: Sequence[TaggedRecord]) -> str:
    return " or ".join(_words(condition) for condition in conditions)


def _words(effect: TaggedRecord) -> str:
    facts = {name: getattr(effect, name) for name in names_of_fields(effect)}
    shown = {name: _fact(name, value) for name, value in facts.items()}
    kind = effect.kind
    if kind in _WORDS:
        words = _WORDS[kind].format(**shown)
    else:
        stated = [
            f"{lowercase_id(name)} {value}" for name, value in shown.items() if name != "from_occurrence"
        ]
        words = ": ".join(part for part in (lowercase_id(kind), ", ".join(stated)) if part)
    later = facts.get("from_occurrence", 1)
    return words + (f" from the {_ORDINALS.get(later, f'{later}th')} time on" if later > 1 else "")


def _fact(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(display_name(str(part)) for part in value)
    return (
        display_name(str(value))
        if name in ("characteristic", "skill")
        else sanitize(lowercase_id(str(value)))
    )


# --- knobs, policies, presets, other parts ---------------------------------------------------------------


def knob_page(knobs: Sequence[tuple[Book, Knob]], moving: Sequence[Policy]) -> Page:
    """A setting in every book that has it: what it is about, printed and other values, policies that change
    it.
    """
    return Page(
        schema="knob",
        blocks=lambda: [[Text(_knob_lines(book, knob, moving))] for book, knob in knobs],
        data=lambda: {
            "knobs": [_knob_data(book, knob) for book, knob in knobs],
            "moved_by": [_policy_data(policy) for policy in moving],
        },
    )


def _knob_lines(book: Book, knob: Knob, moving: Sequence[Policy]) -> list[str]:
    lines = [
        f"{knob.name} · {book.title}",
        knob.about,
        f"Source: {book.sections[knob.section]}",
        f"Printed: {knob.printed}",
        f"Choices: {', '.join(knob.choices)}",
    ]
    if knob.at_the_table:
        lines.append("Players apply it themselves; nothing decided here depends on it.")
    moved = [policy for policy in moving if policy.patch[knob.name] in knob.choices]
    lines += [f"Changed by {policy.id}: {policy.patch[knob.name]} ({policy.source})" for policy in moved]
    return lines if moved else [*lines, "No house rule changes it."]


def house_rule_page(policy: Policy, books: Sequence[Book]) -> Page:
    """A house rule: its text, its source, and the settings it changes in each book."""
    lines = [
        f"{policy.title} ({policy.id})",
        policy.about,
        f"Source: {policy.source}",
        f"Tags: {', '.join(policy.tags) or 'none'}",
    ]
    lines += [] if policy.patch else ["It changes no setting."]
    for name, value in policy.patch.items():
        printed = [f"{book.knobs[name].printed} in {book.book}" for book in books if name in book.knobs]
        lines.append(f"{name}: {value} (printed: {', '.join(printed) or 'in no book'})")
    fits = [book.book for book in books if set(policy.patch) <= set(book.knobs)]
    return Page(
        schema="house-rule",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {"policy": _policy_data(policy), "books": fits},
    )


def vocabulary_page() -> Page:
    """The vocabulary of traits and skills: triggers, conditions, what a die needs, effects."""
    words = {
        "when": get_args(special_rules.Trigger),
        "if": get_args(special_rules.Condition),
        "bearer": get_args(special_rules.Bearer),
        "needs": get_args(special_rules.Needs),
    }
    effects = [
        {
            "kind": special_rules.kind_of(effect),
            "numbers": list(names_of_fields(effect)),
            "when": list(effect.at),
            "about": " ".join((effect.__doc__ or "").split()),
        }
        for effect in get_args(special_rules.Effect)
    ]
    return Page(
        schema="effects",
        blocks=lambda: [
            [Heading("What traits and skills are made of"), Text(_word_lines(words))],
            [
                Heading("What an effect does (then)"),
                Text([line for effect in effects for line in _effect_lines(effect)]),
            ],
        ],
        data=lambda: {"words": {key: list(known) for key, known in words.items()}, "effects": effects},
    )


def _word_lines(words: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{key}: {', '.join(known)}" for key, known in words.items()]


def _effect_lines(effect: Mapping[str, Any]) -> list[str]:
    numbers = f" ({', '.join(effect['numbers'])})" if effect["numbers"] else ""
    return [f"{effect['kind']}{numbers}, at {', '.join(effect['when'])}", f"    {effect['about']}"]


def preset_page(preset: Preset, policies: Sequence[Policy]) -> Page:
    """A preset and the house rules in it."""
    head = f"{preset.title} ({preset.preset}): {counted(len(policies), 'house rule')}"
    return Page(
        schema="preset",
        blocks=lambda: [[Text([head, *(f"  {policy.id}: {policy.about}" for policy in policies)])]],
        data=lambda: {
            "preset": plain_data(preset),
            "policies": [_policy_data(policy) for policy in policies],
        },
    )


def part_page(book: Book, part: str, content: Mapping[str, Any]) -> Page:
    """Any other part of a book, as in its file: single facts as lines, grids as tables."""
    return Page(
        schema="part",
        blocks=lambda: _part_blocks(book, part, content),
        data=lambda: {"book": book.book, "part": part, "content": plain_data(dict(content))},
    )


def _part_blocks(book: Book, part: str, content: Mapping[str, Any]) -> Iterator[Block]:
    lines = [f"{display_name(part)} · {book.title}", f"Source: {content.get('source', '?')}"]
    for name, value in content.items():
        if name == "source":
            continue
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            yield [Text(lines)]
            lines = []
            columns = list(dict.fromkeys(key for row in value for key in row))
            rows = [[_shown(row.get(column)) for column in columns] for row in value]
            yield [DataTable([display_name(column) for column in columns], rows)]
        elif isinstance(value, dict):
            yield [Text(lines)]
            lines = [display_name(name), *(f"  {key}: {_shown(fact)}" for key, fact in value.items())]
        else:
            lines.append(f"{display_name(name)}: {_shown(value)}")
    yield [Text(lines)]


def _shown(value: object) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, list):
        return ", ".join(str(_shown(part)) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{lowercase_id(str(key))} {_shown(part)}" for key, part in value.items())
    return sanitize(value)


def _head(table: Table66 | Chart, roll: str) -> dict[str, Any]:
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

"""Imports: what became of each fact of another tool's file, what a person must look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tracker.imports.findings import FATES, Fate, Finding
from tracker.imports.importing import Imported
from tracker.reports.page import Block, Heading, Page, Table, Text

LOOK_AT: tuple[Fate, ...] = ("asked", "guessed", "lost", "unknown", "left_out")


def import_page(imported: Imported, *, sheet: str | None, everything: bool = False) -> Page:
    """The fates of a file's facts. `sheet` is where the sheet stands; `everything`: also what was taken."""
    return Page(
        schema="import",
        blocks=lambda: _blocks(imported, sheet, everything=everything),
        data=lambda: {
            "tool": imported.tool,
            "ruleset": imported.book,
            "written": sheet,
            "sheet": imported.sheet,
            "questions": [
                {
                    "key": question.key,
                    "text": question.text,
                    "choices": list(question.choices),
                    "guess": question.guess,
                }
                for question in imported.questions
            ],
            "findings": [
                {
                    "fate": finding.fate,
                    "path": finding.path,
                    "fact": finding.fact,
                    "into": finding.into,
                    "why": finding.why,
                    "times": finding.times,
                }
                for finding in imported.findings
            ],
        },
    )


def _blocks(imported: Imported, sheet: str | None, *, everything: bool) -> Iterator[Block]:
    fighters = len(imported.sheet["fighters"])
    counted = Counter(finding.fate for finding in imported.findings)
    counts = ", ".join(f"{counted[fate]} {FATES[fate].lower()}" for fate in FATES if counted[fate])
    yield [
        Heading(f"{imported.sheet['name']}, from {imported.tool}"),
        Text([f"{fighters} fighters. Facts: {counts}."]),
    ]
    for fate in ("taken", *LOOK_AT) if everything else LOOK_AT:
        found = [finding for finding in imported.findings if finding.fate == fate]
        if found:
            yield [Heading(FATES[fate], 2), Table(_COLUMNS, [_row(finding) for finding in found])]
    if imported.questions:
        yield [
            Heading("Questions", 2),
            Text([_question(question.text, question.choices) for question in imported.questions]),
        ]
    if sheet is not None:
        yield [
            Text(
                [
                    f"The sheet is {sheet}. Read it and put right what is wrong. Then:",
                    f"arbitrator gang add {sheet}",
                ]
            )
        ]


_COLUMNS = ("Where", "Fact", "Into", "Why")


def _row(finding: Finding) -> tuple[str, str, str, str]:
    times = f" ({finding.times} of them)" if finding.times > 1 else ""
    return finding.path, finding.fact + times, finding.into, finding.why


def _question(text: str, choices: tuple[str, ...]) -> str:
    return f"{text} ({', '.join(choices)})" if choices else text

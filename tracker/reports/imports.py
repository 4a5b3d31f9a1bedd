"""Imports: what became of each fact of another tool's file, what a person must look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from tracker.imports.findings import FATES, Fate, Finding
from tracker.imports.importing import Imported
from tracker.reports.page import Block, Bullets, Heading, Page, Text

LOOK_AT: Final[tuple[Fate, ...]] = ("asked", "guessed", "lost", "unknown", "left_out")
ALIKE_MAX: Final = 3
"""Of what is left out for one reason so many are shown, unless everything is asked for."""


def import_page(
    imported: Imported, *, sheet: str, armoury: str | None = None, everything: bool = False
) -> Page:
    """The fates of a file's facts. `sheet` and `armoury` are where these stand; `everything`: also what was
    taken, and all that is left out.
    """
    return Page(
        schema="import",
        blocks=lambda: _blocks(imported, sheet, armoury, everything=everything),
        data=lambda: {
            "tool": imported.tool,
            "ruleset": imported.book,
            "written": sheet,
            "armoury_written": armoury,
            "sheet": imported.sheet,
            "armoury": imported.armoury,
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
                }
                for finding in imported.findings
            ],
        },
    )


def _blocks(imported: Imported, sheet: str, armoury: str | None, *, everything: bool) -> Iterator[Block]:
    fighters = len(imported.sheet["fighters"])
    counted = Counter(finding.fate for finding in imported.findings)
    counts = ", ".join(f"{counted[fate]} {FATES[fate].lower()}" for fate in FATES if counted[fate])
    yield [
        Heading(f"{imported.sheet['name']}, from {imported.tool}"),
        Text([f"{fighters} {'fighter' if fighters == 1 else 'fighters'}. Facts: {counts}."]),
    ]
    for fate in ("taken", *LOOK_AT) if everything else LOOK_AT:
        found = [finding for finding in imported.findings if finding.fate == fate]
        if found:
            brief = fate == "left_out" and not everything
            heading = f"{FATES[fate]} (--all says where)" if brief else FATES[fate]
            yield [Heading(heading, 2), Bullets([*(_counted(found) if brief else _lines(found))])]
    if imported.questions:
        yield [
            Heading("Questions", 2),
            Bullets([_question(question.text, question.choices) for question in imported.questions]),
        ]
    said = [f"The sheet is {sheet}. Read it and put right what is wrong. Then:"]
    if armoury is not None:
        said = [f"The weapons' profiles are in {armoury}.", *said]
    with_armoury = f" --armoury {armoury}" if armoury is not None else ""
    yield [Text([*said, f"arbitrator gang add {sheet}{with_armoury}"])]


def _lines(found: Iterable[Finding]) -> Iterator[str]:
    """Facts with one reason on one line, alike ones once with all their places."""
    by_reason: dict[str, dict[tuple[str, str], list[str]]] = {}
    for finding in found:
        facts = by_reason.setdefault(finding.why, {})
        facts.setdefault((finding.fact, "" if finding.why else finding.into), []).append(finding.path)
    for why, facts in by_reason.items():
        listed = [
            f"{fact}{f' into {into}' if into else ''} ({', '.join(places)})"
            for (fact, into), places in facts.items()
        ]
        if why:
            yield f"{why}: {', '.join(listed)}"
        else:
            yield from listed


def _counted(found: Iterable[Finding]) -> Iterator[str]:
    """Of what is left out a few for each reason, and how many there are."""
    by_reason: dict[str, dict[str, None]] = {}
    for finding in found:
        by_reason.setdefault(finding.why, {})[finding.fact] = None
    for why, facts in by_reason.items():
        left = len(facts) - ALIKE_MAX
        yield f"{why}: {', '.join([*facts][:ALIKE_MAX])}" + (f" and {left} more" if left > 0 else "")


def _question(text: str, choices: tuple[str, ...]) -> str:
    return f"{text} ({', '.join(choices)})" if choices else text

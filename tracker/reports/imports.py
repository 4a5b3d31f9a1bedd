"""Imports: the fate of each fact of another tool's file; facts that a person must check come first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tracker.exports.roster_comparison import RosterDifference
from tracker.imports.findings import FATES, Fate, Finding
from tracker.imports.importing import ImportResult
from tracker.records import Record
from tracker.reports import cards
from tracker.reports.page import Block, Bullets, DataTable, Heading, Page, Text
from tracker.reports.plain_data import plain_data

LOOK_AT: Final[tuple[Fate, ...]] = ("asked", "guessed", "lost", "unknown", "left_out")
ALIKE_MAX: Final = 3
"""The most left-out facts with one reason that are shown, unless everything is requested."""


class Comparison(Record):
    """The differences between a gang here and the file; `not_yet` is why they cannot be compared."""

    gang: str
    differences: tuple[RosterDifference, ...]
    not_yet: str | None = None


def import_page(
    imported: ImportResult,
    *,
    sheet: str,
    armoury: str | None = None,
    given: str | None = None,
    comparison: Comparison | None = None,
    everything: bool = False,
) -> Page:
    """The fates of a file's facts.

    `sheet` and `armoury` are the files that were written, `given` is the armoury that was given.
    `everything`: also show what was taken, and all that is left out.
    """
    return Page(
        schema="import",
        blocks=lambda: (
            *_blocks(imported, everything=everything),
            *(_against(comparison) if comparison is not None else ()),
            [Text([*_still_missing(imported), *_what_next(sheet, armoury, given, comparison)])],
        ),
        data=lambda: {
            "tool": imported.tool,
            "ruleset": imported.book,
            "written": sheet,
            "armoury_written": armoury,
            "sheet": imported.sheet,
            "armoury": imported.armoury,
            "questions": plain_data(imported.questions),
            "findings": plain_data(imported.findings),
            "compared": _compared_data(comparison),
        },
    )


def _compared_data(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    return {
        "gang": comparison.gang,
        "not_yet": comparison.not_yet,
        "differences": plain_data(comparison.differences),
    }


def _against(comparison: Comparison) -> Iterator[Block]:
    """The differences between the gang here and the file."""
    heading = Heading(f"{comparison.gang} here, and in the file", 2)
    if comparison.not_yet is not None:
        reason = "They cannot be compared before what is to be answered is in the sheet:"
        yield [heading, Text([reason, *comparison.not_yet.splitlines()])]
    elif not comparison.differences:
        yield [heading, Text(["The file says nothing that differs from here."])]
    else:
        rows = [
            (line.about, line.key.replace("_", " "), line.here or "-", line.there or "-")
            for line in comparison.differences
        ]
        yield [heading, DataTable(("Who", "What", "Here", "File"), rows)]


def _still_missing(imported: ImportResult) -> Iterator[str]:
    """The faults for which `gang add` would refuse the sheet, and how to fix each for the whole sheet."""
    if not imported.sheet["fighters"]:
        yield "The file has no fighters, and a gang sheet needs one at least: write them into the sheet."
    if any(question.key == "injuries" for question in imported.questions):
        yield (
            "Say whether the cards' numbers have the lasting injuries already. For the whole sheet, import"
            " it again with --replace and --injuries counted (they have them) or --injuries apply (they are"
            " reduced)."
        )


def _what_next(
    sheet: str, armoury: str | None, given: str | None, comparison: Comparison | None
) -> Iterator[str]:
    """The next command, with the given armoury, the written one, or both as one."""
    used = armoury or given
    if armoury is not None:
        yield f"The weapons' profiles are in {armoury}."
    if armoury is not None and given is not None:
        used = f"both-{armoury}"
        yield "Make one armoury of it and of yours:"
        yield f"arbitrator armoury merge {given} {armoury} --to {used}"
    typed = f"{sheet} --armoury {used}" if used is not None else sheet
    if comparison is None:
        yield f"The sheet is {sheet}. Read it and put right what is wrong. Then:"
        yield f"arbitrator gang add {typed}"
    elif comparison.differences or comparison.not_yet is not None:
        yield f"Nothing was recorded. The sheet is {sheet}. What follows if the gang had joined so, says:"
        yield f"arbitrator gang amend {typed}"
    else:
        yield f"Nothing was recorded, and there is nothing to do. The sheet is {sheet}."


def _blocks(imported: ImportResult, *, everything: bool) -> Iterator[Block]:
    fighters = len(imported.sheet["fighters"])
    counted = Counter(finding.fate for finding in imported.findings)
    counts = ", ".join(f"{counted[fate]} {FATES[fate].lower()}" for fate in FATES if counted[fate])
    yield [
        Heading(f"{imported.sheet['name']}, from {imported.tool}"),
        Text([f"{cards.counted(fighters, 'fighter')}. Facts: {counts}."]),
    ]
    for fate in ("taken", *LOOK_AT) if everything else LOOK_AT:
        findings = [finding for finding in imported.findings if finding.fate == fate]
        if findings:
            brief = fate == "left_out" and not everything
            heading = f"{FATES[fate]} (--all says where)" if brief else FATES[fate]
            yield [
                Heading(heading, 2),
                Bullets([*(_counted(findings) if brief else fact_lines(findings))]),
            ]
    if imported.questions:
        yield [
            Heading("Questions", 2),
            Bullets([_question(question.text, question.choices) for question in imported.questions]),
        ]


def fact_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Facts with one reason on one line; equal facts once, with all their places."""
    by_reason: dict[str, dict[tuple[str, str], list[str]]] = {}
    for finding in findings:
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


def _counted(findings: Iterable[Finding]) -> Iterator[str]:
    """A few left-out facts for each reason, and their number."""
    by_reason: dict[str, dict[str, None]] = {}
    for finding in findings:
        by_reason.setdefault(finding.why, {})[finding.fact] = None
    for why, facts in by_reason.items():
        left = len(facts) - ALIKE_MAX
        yield f"{why}: {', '.join([*facts][:ALIKE_MAX])}" + (f" and {left} more" if left > 0 else "")


def _question(text: str, choices: tuple[str, ...]) -> str:
    return f"{text} ({', '.join(choices)})" if choices else text

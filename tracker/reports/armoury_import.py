"""Armouries made from the community's data files: what they list, and what they leave out."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final

from tracker.imports.armoury_data import ArmouryImport
from tracker.imports.findings import FATES, Fate, Finding
from tracker.reports import cards
from tracker.reports.imports import fact_lines
from tracker.reports.page import Block, Bullets, Heading, Page, Text
from tracker.reports.plain_data import plain_data

LOOK_AT: Final[tuple[Fate, ...]] = ("asked", "guessed", "lost", "left_out")
ALIKE_MAX: Final = 8
"""The most facts with one reason that are shown, unless everything is requested."""
WIDTH: Final = 100
COMMENT_LINES_MAX: Final = 400
PARTS: Final = {
    "items": "thing", "fighters": "type of fighter", "skills": "set of skills", "lists": "house list",
}  # fmt: skip
PLURALS: Final = {"fighters": "types of fighter", "skills": "sets of skills"}


def armoury_import_page(
    imported: ArmouryImport, *, armoury: str, dry_run: bool = False, everything: bool = False
) -> Page:
    """What came of data files. `armoury` is the file that lists it."""
    return Page(
        schema="armoury_import",
        blocks=lambda: _blocks(imported, armoury, dry_run=dry_run, everything=everything),
        data=lambda: {
            "ruleset": imported.book,
            "game_systems": [*imported.games],
            "catalogues": [*imported.catalogues],
            "files": [*imported.files],
            "missing": [{"file": file, "needed_by": needed_by} for file, needed_by in imported.missing],
            "written": None if dry_run else armoury,
            "listed": {key: len(imported.armoury.get(key, ())) for key in PARTS},
            "counts": dict(Counter(finding.fate for finding in imported.findings)),
            "armoury": imported.armoury,
            "findings": plain_data(imported.findings),
        },
    )


def armoury_comments(imported: ArmouryImport) -> str:
    """The comments at the beginning of the armoury's file, about its content."""
    files = [PurePath(file).name for file in imported.files]
    lines = [f"Made by 'arbitrator armoury import' from {', '.join(files)}."]
    for fate in ("asked", "guessed", "lost"):
        found = [finding for finding in imported.findings if finding.fate == fate]
        if found:
            lines.append(f"{FATES[fate]}:")
            lines += [f"- {line}" for line in _by_reason(found, len(found))]
    wrapped = [part for line in lines for part in textwrap.wrap(line, WIDTH - 2, subsequent_indent="  ")]
    if len(wrapped) > COMMENT_LINES_MAX:
        wrapped = [*wrapped[:COMMENT_LINES_MAX], "'arbitrator armoury import --all' lists more."]
    return "".join(f"# {line}\n" for line in wrapped)


def _blocks(imported: ArmouryImport, armoury: str, *, dry_run: bool, everything: bool) -> Iterator[Block]:
    counts = [_counted(len(imported.armoury.get(key, ())), key) for key in PARTS if key in imported.armoury]
    yield [Heading(imported.armoury["name"]), Text([f"{', '.join(counts)}."])]
    if imported.missing:
        lines = [f"{file}, which {needed_by} needs" for file, needed_by in imported.missing]
        yield [
            Heading("Files that are missing", 2),
            Bullets(lines),
            Text(["Name them too, and nothing of them is lost."]),
        ]
    for fate in ("taken", *LOOK_AT) if everything else LOOK_AT:
        found = [finding for finding in imported.findings if finding.fate == fate]
        if found:
            lines = [*(fact_lines(found) if everything else _by_reason(found, ALIKE_MAX))]
            yield [Heading(FATES[fate], 2), Bullets(lines)]
    if dry_run:
        yield [Text([f"Nothing was written. Without --dry-run it is {armoury}."])]
    else:
        written = f"The armoury is {armoury}. Its first lines say what it lacks: put that right. Then:"
        yield [Text([written, f"arbitrator gang add SHEET --armoury {armoury}"])]


def _counted(number: int, key: str) -> str:
    if number != 1 and key in PLURALS:
        return f"{number} {PLURALS[key]}"
    return cards.counted(number, PARTS[key])


def _by_reason(findings: Iterable[Finding], most: int) -> Iterator[str]:
    """Facts with the same reason on one line, with the number of those that are not shown."""
    by_reason: dict[str, dict[str, None]] = {}
    for finding in findings:
        by_reason.setdefault(finding.why, {})[finding.fact] = None
    for why, facts in by_reason.items():
        left = len(facts) - most
        listed = ", ".join([*facts][:most]) + (f" and {left} more (--all)" if left > 0 else "")
        yield f"{why}: {listed}" if why else listed

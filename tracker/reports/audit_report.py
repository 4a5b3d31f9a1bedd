"""Audit report: the disputes and rulings of a season, for everybody who was not there.

Knows the dispute board's rows and the entries of the rulings. Hides nothing: what was withdrawn or taken back
keeps its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.reports.cards import counted, numbers_listed
from tracker.reports.dispute import dispute_text
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.log import when
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.plain_data import recorded_data
from tracker.reports.rendering import markdown_cell
from tracker.reports.sentences import sentence

Targets: TypeAlias = Mapping[int, RecordedEvent]
"""The event that each dispute is about, by the dispute's number."""

_DID = {"decided_again": "decided again", "slot_kept": "kept as played", "slot_voided": "voided"}


def audit_report_text(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    *,
    heading: str,
    taken_back: Sequence[int] = (),
) -> str:
    """The page: every dispute with how it ended, then every ruling with what it did."""
    blocks = [[sanitize(heading)], ["Disputes", *_summary(disputes)]]
    blocks += [dispute_text(row, targets.get(row["dispute"]), names).split("\n") for row in disputes]
    blocks.append(["Rulings", counted(len(rulings), "ruling")])
    blocks += [_ruling_lines(word, rows, names, taken_back) for word, rows in rulings]
    return "\n\n".join("\n".join(block) for block in blocks)


def audit_report_markdown(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    *,
    heading: str,
    taken_back: Sequence[int] = (),
) -> str:
    """The same for a wiki or a chat."""
    blocks = [f"# {markdown_cell(heading)}", "## Disputes", *map(markdown_cell, _summary(disputes))]
    for row in disputes:
        first, *rest = dispute_text(row, targets.get(row["dispute"]), names).split("\n")
        blocks.append(
            "\n".join([f"**{markdown_cell(first)}**", "", *(f"- {markdown_cell(one)}" for one in rest)])
        )
    blocks += ["## Rulings", counted(len(rulings), "ruling")]
    for word, rows in rulings:
        first, *rest = _ruling_lines(word, rows, names, taken_back)
        lines = [f"- {markdown_cell(one.strip())}" for one in rest]
        blocks.append("\n".join([f"**{markdown_cell(first)}**", *(["", *lines] if lines else [])]))
    return "\n\n".join(blocks)


def audit_report_json(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    *,
    heading: str,
    taken_back: Sequence[int] = (),
) -> str:
    """The same for programs."""
    return json_text(
        "audit-report",
        {
            "heading": heading,
            "disputes": [
                {
                    **row,
                    "event": recorded_data(targets[row["dispute"]], names)
                    if row["dispute"] in targets
                    else None,
                }
                for row in disputes
            ],
            "rulings": [
                {
                    **recorded_data(word, names),
                    "at": word.at,
                    "actor": word.actor,
                    "taken_back": word.entry in taken_back,
                    "slots": [
                        {"slot": row["slot"], "what": row["kind"], "reason": row["reason"]}
                        for row in rows
                        if row["kind"] in _DID
                    ],
                }
                for word, rows in rulings
            ],
        },
    )


def _summary(disputes: Sequence[Row]) -> list[str]:
    still = sum(row["status"] == "open" for row in disputes)
    return [f"{counted(len(disputes), 'dispute')}, {still} open"]


def _ruling_lines(
    word: RecordedEvent, rows: Sequence[Row], names: Names, taken_back: Sequence[int]
) -> list[str]:
    assert isinstance(word.event, records.RulingMade), "a ruling begins with its word"
    mark = " (taken back)" if word.entry in taken_back else ""
    head = f"Entry {word.entry}, {when(word.at)}, by {sanitize(word.actor)}{mark}"
    lines = [head, f"  {sentence(word.event, names)}"]
    for kind, what in _DID.items():
        slots = sorted(row["slot"] for row in rows if row["kind"] == kind)
        if slots:
            lines.append(f"  {what}: {counted(len(slots), 'entry', 'entries')} ({numbers_listed(slots)})")
    return lines

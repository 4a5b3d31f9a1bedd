"""Reads a battle report that has no result yet.

Knows the file and its decisions. Knows no state: the handlers check them.
"""

from __future__ import annotations

from collections.abc import Mapping

from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.planned_decisions import PlannedDecision
from tracker.documents.wizard import writing
from tracker.rules.rulebook import DicePurpose


def plan(text: str, *, file: str, purposes: Mapping[str, DicePurpose]) -> BattlePlan:
    """The report as it is read; of one that has no result yet, a draw stands in for it."""
    document = writing.document_of(text, file=file)
    drawn = isinstance(document.root.content, dict) and not _has_result(text, file)
    return battle_plan(writing.drawn(document) if drawn else document, purposes=purposes)


def decisions(text: str, *, file: str, purposes: Mapping[str, DicePurpose]) -> tuple[PlannedDecision, ...]:
    """What it asks for: the battle is opened and played, and closed where the result stands there."""
    planned = plan(text, file=file, purposes=purposes).decisions
    return planned if _has_result(text, file) else planned[:-1]


def _has_result(text: str, file: str) -> bool:
    return "result" in writing.plain_of(text, file=file)

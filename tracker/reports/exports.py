"""Exports: the facts that a file cannot hold, each with all fighters whom it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.exports.not_held import NotHeld
from tracker.reports.cards import counted
from tracker.reports.escaping import sanitize
from tracker.reports.page import Page, Text
from tracker.reports.plain_data import plain_data


def export_page(content: Any, not_held: Sequence[NotHeld], *, gang: str, form: str, file: str | None) -> Page:
    """The result of an export: the gang, the file, and the facts that are not in it."""
    facts = {
        "gang": gang,
        "format": form,
        "file": file,
        "content": content,
        "not_held": plain_data(list(not_held)),
    }
    return Page(
        schema="gang-export", data=lambda: facts, blocks=lambda: [[Text([f"{sanitize(gang)} is in {file}."])]]
    )


def not_held_lines(not_held: Sequence[NotHeld]) -> list[str]:
    """The facts in words, one line for all whom they concern alike."""
    about: dict[str, list[str]] = {}
    for fact in not_held:
        about.setdefault(fact.words, []).append(sanitize(fact.name))
    if not about:
        return []
    verb = "is" if len(about) == 1 else "are"
    head = f"{counted(len(about), 'kind of fact', 'kinds of facts')} {verb} not in the file:"
    return [head, *(f"- {', '.join(names)}: {sanitize(words)}" for words, names in about.items())]

"""Suggested answers, shown in brackets and taken with Enter.

Knows the campaign's present state.
"""

from __future__ import annotations

from typing import Any

from tracker.documents import text
from tracker.documents.sheet_ids import id_for_hire
from tracker.documents.wizard.context import Answers, Context, gang_of_answers
from tracker.documents.wizard.forms import Form


def suggested(table: Context, form: Form, key: str, answers: Answers) -> Any:
    """The likely answer to a key; None where none is likelier than another."""
    match form.kind, key:
        case ("experience", "amount"):
            return 1
        case ("alignment", "why"):
            gang = table.state.gangs.get(str(answers.get("gang")))
            return "as founded" if gang is not None and gang.alignment is None else None
        case ("territory", "territory"):
            return _new_id(table, str(answers["kind"])) if "kind" in answers else None
    return None


def id_beside(table: Context, form: Form, key: str, answers: Answers) -> str | None:
    """The id that stands beside a name, where the name alone would give one that is taken."""
    if (form.kind, key) != ("hire", "name"):
        return None
    name = str(answers[key])
    made = id_for_hire(table.state, gang_of_answers(table, answers) or "", name)
    return None if made == text.slug_of(name) else made


def _new_id(table: Context, kind: str) -> str:
    """An id for a territory of the book's that is new here."""
    territory = table.book.territories.get(kind)
    name = territory.name if territory is not None else kind
    return text.numbered(text.slug_of(name), table.state.territories)

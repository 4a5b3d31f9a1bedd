"""Where an entry says what somebody's owner keeps of two Injury dice.

Knows the keys of entries. Knows no rule and no dice.
"""

from __future__ import annotations

from typing import Any, Final

from tracker.documents.wizard.context import Answers, listed
from tracker.documents.wizard.forms import Form

KEY: Final = "keeps"
_LISTS: Final = ("targets", "under_marker", "under_template", "at_risk", "under")
"""Lists of models; each may say it in a map of its own."""
_THROWN_AGAINST: Final = ("meets", "meets_keeps")


def with_kept(form: Form, answers: Answers, fighter: str, symbol: str) -> tuple[str, Any] | None:
    """The key that says it, and what stands there then; None where the entry has no place for it."""
    for key in _LISTS:
        if fighter in listed(answers, key):
            return key, [_keeping(model, fighter, symbol) for model in answers[key]]
    against, key = _THROWN_AGAINST
    if answers.get(against) == fighter:
        return key, symbol
    return (KEY, symbol) if any(key == KEY for key, _, _ in form.shapes()) else None


def _keeping(model: Any, fighter: str, symbol: str) -> Any:
    said = model if isinstance(model, dict) else {"fighter": model}
    return {**said, KEY: symbol} if said.get("fighter") == fighter else model


def as_named(answers: Answers) -> dict[str, Any]:
    """The answers with the models of each list by their ids, as they were named."""
    return {key: listed(answers, key) if key in _LISTS else said for key, said in answers.items()}

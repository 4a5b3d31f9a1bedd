"""Candidates for the keys of a dice pool that are asked only if there is a marker to spend.

Knows the markers of a model. Knows no rule: the rules decide how many may be spent.
"""

from __future__ import annotations

from tracker.campaign.state import Combatant
from tracker.documents.wizard.context import Answers, Choice, Context


def _model(table: Context, answers: Answers) -> Combatant | None:
    """The model that is rolled for."""
    named = str(answers.get("target") or answers.get("fighter"))
    return table.state.under_way.combatants.get(named) if table.state.under_way is not None else None


def blood_markers(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """How many of the model's Blood Markers, up to all of them."""
    model = _model(table, answers)
    return _up_to(model.blood_markers if model is not None else 0)


def has_blood_markers(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Yes or no, where the model has any."""
    return None if blood_markers(table, answers) else ()


def blessings(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """How many of the model's Blessing Markers, up to all of them."""
    model = _model(table, answers)
    return _up_to(model.blessing_markers if model is not None else 0)


def _up_to(count: int) -> tuple[Choice, ...]:
    return tuple(Choice(value=str(number), name=str(number)) for number in range(1, count + 1))


def risky(_: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Standing up is rolled for as a RISKY ACTION alone."""
    return None if answers.get("risky") else ()


def blood_markers_on_risky(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The same as Blood Markers at any roll, where there is one."""
    return blood_markers(table, answers) if answers.get("risky") else ()


def blessings_on_risky(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """The same as Blessing Markers at any roll, where there is one."""
    return blessings(table, answers) if answers.get("risky") else ()

"""Where an entry says what a player chose of what the rules leave open.

Knows the keys of entries. Knows no rule and no dice: the refusal that asks for a choice has its options.
"""

from __future__ import annotations

from typing import Any, Final

from tracker.documents.wizard.context import Answers, Choice, listed
from tracker.documents.wizard.forms import Form
from tracker.errors import ChoiceLeft, ChoiceOption

_LISTS: Final = (
    "targets",
    "under_marker",
    "under_template",
    "at_risk",
    "under",
    "next_in_line",
    "in_contact",
)
"""Lists of models; each may say it in a map of its own."""
_OF_VEHICLE: Final = "keep_location"
_THROWN_AGAINST: Final = ("meets", "meets_keeps")
_ONE_ANSWER: Final = frozenset({"text", "number", "word"})


def place_of(form: Form, answers: Answers, choice: ChoiceLeft) -> str | None:
    """The key under which the choice is said; None where the entry has no place for it."""
    for key in _LISTS:
        if (
            choice.model is not None
            and choice.model in listed(answers, key)
            and _in_list(answers, key, choice)
        ):
            return key
    against, key = _THROWN_AGAINST
    if choice.model is not None and answers.get(against) == choice.model:
        return key
    return choice.key if any(key == choice.key for key, _, _ in form.shapes()) else None


def _in_list(answers: Answers, key: str, choice: ChoiceLeft) -> bool:
    """Whether the list says it: of a vehicle that it names by its id alone, the entry does."""
    by_id = choice.model in answers[key]
    return not (by_id and choice.key == _OF_VEHICLE)


def written_at(form: Form, answers: Answers, choice: ChoiceLeft, said: Any) -> tuple[str, Any]:
    """The key that says it, and what stands there then."""
    key = place_of(form, answers, choice)
    assert key is not None, "it is asked for where it has a place"
    if key in _LISTS:
        return key, [_saying(model, choice, said) for model in answers[key]]
    if form.question(key).shape in _ONE_ANSWER:
        return key, said
    return key, [*(answers.get(key) or ()), said]


def _saying(model: Any, choice: ChoiceLeft, said: Any) -> Any:
    known = model if isinstance(model, dict) else {"fighter": model}
    if known.get("vehicle") == choice.model:
        return {**known, choice.key: [*known.get(choice.key, ()), said]}
    return {**known, choice.key: said} if known.get("fighter") == choice.model else model


def as_choice(option: ChoiceOption) -> Choice:
    """An option as it is listed and typed."""
    said = option.said
    return Choice(
        value="-".join(map(str, said)) if isinstance(said, list) else str(said),
        name=option.words,
        answer=said,
    )


def as_named(answers: Answers) -> dict[str, Any]:
    """The answers with the models of each list by their ids, as they were named."""
    return {key: listed(answers, key) if key in _LISTS else said for key, said in answers.items()}

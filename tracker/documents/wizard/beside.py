"""Additions to an answer: a second key with few values and a default, asked in the same question.

`range+cover?+closest?` asks for the range, and beside it for the cover and whether the target is the closest.
An addition that is left out has its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.legal_entries import choices, is_open
from tracker.documents.wizard.prompts import Prompt, prompts_of
from tracker.records import Record, replace

_SAID: Final[Mapping[tuple[str, str], str]] = {
    ("bottle", "voluntary"): "of their own will",
    ("fight", "charging"): "charging",
    ("fight", "follows"): "following who is knocked back",
    ("fight", "psyker"): "as a psyker",
    ("fight", "target_psyker"): "at a psyker",
    ("hit", "target_psyker"): "at a psyker",
    ("shoot", "target_psyker"): "at a psyker",
    ("fight", "reaction"): "as Reaction attacks",
    ("fight", "ride_by"): "in passing",
    ("shoot", "closest"): "not the closest enemy",
    ("shoot", "cover"): "{} cover",
    ("shoot", "hull_down"): "hull-down",
}
_COMMON: Final[Mapping[str, str]] = {
    "behind": "from behind the target",
    "cannot_be_moved": "the target cannot be moved",
    "close_combat": "in close combat",
    "staked": "not the stake",
}


_SAID_YES: Final = frozenset({"behind"})
"""Keys of which nothing is usual, and of which yes is what can be said."""


class SideAnswer(Record):
    """One thing that can be said: which key it answers, and how."""

    key: str
    answer: Any
    words: str
    one_of: str = ""
    goes_with: tuple[str, ...] = ()
    """Of those that share `one_of` one can be said, and what goes with it."""

    @property
    def choice(self) -> Choice:
        """As it is listed and typed."""
        return Choice(value=self.words, name=self.words)


def asked_beside(form: Form, key: str) -> tuple[Prompt, ...]:
    """The prompts that are asked beside this key."""
    return tuple(prompt for prompt in prompts_of(form) if prompt.beside == key)


def said_beside(
    table: Context, form: Form, key: str, answers: Answers, first: Choice | None
) -> tuple[SideAnswer, ...]:
    """What can be said beside the answer to a key; `first` is an answer that it may have."""
    shape = form.question(key).shape
    supposed = dict(answers)
    if first is not None:
        supposed[key] = [first.value] if shape == "several" else first.value
    found: list[SideAnswer] = []
    for prompt in asked_beside(form, key):
        if prompt.key in answers:
            continue
        open_now, question = choices(table, form, prompt, supposed), form.question(prompt.key)
        words = _SAID.get((form.kind, prompt.key)) or _COMMON.get(prompt.key, prompt.key.replace("_", " "))
        if open_now is None and question.shape == "yes_no":
            found.append(
                SideAnswer(
                    key=prompt.key,
                    answer=prompt.key in _SAID_YES or (question.usual or "yes") != "yes",
                    words=words,
                )
            )
        found += [
            SideAnswer(key=prompt.key, answer=choice.value, words=words.format(choice.name))
            for choice in open_now or ()
            if choice.value != question.usual
        ]
    return _together(table, form, supposed, found)


def _together(
    table: Context, form: Form, supposed: Answers, found: list[SideAnswer]
) -> tuple[SideAnswer, ...]:
    """What can be said at all, grouped by what cannot all be said at once: answers to one key, and to others
    that the rules refuse beside it.
    """
    found = [side for side in found if is_open(table, form, {**supposed, side.key: side.answer})]
    apart = {
        frozenset((one.words, other.words))
        for one, other in combinations(found, 2)
        if one.key == other.key
        or not is_open(table, form, {**supposed, one.key: one.answer, other.key: other.answer})
    }
    groups: list[list[SideAnswer]] = []
    for side in found:
        joined = [
            group for group in groups if any(frozenset((side.words, one.words)) in apart for one in group)
        ]
        groups = [group for group in groups if group not in joined]
        groups.append([*(one for group in joined for one in group), side])
    return tuple(
        replace(
            side,
            one_of=group[0].key,
            goes_with=tuple(
                one.words
                for one in group
                if frozenset((side.words, one.words)) not in apart and one is not side
            ),
        )
        for group in groups
        for side in group
    )

"""The keys to ask for in each kind of entry, in order, and its step of a sequence.

A key with `?` may be passed over with Enter; `key+other?` asks for both in one question (see `beside`);
`key@purpose` is asked once that die lies on the table, `key@missed` once the dice say that a shot missed, and
`key@failed:purpose` once they say that such a test failed.
A command declares its own, and so does a form that is written by hand. Kinds that declare nothing are asked
for what their model needs. All else can be said in an entry typed as YAML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from tracker.campaign import records
from tracker.documents.derived_forms import DerivedForm, WrittenForm
from tracker.documents.wizard.forms import Form
from tracker.records import Record

MISSED: Final = "missed"
FAILED: Final = "failed:"


class Prompt(Record):
    """One key that is asked for. `after` is the die that has to lie there before the key can be answered, or
    what the dice must have brought: MISSED, or FAILED with the purpose of a test.
    """

    key: str
    may_pass: bool = False
    after: str | None = None
    beside: str | None = None
    """The key in whose question this one can be answered too."""


def prompts_of(form: Form) -> tuple[Prompt, ...]:
    """What is asked for such an entry, in order."""
    asks = declared_by(form).asks
    if asks is None:
        return tuple(Prompt(key=key) for key in form.needed)
    return prompts_from(asks)


@cache
def prompts_from(asks: str) -> tuple[Prompt, ...]:
    """The prompts that a declaration's `asks` says."""
    return tuple(prompt for word in asks.split() for prompt in _prompts(word))


def declared_by(form: Form) -> records.Declaration | type[WrittenForm]:
    """What says which keys are asked for: the command, or a form that is written by hand."""
    model = form.model
    if issubclass(model, DerivedForm):
        return records.DECLARATIONS[model.makes]
    assert issubclass(model, WrittenForm), f"{form.kind} declares nothing"
    return model


def _prompts(word: str) -> Iterator[Prompt]:
    first, *others = word.split("+")
    named, _, after = first.partition("@")
    key = named.rstrip("?")
    yield Prompt(key=key, may_pass=named.endswith("?"), after=after or None)
    for other in others:
        yield Prompt(key=other.rstrip("?"), may_pass=True, beside=key)


def step_of(form: Form, at: Mapping[str, str]) -> str | None:
    """The step in which such an entry stands, by a book's `at`; None where it may stand in any."""
    activity = declared_by(form).activity
    if form.kind == "hire":  # decided by no command of its own
        activity = "hire" if "hire" in at else "trading_post"
    return at.get(activity) if activity is not None else None

"""People on a page: the log says who by an id, and people read the name of that day.

A page is made without knowing anybody; who shows it knows. JSON keeps the id and says the name beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from tracker.people.secrets import PERSON_LETTERS, PERSON_PREFIX
from tracker.records import replace
from tracker.reports.page import Page, Sheet

NameOn: TypeAlias = Callable[[str, str], str]
"""From an actor of the log and a time to the name of that day."""

TODAY = "9999"
"""A time behind all others, for a text that says none."""

_NAMED: ContextVar[NameOn | None] = ContextVar("names_of_people", default=None)
_ID = re.compile(rf"\b{PERSON_PREFIX}[0-9a-hjkmnp-tv-z]{{{PERSON_LETTERS}}}\b")


@contextmanager
def named_by(names: NameOn) -> Iterator[None]:
    """Within, people are called what these names say."""
    before = _NAMED.set(names)
    try:
        yield
    finally:
        _NAMED.reset(before)


def person(actor: str, at: str = TODAY) -> str:
    """What somebody was called on that day; a name that was typed stays as it is."""
    names = _NAMED.get()
    return actor if names is None else names(actor, at)


def in_text(text: str, at: str = TODAY) -> str:
    """A text with the names of that day for ids of people."""
    names = _NAMED.get()
    if names is None or PERSON_PREFIX not in text:
        return text
    return _ID.sub(lambda found: names(found[0], at), text)


def actor_data(actor: str, at: str) -> dict[str, str]:
    """Who, as the log has it and as people read it."""
    return {"actor": actor, "actor_name": person(actor, at)}


def page_with_names(page: Page, names: NameOn) -> Page:
    """The page, with the names of people wherever it shows one to people."""

    def data() -> Any:
        with named_by(names):
            return page.data()

    def blocks() -> Any:
        with named_by(names):
            return [_with_names(list(block)) for block in page.blocks()]

    def sheet() -> Sheet:
        assert page.sheet is not None, "asked of reports that have a sheet"
        with named_by(names):
            made: Sheet = _with_names(page.sheet())
            return made

    return replace(page, data=data, blocks=blocks, sheet=None if page.sheet is None else sheet)


def _with_names(part: Any) -> Any:
    """What no report has named: whoever is left is called what they are called today."""
    match part:
        case str():
            return in_text(part)
        case tuple() if hasattr(part, "_fields"):
            return type(part)(*map(_with_names, part))
        case tuple() | list():
            return type(part)(map(_with_names, part))
        case dict():
            return {key: _with_names(value) for key, value in part.items()}
        case _:
            return part

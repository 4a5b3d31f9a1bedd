"""People on a page: the log has ids, and people read the name of that day.

A page is made without knowing any person; whoever shows it fills the names in. JSON keeps the id beside the
name.
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
"""Maps an actor of the log and a time to the name of that day."""

TODAY = "9999"
"""A time after all others, for a text without a time."""

_NAMED: ContextVar[NameOn | None] = ContextVar("names_of_people", default=None)
_ID = re.compile(rf"\b{PERSON_PREFIX}[0-9a-hjkmnp-tv-z]{{{PERSON_LETTERS}}}\b")


@contextmanager
def named_by(names: NameOn) -> Iterator[None]:
    """Use these names for people within the block."""
    before = _NAMED.set(names)
    try:
        yield
    finally:
        _NAMED.reset(before)


def person(actor: str, at: str = TODAY) -> str:
    """The name of a person on that day; a typed name stays as it is."""
    names = _NAMED.get()
    return actor if names is None else names(actor, at)


def in_text(text: str, at: str = TODAY) -> str:
    """A text with people's ids replaced by the names of that day."""
    names = _NAMED.get()
    if names is None or PERSON_PREFIX not in text:
        return text
    return _ID.sub(lambda found: names(found[0], at), text)


def actor_data(actor: str, at: str) -> dict[str, str]:
    """An actor's id, and the name of that day."""
    return {"actor": actor, "actor_name": person(actor, at)}


def page_with_names(page: Page, names: NameOn) -> Page:
    """The page with people's names in all formats for people."""

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
    """A part with people's names; ids that no report replaced get today's name."""
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

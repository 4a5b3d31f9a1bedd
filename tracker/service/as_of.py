"""Points in time as people write them: now, going into or after a battle, after an entry, on a day.

Knows no log: `as_of_queries` finds the state.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Literal, TypeAlias

from tracker.errors import BadInput
from tracker.records import Record

Clock: TypeAlias = Literal["now", "into", "battle", "entry", "date"]


class AsOf(Record):
    """One point in time: `value` is the battle's id or number, the entry's number, the day or the moment."""

    clock: Clock
    value: str = ""

    @property
    def follows_play(self) -> bool:
        """Whether it is a point in the order of play, by what counts now."""
        return self.clock in ("into", "battle")

    @property
    def is_now(self) -> bool:
        """Whether it is the present, which the boards show."""
        return self.clock == "now"

    def __str__(self) -> str:
        return self.clock if self.is_now else f"{self.clock}:{self.value}"

    def words(self) -> str:
        """'going into battle 3', 'as believed after entry 57', 'as believed on 2026-03-01', 'now'."""
        return {
            "now": "now",
            "into": f"going into battle {self.value}",
            "battle": f"at the end of battle {self.value}, before its post-battle sequence",
            "entry": f"as believed after entry {self.value}",
            "date": f"as believed on {self.value}",
        }[self.clock]


NOW = AsOf(clock="now")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class PointNotUnderstood(BadInput):
    """{given!r} is not a point in time. Write battle:3 (or its id) for its end, into:3 for what it
    began with, entry:57, date:2026-03-01, or now.
    """

    given: str


class DateNotUnderstood(BadInput):
    """{given!r} is not a date. Write 2026-03-01 (its end) or 2026-03-01T20:15:00Z, both UTC."""

    given: str


class NothingRecordedThen(BadInput):
    """Nothing was recorded by {when}: this campaign's log begins on {first}."""

    when: str
    first: str


def read_as_of(text: str) -> AsOf:
    """A point as people write it. Raises PointNotUnderstood or DateNotUnderstood."""
    clock, _, value = text.strip().partition(":")
    if clock == "now" and not value:
        return NOW
    if clock in ("battle", "into") and value:
        return AsOf(clock="battle" if clock == "battle" else "into", value=value)
    if clock == "entry" and is_count(value):
        return AsOf(clock="entry", value=value)
    if clock == "date" and value:
        return AsOf(clock="date", value=checked_date(value))
    raise PointNotUnderstood(given=text)


def checked_date(text: str) -> str:
    """A day or a moment that exists. Raises DateNotUnderstood."""
    try:
        if not (_DAY.fullmatch(text) or _MOMENT.fullmatch(text)):
            raise DateNotUnderstood(given=text)
        date.fromisoformat(text[:10])
    except ValueError as error:
        raise DateNotUnderstood(given=text) from error
    return text


def is_count(text: str) -> bool:
    """Whether a text is a plain whole number, not too long to be one of ours."""
    return text.isascii() and text.isdecimal() and len(text) < 10

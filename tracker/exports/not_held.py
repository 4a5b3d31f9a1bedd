"""Facts that a file cannot hold: whose, which, and in words."""

from __future__ import annotations

from tracker.records import Record


class NotHeld(Record):
    """A fact that a file does not have. `about` is the id of a fighter, vehicle or gang."""

    about: str
    name: str
    fact: str
    words: str

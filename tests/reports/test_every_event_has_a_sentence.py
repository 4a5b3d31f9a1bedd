"""Every event has a sentence of one chapter, and of one only."""

from __future__ import annotations

from typing import get_args

from tracker.campaign.events import Event, RollMade
from tracker.reports import sentences


def test_every_event_is_told_by_a_chapter() -> None:
    assert {*sentences._CHAPTER_OF, RollMade} == {*get_args(Event)}


def test_no_event_is_claimed_by_two_chapters() -> None:
    unions = [value for name, value in vars(sentences).items() if name.endswith("Event") and name != "Event"]
    kinds = [kind for union in unions for kind in get_args(union)]
    assert len(kinds) == len({*kinds})

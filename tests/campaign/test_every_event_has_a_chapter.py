"""Every event is folded by one chapter of `evolve`, and by one only."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from tracker.campaign import evolve, records


def test_every_event_is_folded_by_exactly_one_chapter() -> None:
    unions = [value for name, value in vars(evolve).items() if name.endswith("Event") and name != "Event"]
    claimed = Counter(kind for union in (*unions, evolve.ToldOnly) for kind in get_args(union))
    assert claimed == dict.fromkeys(records.EVENTS.values(), 1)
    assert evolve._CHAPTER_OF.keys() == claimed.keys()

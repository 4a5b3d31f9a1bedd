"""Every event is folded by one chapter of `evolve`, or says itself what it does."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from tracker.campaign import evolve, records


def test_every_event_is_folded_in_one_place() -> None:
    unions = [value for name, value in vars(evolve).items() if name.endswith("Event") and name != "Event"]
    claimed = Counter(kind for union in (*unions, evolve.ToldOnly) for kind in get_args(union))
    by_itself = [kind for kind in records.EVENTS.values() if "apply" in vars(kind)]
    assert claimed + Counter(by_itself) == Counter(records.EVENTS.values())
    assert evolve._CHAPTER_OF.keys() == claimed.keys()

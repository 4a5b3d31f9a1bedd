"""Evolve: what an event does to the state. Never refuses, never rolls, asks no table.

Knows that everything here was granted already: a fact that does not fit is our own mistake, so it is
asserted, and a log that a ruling left odd is still folded. Each chapter knows its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

from tracker.campaign import records
from tracker.campaign.evolve.disputes import DisputeEvent, evolve_dispute
from tracker.campaign.state import CampaignState


def fold(state: CampaignState, events: Iterable[records.Event]) -> CampaignState:
    """The state after all of these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: CampaignState, event: records.Event) -> CampaignState:
    """The state after one event."""
    chapter = _CHAPTER_OF.get(type(event))
    return event.apply(state) if chapter is None else chapter(state, event)


# A look-up by type and not one long `match`: replaying a log asks this for every event.
_CHAPTER_OF: dict[type, Callable[[CampaignState, Any], CampaignState]] = {
    kind: chapter for events, chapter in ((DisputeEvent, evolve_dispute),) for kind in get_args(events)
}
INFORMING: Final = frozenset(
    kind for kind in records.EVENTS.values() if kind not in _CHAPTER_OF and kind.apply is records.Event.apply
)
"""Events that tell what happened on the way, and change nothing themselves."""

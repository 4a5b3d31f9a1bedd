"""Evolve: the state after events, each of which says itself what it does to it. Never refuses, never rolls.

Knows that everything was granted already: a fact that does not fit is our own mistake, so it is asserted, and
a log that a ruling left odd is still folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tracker.campaign import records
from tracker.campaign.state import CampaignState

INFORMING: Final = frozenset(kind for kind in records.EVENTS.values() if kind.apply is records.Event.apply)
"""Events that tell what happened on the way, and change nothing themselves."""


def fold(state: CampaignState, events: Iterable[records.Event]) -> CampaignState:
    """The state after all of these events."""
    for event in events:
        state = event.apply(state)
    return state


def evolve(state: CampaignState, event: records.Event) -> CampaignState:
    """The state after one event."""
    return event.apply(state)

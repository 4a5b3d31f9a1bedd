"""Adds an event's sentence to refusals about it: the service knows the event, reports know its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tracker.campaign import records
from tracker.cli.session import Session
from tracker.reports.names import Names
from tracker.reports.sentences import sentence


@contextmanager
def events_in_words(session: Session) -> Iterator[None]:
    """Within the block, the refusal of an event that is not a roll quotes the event as the log shows it."""
    try:
        yield
    except records.NotARoll as refused:
        tracker, campaign = session.tracker, session.campaign
        target = tracker.disputes.target_at(campaign, refused.address)
        what = sentence(target.event, Names.of_state(tracker.boards.state_at(campaign)))
        raise records.NotARoll(address=refused.address, what=what) from None

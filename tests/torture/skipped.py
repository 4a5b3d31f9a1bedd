"""A ruling that decides only what its change can touch, beside one that decides everything behind it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from otherwise import does_not_notice

from tracker.campaign.rulings import selective_replay
from tracker.campaign.rulings.redecision import RedecidedSlot, Redecision, slots_of
from tracker.campaign.rulings.state_diff import state_diff
from tracker.campaign.state import CampaignState
from tracker.records import names_of_fields
from tracker.service import access_index_cache
from tracker.service.application import Tracker
from tracker.service.log_view import CurrentLogView, LogView
from tracker.service.ruling_request import RulingRequest
from tracker.service.rulings import Preview


@contextmanager
def everything_decided() -> Iterator[None]:
    """Nothing is known of what entries touch."""
    with patch.object(CurrentLogView, "tail_from", LogView.tail_from):
        yield


def note_touches(tracker: Tracker, campaign: str, dice: random.Random) -> int:
    """Now and then what is known grows, in blocks of any length. What was not noted of an entry may be
    something else, and it comes out the same.
    """
    if dice.random() < 0.3:
        return 0
    slots = dice.choice((1, 3, 16))
    entries = tracker.repository.store.head(campaign).entries
    place = dice.randint(1, entries)
    (slot,) = slots_of(tracker.repository.log.slot(campaign, place))
    before = tracker.repository.state(campaign, as_of_slot=place - 1) if place > 1 else CampaignState()
    does_not_notice(before, slot)
    return access_index_cache.extend_access_index(tracker.repository, campaign, slots=slots)


def previewed_twice(
    tracker: Tracker, campaign: str, name: str | None, answer: RulingRequest, dice: random.Random
) -> Preview:
    """The preview of a ruling; one that decides everything behind it comes out the same."""
    with ExitStack() as stack:
        for constant in ("WORTH_A_SNAPSHOT", "WORTH_FOLDING_IN_PLACE"):
            stack.enter_context(patch.object(selective_replay, constant, dice.choice((0, 8, 1_000))))
        quick = tracker.rulings.preview(campaign, name, answer)
    with everything_decided():
        whole = tracker.rulings.preview(campaign, name, answer)
    same_redecision(quick.redecision, whole.redecision)
    for part in names_of_fields(quick):
        if part != "redecision":
            assert getattr(quick, part) == getattr(whole, part), f"the preview's {part}"
    assert not state_diff(quick.after, whole.after), "the state after the ruling"
    return quick


def same_redecision(quick: Redecision, whole: Redecision) -> None:
    """Nothing was missed, and nothing differs."""
    assert [*map(_told, quick.slots)] == [*map(_told, whole.slots)], "the entries that come out differently"
    different = state_diff(quick.state, whole.state)
    assert not different, f"the state: {different.components} {different.fighters}"
    assert quick.unchanged == whole.unchanged, "how many come out the same"
    assert quick.absences == whole.absences, "who missed which battle"


def _told(redecided: RedecidedSlot) -> list[object]:
    # A refusal or a missing die is an object of its own each time; what it says is in `why`.
    parts = [name for name in names_of_fields(redecided) if name not in ("judgement", "refusal", "needed")]
    return [(name, getattr(redecided, name)) for name in parts]

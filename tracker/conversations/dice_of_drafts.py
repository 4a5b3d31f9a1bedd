"""Provable dice of reports that are still being written: what asks for them, and which requests those are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from tracker.campaign.state import DiceSession
from tracker.conversations.chosen_campaign import ChosenCampaign
from tracker.dice import Roller
from tracker.documents.wizard import writing

_ALIKE_MAX: Final = 200
"""So many requests of one draft say the same at most."""


def drawn(
    chosen: ChosenCampaign, seed: str, what: str, taken: frozenset[int], *, asks: bool
) -> tuple[int, Roller]:
    """The request that draws the dice of one entry, and its dice from the first.

    Where somebody answers, it is asked for; who only looks finds what was asked for. A request that another
    entry holds draws for no second one.
    """
    for number in count():
        source = chosen.tracker.dice.draw(
            chosen.campaign, what=what, digest=_digest_of(seed, what, number), asks=asks
        )
        assert source.request is not None, "it was asked for"
        assert source.roller is not None, "it was asked for"
        if source.request not in taken:
            return source.request, source.roller()
    raise AssertionError("there are more numbers than entries")


def _digest_of(seed: str, what: str, number: int) -> str:
    """By what a draft knows its `number`th request for these dice."""
    return hashlib.sha256(f"{seed} {what} {number}".encode()).hexdigest()


def asked_by(seed: str, session: DiceSession | None) -> frozenset[int]:
    """The open requests of the draft with this seed."""
    open_now = session.requests.values() if session is not None else ()
    return frozenset(
        asked.request
        for asked in open_now
        if any(asked.digest == _digest_of(seed, asked.what, number) for number in range(_ALIKE_MAX))
    )


def named_by(report: str, session: DiceSession | None) -> frozenset[int]:
    """The open requests that dice of a report name."""
    if session is None or not session.requests:
        return frozenset()
    entries = writing.plain_of(report, file="").get("entries") or ()
    return frozenset(requests_of(entries)) & session.requests.keys()


def requests_of(entries: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """The requests that the dice of these entries name."""
    for entry in entries:
        for faces in (entry.get("dice") or {}).values():
            for face in faces if isinstance(faces, list) else (faces,):
                if isinstance(face, Mapping) and "request" in face:
                    yield face["request"]

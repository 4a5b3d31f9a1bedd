"""The requests for provable dice that a draft made, and those that a report names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tracker.campaign.state import DiceSession
from tracker.documents.wizard import writing

_ALIKE_MAX: Final = 200
"""So many requests of one draft say the same at most."""


def digest_of(seed: str, what: str, number: int) -> str:
    """By what a draft knows its `number`th request for these dice."""
    return hashlib.sha256(f"{seed} {what} {number}".encode()).hexdigest()


def asked_by(seed: str, session: DiceSession | None) -> frozenset[int]:
    """The open requests of the draft with this seed."""
    open_now = session.requests.values() if session is not None else ()
    return frozenset(
        asked.request
        for asked in open_now
        if any(asked.digest == digest_of(seed, asked.what, number) for number in range(_ALIKE_MAX))
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

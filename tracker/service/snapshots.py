"""Snapshots: a folded state as bytes, labelled with the code that folded it.

A snapshot is a cache: one made by other code is ignored, and deleting it costs only speed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

import msgspec

from tracker.campaign import (
    after_battle,
    cards,
    containers,
    fighters,
    holdings,
    members,
    profiles,
    records,
    verdicts,
)
from tracker.campaign import evolve as evolving
from tracker.campaign import state as states
from tracker.campaign.evolve import evolve
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.records import collector_held, decoder_of
from tracker.service.refusals import SnapshotDamaged
from tracker.service.snapshot_parts import PartReader, StoredState, parts_of, stored_state, written_part

EVERY_ENTRIES = 64
DIGEST_BYTES = 32
SPAN = 4
"""The number of snapshots at each distance from the end, before the distance doubles."""


FOLDING: Final = (
    *(evolving, records, cards, containers, fighters),
    *(states, after_battle, holdings, members, profiles, verdicts),
)
"""The modules and packages that fold a state."""


@cache
def fingerprint() -> str:
    """Identifies the folding code; snapshots of other code are ignored."""
    digest = hashlib.sha256(b"snapshots in parts behind a digest")
    for module in FOLDING:
        assert module.__file__ is not None, "the folding code lies in files"
        file = Path(module.__file__)
        files = sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]
        for path in files:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def written_state(state: CampaignState, campaign: str, entry: int) -> bytes:
    """The stored form of a state, after a digest of it, its campaign and its entry.

    Former fighters and past battles are in `written_parts`, whose names it holds.
    """
    encoded = msgspec.json.encode(stored_state(state))
    return _digest(encoded, campaign, entry) + encoded


def written_parts(state: CampaignState) -> dict[str, Callable[[], bytes]]:
    """The parts of a written state by name; each is encoded when called."""
    return {part.name: partial(written_part, part) for part in parts_of(state) if part.name is not None}


def read_state(body: bytes, campaign: str, parts: PartReader) -> CampaignState:
    """The state of a snapshot; its parts are read on demand. Raises SnapshotDamaged."""
    digest, encoded = body[:DIGEST_BYTES], body[DIGEST_BYTES:]
    if digest != _digest(encoded, campaign, parts.entry):
        raise SnapshotDamaged(entry=parts.entry)
    try:
        return parts.state(decoded_state(encoded))
    except (
        msgspec.MsgspecError,
        RecursionError,
        KeyError,
    ) as wrong:  # somebody changed the bytes and their digest
        raise SnapshotDamaged(entry=parts.entry) from wrong


def _digest(encoded: bytes, campaign: str, entry: int) -> bytes:
    return hashlib.sha256(f"{campaign} {entry} {fingerprint()} ".encode() + encoded).digest()


@lru_cache(maxsize=1)
def decoded_state(encoded: bytes) -> StoredState:
    """A state from its bytes. Cached, because repeated views of one battle begin at the same snapshot."""
    with collector_held():
        stored: StoredState = decoder_of(StoredState).decode(encoded)
    return stored


def worth_keeping(entries: Iterable[int]) -> tuple[int, ...]:
    """The entries whose snapshots to keep: the further back, the wider apart.

    Their number grows with the logarithm of the log. Folding from the one before an entry takes a small
    multiple of what lies after it, which a ruling there decides again anyway.
    """
    blocks = {entry // EVERY_ENTRIES: entry for entry in sorted(entries)}
    newest = max(blocks, default=0)
    # `block & -block` is the largest power of two that divides it.
    return tuple(entry for block, entry in blocks.items() if newest - block <= SPAN * (block & -block))


class PassingHistory:
    """Folds live history while a reader consumes it; `states` collects the states after some entries.

    An entry before which a later ruling refilled a slot has no state of its own in live history, and is left
    out.
    """

    def __init__(self, live: Iterable[RecordedEvent], after_entries: Iterable[int]) -> None:
        self.state = CampaignState()
        self.states: dict[int, CampaignState] = {}
        self._live = live
        self._waiting = sorted(after_entries, reverse=True)

    def __iter__(self) -> Iterator[RecordedEvent]:
        latest = 0
        for recorded in self._live:
            self._gather(recorded.slot - 1, latest)
            self.state = evolve(self.state, recorded.event)
            latest = max(latest, recorded.entry)
            yield recorded
        self._gather(latest, latest)

    def folded(self, _state: CampaignState, _event: records.Event) -> CampaignState:
        """A fold for a reader that needs only the final state, which is folded here already."""
        return self.state

    def _gather(self, through: int, latest: int) -> None:
        while self._waiting and self._waiting[-1] <= through:
            entry = self._waiting.pop()
            if latest <= entry:
                self.states[entry] = self.state

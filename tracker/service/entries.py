"""Entries in the making: decided events get numbers, ids, a clock's time and their place in an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.steps.decision import Decided
from tracker.log.codec import Codec
from tracker.log.sealing import Draft, Head


class Stamp(Protocol):
    """What an event is stamped with: the rulebook it was decided under."""

    @property
    def version(self) -> str: ...
    @property
    def digest(self) -> str: ...


class EntryWriter:
    """Turns decided events into drafts and recorded events, numbering as it goes."""

    def __init__(self, head: Head, codec: Codec, *, actor: str, at: str, new_id: Callable[[], str]) -> None:
        self.head = head
        self.drafts: list[Draft] = []
        self.recorded: list[RecordedEvent] = []
        self._codec = codec
        self._actor = actor
        self._at = at
        self._new_id = new_id
        self._entry = head.entries
        self._entry_start = head.size

    def begin_entry(self) -> None:
        """What is added from here on belongs to the next entry."""
        self._entry += 1
        self._entry_start = self.head.size + len(self.drafts)

    def add(
        self,
        decided: Iterable[Decided],
        rulebook: Stamp,
        *,
        slot: int | None = None,
        caused_by: int | None = None,
    ) -> None:
        """Add one filling of a slot: the entry's own, or, in a ruling, an older one `caused_by` its word."""
        first_seq = self.head.size + len(self.drafts)
        for number, one in enumerate(decided):
            seq = first_seq + number
            name, shape = self._codec.name_of(one.event)
            causation = first_seq + one.cause if number else caused_by
            self.drafts.append(
                Draft(
                    type=name,
                    shape=shape,
                    entry=self._entry,
                    slot=slot or self._entry,
                    event_id=self._new_id(),
                    at=self._at,
                    actor=self._actor,
                    policy_version=rulebook.version,
                    policy_digest=rulebook.digest,
                    causation=causation,
                    data=self._codec.written(one.event),
                )
            )
            self.recorded.append(
                RecordedEvent(
                    seq=seq,
                    entry=self._entry,
                    position=seq - self._entry_start + 1,
                    slot=slot or self._entry,
                    at=self._at,
                    actor=self._actor,
                    policy_version=rulebook.version,
                    policy_digest=rulebook.digest,
                    causation=causation,
                    event=one.event,
                )
            )

    def entries(self) -> tuple[tuple[RecordedEvent, ...], ...]:
        """What was added, entry by entry."""
        gathered: dict[int, list[RecordedEvent]] = {}
        for one in self.recorded:
            gathered.setdefault(one.entry, []).append(one)
        return tuple(tuple(events) for events in gathered.values())

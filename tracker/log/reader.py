"""The reader: typed events in the order of play or in the order written.

Knows that a slot may have been filled more than once and that its latest filling counts. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Protocol

import msgspec

from tracker.campaign import records
from tracker.campaign.evolve import INFORMING
from tracker.campaign.recorded_event import RecordedEvent
from tracker.log.codec import HEADER, Codec
from tracker.log.store import StoredEvent
from tracker.records import decoder_of


class _Stamp(msgspec.Struct):
    at: str


INFORMATIONAL = frozenset(name for name, kind in records.EVENTS.items() if kind in INFORMING)
"""The names of events that change no state."""
_slot = attrgetter("slot")


class Store(Protocol):
    """A source of stored events: a database's `EventStore`, or anything with the same methods."""

    def read(
        self, campaign: str, *, first_seq: int = 0, last_seq: int | None = None
    ) -> Iterator[StoredEvent]: ...
    def read_entry(self, campaign: str, entry: int) -> tuple[StoredEvent, ...]: ...
    def read_slots(
        self,
        campaign: str,
        *,
        after_slot: int = 0,
        through_entry: int | None = None,
        unread: frozenset[str] = frozenset(),
    ) -> Iterator[StoredEvent]: ...
    def read_slot(
        self, campaign: str, slot: int, *, through_entry: int | None = None
    ) -> tuple[StoredEvent, ...]: ...
    def headers_backwards(self, campaign: str, header: str) -> Iterator[tuple[int, bytes]]: ...
    def refilled_slots(self, campaign: str, *, through_entry: int | None = None) -> tuple[int, ...]: ...


class LogReader:
    """Reads one database's logs through a codec."""

    def __init__(self, store: Store, codec: Codec) -> None:
        self._store = store
        self._codec = codec
        self._ruling_starts: dict[tuple[str, int], int] = {}

    def live(
        self, campaign: str, *, after_slot: int = 0, as_of_entry: int | None = None
    ) -> Iterator[RecordedEvent]:
        """The live events in the order of play: each slot's latest filling as of the given entry."""
        for filled in self._slots(campaign, after_slot, as_of_entry):
            yield from self._typed(campaign, filled)

    def moving(
        self, campaign: str, *, after_slot: int = 0, as_of_entry: int | None = None
    ) -> Iterator[records.Event]:
        """The live events that change the state: dice and informational events are not read."""
        for _, events in self.moving_by_slot(campaign, after_slot=after_slot, as_of_entry=as_of_entry):
            yield from events

    def moving_by_slot(
        self, campaign: str, *, after_slot: int = 0, as_of_entry: int | None = None
    ) -> Iterator[tuple[int, Iterable[records.Event]]]:
        """The same, with the slot that it fills; a slot that changes nothing may be left out."""
        waiting: list[StoredEvent] = []
        slot = entry = 0
        for stored in self._store.read_slots(
            campaign, after_slot=after_slot, through_entry=as_of_entry, unread=INFORMATIONAL
        ):
            if stored.slot != slot:
                yield slot, map(self._codec.event, waiting)
                waiting, slot, entry = [], stored.slot, stored.entry
            elif stored.entry != entry:
                waiting, entry = [], stored.entry  # filled again: its earlier events no longer count
            if stored.type not in INFORMATIONAL:
                waiting.append(stored)
        yield slot, map(self._codec.event, waiting)

    def struck(self, campaign: str, *, as_of_entry: int | None = None) -> Iterator[RecordedEvent]:
        """The events that a ruling superseded, in the order of play, as of the given entry."""
        for slot in self._store.refilled_slots(campaign, through_entry=as_of_entry):
            filled = self._store.read_slot(campaign, slot, through_entry=as_of_entry)
            latest = filled[-1].entry
            yield from self._typed(campaign, [event for event in filled if event.entry != latest])

    def written(
        self, campaign: str, *, first_seq: int = 0, last_seq: int | None = None
    ) -> Iterator[RecordedEvent]:
        """Everything, in the order written. `first_seq` begins an entry."""
        entry, start = 0, first_seq
        for event in self._store.read(campaign, first_seq=first_seq, last_seq=last_seq):
            if event.entry != entry:
                entry, start = event.entry, event.seq
            yield self._codec.read(event, event.seq - start + 1)

    def entry(self, campaign: str, entry: int) -> tuple[RecordedEvent, ...]:
        """One entry, whole; empty when there is none of that number."""
        stored = self._store.read_entry(campaign, entry)
        return tuple(self._codec.read(event, position) for position, event in enumerate(stored, start=1))

    def slot(self, campaign: str, slot: int, *, as_of_entry: int | None = None) -> tuple[RecordedEvent, ...]:
        """The events that fill one slot now, or filled it as of the given entry."""
        return self.latest(campaign, self._store.read_slot(campaign, slot, through_entry=as_of_entry))

    def latest(self, campaign: str, filled: Sequence[StoredEvent]) -> tuple[RecordedEvent, ...]:
        """The events that count, from all that were written into one slot."""
        latest = filled[-1].entry if filled else 0
        return tuple(self._typed(campaign, [event for event in filled if event.entry == latest]))

    def moments(self, campaign: str) -> Iterator[tuple[int, str]]:
        """Every entry with its timestamp, newest first."""
        for entry, body in self._store.headers_backwards(campaign, HEADER):
            yield entry, decoder_of(_Stamp).decode(body).at

    def fillings(
        self, campaign: str, slot: int, *, as_of_entry: int | None = None
    ) -> list[tuple[RecordedEvent, ...]]:
        """Every version of one slot, oldest first, as of the given entry."""
        filled = self._store.read_slot(campaign, slot, through_entry=as_of_entry)
        entries = dict.fromkeys(event.entry for event in filled)
        return [
            tuple(self._typed(campaign, [event for event in filled if event.entry == entry]))
            for entry in entries
        ]

    def slots_holding(
        self, campaign: str, types: frozenset[str], *, as_of_entry: int | None = None
    ) -> tuple[int, ...]:
        """The slots that held an event of these types, as of the given entry. Decodes no event."""
        return tuple(
            filled[0].slot
            for filled in self._slots(campaign, 0, as_of_entry)
            if any(event.type in types for event in filled)
        )

    def _slots(self, campaign: str, after_slot: int, as_of_entry: int | None) -> Iterator[list[StoredEvent]]:
        """The latest filling of each slot."""
        stored = self._store.read_slots(campaign, after_slot=after_slot, through_entry=as_of_entry)
        for _, one_slot in groupby(stored, _slot):
            filled = list(one_slot)
            latest = filled[-1].entry
            if filled[0].entry != latest:
                filled = [event for event in filled if event.entry == latest]
            yield filled

    def _typed(self, campaign: str, filled: Iterable[StoredEvent]) -> Iterator[RecordedEvent]:
        entry, start = 0, 0
        for event in filled:
            if event.entry != entry:
                entry, start = event.entry, self._start(campaign, event)
            yield self._codec.read(event, event.seq - start + 1)

    def _start(self, campaign: str, event: StoredEvent) -> int:
        """The seq where an entry begins: that of the header in its own slot. A ruling's other slots have
        none.
        """
        if event.slot == event.entry:
            return event.seq
        known = (campaign, event.entry)
        if known not in self._ruling_starts:
            self._ruling_starts[known] = self._store.read_entry(campaign, event.entry)[0].seq
        return self._ruling_starts[known]

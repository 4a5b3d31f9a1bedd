"""An exported log: one campaign's events from a file, with the same queries as a database.

Knows no database. Its events are in the order written, from the first one on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter

from tracker.log.store import StoredEvent


class ExportedLog:
    """One campaign's events for a `LogReader`; ignores the campaign's id."""

    def __init__(self, events: Sequence[StoredEvent]) -> None:
        self._events = events
        self._by_slot: defaultdict[int, list[StoredEvent]] = defaultdict(list)
        self._by_entry: defaultdict[int, list[StoredEvent]] = defaultdict(list)
        for event in events:
            self._by_slot[event.slot].append(event)
            self._by_entry[event.entry].append(event)

    @property
    def entries(self) -> int:
        """The number of the last entry."""
        return self._events[-1].entry

    def read(
        self, campaign: str, *, first_seq: int = 0, last_seq: int | None = None
    ) -> Iterator[StoredEvent]:
        """Events in the order written, both ends included."""
        del campaign
        yield from self._events[first_seq : None if last_seq is None else last_seq + 1]

    def read_entry(self, campaign: str, entry: int) -> tuple[StoredEvent, ...]:
        """The events of one entry."""
        del campaign
        return tuple(self._by_entry.get(entry, ()))

    def read_slot(
        self, campaign: str, slot: int, *, through_entry: int | None = None
    ) -> tuple[StoredEvent, ...]:
        """Every event that was written into one slot, oldest first."""
        del campaign
        events = self._by_slot.get(slot, ())
        return tuple(event for event in events if through_entry is None or event.entry <= through_entry)

    def read_slots(
        self,
        campaign: str,
        *,
        after_slot: int = 0,
        through_entry: int | None = None,
        unread: frozenset[str] = frozenset(),
    ) -> Iterator[StoredEvent]:
        """Events by slot, in a slot by seq. Events of the types in `unread` are left out, except in refilled
        slots.
        """
        for slot in sorted(slot for slot in self._by_slot if slot > after_slot):
            for event in self.read_slot(campaign, slot, through_entry=through_entry):
                if event.type not in unread or event.entry != event.slot:
                    yield event

    def refilled_slots(self, campaign: str, *, through_entry: int | None = None) -> tuple[int, ...]:
        """The slots that a later entry filled again, in order."""
        del campaign
        slots = {
            event.slot
            for event in self._events
            if event.entry != event.slot and (through_entry is None or event.entry <= through_entry)
        }
        return tuple(sorted(slots))

    def headers_backwards(self, campaign: str, header: str) -> Iterator[tuple[int, bytes]]:
        """Each entry's own header (events of that type) with its bytes, newest first."""
        del campaign
        for event in sorted(self._events, key=attrgetter("seq"), reverse=True):
            if event.type == header and event.slot == event.entry:
                yield event.entry, event.body

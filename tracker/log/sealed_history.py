"""Sealed history: reads the events that change the state from segments, and from the rows after them.

Knows that a ruling may refill slots that lie in a segment. Reads the rows instead of a damaged segment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, select

from tracker.campaign import records
from tracker.log import segments
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.database import reading, writing
from tracker.log.reader import INFORMATIONAL, LogReader
from tracker.log.sealing import Head
from tracker.log.segments import Segment
from tracker.log.store import EventStore, StoredEvent
from tracker.log.verification import ChainWalk, LogFault, log_end, verify_log
from tracker.schema import heads

WORTH_ASKING = 1_000
"""Fewer entries than this are read from rows, because looking for segments takes time too."""


class SealedHistory:
    """Reads the segments of one database."""

    def __init__(self, store: EventStore, codec: Codec) -> None:
        self._store = store
        self._codec = codec
        self._rows = LogReader(store, codec)

    def moving(
        self,
        campaign: str,
        *,
        after_slot: int = 0,
        as_of_entry: int | None = None,
        worth_asking: int | None = None,
    ) -> Iterator[records.Event]:
        """The live events that change the state, as of the given entry: those of `LogReader.moving`, but
        faster where there are segments. An event from a segment is of a class derived from its own.

        `worth_asking`: the fewest entries that are read from segments; None: WORTH_ASKING.
        """
        for _, events in self._moving(campaign, after_slot, as_of_entry, worth_asking, by_slot=False):
            yield from events

    def moving_by_slot(
        self, campaign: str, *, after_slot: int = 0, as_of_entry: int | None = None
    ) -> Iterator[tuple[int, Iterable[records.Event]]]:
        """The same events with the slot that they fill. A slot that changes nothing may be left out."""
        return self._moving(campaign, after_slot, as_of_entry, None, by_slot=True)

    def _moving(
        self,
        campaign: str,
        after_slot: int,
        as_of_entry: int | None,
        worth_asking: int | None,
        *,
        by_slot: bool,
    ) -> Iterator[tuple[int, Iterable[records.Event]]]:
        last = self._store.head(campaign).entries
        last = last if as_of_entry is None else min(as_of_entry, last)
        fewest = WORTH_ASKING if worth_asking is None else worth_asking
        sealed = self._sealed_segments(campaign, after_slot, last) if last - after_slot >= fewest else []
        if not sealed:
            yield from self._from_rows(campaign, after_slot, as_of_entry, by_slot=by_slot)
            return
        refills = self._refills(campaign, sealed, last)
        pending_slots = sorted((slot for slot in refills if slot > after_slot), reverse=True)
        through = 0
        for segment in sealed:
            if segment.entries > after_slot and through < last:
                body = self._body(campaign, segment)
                if body is None:
                    break  # the rows have the rest
                places, events = segments.unpacked(body)
                is_plain = not segment.refills and through >= after_slot and segment.entries <= last
                if not by_slot and is_plain and not (pending_slots and pending_slots[-1] <= segment.entries):
                    yield segment.entries, events
                else:
                    yield from _live_slots(places, events, refills, pending_slots, after_slot, last)
                while pending_slots and pending_slots[-1] <= segment.entries:
                    yield pending_slots[-1], refills[pending_slots.pop()]
            through = segment.entries
        if through < last:
            begin = max(after_slot, through)
            yield from self._from_rows(campaign, begin, last, by_slot=by_slot)

    def _from_rows(
        self, campaign: str, after_slot: int, as_of_entry: int | None, *, by_slot: bool
    ) -> Iterator[tuple[int, Iterable[records.Event]]]:
        if by_slot:
            return self._rows.moving_by_slot(campaign, after_slot=after_slot, as_of_entry=as_of_entry)
        return iter(((0, self._rows.moving(campaign, after_slot=after_slot, as_of_entry=as_of_entry)),))

    def _sealed_segments(self, campaign: str, after_slot: int, last: int) -> list[Segment]:
        """The segments that hold the entries from a slot to the last entry, and all segments before them."""
        with self._store.reading() as connection:
            if not segments.any_kept(connection, campaign):
                return []
            sealed = segments.kept_segments(connection, campaign)
        while sealed and len(sealed) > 1 and sealed[-2].entries >= last:
            sealed.pop()
        if not sealed or sealed[-1].entries <= after_slot:
            return []
        end = sealed[-1].size - 1
        stored = next(self._store.read(campaign, first_seq=end, last_seq=end), None)
        # The leaf depends on every event before it. If it differs, the segments are of another log: ignore
        # them.
        return sealed if stored is not None and stored.leaf == sealed[-1].leaf else []

    def _body(self, campaign: str, segment: Segment) -> bytes | None:
        with self._store.reading() as connection:
            return segments.body_of(connection, campaign, segment)

    def _refills(self, campaign: str, sealed: list[Segment], last: int) -> dict[int, Iterator[records.Event]]:
        """The events that count in each refilled slot. Cuts `sealed` at the first damaged segment."""
        refills: dict[int, Iterator[records.Event]] = {}
        for place, segment in enumerate(sealed):
            if segment.refills:
                body = self._body(campaign, segment)
                if body is None:
                    del sealed[place:]
                    break
                for slot, raw in segments.refills_in(body, through_entry=last).items():
                    refills[slot] = map(segments.unpacked_event, raw)
        end = sealed[-1] if sealed else None
        if end is not None and end.entries < last:
            for slot, filling in self._refilled_since(campaign, end, last).items():
                refills[slot] = map(self._codec.event, filling)
        return refills

    def _refilled_since(self, campaign: str, end: Segment, last: int) -> dict[int, list[StoredEvent]]:
        refills: dict[int, list[StoredEvent]] = {}
        latest: dict[int, int] = {}
        for stored in self._store.refilled_since(
            campaign, size=end.size, through_slot=end.entries, through_entry=last
        ):
            if latest.get(stored.slot) != stored.entry:
                latest[stored.slot], refills[stored.slot] = stored.entry, []
            if stored.type not in INFORMATIONAL:
                refills[stored.slot].append(stored)
        return refills


def _live_slots(
    places: Sequence[segments.SlotPlace],
    events: Sequence[records.Event],
    refills: dict[int, Iterator[records.Event]],
    pending_slots: list[int],
    after_slot: int,
    last: int,
) -> Iterator[tuple[int, Iterable[records.Event]]]:
    """The events of a segment that count, slot by slot, with refills in place of what they replaced."""
    start = 0
    for entry, slot, moved in places:
        end = start + moved
        if entry == slot and after_slot < slot <= last:
            while pending_slots and pending_slots[-1] <= slot:
                yield pending_slots[-1], refills[pending_slots.pop()]
            if slot not in refills:
                yield slot, events[start:end]
        start = end


class SegmentSealer:
    """Seals the rows that a walk over the log has verified."""

    def __init__(self, sealer: segments.Sealer, made: Callable[[Segment, bytes], None]) -> None:
        self._sealer = sealer
        self._made = made

    def through(self, walk: ChainWalk, page: Sequence[Any]) -> LogFault | None:
        """Walk over these rows. Raises EventUnreadable if this program cannot read one."""
        start = 0
        for place, row in enumerate(page):
            if self._sealer.is_full_before(row[1]):
                fault = walk.through(page[start:place])
                if fault is not None:
                    return fault
                self._made(*self._sealer.seal(walk.head))
                start = place
            fault = _gather(self._sealer, row, walk, page[start:])
            if fault is not None:
                return fault
        return walk.through(page[start:])


class SegmentCheck:
    """Makes segments again while a walk verifies the rows, and compares each with the stored one."""

    def __init__(
        self, campaign: str, codec: Codec, kept: Sequence[Segment], *, behind: Segment | None = None
    ) -> None:
        self.equal = 0
        self.wrong: list[str] = []
        self._sealer = segments.Sealer(campaign, codec, behind)
        self._waiting = [*kept][::-1]
        self._before = behind.digest if behind is not None else segments.NOTHING_BEFORE
        self._behind, self._entry = behind, behind.entries if behind is not None else 0
        self._walk: ChainWalk | None = None

    def through(self, walk: ChainWalk, page: Sequence[Any]) -> LogFault | None:
        """Walk over these rows. Raises EventUnreadable if this program cannot read one."""
        start, self._walk = 0, walk
        if self._behind is not None and page:
            if page[0][1] == self._behind.entries:
                self._add_fault(self._behind)
            self._behind = None
        for place, row in enumerate(page):
            if not self._waiting:
                break
            if row[0] == self._waiting[-1].size:
                fault = walk.through(page[start:place])
                if fault is not None:
                    return fault
                self._compare(walk.head, is_whole=row[1] != self._entry)
                start = place
            if self._waiting:
                fault = _gather(self._sealer, row, walk, page[start:])
                if fault is not None:
                    return fault
            self._entry = row[1]
        return walk.through(page[start:])

    def ended(self) -> None:
        """Note the end of the walk: the log is good, so a segment that is still waiting goes beyond it."""
        if self._waiting and self._walk is not None and self._waiting[-1].size == self._walk.head.size:
            self._compare(self._walk.head, is_whole=True)
        self.wrong += [
            f"the segment from event {kept.first_seq} on is longer than the log" for kept in self._waiting
        ]

    def _compare(self, head: Head, *, is_whole: bool) -> None:
        expected = self._waiting.pop()
        remade, _ = self._sealer.seal(head, self._before)
        if is_whole and remade == expected:
            self.equal += 1
        else:
            self._add_fault(expected)
        self._before = expected.digest

    def _add_fault(self, segment: Segment) -> None:
        events = f"events {segment.first_seq} to {segment.size - 1}"
        self.wrong.append(f"the segment of {events} differs from the rows")


def _gather(sealer: segments.Sealer, row: Any, walk: ChainWalk, rest: Sequence[Any]) -> LogFault | None:
    """Gather a row. If it cannot be read, returns the fault of the rows from `rest` on, if there is one."""
    seq, entry, slot, kind, _, body, leaf = row
    name = kind.decode(errors="replace") if isinstance(kind, bytes) else kind
    try:
        sealer.take(StoredEvent(seq, entry, slot, name, body, leaf))
    except EventUnreadable:
        fault = walk.through(rest)
        if fault is None:
            raise
        return fault
    return None


def whole_segments(engine: Engine, campaign: str) -> list[Segment]:
    """The segments of a campaign, up to the first that is damaged or belongs to another log."""
    store = EventStore(engine)
    with reading(engine) as connection:
        sealed = (
            segments.kept_segments(connection, campaign) if segments.any_kept(connection, campaign) else []
        )
    whole: list[Segment] = []
    for segment in sealed:
        with reading(engine) as connection:
            body = segments.body_of(connection, campaign, segment)
        end = segment.size - 1
        stored = next(store.read(campaign, first_seq=end, last_seq=end), None)
        if body is None or stored is None or stored.leaf != segment.leaf:
            break
        whole.append(segment)
    return whole


def worth_sealing(engine: Engine) -> dict[str, int]:
    """The length of each log that has enough events after its last segment to be worth sealing. Fewer than
    half of all events change the state.
    """
    with reading(engine) as connection:
        lengths = segments.sealed_lengths(connection)
        sizes = connection.execute(select(heads.c.campaign_id, heads.c.size))
        due = 2 * segments.MOVING_EVENTS
        return {name: size for name, size in sizes if size - lengths.get(name, 0) >= due}


def seal_history(
    engine: Engine,
    campaign: str,
    codec: Codec,
    *,
    moving_events: int | None = None,
    most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Verify the rows after the last segment and seal them, into at most `most` segments; returns how many.

    A damaged segment is made again. Rows are read without a lock, and each segment is written in a short
    transaction of its own, so that no append waits longer than for another append.
    """
    whole = whole_segments(engine, campaign)
    last = whole[-1] if whole else None
    with reading(engine) as connection:
        end = log_end(connection, campaign)
    if segments.left_over(engine, campaign, whole):
        with writing(engine) as connection:
            segments.drop_segments(connection, campaign, from_seq=last.size if last is not None else 0)
    wanted = segments.MOVING_EVENTS if moving_events is None else moving_events
    if end.size - (last.size if last is not None else 0) < wanted:
        return 0
    made = 0

    def keep(segment: Segment, body: bytes) -> None:
        nonlocal made
        with writing(engine) as connection:
            segments.keep_segment(connection, campaign, segment, body)
        made += 1
        if made == most:
            raise _LimitReached

    sealing = SegmentSealer(segments.Sealer(campaign, codec, last, moving_events=wanted), keep)
    with suppress(_LimitReached, EventUnreadable):
        start = segments.start_of(campaign, last)
        verify_log(engine, campaign, end, progress, start=start, through=sealing.through)
    return made


class _LimitReached(Exception):
    """The requested number of segments was made."""

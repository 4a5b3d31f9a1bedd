"""Sealed segments: blocks of whole entries that hold only the events that change the state.

A segment is a cache made from verified rows; deleting it costs only speed. Its digest shows damage, but
somebody who can edit both can forge it: `audit verify --deep` makes it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, Union

import msgspec
import msgspec.inspect
from sqlalchemy import Connection, Engine, delete, func, select, text

from tracker.campaign import records
from tracker.campaign.evolve import INFORMING
from tracker.log import codec as codecs
from tracker.log import upcasts
from tracker.log.chain import EMPTY_FRONTIER, HASH_BYTES, Frontier
from tracker.log.codec import Codec
from tracker.log.database import reading
from tracker.log.reader import INFORMATIONAL
from tracker.log.sealing import Head
from tracker.log.store import StoredEvent
from tracker.records import Record, packed_decoder_of, replace
from tracker.schema import segments

MOVING_EVENTS = 4_096
"""The fewest events of a segment; it ends at the next end of an entry."""
NOTHING_BEFORE = bytes(HASH_BYTES)
"""The digest that the first segment of a campaign names as that of the one before."""


_once = RLock()


class SlotPlace(NamedTuple):
    """A slot, the entry that filled it, and how many of its events change the state (`moved`)."""

    entry: int
    slot: int
    moved: int


class Segment(Record):
    """A segment without its body.

    It holds the entries after those of the segment before, up to `entries`. At its end the log has `size`
    events with the Merkle frontier `frontier`. `refills` counts the slots of earlier entries that it fills
    again. `digest` covers all of this, the body's digest, and the digest of the segment before.
    """

    first_seq: int
    size: int
    entries: int
    refills: int
    leaf: bytes
    frontier: bytes
    body_digest: bytes
    digest: bytes

    def head(self, campaign: str) -> Head:
        """The head of the log after the last entry of this segment."""
        return Head(
            campaign=campaign,
            size=self.size,
            entries=self.entries,
            leaf_hex=self.leaf.hex(),
            frontier=Frontier.from_bytes(self.frontier),
        )


# --- bytes -----------------------------------------------------------------------------------------------


class _Slim(NamedTuple):
    """The event classes as they are written: as lists that begin with the number of the type."""

    number_and_fields: dict[type[records.Event], tuple[int, Any]]
    single: Any
    """The class that an event is written as."""
    fingerprint: str


def _slim() -> _Slim:
    with _once:  # two threads may call it at once
        return _slim_types()


@cache
def _slim_types() -> _Slim:
    moving = [kind for _, kind in sorted(records.EVENTS.items()) if kind not in INFORMING]
    # The same records with another encoding, because nothing else folds them.
    kinds = [_slim_twin(kind, number) for number, kind in enumerate(moving)]
    any_of_them: Any = Union[tuple(kinds)]  # noqa: UP007  # made of a list
    return _Slim(
        number_and_fields={
            kind: (number, _fields(kind.__struct_fields__)) for number, kind in enumerate(moving)
        },
        single=any_of_them,
        fingerprint=_fingerprint(kinds),
    )


def _slim_twin(kind: type[records.Event], number: int) -> type[records.Event]:
    twin: Any = type(kind)
    slim: type[records.Event] = twin(
        kind.__name__, (kind,), {"__module__": __name__}, array_like=True, tag=number
    )
    return slim


def _fields(names: tuple[str, ...]) -> Any:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda event: tuple(getattr(event, name) for name in names)


def _fingerprint(kinds: Sequence[type[records.Event]]) -> str:
    shapes = repr(msgspec.inspect.multi_type_info(kinds))
    digest = sha256(f"segments, msgspec {msgspec.__version__}: {shapes}".encode())
    for file in (__file__, codecs.__file__, upcasts.__file__):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def fingerprint() -> str:
    """Identifies the shapes of events and the code that reads and writes segments; segments of other code are
    ignored. The folding code is not part of it, because a segment holds events and no state.
    """
    return _slim().fingerprint


def packed(places: Sequence[SlotPlace], events: Sequence[records.Event]) -> bytes:
    """The body of a segment."""
    known = _slim().number_and_fields
    written = []
    for event in events:
        number, fields = known[type(event)]
        written.append((number, *fields(event)))
    return msgspec.msgpack.encode(([number for place in places for number in place], written))


def unpacked(body: bytes) -> tuple[list[SlotPlace], list[records.Event]]:
    """The slots and events of a body.

    Each event equals the packed one field for field, and is of a class derived from its class.
    """
    numbers, events = packed_decoder_of(tuple[list[int], list[_slim().single]]).decode(body)  # type: ignore[misc]
    return _places(numbers), events


def refills_in(body: bytes, *, through_entry: int) -> dict[int, list[msgspec.Raw]]:
    """The slots of other entries that a segment refills, with the events of the last entry that did."""
    numbers, raw = packed_decoder_of(tuple[list[int], list[msgspec.Raw]]).decode(body)
    latest: dict[int, int] = {}
    refills: dict[int, list[msgspec.Raw]] = {}
    start = 0
    for entry, slot, moved in _places(numbers):
        if slot != entry <= through_entry:
            if latest.get(slot) != entry:
                latest[slot], refills[slot] = entry, []
            # Copied: a view would keep the whole body in memory.
            refills[slot] += [event.copy() for event in raw[start : start + moved]]
        start += moved
    return refills


def unpacked_event(raw: msgspec.Raw) -> records.Event:
    """One event from `refills_in`, decoded."""
    event: records.Event = packed_decoder_of(_slim().single).decode(raw)
    return event


def _places(numbers: list[int]) -> list[SlotPlace]:
    return list(map(SlotPlace, numbers[::3], numbers[1::3], numbers[2::3]))


def digest_of(campaign: str, segment: Segment, before: bytes) -> bytes:
    """The digest of a segment; `before` is the digest of the segment before it."""
    header = (segment.first_seq, segment.size, segment.entries, segment.refills)
    parts = (segment.leaf, segment.frontier, segment.body_digest, before)
    return sha256(
        msgspec.msgpack.encode((campaign, fingerprint(), header, parts)),
    ).digest()


# --- the table -------------------------------------------------------------------------------------------

_KEEP = text(
    f"INSERT INTO segments ({', '.join(segments.c.keys())})"  # noqa: S608  # names of our own
    f" VALUES (:{', :'.join(segments.c.keys())}) ON CONFLICT DO NOTHING"
)
_ABOUT = tuple(segments.c[name] for name in Segment.__struct_fields__)


def kept_segments(connection: Connection, campaign: str) -> list[Segment]:
    """The segments of a campaign, up to the first that is out of place or belongs to another log."""
    own = select(*_ABOUT).where(segments.c.campaign_id == campaign, segments.c.fingerprint == fingerprint())
    kept: list[Segment] = []
    before, size = NOTHING_BEFORE, 0
    for row in connection.execute(own.order_by(segments.c.first_seq)).mappings():
        segment = Segment(**row)
        if segment.first_seq != size or segment.digest != digest_of(campaign, segment, before):
            break
        kept.append(segment)
        before, size = segment.digest, segment.size
    return kept


def any_kept(connection: Connection, campaign: str) -> bool:
    """Whether there is any segment, from any version of the code."""
    query = select(segments.c.first_seq).where(segments.c.campaign_id == campaign).limit(1)
    return connection.execute(query).first() is not None


def sealed_lengths(connection: Connection) -> dict[str, int]:
    """The length of each campaign's log when this code last sealed it, in events."""
    own = select(segments.c.campaign_id, func.max(segments.c.size)).where(
        segments.c.fingerprint == fingerprint()
    )
    return {row[0]: row[1] for row in connection.execute(own.group_by(segments.c.campaign_id))}


def body_of(connection: Connection, campaign: str, segment: Segment) -> bytes | None:
    """The body of a segment; None if it is missing or changed."""
    query = select(segments.c.body).where(
        segments.c.campaign_id == campaign,
        segments.c.fingerprint == fingerprint(),
        segments.c.first_seq == segment.first_seq,
    )
    body: bytes | None = connection.execute(query).scalar()
    return body if body is not None and sha256(body).digest() == segment.body_digest else None


def keep_segment(connection: Connection, campaign: str, segment: Segment, body: bytes) -> None:
    """Store a segment, unless it is stored already: two processes that seal the same rows make the same."""
    about = {name: getattr(segment, name) for name in Segment.__struct_fields__}
    connection.execute(_KEEP, {"campaign_id": campaign, "fingerprint": fingerprint(), **about, "body": body})


def left_over(engine: Engine, campaign: str, whole: Sequence[Segment]) -> bool:
    """Whether there are segments other than the `whole` ones: damaged ones, or those of other code."""
    with reading(engine) as connection:
        query = select(func.count()).select_from(segments).where(segments.c.campaign_id == campaign)
        return bool(connection.execute(query).scalar() != len(whole))


def drop_segments(connection: Connection, campaign: str, *, from_seq: int = 0) -> None:
    """Delete the segments from an event on, and those of other code."""
    connection.execute(
        delete(segments).where(
            segments.c.campaign_id == campaign,
            (segments.c.fingerprint != fingerprint()) | (segments.c.first_seq >= from_seq),
        )
    )


# --- sealing ---------------------------------------------------------------------------------------------


class Sealer:
    """Gathers verified rows until they make a segment."""

    def __init__(
        self, campaign: str, codec: Codec, last: Segment | None = None, *, moving_events: int = MOVING_EVENTS
    ) -> None:
        self.campaign = campaign
        self._wanted = moving_events
        self._codec = codec
        self._first_seq = last.size if last is not None else 0
        self._before = last.digest if last is not None else NOTHING_BEFORE
        self._entry = last.entries if last is not None else 0
        self._empty()

    def _empty(self) -> None:
        self._numbers: list[int] = []
        self._events: list[records.Event] = []
        self._refills = 0

    def is_full_before(self, entry: int) -> bool:
        """Whether a segment ends before this entry."""
        return entry != self._entry and len(self._events) >= self._wanted

    def take(self, row: StoredEvent) -> None:
        """Gather a verified row. Raises EventUnreadable."""
        moves = row.type not in INFORMATIONAL
        self._entry = entry = row.entry
        if not moves and entry == row.slot:
            return
        numbers = (
            self._numbers
        )  # of the places, one after the other: a tuple of each would be made for every row
        if numbers[-3:-1] != [entry, row.slot]:
            numbers += (entry, row.slot, 0)
            self._refills += entry != row.slot
        if moves:
            numbers[-1] += 1
            self._events.append(self._codec.event(row))

    def seal(self, head: Head, before: bytes | None = None) -> tuple[Segment, bytes]:
        """The gathered rows as a segment that ends at `head`. `before` is the digest of the segment before
        it; None: of the one that was made last.
        """
        body = packed(_places(self._numbers), self._events)
        unsealed = Segment(
            first_seq=self._first_seq,
            size=head.size,
            entries=head.entries,
            refills=self._refills,
            leaf=bytes.fromhex(head.leaf_hex),
            frontier=head.frontier.to_bytes(),
            body_digest=sha256(body).digest(),
            digest=b"",
        )
        segment = replace(unsealed, digest=digest_of(self.campaign, unsealed, before or self._before))
        self._first_seq, self._before = segment.size, segment.digest
        self._empty()
        return segment, body


def start_of(campaign: str, last: Segment | None) -> Head:
    """The head from which the log is not sealed yet."""
    return Head(campaign=campaign, frontier=EMPTY_FRONTIER) if last is None else last.head(campaign)

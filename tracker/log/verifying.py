"""Verifying: every row read again and held against what was sealed.

Knows bytes, hashes, numbers and columns. Damage is a verdict, never an exception.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, LargeBinary, cast, func, select

from tracker.log.canonical import canonical_bytes
from tracker.log.chain import leaf_hash
from tracker.log.database import reading
from tracker.log.refusals import NotStorable
from tracker.log.sealing import Envelope, Head
from tracker.records import dataclass
from tracker.schema import events, heads

PAGE = 500
"""Rows read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The first thing that is wrong in a log: `seq` is None when it is the head row itself."""

    seq: int | None
    kind: str
    reason: str

    def __str__(self) -> str:
        return self.reason if self.seq is None else f"event {self.seq}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What `verify` found: how much of the log holds, the root over it, and the first fault if any."""

    campaign: str
    events: int
    entries: int
    root_hex: str
    fault: Fault | None = None

    @property
    def ok(self) -> bool:
        """Whether every row is what was written."""
        return self.fault is None


def verify_log(
    engine: Engine, campaign: str, progress: Callable[[int, int], None] | None = None
) -> VerifyReport:
    """Read every row again and name the first that is not what was written.

    Checks bytes, chain, leaf, numbers, columns against the envelope, and the head row. `progress` is called
    with (rows read, rows in all).
    """
    walk = _Walk(Head(campaign=campaign))
    with reading(engine) as connection:
        kept = connection.execute(
            select(heads.c.size, heads.c.entries, heads.c.leaf, heads.c.frontier).where(
                heads.c.campaign_id == campaign
            )
        ).first()
        last = connection.execute(
            select(func.max(events.c.seq)).where(events.c.campaign_id == campaign)
        ).scalar()
    total = 0 if last is None else last + 1
    fault = None
    while fault is None and walk.head.size < total:
        with reading(engine) as connection:
            page = _raw_page(connection, campaign, walk.head.size, total)
        fault = next(filter(None, map(walk.step, page)), None)
        if fault is None and len(page) < min(PAGE, total - walk.head.size + len(page)):
            fault = Fault(seq=walk.head.size, kind="gap", reason="the event is missing")
        if progress is not None:
            progress(walk.head.size, total)
    return VerifyReport(
        campaign=campaign,
        events=walk.head.size,
        entries=walk.head.entries,
        root_hex=walk.head.frontier.root().hex(),
        fault=fault or _head_fault(kept, walk.head),
    )


def _raw_page(connection: Connection, campaign: str, first_seq: int, total: int) -> Sequence[Any]:
    kind, event_id = events.c.type, events.c.event_id
    if connection.dialect.name == "sqlite":
        # A file that was written to from outside may hold texts that are not UTF-8: read them as bytes.
        kind, event_id = cast(kind, LargeBinary), cast(event_id, LargeBinary)  # type: ignore[assignment]
    query = (
        select(
            events.c.seq,
            events.c.entry,
            events.c.slot,
            kind.label("type"),
            event_id.label("event_id"),
            events.c.body,
            events.c.leaf,
        )
        .where(events.c.campaign_id == campaign, events.c.seq >= first_seq, events.c.seq < total)
        .order_by(events.c.seq)
        .limit(PAGE)
    )
    return connection.execute(query).all()


class _Walk:
    """Follows the chain row by row; `head` is where the log would end after the last good row."""

    def __init__(self, head: Head) -> None:
        self.head = head

    def step(self, row: Any) -> Fault | None:
        head = self.head
        if row.seq != head.size:
            return Fault(seq=head.size, kind="gap", reason="the event is missing")
        wrong = self._wrong(row)
        if wrong is not None:
            kind, reason = wrong
            return Fault(seq=row.seq, kind=kind, reason=reason)
        self.head = Head(
            campaign=head.campaign,
            size=head.size + 1,
            entries=row.entry,
            leaf_hex=row.leaf.hex(),
            frontier=head.frontier.append(row.leaf),
        )
        return None

    def _wrong(self, row: Any) -> tuple[str, str] | None:
        if leaf_hash(row.body) != row.leaf:
            return "leaf", "its bytes do not hash to its leaf"
        try:
            value = msgspec.json.decode(row.body)
            envelope = msgspec.convert(value, Envelope)
            canonical = canonical_bytes(value) == row.body
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError) as error:
            return "bytes", f"its bytes are not an envelope: {error}"
        if not canonical:
            return "bytes", "its bytes are not canonical JSON"
        if envelope.prev != self.head.leaf_hex:
            return "chain", "it does not follow the event before it"
        for name, column, inside in (
            ("campaign_id", self.head.campaign, envelope.campaign),
            ("seq", row.seq, envelope.seq),
            ("entry", row.entry, envelope.entry),
            ("slot", row.slot, envelope.slot),
            ("type", row.type, envelope.type),
            ("event_id", row.event_id, envelope.id),
        ):
            if column != inside and not (type(column) is bytes and column == str(inside).encode()):
                return "column", f"its column {name} is {column!r} and its bytes say {inside!r}"
        if not self.head.entries <= row.entry <= self.head.entries + 1:
            return "entry", f"entry {row.entry} does not follow entry {self.head.entries}"
        if not 1 <= row.slot <= row.entry:
            return "slot", f"slot {row.slot} is not an entry up to {row.entry}"
        return None


def _head_fault(row: Any, found: Head) -> Fault | None:
    """Compare the head row with what the events add up to."""
    if row is None:
        if found.size == 0:
            return None
        return Fault(seq=None, kind="head", reason="the head row is missing")
    if row.size > found.size:
        return Fault(seq=found.size, kind="tail", reason=f"missing: the head row counts {row.size} events")
    if row.size < found.size:
        return Fault(seq=row.size, kind="tail", reason=f"not in the head row, which counts {row.size} events")
    if row.entries != found.entries:
        reason = f"the head row counts {row.entries} entries, the events make {found.entries}"
        return Fault(seq=None, kind="head", reason=reason)
    if row.leaf.hex() != found.leaf_hex:
        return Fault(seq=None, kind="head", reason="the head row names another last leaf")
    if row.frontier != found.frontier.to_bytes():
        return Fault(seq=None, kind="head", reason="the frontier in the head row is not that of the events")
    return None

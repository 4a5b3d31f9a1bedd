"""Verification: every row is read again and compared with its seal.

Knows bytes, hashes, numbers and columns. Damage is a verdict, never an exception.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Self, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, LargeBinary, bindparam, cast, func, select

from tracker.log.chain import EMPTY_FRONTIER, Frontier, leaf_hash
from tracker.log.database import reading
from tracker.log.envelopes import Bodies, Envelope
from tracker.log.prepared_statements import PreparedStatement
from tracker.log.refusals import HeadDamaged, NotStorable
from tracker.log.sealing import Head
from tracker.records import Record
from tracker.schema import events, heads

PAGE = 1000
"""Rows read at a time."""
NUMBER_MOST = 2**63 - 1
"""The largest number that a column holds."""
PLAIN_LEVELS = 7
"""The depth that covers nearly all data; deeper values are checked by walking through them."""


class LogFault(Record):
    """The first fault of a log. `seq` is None if it is in the head row itself."""

    seq: int | None
    kind: str
    reason: str

    def __str__(self) -> str:
        return self.reason if self.seq is None else f"event {self.seq}: {self.reason}"


class VerifyReport(Record):
    """The result of `verify`: how much of the log is good, the root over it, and the first fault if any."""

    campaign: str
    events: int
    entries: int
    root_hex: str
    fault: LogFault | None = None

    @property
    def ok(self) -> bool:
        """Whether every row is as it was written."""
        return self.fault is None

    @classmethod
    def up_to(cls, head: Head, fault: LogFault | None) -> Self:
        """The report of a log that is good up to that head."""
        return cls(
            campaign=head.campaign,
            events=head.size,
            entries=head.entries,
            root_hex=head.frontier.root().hex(),
            fault=fault,
        )


class LogEnd(Record):
    """The end of a log at one moment: its head row as found, and the number of events."""

    head_row: Any
    size: int


def log_end(connection: Connection, campaign: str) -> LogEnd:
    """The end of a campaign's log, as this transaction sees it."""
    head_row = connection.execute(
        select(heads.c.size, heads.c.entries, heads.c.leaf, heads.c.frontier).where(
            heads.c.campaign_id == campaign
        )
    ).first()
    of_campaign = events.c.campaign_id == campaign
    last: object = connection.execute(select(func.max(events.c.seq)).where(of_campaign)).scalar()
    if last is not None and type(last) is not int:  # the walk reports the row without a number
        last = (
            connection.execute(select(func.count()).select_from(events).where(of_campaign)).scalar_one() - 1
        )
    return LogEnd(head_row=head_row, size=min(last, NUMBER_MOST - 1) + 1 if isinstance(last, int) else 0)


def refuse_an_end_of_its_own(engine: Engine, campaign: str) -> None:
    """Raises HeadDamaged if the head row does not name the last event. Reads two rows."""
    with reading(engine) as connection:
        end = log_end(connection, campaign)
        at_the_end = (events.c.campaign_id == campaign, events.c.seq == end.size - 1)
        last = connection.execute(select(events.c.entry, events.c.leaf).where(*at_the_end)).first()
    row = end.head_row
    if last is not None and (row is None or tuple(row[:3]) != (end.size, *last)):
        raise HeadDamaged(campaign, "it is not that of the last event")


def verify_log(
    engine: Engine,
    campaign: str,
    end: LogEnd,
    progress: Callable[[int, int], None] | None = None,
    *,
    start: Head | None = None,
    through: "Through | None" = None,
) -> VerifyReport:
    """Read every row up to that end again and report the first that differs from what was written.

    Begins at `start`, if the log up to there is known to be good. `through` is called with the walk and each
    page of rows.

    Checks bytes, chain, leaf, numbers, columns against the envelope, and the head row. It reads a page at a
    time, because appended rows never change and so no writer has to wait. `progress` is called with (rows
    read, rows in all).
    """
    walk = ChainWalk(start or Head(campaign=campaign))
    fault = walk_rows(
        engine, walk, end.size, progress or (lambda _done, _total: None), through or ChainWalk.through
    )
    return VerifyReport.up_to(walk.head, fault or head_fault(end.head_row, walk.head))


def walk_rows(
    engine: Engine,
    walk: "ChainWalk",
    size: int,
    progress: Callable[[int, int], None],
    through: "Through",
) -> LogFault | None:
    """Walk over the rows of a log, a page at a time, up to `size` events or the first fault."""
    rows = _ROWS_OF_A_FILE if engine.dialect.name == "sqlite" else _ROWS
    fault = None
    while fault is None and walk.head.size < size:
        with reading(engine) as connection:
            bound = {"campaign": walk.head.campaign, "first": walk.head.size, "total": size}
            page = rows.all(connection, bound)
        fault = through(walk, page)
        if fault is None and len(page) < min(PAGE, size - walk.head.size + len(page)):
            fault = LogFault(seq=walk.head.size, kind="gap", reason="the event is missing")
        progress(walk.head.size, size)
    return fault


def hashes_hold(engine: Engine, campaign: str, end: LogEnd, *, start: Head) -> bool:
    """Whether all bytes from `start` on hash to their leaves, and the leaves to the head row. A signed head
    proves no more than that; `verify_log` names the fault.
    """
    frontier = start.frontier
    while frontier.size < end.size:
        with reading(engine) as connection:
            bound = {"campaign": campaign, "first": frontier.size, "total": end.size}
            page = _BYTES.all(connection, bound)
        expected = range(frontier.size, frontier.size + len(page))
        if not page or any(
            row[0] != seq or type(row[1]) is not bytes or leaf_hash(row[1]) != row[2]
            for seq, row in zip(expected, page, strict=True)
        ):
            return False
        frontier = frontier.append(*(row[2] for row in page))
    row = end.head_row
    return row is not None and row.size == frontier.size and bool(row.frontier == frontier.to_bytes())


def bytes_and_leaves(
    engine: Engine, campaign: str, size: int, *, first: int = 0
) -> Iterator[tuple[int, bytes, bytes]]:
    """The numbers, bytes and leaves of the events before `size`, as stored."""
    while first < size:
        with reading(engine) as connection:
            page = _BYTES.all(connection, {"campaign": campaign, "first": first, "total": size})
        if not page:
            return
        yield from page
        first = page[-1][0] + 1


def root_over(engine: Engine, campaign: str, size: int) -> str | None:
    """The root over the first `size` events, from their leaves; None if there are fewer."""
    frontier = frontiers_over(leaves_of(engine, campaign, size), (size,)).get(size)
    return None if frontier is None else frontier.root().hex()


def leaves_of(engine: Engine, campaign: str, size: int) -> Iterator[bytes]:
    """The stored leaf hashes of the first `size` events."""
    first = 0
    while first < size:
        with reading(engine) as connection:
            bound = {"campaign": campaign, "first": first, "total": size}
            leaves = [leaf for (leaf,) in _LEAVES.all(connection, bound)]
        if not leaves:
            return
        yield from leaves
        first += len(leaves)


def frontiers_over(leaves: Iterable[bytes], sizes: Iterable[int]) -> dict[int, Frontier]:
    """The frontier at each of these sizes, in one walk; sizes beyond the leaves are left out."""
    frontier, given = EMPTY_FRONTIER, iter(leaves)
    reached: dict[int, Frontier] = {}
    for size in sorted(set(sizes)):
        frontier = frontier.append(*islice(given, max(0, size - frontier.size)))
        if frontier.size != size:
            break
        reached[size] = frontier
    return reached


def _page(*columns: ColumnElement[Any]) -> PreparedStatement:
    return PreparedStatement(
        select(*columns)
        .where(
            events.c.campaign_id == bindparam("campaign"),
            events.c.seq >= bindparam("first"),
            events.c.seq < bindparam("total"),
        )
        .order_by(events.c.seq)
        .limit(PAGE)
    )


def _rows(kind: ColumnElement[Any], event_id: ColumnElement[Any]) -> PreparedStatement:
    return _page(events.c.seq, events.c.entry, events.c.slot, kind, event_id, events.c.body, events.c.leaf)


_ROWS = _rows(events.c.type, events.c.event_id)
# A file that another program wrote to may hold texts that are not UTF-8: read them as bytes.
_ROWS_OF_A_FILE = _rows(cast(events.c.type, LargeBinary), cast(events.c.event_id, LargeBinary))
_BYTES = _page(events.c.seq, events.c.body, events.c.leaf)
_LEAVES = _page(events.c.leaf)


class ChainWalk:
    """Follows the chain row by row; `head` is the end of the log after the last good row."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self._bodies = Bodies(PLAIN_LEVELS)

    def through(self, page: Sequence[Any]) -> LogFault | None:
        """Check these rows, up to the first that differs from what was written."""
        size, entries, before = self.head.size, self.head.entries, self.head.leaf_hex
        leaves, fault = [], None
        for row in page:
            fault = self._wrong(row, size, entries, before)
            if fault is not None:
                break
            size, entries, before = size + 1, row[1], row[6].hex()
            leaves.append(row[6])
        self.head = Head(
            campaign=self.head.campaign,
            size=size,
            entries=entries,
            leaf_hex=before,
            frontier=self.head.frontier.append(*leaves),
        )
        return fault

    def _wrong(self, row: Any, size: int, entries: int, before: str) -> LogFault | None:
        seq, entry, slot, kind, event_id, body, leaf = row
        if seq != size:
            return LogFault(seq=size, kind="gap", reason="the event is missing")
        if type(body) is not bytes or type(leaf) is not bytes:
            return LogFault(seq=seq, kind="bytes", reason="its body or its leaf is not bytes")
        if leaf_hash(body) != leaf:
            return LogFault(seq=seq, kind="leaf", reason="its bytes do not hash to its leaf")
        try:
            envelope = self._bodies.envelope(body, before)
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError) as error:
            return LogFault(seq=seq, kind="bytes", reason=f"its bytes are not an envelope: {error}")
        if envelope is None:
            return LogFault(seq=seq, kind="bytes", reason="its bytes are not canonical JSON")
        if envelope.prev != before:
            return LogFault(seq=seq, kind="chain", reason="it does not follow the event before it")
        if not (
            envelope.seq == seq
            and envelope.entry == entry
            and envelope.slot == slot
            and envelope.campaign == self.head.campaign
            and _same(kind, envelope.type)
            and _same(event_id, envelope.id)
        ):
            return LogFault(seq=seq, kind="column", reason=self._unlike(row, envelope))
        if not entries <= entry <= entries + 1:
            return LogFault(seq=seq, kind="entry", reason=f"entry {entry} does not follow entry {entries}")
        if not 1 <= slot <= entry:
            return LogFault(seq=seq, kind="slot", reason=f"slot {slot} is not an entry up to {entry}")
        return None

    def _unlike(self, row: Any, envelope: Envelope) -> str:
        seq, entry, slot, kind, event_id, *_ = row
        name, column, inside = next(
            check
            for check in (
                ("campaign_id", self.head.campaign, envelope.campaign),
                ("seq", seq, envelope.seq),
                ("entry", entry, envelope.entry),
                ("slot", slot, envelope.slot),
                ("type", kind, envelope.type),
                ("event_id", event_id, envelope.id),
            )
            if not _same(check[1], check[2])
        )
        return f"its column {name} is {column!r} and its bytes say {inside!r}"


Through: TypeAlias = Callable[[ChainWalk, Sequence[Any]], LogFault | None]
"""Walks over rows, up to the first that differs from what was written."""


def _same(column: object, inside: object) -> bool:
    return column == inside or (type(column) is bytes and column == str(inside).encode())


def head_fault(row: Any, head: Head) -> LogFault | None:
    """Compare the head row with the totals of the events."""
    if row is None:
        if head.size == 0:
            return None
        return LogFault(seq=None, kind="head", reason="the head row is missing")
    if type(row.size) is not int or type(row.leaf) is not bytes:
        return LogFault(
            seq=None, kind="head", reason="the head row holds something else than numbers and a leaf"
        )
    if row.size > head.size:
        return LogFault(seq=head.size, kind="tail", reason=f"missing: the head row counts {row.size} events")
    if row.size < head.size:
        return LogFault(
            seq=row.size, kind="tail", reason=f"not in the head row, which counts {row.size} events"
        )
    if row.entries != head.entries:
        reason = f"the head row counts {row.entries} entries, the events make {head.entries}"
        return LogFault(seq=None, kind="head", reason=reason)
    if row.leaf.hex() != head.leaf_hex:
        return LogFault(seq=None, kind="head", reason="the head row names another last leaf")
    if row.frontier != head.frontier.to_bytes():
        return LogFault(
            seq=None, kind="head", reason="the frontier in the head row is not that of the events"
        )
    return None

"""The store: appends sealed events in one transaction, and reads them back.

Knows rows, numbers and heads. Knows no event type: `data` goes in and `body` comes out as it is.
Nothing here reads a clock, makes an id or decides anything.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, select

from tracker.log import appending, database, statements
from tracker.log.appending import Receipt
from tracker.log.campaigns import with_a_log
from tracker.log.database import reading, reading_at_once, reading_within, sharing_writer, writing
from tracker.log.gaps import is_partial_entry, refuse_partial_entry, refuse_partial_slot, seq_range
from tracker.log.prepared_statements import PreparedStatement, Query
from tracker.log.refusals import CommitUnknown, ConnectionLost, DatabaseUnreachable, EventsMissing, StaleHead
from tracker.log.sealing import Head, SealedEvent
from tracker.log.verification import LogEnd, VerifyReport, log_end, verify_log
from tracker.records import replace
from tracker.schema import events, snapshots, snapshots_parts

PAGE = 500
"""Rows read at a time: bounded memory for a long log, and no reader delays a writer for long."""

PAGE_MOST = 2_000
"""Rows read at a time after the first pages."""

OPENING = 16
"""Rows read at a time at the beginning of a log, whose first entry is short."""

SAVED_REMEMBERED = 20


class StoredEvent(NamedTuple):
    """An event as it was read, neither decoded nor verified."""

    seq: int
    entry: int
    slot: int
    type: str
    body: bytes
    leaf: bytes


class EntryPlace(NamedTuple):
    """The seqs where a slot's own entry and the next one are expected to begin."""

    slot: int
    first_seq: int
    next_seq: int


_stored = partial(tuple.__new__, StoredEvent)  # like its `_make`, without a Python call for every row


class EventStore:
    """The log of every campaign in one database."""

    def __init__(
        self, engine: Engine, *, within: Connection | None = None, locked: Head | None = None
    ) -> None:
        self._engine = engine
        self._within = within
        self._locked = locked
        self.saved: deque[Receipt] = deque(maxlen=SAVED_REMEMBERED)
        """The receipts of the last append that is committed; within a transaction, of the one that will be.
        """

    def within(self, connection: Connection) -> "EventStore":
        """This store inside a transaction that the caller commits.

        A transaction that has changed more pages than SQLite's cache holds locks out every other reader, also
        those of the same program.
        """
        return EventStore(self._engine, within=connection)

    @property
    def connection(self) -> Connection:
        """The connection of the transaction that this store is inside."""
        assert self._within is not None, "a store of its own has no connection"
        return self._within

    def reading(self) -> AbstractContextManager[Connection]:
        """A read-only transaction: the one that this store is inside, or one of its own."""
        return self._reading()

    def _reading(self) -> AbstractContextManager[Connection]:
        return reading(self._engine) if self._within is None else nullcontext(self._within)

    def _reading_at_once(self, *queries: Query) -> AbstractContextManager[Connection]:
        return reading_at_once(self._engine, *queries) if self._within is None else nullcontext(self._within)

    def _writing(self, receipts: deque[Receipt]) -> AbstractContextManager[Connection]:
        if self._within is not None:
            return nullcontext(self._within)
        return writing(self._engine, saved=lambda: self.saved.extend(receipts))

    # --- writing -----------------------------------------------------------------------------------------

    def head(self, campaign: str) -> Head:
        """The end of a campaign's log; size 0 when nothing was ever written."""
        if self._locked is not None and self._locked.campaign == campaign:
            return self._locked
        with self._reading_at_once(appending.head_query(campaign)) as connection:
            return appending.head_of(connection, campaign)

    def append(
        self,
        head: Head,
        sealed: Sequence[SealedEvent],
        new_head: Head,
        *,
        key: str,
        digest: str,
        is_new_key: bool = False,
    ) -> Receipt:
        """Write what `seal(head, ...)` made, once; other rows of the append are written inside `exclusively`.

        The same key with the same digest returns its first receipt and writes nothing. `is_new_key`: the key
        was made for this append, so do not look for it. Raises, having written nothing: `StaleHead` if the
        log has moved on, `CommandKeyReused` if the key belongs to another command, `RowsNotWritten` and
        `RowsRefused` if the database does not keep all of it. After a lost connection it looks for the key
        before it refuses.
        """
        receipt = Receipt(
            campaign=head.campaign,
            first_seq=sealed[0].seq,
            last_seq=sealed[-1].seq,
            first_entry=sealed[0].entry,
            last_entry=sealed[-1].entry,
            digest=digest,
            repeated=False,
        )
        assert (receipt.first_seq, receipt.last_seq) == (head.size, new_head.size - 1), "sealed on this head"
        written = deque[Receipt]() if self._within is None else self.saved
        try:
            with self._writing(written) as connection:
                now = self._locked or appending.locked_head(connection, head.campaign)
                known = None if is_new_key else appending.find_command(connection, head.campaign, key)
                if known is not None:
                    return appending.repeated_receipt(known, key, digest)
                if (now.size, now.leaf_hex) != (head.size, head.leaf_hex):
                    raise StaleHead(head.campaign, head.size, now.size)
                appending.write(connection, head, sealed, new_head, receipt, key)
                if self._locked is not None:
                    self._locked = new_head
                written.append(receipt)
            return receipt
        except ConnectionLost:
            # Inside a transaction nothing is saved yet: its owner looks again.
            known = self.look_again(head.campaign, key) if self._within is None else None
            if known is None:
                raise
            return replace(
                appending.repeated_receipt(known, key, digest), repeated=known.first_seq != receipt.first_seq
            )

    @contextmanager
    def exclusively(self, campaign: str, *, queries: Sequence[Query] = ()) -> Iterator["EventStore"]:
        """This store inside a writing transaction during which nobody else appends to the campaign.

        `queries` will be made under the lock; they are sent with it.
        """
        appended = deque[Receipt]()
        queries = (appending.lock_query(campaign), *queries)
        with writing(self._engine, saved=lambda: self.saved.extend(appended), queries=queries) as connection:
            store = EventStore(
                self._engine, within=connection, locked=appending.locked_head(connection, campaign)
            )
            store.saved = appended
            with sharing_writer(connection):
                yield store

    @contextmanager
    def single_message_append(self, head: Head, *, presumed: Sequence[Query] = ()) -> Iterator["EventStore"]:
        """This store as if the campaign stood at `head`, without a lock. One append is sent at the end in one
        message that locks the head, compares it and commits.

        The database itself checks that the `presumed` queries find nothing. Raises LockNeeded, having written
        nothing, if that is not possible or another writer was faster.
        """
        appended = deque[Receipt]()
        with database.single_message_append(
            self._engine, saved=lambda: self.saved.extend(appended), presumed=presumed
        ) as connection:
            store = EventStore(self._engine, within=connection, locked=head)
            store.saved = appended
            yield store

    def look_again(self, campaign: str, key: str) -> Receipt | None:
        """The receipt of a command whose connection was lost; None if it recorded nothing. Raises
        CommitUnknown.
        """
        try:
            known = self.find_command(campaign, key)
        except (ConnectionLost, DatabaseUnreachable) as error:
            raise CommitUnknown(key) from error
        if known is not None:
            self.saved.append(known)
        return known

    def find_command(self, campaign: str, key: str) -> Receipt | None:
        """The receipt of a command key, with the digest it was sent under; None for a new key."""
        with self._reading_at_once(appending.command_query(campaign, key)) as connection:
            return appending.find_command(connection, campaign, key)

    def command_rows(self, campaign: str, *, before_seq: int) -> Iterator[dict[str, Any]]:
        """The row of every command whose events are all before `before_seq`, in the order of the log."""
        bound = {"campaign": campaign, "first": -(2**63), "after_key": "", "before_seq": before_seq}
        while True:
            with self._reading() as connection:
                page = connection.execute(statements.COMMANDS, bound).mappings().all()
            for row in page:
                yield dict(row)
            if len(page) < statements.COMMANDS_PAGE:
                return
            bound |= {"first": page[-1]["first_seq"], "after_key": page[-1]["key"]}

    # --- reading -----------------------------------------------------------------------------------------

    def campaigns(self) -> tuple[str, ...]:
        """Every campaign with a log, by id."""
        with self._reading() as connection:
            return with_a_log(connection)

    def openings(self, kind: str) -> Iterator[tuple[str, StoredEvent]]:
        """The events of a type in the first entry of every campaign that has a log, by campaign."""
        with self._reading() as connection:
            for campaign in with_a_log(connection):
                for stored in self._first_entry(connection, campaign):
                    if stored.type == kind:
                        yield campaign, stored

    def _first_entry(self, connection: Connection, campaign: str) -> Iterator[StoredEvent]:
        """The events found; a damaged entry is reported elsewhere."""
        bound: dict[str, Any] = {"campaign": campaign, "next_seq": 0, "through_seq": OPENING - 1}
        while True:
            page = list(map(_stored, statements.READ.all(connection, bound | {"page": OPENING})))
            own = [event for event in page if event.entry == 1]
            yield from own
            if len(own) < OPENING:
                return
            bound |= {"next_seq": bound["next_seq"] + OPENING, "through_seq": bound["through_seq"] + OPENING}

    def read(
        self, campaign: str, *, first_seq: int = 0, last_seq: int | None = None
    ) -> Iterator[StoredEvent]:
        """Events in the order written, both ends included; events that are appended meanwhile are left out.

        Raises EventsMissing if one that the head counts is not found.
        """
        last = self._ends(campaign)[0] - 1
        through_seq = last if last_seq is None else min(last, last_seq)
        bound: dict[str, Any] = {"campaign": campaign, "next_seq": first_seq, "through_seq": through_seq}
        for page in self._pages(statements.READ, bound):
            if page[-1].seq - bound["next_seq"] != len(page) - 1:
                break
            yield from page
            bound["next_seq"] = page[-1].seq + 1
        if bound["next_seq"] <= through_seq:
            raise EventsMissing(campaign, last + 1)

    def read_entry(self, campaign: str, entry: int) -> tuple[StoredEvent, ...]:
        """The events of one entry; empty if there is no such entry.

        Raises EventsMissing if the head counts the entry, or if its neighbours show that some of its events
        are missing.
        """
        with self._reading() as connection:
            # The head first: what it counts by then is there when the events are read.
            size, entries = self._ends(campaign, connection)
            return self._entry(connection, campaign, entry, size) if 1 <= entry <= entries else ()

    def _entry(self, connection: Connection, campaign: str, entry: int, size: int) -> tuple[StoredEvent, ...]:
        rows = list(
            map(_stored, statements.READ_ENTRY.all(connection, {"campaign": campaign, "entry": entry}))
        )
        own = tuple(event for event in rows if event.entry == entry)
        refuse_partial_entry(campaign, rows, own, size)
        return own

    def read_slots(
        self,
        campaign: str,
        *,
        after_slot: int = 0,
        through_entry: int | None = None,
        unread: frozenset[str] = frozenset(),
    ) -> Iterator[StoredEvent]:
        """Events by slot, in a slot by seq: each slot's versions follow each other, oldest first.

        `through_entry` leaves out later writes: the slots as of that entry. Events of the types in `unread`
        are left out, except in refilled slots, where they show that earlier events no longer count. Raises
        EventsMissing if there are fewer events than the head counts.
        """
        with self._reading() as connection:
            size, entries = self._ends(campaign, connection)
            if through_entry is not None and through_entry >= entries:
                through_entry = None
            if after_slot >= (entries if through_entry is None else through_entry):
                return
            first, end = seq_range(connection, campaign, after=after_slot, through=through_entry, size=size)
        later = self._refilled(campaign, after_slot, end)
        refilled, missed = next(later, None), 0
        bound: dict[str, Any] = {"campaign": campaign, "next_seq": first, "end": end}
        for page in self._pages(statements.read_moving(unread), bound):
            own = [event for event in page if event.slot == event.entry]
            missed += sum(event.slot > after_slot for event in page if event.slot != event.entry)
            if refilled is None:
                yield from own
            else:
                for event in own:
                    while refilled is not None and refilled.slot < event.slot:
                        yield refilled
                        refilled, missed = next(later, None), missed - 1
                    yield event
            bound["next_seq"] = page[-1].seq + 1
        while refilled is not None:
            yield refilled
            refilled, missed = next(later, None), missed - 1
        if missed:  # among the rows there are others than their index tells of
            raise EventsMissing(campaign, size)

    def _refilled(self, campaign: str, after_slot: int, end: int) -> Iterator[StoredEvent]:
        """The events that later entries wrote into the slots after that one, by slot and seq."""
        bound: dict[str, Any] = {"campaign": campaign, "slot": after_slot + 1, "seq": -1, "end": end}
        for page in self._pages(statements.REFILLED_SLOTS, bound):
            yield from page
            bound |= {"slot": page[-1].slot, "seq": page[-1].seq}

    def read_slot(
        self, campaign: str, slot: int, *, through_entry: int | None = None
    ) -> tuple[StoredEvent, ...]:
        """Every event that was written into one slot, oldest first; empty if there is no such slot.

        `through_entry` leaves out later writes. Raises EventsMissing if an entry wrote more into the slot
        than was found.
        """
        with self._reading() as connection:
            size, entries = self._ends(campaign, connection)
            last_entry = entries if through_entry is None else min(through_entry, entries)
            if not 1 <= slot <= last_entry:
                return ()
            first = self._entry(connection, campaign, slot, size)
            bound = {"campaign": campaign, "slot": slot, "through_entry": last_entry}
            refilled = list(map(_stored, statements.REFILLED_SLOT.all(connection, bound)))
            refuse_partial_slot(connection, campaign, slot, refilled, size)
        return tuple(event for event in (*first, *refilled) if event.slot == slot)

    def read_slots_at(
        self, campaign: str, places: Sequence[EntryPlace], *, through_entry: int
    ) -> dict[int, tuple[StoredEvent, ...]]:
        """The result of `read_slot` for each of these slots, many in one query. A slot that is not at the
        expected place is searched for.
        """
        found: dict[int, tuple[StoredEvent, ...]] = {}
        with self._reading() as connection:
            size, entries = self._ends(campaign, connection)
            last_entry = min(through_entry, entries)
            there = [place for place in places if 1 <= place.slot <= last_entry]
            for start in range(0, len(there), statements.AT_ONCE):
                some = there[start : start + statements.AT_ONCE]
                own = self._entries_at(connection, campaign, some, size)
                later = self._refilled_among(connection, campaign, [*own], last_entry, size)
                for slot, first in own.items():
                    found[slot] = tuple(event for event in (*first, *later[slot]) if event.slot == slot)
        return {place.slot: found.get(place.slot, ()) for place in places}

    def _entries_at(
        self, connection: Connection, campaign: str, places: Sequence[EntryPlace], size: int
    ) -> dict[int, tuple[StoredEvent, ...]]:
        bound: dict[str, Any] = {"campaign": campaign}
        for number in range(statements.AT_ONCE):
            # With the event before and the one after: they show whether all between them were found.
            first, last = (
                (places[number].first_seq - 1, places[number].next_seq) if number < len(places) else (1, 0)
            )
            bound |= {f"first_{number}": first, f"last_{number}": last}
        rows = {row[0]: _stored(row) for row in statements.READ_RANGES.all(connection, bound)}
        found = {}
        for place in places:
            around = [rows[seq] for seq in range(place.first_seq - 1, place.next_seq + 1) if seq in rows]
            own = tuple(event for event in around if event.entry == place.slot)
            if is_partial_entry(around, own, size):
                own = self._entry(connection, campaign, place.slot, size)
            found[place.slot] = own
        return found

    def _refilled_among(
        self, connection: Connection, campaign: str, slots: Sequence[int], last_entry: int, size: int
    ) -> dict[int, list[StoredEvent]]:
        """The events that later entries wrote into these slots."""
        bound: dict[str, Any] = {"campaign": campaign, "through_entry": last_entry}
        bound |= {
            f"slot_{number}": slots[min(number, len(slots) - 1)] for number in range(statements.AT_ONCE)
        }
        found: dict[int, list[StoredEvent]] = {slot: [] for slot in slots}
        for event in map(_stored, statements.REFILLED_AMONG.all(connection, bound)):
            found[event.slot].append(event)
        for slot, refilled in found.items():
            refuse_partial_slot(connection, campaign, slot, refilled, size)
        return found

    def headers_backwards(self, campaign: str, header: str) -> Iterator[tuple[int, bytes]]:
        """Each entry's own header (events of that type) with its bytes, the newest first."""
        bound: dict[str, Any] = {"campaign": campaign, "header": header, "page": PAGE}
        bound["before_seq"] = self._ends(campaign)[0]
        while True:
            with self._reading() as connection:
                page = statements.HEADERS_BACKWARDS.all(connection, bound)
            for _, entry, body in page:
                yield entry, body
            if len(page) < PAGE:
                return
            bound["before_seq"] = page[-1][0]

    def refilled_slots(self, campaign: str, *, through_entry: int | None = None) -> tuple[int, ...]:
        """The slots that a later entry filled again, in order; with `through_entry`, one up to that."""
        query = select(events.c.slot).distinct().where(events.c.campaign_id == statements.CAMPAIGN)
        query = query.where(events.c.entry != events.c.slot).order_by(events.c.slot)
        if through_entry is not None:
            query = query.where(events.c.entry <= through_entry)
        with self._reading() as connection:
            return tuple(connection.execute(query, {"campaign": campaign}).scalars())

    def _ends(self, campaign: str, within: Connection | None = None) -> tuple[int, int]:
        """The numbers of events and entries that the head counts."""
        if self._locked is not None and self._locked.campaign == campaign:
            return self._locked.size, self._locked.entries
        asked = statements.HEAD, (campaign,)
        with nullcontext(within) if within is not None else self._reading_at_once(asked) as connection:
            size, entries = statements.HEAD.first(connection, (campaign,)) or (0, 0)
        appending.refuse_impossible(campaign, size, entries)
        return size, entries

    def _pages(self, query: PreparedStatement, bound: dict[str, Any]) -> Iterator[list[StoredEvent]]:
        wanted = PAGE
        while True:
            with self._reading() as connection:
                page = list(map(_stored, query.all(connection, bound | {"page": wanted})))
            if page:
                yield page  # whoever reads moves `bound` behind the page before asking for the next
            if len(page) < wanted:
                return
            wanted = min(2 * wanted, PAGE_MOST)

    def refilled_since(
        self, campaign: str, *, size: int, through_slot: int, through_entry: int
    ) -> Iterator[StoredEvent]:
        """The events written into the slots up to `through_slot` after the log had `size` events, in the
        order written.
        """
        bound = {"campaign": campaign, "seq": size - 1, "through_slot": through_slot}
        bound["through_entry"] = through_entry
        for page in self._pages(statements.REFILLED_SINCE, bound):
            yield from page
            bound["seq"] = page[-1].seq

    # --- snapshots: a cache of folded state ----------------------------------------------------------------

    def save_snapshot(
        self,
        connection: Connection,
        campaign: str,
        entry: int,
        fingerprint: str,
        body: bytes,
        parts: Mapping[str, Callable[[], bytes]] = MappingProxyType({}),
    ) -> None:
        """Store the state after `entry`, labelled with the folding code's `fingerprint`, and those of its
        `parts` that no other snapshot has.
        """
        bound = {"campaign": campaign, "fingerprint": fingerprint}
        there = {name for (name,) in statements.PARTS.all(connection, bound)} if parts else set()
        new = {name: written() for name, written in parts.items() if name not in there}
        rows = [(campaign, fingerprint, name, part) for name, part in new.items()]
        statements.ADD_PART.write(connection, rows)
        key = (campaign, fingerprint, entry)
        statements.DROP_SNAPSHOT.write(connection, [key])
        statements.ADD_SNAPSHOT.write(connection, [(*key, "\n".join(parts), body)])

    def snapshot_digests(
        self,
        connection: Connection,
        campaign: str,
        fingerprint: str,
        is_whole: Callable[[str, bytes], bool] = lambda _name, _body: True,
    ) -> dict[int, bytes]:
        """The SHA-256 of every snapshot of this code, by its entry; none for a snapshot with a missing or
        damaged part.
        """
        query = select(snapshots_parts.c.name, snapshots_parts.c.body).where(
            snapshots_parts.c.campaign_id == campaign, snapshots_parts.c.fingerprint == fingerprint
        )
        whole = {row.name for row in connection.execute(query) if is_whole(row.name, row.body)}
        of_code = select(snapshots).where(
            snapshots.c.campaign_id == campaign, snapshots.c.fingerprint == fingerprint
        )
        return {
            row.entry: sha256(row.body).digest() if whole.issuperset(row.parts.split()) else b""
            for row in connection.execute(of_code)
        }

    def snapshot_entries(self, connection: Connection, campaign: str, fingerprint: str) -> tuple[int, ...]:
        """The entries with a snapshot of that code, oldest first."""
        bound = {"campaign": campaign, "fingerprint": fingerprint}
        return tuple(entry for entry, _ in statements.SNAPSHOTS.all(connection, bound))

    def thin_snapshots(
        self, connection: Connection, campaign: str, fingerprint: str, entries: Sequence[int]
    ) -> None:
        """Delete the snapshots after these entries, and the parts that no other has."""
        if not entries:
            return
        bound = {"campaign": campaign, "fingerprint": fingerprint}
        parts_of_entry: dict[int, str] = dict(statements.SNAPSHOTS.all(connection, bound))
        unused = {name for entry in entries for name in parts_of_entry.pop(entry, "").split()}
        for parts in reversed(parts_of_entry.values()):
            if not unused:
                break
            unused.difference_update(parts.split())
        statements.DROP_SNAPSHOT.write(connection, [(campaign, fingerprint, entry) for entry in entries])
        statements.DROP_PART.write(connection, [(campaign, fingerprint, name) for name in sorted(unused)])

    def snapshot_part(self, campaign: str, fingerprint: str, name: str) -> bytes | None:
        """A part of that code's snapshots, or None."""
        with reading_within(self._engine) as connection:
            row = statements.PART.first(connection, (campaign, fingerprint, name))
        return None if row is None else row[0]

    def nearest_snapshot(
        self, campaign: str, fingerprint: str, *, at_most_entry: int | None = None
    ) -> tuple[int, bytes] | None:
        """The latest snapshot not after `at_most_entry`, as (entry, body)."""
        query = (
            select(snapshots.c.entry, snapshots.c.body)
            .where(snapshots.c.campaign_id == campaign, snapshots.c.fingerprint == fingerprint)
            .order_by(snapshots.c.entry.desc())
            .limit(1)
        )
        if at_most_entry is not None:
            query = query.where(snapshots.c.entry <= at_most_entry)
        with self._reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.entry, row.body)

    def snapshots_of(
        self, campaign: str, fingerprint: str, *, from_entry: int = 0
    ) -> list[tuple[int, bytes]]:
        """Every snapshot of this code from that entry on, as (entry, body), oldest first."""
        query = (
            select(snapshots.c.entry, snapshots.c.body)
            .where(
                snapshots.c.campaign_id == campaign,
                snapshots.c.fingerprint == fingerprint,
                snapshots.c.entry >= from_entry,
            )
            .order_by(snapshots.c.entry)
        )
        with self._reading() as connection:
            return [(row.entry, row.body) for row in connection.execute(query)]

    def drop_snapshots(self, connection: Connection, campaign: str, from_entry: int | None = None) -> None:
        """Delete the snapshots from this entry on, or all of them, of any version of the code."""
        dropping = delete(snapshots).where(snapshots.c.campaign_id == campaign)
        if from_entry is not None:
            dropping = dropping.where(snapshots.c.entry >= from_entry)
        connection.execute(dropping)
        left = select(snapshots.c.fingerprint, snapshots.c.parts).where(snapshots.c.campaign_id == campaign)
        used = {(row.fingerprint, name) for row in connection.execute(left) for name in row.parts.split()}
        there = select(snapshots_parts.c.fingerprint, snapshots_parts.c.name).where(
            snapshots_parts.c.campaign_id == campaign
        )
        unused = {(row.fingerprint, row.name) for row in connection.execute(there)} - used
        statements.DROP_PART.write(connection, [(campaign, *part) for part in sorted(unused)])

    # --- verifying ---------------------------------------------------------------------------------------

    def verify(
        self,
        campaign: str,
        progress: Callable[[int, int], None] | None = None,
        *,
        end: LogEnd | None = None,
    ) -> VerifyReport:
        """Verify every row up to that end, or today's, and report the first that differs from what was
        written.
        """
        with self._reading() as connection:
            end = end or log_end(connection, campaign)
        return verify_log(self._engine, campaign, end, progress)

"""The store: appends sealed events in one transaction, and reads them back.

Knows rows, numbers and heads. Knows no event type: `data` goes in and `body` comes out as it is.
Nothing here reads a clock, makes an id or decides anything.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, bindparam, delete, select

from tracker.log.appending import Receipt, find_command, head_of, locked_head, repeated_receipt, write
from tracker.log.database import reading, writing
from tracker.log.prepared import Prepared
from tracker.log.refusals import CommitUnknown, ConnectionLost, DatabaseUnreachable, StaleHead
from tracker.log.sealing import Head, SealedEvent
from tracker.log.statements import (
    ADD_SNAPSHOT,
    CAMPAIGN,
    COMMANDS,
    COMMANDS_PAGE,
    DROP_SNAPSHOT,
    LAST_SEQ,
    PLACES,
    READ,
    SNAPSHOTS,
    STORED,
    read_slots,
)
from tracker.log.verifying import LogEnd, VerifyReport, log_end, verify_log
from tracker.records import replace
from tracker.schema import events, heads, snapshots

PAGE = 500
"""Rows read at a time: a long log streams in bounded memory, and no read holds up a writer for long."""

PAGE_MOST = 2_000
"""So many once many were read already."""


class StoredEvent(NamedTuple):
    """An event as it was read: its bytes are not yet decoded and not verified."""

    seq: int
    entry: int
    slot: int
    type: str
    body: bytes
    leaf: bytes


_stored = partial(tuple.__new__, StoredEvent)  # as its `_make`, without a call in Python for every row


class EventStore:
    """The log of every campaign in one database."""

    def __init__(
        self, engine: Engine, *, within: Connection | None = None, locked: Head | None = None
    ) -> None:
        self._engine = engine
        self._within = within
        self._locked = locked

    def within(self, connection: Connection) -> "EventStore":
        """This store inside a transaction, which whoever began it commits.

        Once a transaction has changed more pages than SQLite's cache holds, it locks every other reader out,
        the same program's own among them.
        """
        return EventStore(self._engine, within=connection)

    @property
    def connection(self) -> Connection:
        """The connection of the transaction that this store is inside."""
        assert self._within is not None, "a store of its own has no connection"
        return self._within

    def _reading(self) -> AbstractContextManager[Connection]:
        return reading(self._engine) if self._within is None else nullcontext(self._within)

    def _writing(self) -> AbstractContextManager[Connection]:
        return writing(self._engine) if self._within is None else nullcontext(self._within)

    # --- writing -----------------------------------------------------------------------------------------

    def head(self, campaign: str) -> Head:
        """Where a campaign's log ends; size 0 when nothing was ever written."""
        if self._locked is not None and self._locked.campaign == campaign:
            return self._locked
        with self._reading() as connection:
            return head_of(connection, campaign)

    def append(
        self,
        head: Head,
        sealed: Sequence[SealedEvent],
        new_head: Head,
        *,
        key: str,
        digest: str,
        is_new_key: bool = False,
        also: Callable[[Connection, tuple[SealedEvent, ...]], None] | None = None,
    ) -> Receipt:
        """Write what `seal(head, ...)` made, once, in one transaction with whatever `also` writes.

        The same key with the same digest finds its first receipt and writes nothing; for `is_new_key`, one
        that was made for this append, none is looked for. Refuses, writing nothing: `StaleHead` when the log
        has moved on, `CommandKeyReused` when the key stood for another command. A connection lost while
        saving is looked into under the key before it is refused.
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
        try:
            with self._writing() as connection:
                now = self._locked or locked_head(connection, head.campaign)
                known = None if is_new_key else find_command(connection, head.campaign, key)
                if known is not None:
                    return repeated_receipt(known, key, digest)
                if (now.size, now.leaf_hex) != (head.size, head.leaf_hex):
                    raise StaleHead(head.campaign, head.size, now.size)
                write(connection, sealed, new_head, receipt, key)
                if also is not None:
                    also(connection, tuple(sealed))
                if self._locked is not None:
                    self._locked = new_head
            return receipt
        except ConnectionLost:
            known = self.look_again(head.campaign, key)
            if known is None:
                raise
            return replace(
                repeated_receipt(known, key, digest), repeated=known.first_seq != receipt.first_seq
            )

    @contextmanager
    def exclusively(self, campaign: str) -> Iterator["EventStore"]:
        """This store inside a writing transaction during which nobody else appends to the campaign."""
        with writing(self._engine) as connection:
            head = locked_head(connection, campaign)
            yield EventStore(self._engine, within=connection, locked=head)

    def look_again(self, campaign: str, key: str) -> Receipt | None:
        """What a command came to whose connection broke off; None: to nothing. Raises CommitUnknown."""
        try:
            return self.find_command(campaign, key)
        except (ConnectionLost, DatabaseUnreachable) as error:
            raise CommitUnknown(key) from error

    def find_command(self, campaign: str, key: str) -> Receipt | None:
        """The receipt a command key has, with the digest it was sent under; None for a new key."""
        with self._reading() as connection:
            return find_command(connection, campaign, key)

    def command_rows(self, campaign: str, *, before_seq: int) -> Iterator[dict[str, Any]]:
        """The row of every command, in the order of the events it recorded; but not of those that recorded
        that one or what follows it.
        """
        bound = {"campaign": campaign, "first": -(2**63), "after_key": "", "before_seq": before_seq}
        while True:
            with self._reading() as connection:
                page = connection.execute(COMMANDS, bound).mappings().all()
            for row in page:
                yield dict(row)
            if len(page) < COMMANDS_PAGE:
                return
            bound |= {"first": page[-1]["first_seq"], "after_key": page[-1]["key"]}

    # --- reading -----------------------------------------------------------------------------------------

    def campaigns(self) -> tuple[str, ...]:
        """Every campaign that has events, in order of id."""
        query = select(heads.c.campaign_id).where(heads.c.size > 0).order_by(heads.c.campaign_id)
        with self._reading() as connection:
            return tuple(connection.execute(query).scalars())

    def read(
        self, campaign: str, *, first_seq: int = 0, last_seq: int | None = None
    ) -> Iterator[StoredEvent]:
        """Events in the order written, both ends included; what is appended meanwhile is not read."""
        through = self._last_seq(campaign, last_seq)
        bound: dict[str, Any] = {"campaign": campaign, "next_seq": first_seq, "through_seq": through}
        for page in self._pages(READ, bound):
            yield from page
            bound["next_seq"] = page[-1].seq + 1

    def read_entry(self, campaign: str, entry: int) -> tuple[StoredEvent, ...]:
        """The events of one entry; none when there is no such entry."""
        # In two steps: asked for the entry alone, SQLite's planner walks the whole campaign to find it.
        seqs = select(PLACES.c.seq).where(
            PLACES.c.campaign_id == CAMPAIGN, PLACES.c.entry == bindparam("entry")
        )
        query = STORED.where(events.c.seq.in_(seqs)).order_by(events.c.seq)
        with self._reading() as connection:
            rows = connection.execute(query, {"campaign": campaign, "entry": entry})
            return tuple(StoredEvent(*row) for row in rows)

    def read_slots(
        self,
        campaign: str,
        *,
        after_slot: int = 0,
        through_slot: int | None = None,
        through_entry: int | None = None,
        unread: frozenset[str] = frozenset(),
    ) -> Iterator[StoredEvent]:
        """Events by slot, in a slot by seq: each slot's versions follow each other, oldest first.

        `through_entry` leaves out what was written later: the slots as that entry knew them. Events of the
        types in `unread` are passed over, but where a slot was filled again: what came before them there
        counts no more.
        """
        query = read_slots(
            through_slot=through_slot is not None, through_entry=through_entry is not None, unread=unread
        )
        bound: dict[str, Any] = {
            "campaign": campaign,
            "slot": after_slot + 1,
            "seq": -1,
            "through_seq": self._last_seq(campaign, None),
            "through_slot": through_slot,
            "through_entry": through_entry,
        }
        for page in self._pages(query, bound):
            yield from page
            bound |= {"slot": page[-1].slot, "seq": page[-1].seq}

    def headers_backwards(self, campaign: str, header: str) -> Iterator[tuple[int, bytes]]:
        """Each entry's own header (events of that type) with its bytes, the newest first."""
        query = (
            select(events.c.entry, events.c.body, events.c.seq)
            .where(
                events.c.campaign_id == CAMPAIGN,
                events.c.seq < bindparam("before_seq"),
                events.c.type == header,
                events.c.slot == events.c.entry,
            )
            .order_by(events.c.seq.desc())
            .limit(PAGE)
        )
        before = self._last_seq(campaign, None) + 1
        while True:
            with self._reading() as connection:
                page = connection.execute(query, {"campaign": campaign, "before_seq": before}).all()
            for row in page:
                yield row.entry, row.body
            if len(page) < PAGE:
                return
            before = page[-1].seq

    def refilled_slots(self, campaign: str, *, through_entry: int | None = None) -> tuple[int, ...]:
        """The slots that a later entry filled again, in order; with `through_entry`, one up to that."""
        query = select(events.c.slot).distinct().where(events.c.campaign_id == CAMPAIGN)
        query = query.where(events.c.entry != events.c.slot).order_by(events.c.slot)
        if through_entry is not None:
            query = query.where(events.c.entry <= through_entry)
        with self._reading() as connection:
            return tuple(connection.execute(query, {"campaign": campaign}).scalars())

    def _last_seq(self, campaign: str, wanted: int | None) -> int:
        with self._reading() as connection:
            last: int = connection.execute(LAST_SEQ, {"campaign": campaign}).scalar_one()
        return last if wanted is None else min(last, wanted)

    def _pages(self, query: Prepared, bound: dict[str, Any]) -> Iterator[list[StoredEvent]]:
        wanted = PAGE
        while True:
            with self._reading() as connection:
                page = list(map(_stored, query.all(connection, bound | {"page": wanted})))
            if page:
                yield page  # whoever reads moves `bound` behind the page before asking for the next
            if len(page) < wanted:
                return
            wanted = min(2 * wanted, PAGE_MOST)

    # --- snapshots: a cache of folded state ----------------------------------------------------------------

    def save_snapshot(
        self, connection: Connection, campaign: str, entry: int, fingerprint: str, body: bytes
    ) -> None:
        """Keep the state after `entry`, as folded by the code that `fingerprint` names."""
        key = (campaign, fingerprint, entry)
        DROP_SNAPSHOT.write(connection, [key])
        ADD_SNAPSHOT.write(connection, [(*key, body)])

    def snapshot_digests(self, connection: Connection, campaign: str, fingerprint: str) -> dict[int, bytes]:
        """The SHA-256 of every snapshot that this code kept, by its entry."""
        query = select(snapshots.c.entry, snapshots.c.body).where(
            snapshots.c.campaign_id == campaign, snapshots.c.fingerprint == fingerprint
        )
        return {row.entry: sha256(row.body).digest() for row in connection.execute(query)}

    def snapshot_entries(self, connection: Connection, campaign: str, fingerprint: str) -> tuple[int, ...]:
        """The entries after which that code kept a state, oldest first."""
        bound = {"campaign": campaign, "fingerprint": fingerprint}
        return tuple(entry for (entry,) in SNAPSHOTS.all(connection, bound))

    def thin_snapshots(
        self, connection: Connection, campaign: str, fingerprint: str, gone: Sequence[int]
    ) -> None:
        """Forget the snapshots after these entries."""
        DROP_SNAPSHOT.write(connection, [(campaign, fingerprint, entry) for entry in gone])

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

    def drop_snapshots(self, connection: Connection, campaign: str, from_entry: int) -> None:
        """Forget every snapshot of this entry and later, whatever code made it."""
        connection.execute(
            delete(snapshots).where(snapshots.c.campaign_id == campaign, snapshots.c.entry >= from_entry)
        )

    # --- verifying ---------------------------------------------------------------------------------------

    def verify(
        self,
        campaign: str,
        progress: Callable[[int, int], None] | None = None,
        *,
        end: LogEnd | None = None,
    ) -> VerifyReport:
        """Read every row up to that end, or today's, and name the first that is not what was written."""
        with self._reading() as connection:
            end = end or log_end(connection, campaign)
        return verify_log(self._engine, campaign, end, progress)

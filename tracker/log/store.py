"""The store: appends sealed events in one transaction, and reads them back.

Knows rows, numbers and heads. Knows no event type: `data` goes in and `body` comes out as it is.
Nothing here reads a clock, makes an id or decides anything.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Engine,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)

from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier
from tracker.log.database import reading, writing
from tracker.log.refusals import (
    CommandKeyReused,
    CommitUnknown,
    ConnectionLost,
    DatabaseUnreachable,
    HeadDamaged,
    StaleHead,
)
from tracker.log.sealing import Head, SealedEvent
from tracker.log.verifying import VerifyReport, verify_log
from tracker.records import dataclass, replace
from tracker.schema import commands, events, heads, snapshots

PAGE = 500
"""Rows read at a time: a long log streams in bounded memory, and no read holds up a writer for long."""


# --- shapes ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a command came to. `repeated`: it had been sent before, and nothing was written now."""

    campaign: str
    first_seq: int
    last_seq: int
    first_entry: int
    last_entry: int
    digest: str
    repeated: bool


class StoredEvent(NamedTuple):
    """An event as it was read: its bytes are not yet decoded and not verified."""

    seq: int
    entry: int
    slot: int
    type: str
    body: bytes
    leaf: bytes


# --- statements, compiled once -----------------------------------------------------------------------------

_CAMPAIGN: BindParameter[str] = bindparam("campaign")
_READ_HEAD = select(heads.c.size, heads.c.entries, heads.c.leaf, heads.c.frontier).where(
    heads.c.campaign_id == _CAMPAIGN
)
_LOCK_HEAD = _READ_HEAD.with_for_update()
_EMPTY_HEAD = {
    "size": 0,
    "entries": 0,
    "leaf": bytes.fromhex(EMPTY_PREV),
    "frontier": EMPTY_FRONTIER.to_bytes(),
}
# Written out: both engines know these words, and SQLAlchemy's PostgreSQL dialect takes long to import.
_OPEN_HEAD = text(
    "INSERT INTO heads (campaign_id, size, entries, leaf, frontier)"
    " VALUES (:campaign_id, :size, :entries, :leaf, :frontier) ON CONFLICT DO NOTHING"
)
_MOVE_HEAD = update(heads).where(heads.c.campaign_id == _CAMPAIGN)
_FIND_COMMAND = select(
    commands.c.digest,
    commands.c.first_seq,
    commands.c.last_seq,
    commands.c.first_entry,
    commands.c.last_entry,
).where(commands.c.campaign_id == _CAMPAIGN, commands.c.key == bindparam("command_key"))
_STORED = select(
    events.c.seq, events.c.entry, events.c.slot, events.c.type, events.c.body, events.c.leaf
).where(events.c.campaign_id == _CAMPAIGN)
_PLACES = events.alias("places")


class EventStore:
    """The log of every campaign in one database."""

    def __init__(self, engine: Engine, *, within: Connection | None = None) -> None:
        self._engine = engine
        self._within = within

    def within(self, connection: Connection) -> "EventStore":
        """This store inside a writing transaction, which whoever began it commits.

        Once a transaction has changed more pages than SQLite's cache holds, it locks every other reader out,
        the same program's own among them.
        """
        return EventStore(self._engine, within=connection)

    def _reading(self) -> AbstractContextManager[Connection]:
        return reading(self._engine) if self._within is None else nullcontext(self._within)

    def _writing(self) -> AbstractContextManager[Connection]:
        return writing(self._engine) if self._within is None else nullcontext(self._within)

    # --- writing -----------------------------------------------------------------------------------------

    def head(self, campaign: str) -> Head:
        """Where a campaign's log ends; size 0 when nothing was ever written."""
        with self._reading() as connection:
            return _head(connection, _READ_HEAD, campaign)

    def append(
        self,
        head: Head,
        sealed: Sequence[SealedEvent],
        new_head: Head,
        *,
        key: str,
        digest: str,
        also: Callable[[Connection, tuple[SealedEvent, ...]], None] | None = None,
    ) -> Receipt:
        """Write what `seal(head, ...)` made, once, in one transaction with whatever `also` writes.

        The same key with the same digest finds its first receipt and writes nothing. Refuses, writing
        nothing: `StaleHead` when the log has moved on, `CommandKeyReused` when the key stood for another
        command. A connection lost while saving is looked into under the key before it is refused.
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
                now = _locked_head(connection, head.campaign)
                known = _find_command(connection, head.campaign, key)
                if known is not None:
                    return _repeated(known, key, digest)
                if (now.size, now.leaf_hex) != (head.size, head.leaf_hex):
                    raise StaleHead(head.campaign, head.size, now.size)
                _write(connection, sealed, new_head, receipt, key)
                if also is not None:
                    also(connection, tuple(sealed))
            return receipt
        except ConnectionLost:
            known = self.look_again(head.campaign, key)
            if known is None:
                raise
            return replace(_repeated(known, key, digest), repeated=known.first_seq != receipt.first_seq)

    @contextmanager
    def exclusively(self, campaign: str) -> Iterator[Connection]:
        """A writing transaction during which nobody appends to the campaign: for work on its caches."""
        with writing(self._engine) as connection:
            _locked_head(connection, campaign)
            yield connection

    def look_again(self, campaign: str, key: str) -> Receipt | None:
        """What a command came to whose connection broke off; None: to nothing. Raises CommitUnknown."""
        try:
            return self.find_command(campaign, key)
        except (ConnectionLost, DatabaseUnreachable) as error:
            raise CommitUnknown(key) from error

    def find_command(self, campaign: str, key: str) -> Receipt | None:
        """The receipt a command key has, with the digest it was sent under; None for a new key."""
        with self._reading() as connection:
            return _find_command(connection, campaign, key)

    def command_rows(self, campaign: str) -> Iterator[dict[str, Any]]:
        """Every command's row, in the order of the events it recorded."""
        query = (
            select(
                commands.c.key,
                commands.c.digest,
                commands.c.first_seq,
                commands.c.last_seq,
                commands.c.first_entry,
                commands.c.last_entry,
            )
            .where(commands.c.campaign_id == campaign)
            .order_by(commands.c.first_seq, commands.c.key)
        )
        with self._reading() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
        yield from rows

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
        query = _STORED.where(
            events.c.seq >= bindparam("next_seq"), events.c.seq <= bindparam("through_seq")
        ).order_by(events.c.seq)
        bound: dict[str, Any] = {"campaign": campaign, "next_seq": first_seq, "through_seq": through}
        for page in self._pages(query, bound):
            yield from page
            bound["next_seq"] = page[-1].seq + 1

    def read_entry(self, campaign: str, entry: int) -> tuple[StoredEvent, ...]:
        """The events of one entry; none when there is no such entry."""
        # In two steps: asked for the entry alone, SQLite's planner walks the whole campaign to find it.
        seqs = select(_PLACES.c.seq).where(
            _PLACES.c.campaign_id == _CAMPAIGN, _PLACES.c.entry == bindparam("entry")
        )
        query = _STORED.where(events.c.seq.in_(seqs)).order_by(events.c.seq)
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
    ) -> Iterator[StoredEvent]:
        """Events by slot, in a slot by seq: each slot's versions follow each other, oldest first.

        `through_entry` leaves out what was written later: the slots as that entry knew them.
        """
        query = _STORED.where(
            tuple_(events.c.slot, events.c.seq) > tuple_(bindparam("slot"), bindparam("seq")),
            events.c.seq <= bindparam("through_seq"),
        ).order_by(events.c.slot, events.c.seq)
        if through_slot is not None:
            query = query.where(events.c.slot <= through_slot)
        if through_entry is not None:
            # No slot is later than its entry: said, the engine stops there instead of reading on to the end.
            query = query.where(events.c.entry <= through_entry, events.c.slot <= through_entry)
        bound: dict[str, Any] = {
            "campaign": campaign,
            "slot": after_slot + 1,
            "seq": -1,
            "through_seq": self._last_seq(campaign, None),
        }
        for page in self._pages(query, bound):
            yield from page
            bound |= {"slot": page[-1].slot, "seq": page[-1].seq}

    def headers_backwards(self, campaign: str, header: str) -> Iterator[tuple[int, bytes]]:
        """Each entry's own header (events of that type) with its bytes, the newest first."""
        query = (
            select(events.c.entry, events.c.body, events.c.seq)
            .where(
                events.c.campaign_id == _CAMPAIGN,
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

    def refilled_slots(self, campaign: str) -> tuple[int, ...]:
        """The slots that a later entry filled again, in order."""
        query = select(events.c.slot).distinct().where(events.c.campaign_id == _CAMPAIGN)
        query = query.where(events.c.entry != events.c.slot).order_by(events.c.slot)
        with self._reading() as connection:
            return tuple(connection.execute(query, {"campaign": campaign}).scalars())

    def _last_seq(self, campaign: str, wanted: int | None) -> int:
        query = select(func.coalesce(func.max(events.c.seq), -1)).where(events.c.campaign_id == _CAMPAIGN)
        with self._reading() as connection:
            last: int = connection.execute(query, {"campaign": campaign}).scalar_one()
        return last if wanted is None else min(last, wanted)

    def _pages(self, query: Select[Any], bound: dict[str, Any]) -> Iterator[list[StoredEvent]]:
        query = query.limit(PAGE)
        while True:
            with self._reading() as connection:
                page = [StoredEvent(*row) for row in connection.execute(query, bound).all()]
            if page:
                yield page  # whoever reads moves `bound` behind the page before asking for the next
            if len(page) < PAGE:
                return

    # --- snapshots: a cache of folded state ----------------------------------------------------------------

    def save_snapshot(
        self, connection: Connection, campaign: str, entry: int, fingerprint: str, body: bytes
    ) -> None:
        """Keep the state after `entry`, as folded by the code that `fingerprint` names."""
        key = {"campaign_id": campaign, "fingerprint": fingerprint, "entry": entry}
        connection.execute(delete(snapshots).filter_by(**key))
        connection.execute(insert(snapshots), key | {"body": body})

    def snapshots(self, campaign: str, fingerprint: str) -> dict[int, bytes]:
        """Every snapshot by that code: bodies by entry, oldest first."""
        query = (
            select(snapshots.c.entry, snapshots.c.body)
            .where(snapshots.c.campaign_id == campaign, snapshots.c.fingerprint == fingerprint)
            .order_by(snapshots.c.entry)
        )
        with self._reading() as connection:
            return {row.entry: row.body for row in connection.execute(query)}

    def snapshot_entries(self, connection: Connection, campaign: str, fingerprint: str) -> tuple[int, ...]:
        """The entries after which that code kept a state, oldest first."""
        query = (
            select(snapshots.c.entry)
            .where(snapshots.c.campaign_id == campaign, snapshots.c.fingerprint == fingerprint)
            .order_by(snapshots.c.entry)
        )
        return tuple(connection.execute(query).scalars())

    def thin_snapshots(
        self, connection: Connection, campaign: str, fingerprint: str, gone: Sequence[int]
    ) -> None:
        """Forget the snapshots after these entries."""
        for entry in gone:
            key = {"campaign_id": campaign, "fingerprint": fingerprint, "entry": entry}
            connection.execute(delete(snapshots).filter_by(**key))

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

    def verify(self, campaign: str, progress: Callable[[int, int], None] | None = None) -> VerifyReport:
        """Read every row of a campaign again and name the first that is not what was written."""
        return verify_log(self._engine, campaign, progress)


# --- the steps of an append --------------------------------------------------------------------------------


def _head(connection: Connection, query: Select[Any], campaign: str) -> Head:
    row = connection.execute(query, {"campaign": campaign}).first()
    if row is None:
        return Head(campaign=campaign)
    try:
        frontier = Frontier.from_bytes(row.frontier)
    except ValueError as error:
        raise HeadDamaged(campaign, str(error)) from error
    if frontier.size != row.size:
        raise HeadDamaged(campaign, f"it counts {row.size} events and its frontier {frontier.size}")
    return Head(
        campaign=campaign,
        size=row.size,
        entries=row.entries,
        leaf_hex=row.leaf.hex(),
        frontier=frontier,
    )


def _locked_head(connection: Connection, campaign: str) -> Head:
    # The lock comes first, then every look: a check before the lock is a check of the past.
    head = _head(connection, _LOCK_HEAD, campaign)
    if head.size == 0:
        # A first append has no row to lock: make one. A rival's row, once committed, is found and locked.
        connection.execute(_OPEN_HEAD, _EMPTY_HEAD | {"campaign_id": campaign})
        head = _head(connection, _LOCK_HEAD, campaign)
    return head


def _find_command(connection: Connection, campaign: str, key: str) -> Receipt | None:
    row = connection.execute(_FIND_COMMAND, {"campaign": campaign, "command_key": key}).first()
    if row is None:
        return None
    digest, first_seq, last_seq, first_entry, last_entry = row
    return Receipt(
        campaign=campaign,
        first_seq=first_seq,
        last_seq=last_seq,
        first_entry=first_entry,
        last_entry=last_entry,
        digest=digest,
        repeated=True,
    )


def _repeated(known: Receipt, key: str, digest: str) -> Receipt:
    if known.digest != digest:
        raise CommandKeyReused(known.campaign, key, known.first_entry)
    return known


def _write(
    connection: Connection, sealed: Sequence[SealedEvent], new_head: Head, receipt: Receipt, key: str
) -> None:
    connection.execute(
        insert(events),
        [
            {
                "campaign_id": event.campaign,
                "seq": event.seq,
                "entry": event.entry,
                "slot": event.slot,
                "type": event.type,
                "event_id": event.event_id,
                "body": event.body,
                "leaf": event.leaf,
            }
            for event in sealed
        ],
    )
    connection.execute(
        _MOVE_HEAD,
        {
            "campaign": new_head.campaign,
            "size": new_head.size,
            "entries": new_head.entries,
            "leaf": sealed[-1].leaf,
            "frontier": new_head.frontier.to_bytes(),
        },
    )
    connection.execute(
        insert(commands),
        {
            "campaign_id": receipt.campaign,
            "key": key,
            "digest": receipt.digest,
            "first_seq": receipt.first_seq,
            "last_seq": receipt.last_seq,
            "first_entry": receipt.first_entry,
            "last_entry": receipt.last_entry,
        },
    )

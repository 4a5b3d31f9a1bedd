"""Appending: the statements and steps of one append, inside a transaction of the caller.

Knows heads, events and commands as rows, and which is locked first. Refuses only a damaged head and a key
that names another command.
"""

from collections.abc import Sequence
from operator import attrgetter

from sqlalchemy import Connection, bindparam, select, text, update

from tracker.log import append_call, prepared_statements
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier
from tracker.log.driver_errors import rejected_rows_refused
from tracker.log.prepared_statements import PreparedStatement, Values, insertion, pipelined
from tracker.log.refusals import CommandKeyReused, HeadDamaged, RowsNotWritten
from tracker.log.sealing import Head, SealedEvent
from tracker.log.statements import CAMPAIGN
from tracker.records import Record
from tracker.schema import commands, events, heads


class Receipt(Record):
    """The entry that a command recorded. `repeated`: it had been sent before, and nothing was written now."""

    campaign: str
    first_seq: int
    last_seq: int
    first_entry: int
    last_entry: int
    digest: str
    repeated: bool


# Compiled once.
_HEAD = select(heads.c.size, heads.c.entries, heads.c.leaf, heads.c.frontier).where(
    heads.c.campaign_id == CAMPAIGN
)
_READ_HEAD = PreparedStatement(_HEAD, ("campaign",))
_LOCK_HEAD = PreparedStatement(_HEAD.with_for_update(), ("campaign",))
_ANY_EVENT = PreparedStatement(
    select(events.c.seq).where(events.c.campaign_id == CAMPAIGN, events.c.seq == 0), ("campaign", "seq_1")
)
_EMPTY_HEAD = {
    "size": 0,
    "entries": 0,
    "leaf": bytes.fromhex(EMPTY_PREV),
    "frontier": EMPTY_FRONTIER.to_bytes(),
}
# Plain SQL that both engines know: SQLAlchemy's PostgreSQL dialect takes long to import.
_OPEN_HEAD = text(
    "INSERT INTO heads (campaign_id, size, entries, leaf, frontier)"
    " VALUES (:campaign_id, :size, :entries, :leaf, :frontier) ON CONFLICT DO NOTHING"
)
_MOVE_HEAD = PreparedStatement(
    update(heads)
    .values({column: bindparam(column.name) for column in heads.c if column is not heads.c.campaign_id})
    .where(heads.c.campaign_id == CAMPAIGN),
    ("size", "entries", "leaf", "frontier", "campaign"),
)
_FIND_COMMAND = PreparedStatement(
    select(
        commands.c.digest,
        commands.c.first_seq,
        commands.c.last_seq,
        commands.c.first_entry,
        commands.c.last_entry,
    ).where(commands.c.campaign_id == CAMPAIGN, commands.c.key == bindparam("command_key")),
    ("campaign", "command_key"),
)
_ADD_EVENTS = insertion(events)
_row_of = attrgetter("campaign", *(column.name for column in list(events.c)[1:]))
_ADD_COMMAND = insertion(commands)
_EVENTS_FROM = PreparedStatement(
    select(*events.c)
    .where(events.c.campaign_id == CAMPAIGN, events.c.seq >= bindparam("first_seq"))
    .order_by(events.c.seq),
    ("campaign", "first_seq"),
)


def head_of(connection: Connection, campaign: str) -> Head:
    """The end of a campaign's log; size 0 when nothing was ever written. Raises HeadDamaged."""
    return _read_head(connection, _READ_HEAD, campaign)


def head_query(campaign: str) -> prepared_statements.Query:
    """The query for the head."""
    return _READ_HEAD, (campaign,)


def lock_query(campaign: str) -> prepared_statements.Query:
    """The query that locks the head, to be sent with BEGIN."""
    return _LOCK_HEAD, (campaign,)


def command_query(campaign: str, key: str) -> prepared_statements.Query:
    """The query for a command by its key."""
    return _FIND_COMMAND, (campaign, key)


def locked_head(connection: Connection, campaign: str) -> Head:
    """The head, which nobody else moves until the transaction ends. Raises HeadDamaged."""
    # Lock first, then read: what was read before the lock may be out of date.
    head = _read_head(connection, _LOCK_HEAD, campaign)
    if head.size == 0:
        # A first append has no row to lock: make one. Another writer's row, once committed, is found and
        # locked.
        with rejected_rows_refused():
            connection.execute(_OPEN_HEAD, _EMPTY_HEAD | {"campaign_id": campaign})
        head = _read_head(connection, _LOCK_HEAD, campaign)
    return head


def _read_head(connection: Connection, query: PreparedStatement, campaign: str) -> Head:
    row = query.first(connection, (campaign,))
    if row is None and _ANY_EVENT.first(connection, (campaign, 0)) is not None:
        # On PostgreSQL each statement sees what others committed since the one before: perhaps a first head.
        row = query.first(connection, (campaign,))
        if row is None:
            raise HeadDamaged(campaign, "there are events but no head row")
    if row is None:
        return Head(campaign=campaign)
    size, entries, leaf, kept = row
    refuse_impossible(campaign, size, entries)
    if type(leaf) is not bytes or type(kept) is not bytes:
        raise HeadDamaged(campaign, "its leaf or its frontier is not bytes")
    try:
        frontier = Frontier.from_bytes(kept)
    except ValueError as error:
        raise HeadDamaged(campaign, str(error)) from error
    if frontier.size != size:
        raise HeadDamaged(campaign, f"it counts {size} events and its frontier {frontier.size}")
    return Head(campaign=campaign, size=size, entries=entries, leaf_hex=leaf.hex(), frontier=frontier)


def refuse_impossible(campaign: str, size: object, entries: object) -> None:
    """Raises HeadDamaged for a head that counts what no log can have."""
    if type(size) is not int or type(entries) is not int:
        raise HeadDamaged(campaign, "its counts are not numbers")
    if not min(size, 1) <= entries <= size:
        raise HeadDamaged(campaign, f"it counts {entries} entries and {size} events")


def find_command(connection: Connection, campaign: str, key: str) -> Receipt | None:
    """The receipt that a command key has; None for a new key."""
    row = _FIND_COMMAND.first(connection, (campaign, key))
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


def repeated_receipt(known: Receipt, key: str, digest: str) -> Receipt:
    """The first receipt of a command sent again. Raises CommandKeyReused if it is another command."""
    if known.digest != digest:
        raise CommandKeyReused(known.campaign, key, known.first_entry)
    return known


def write(
    connection: Connection,
    head: Head,
    sealed: Sequence[SealedEvent],
    new_head: Head,
    receipt: Receipt,
    key: str,
) -> None:
    """Write the sealed events after `head`, the new head, and the command's row.

    Raises RowsNotWritten when not every row is there afterwards and RowsRefused when the database refuses
    one; if the database takes an append as one call, at the latest when the transaction ends.
    """
    rows = list(map(_row_of, sealed))
    call = append_call.on(connection)
    if call is not None and head.size:
        call.begin(head, new_head, key=key, digest=receipt.digest, rows=rows)
        return
    campaign = new_head.campaign
    moved = (new_head.size, new_head.entries, sealed[-1].leaf, new_head.frontier.to_bytes())
    row = (receipt.digest, receipt.first_seq, receipt.last_seq, receipt.first_entry, receipt.last_entry)
    with rejected_rows_refused(), pipelined(connection):
        _ADD_EVENTS.write(connection, rows)
        _MOVE_HEAD.write(connection, [(*moved, campaign)])
        _ADD_COMMAND.write(connection, [(campaign, key, *row)])
        # A row that is counted as written may still be lost: a PostgreSQL rule can redirect it, a trigger can
        # change or delete it.
        events_there = _EVENTS_FROM.deferred(connection, (campaign, receipt.first_seq))
        head_there = _READ_HEAD.deferred(connection, (campaign,))
        command_there = _FIND_COMMAND.deferred(connection, (campaign, key))

        def refuse_unlike() -> None:
            _refuse_different("events", events_there(), rows)
            _refuse_different("heads", head_there(), [moved])
            _refuse_different("commands", command_there(), [row])

        prepared_statements.after_response(connection, refuse_unlike)


def _refuse_different(table: str, stored: Sequence[Values], given: Sequence[Values]) -> None:
    if stored != given:
        same = sum(stored == wanted for stored, wanted in zip(stored, given, strict=False))
        raise RowsNotWritten(table, len(given), same)

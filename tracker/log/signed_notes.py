"""Signed notes as rows beside the log: heads, cosignatures and keys, append-only.

Knows rows. Knows no key file and checks no signature: the caller has checked it.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from tracker.log.chain import EMPTY_FRONTIER, Frontier
from tracker.log.record_rows import RowDamaged
from tracker.log.refusals import HeadDamaged
from tracker.records import converted
from tracker.schema import signed_notes

Kind: TypeAlias = Literal["key", "witnesses", "checkpoint", "cosignature"]


class SignedRow(NamedTuple):
    """A note of a campaign; of a cosignature, only its line.

    `size` is the size of the head; for a key or a statement of witnesses, its number. `signer` is a witness's
    key.
    """

    kind: Kind
    origin: str
    size: int
    signer: str
    note: str
    frontier: Frontier = EMPTY_FRONTIER


def rows(connection: Connection, campaign: str) -> tuple[SignedRow, ...]:
    """Every note of a campaign: keys by number, heads and cosignatures by size. Raises RowDamaged."""
    query = (
        select(*(signed_notes.c[name] for name in SignedRow._fields))
        .where(signed_notes.c.campaign_id == campaign)
        .order_by(signed_notes.c.size, signed_notes.c.kind, signed_notes.c.origin, signed_notes.c.signer)
    )
    return tuple(_row(tuple(row)) for row in connection.execute(query))


def _row(row: tuple[object, ...]) -> SignedRow:
    try:
        kind, origin, size, signer, note = converted(row[:5], tuple[Kind, str, int, str, str])
        frontier = Frontier.from_bytes(converted(row[5], bytes))
        return SignedRow(kind, origin, size, signer, note, frontier)
    except (msgspec.ValidationError, ValueError) as wrong:
        raise RowDamaged(thing="signed note", reason=str(wrong)) from wrong


def add(connection: Connection, campaign: str, added: Sequence[SignedRow]) -> tuple[SignedRow, ...]:
    """Write the notes that are not there yet, and return them. A note whose place is taken is left out: the
    first one that was written stays.
    """
    taken = {row[:4] for row in rows(connection, campaign)}
    new = tuple({row[:4]: row for row in added if row[:4] not in taken}.values())
    for row in new:
        values = row._asdict() | {"campaign_id": campaign, "frontier": row.frontier.to_bytes()}
        try:
            connection.execute(insert(signed_notes).values(values))
        except IntegrityError as raced:  # another writer was faster
            raise HeadDamaged(campaign, str(raced.orig).partition("\n")[0]) from raced
    return new


def vkeys(connection: Connection, campaign: str) -> tuple[str, ...]:
    """The public keys that sign for a campaign, oldest first, as its statements name them, unverified."""
    lines = (line for row in rows(connection, campaign) if row.kind == "key" for line in row.note.split("\n"))
    return tuple(line.removeprefix("key ") for line in lines if line.startswith("key "))

"""Fences: mark campaigns that a database has given away, or for which it takes no entries for some seconds.

Readers check them here; `fence_store` sets them and stops writers. Knows no cell's address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from tracker.errors import Stale
from tracker.log import raw_sql
from tracker.log.raw_sql import AnyConnection
from tracker.records import Record

Kind: TypeAlias = Literal["held", "moved", "copy"]
"""Held while its last entries are copied; moved for good; a copy, while another cell may still write."""


class Fence(Record):
    """A fence of a campaign in a database. `cell` is the other cell."""

    campaign: str
    kind: Kind
    cell: str
    token: str
    """The token of whoever holds it."""
    until: str | None = None
    """The end of its time, in case the holder dies."""


class CampaignHeld(Stale):
    """The campaign is moving to the cell {cell} and takes no entries for some seconds. Nothing was written;
    try again.
    """

    campaign: str
    cell: str


class CampaignMoved(Stale):
    """The campaign is now in the cell {cell}. Nothing was written here. The service finds it; on the command
    line, name that cell's database with --db ('arbitrator host cell list').
    """

    campaign: str
    cell: str


FENCE: Final = (
    "SELECT campaign_fences.kind, campaign_fences.cell, campaign_fences.token, campaign_fences.until"
    " FROM campaign_fences WHERE campaign_fences.campaign_id = ?"
)
KEPT_ELSEWHERE: Final = (
    "SELECT campaign_fences.campaign_id FROM campaign_fences WHERE campaign_fences.kind <> 'held'"
)


def statements() -> Iterator[str]:
    """Every statement of this module, for the test that checks them against the schema."""
    yield from (FENCE, KEPT_ELSEWHERE)


def read_fence(campaign: str, row: Sequence[Any] | None) -> Fence | None:
    """The fence in a row of `FENCE`, or None."""
    if row is None:
        return None
    kind, cell, token, until = row
    return Fence(campaign=campaign, kind=kind, cell=cell, token=token, until=until)


def fence_of(connection: AnyConnection, campaign: str) -> Fence | None:
    """The fence of a campaign here, or None."""
    return read_fence(campaign, raw_sql.first(connection, FENCE, campaign))


def refuse_reading(connection: AnyConnection, campaign: str) -> None:
    """Raises CampaignMoved if this database has only a copy."""
    fence = fence_of(connection, campaign)
    if fence is not None and fence.kind != "held":
        raise CampaignMoved(campaign=campaign, cell=fence.cell)


def kept_elsewhere(connection: AnyConnection) -> frozenset[str]:
    """The campaigns of which this database has only copies."""
    return frozenset(raw_sql.scalars(connection, KEPT_ELSEWHERE))

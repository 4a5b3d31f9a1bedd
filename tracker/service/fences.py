"""Fences: which campaigns a database keeps no more, or for some seconds takes no entries of.

A fence is put and taken away while the head of the campaign is locked, so no entry passes it. Knows no cell's
address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select

from tracker.errors import Stale
from tracker.log.prepared import Asked, Prepared
from tracker.log.statements import CAMPAIGN
from tracker.records import Record
from tracker.schema import campaign_fences

Kind: TypeAlias = Literal["held", "moved", "copy"]
"""Held while its last entries are copied; moved for good; a copy, which another cell may still write to."""


class Fence(Record):
    """What stands before a campaign in a database. `cell` is the other one."""

    campaign: str
    kind: Kind
    cell: str
    token: str
    """Whose it is, while it is held."""
    until: str | None = None
    """Held until then: who put it may have died."""


class CampaignHeld(Stale):
    """The campaign is on its way to the cell {cell}, and takes no entries for some seconds. Nothing was
    written; try again.
    """

    campaign: str
    cell: str


class CampaignMoved(Stale):
    """The campaign is kept in the cell {cell} now. Nothing was written here. The service finds it; at a
    machine name that cell's database with --db ('arbitrator host cell list').
    """

    campaign: str
    cell: str


_FENCE: Final = Prepared(
    select(
        campaign_fences.c.kind, campaign_fences.c.cell, campaign_fences.c.token, campaign_fences.c.until
    ).where(campaign_fences.c.campaign_id == CAMPAIGN),
    ("campaign",),
)


def asks_for_fence(campaign: str) -> Asked:
    """What stands before a campaign, to be asked with the lock of its head."""
    return _FENCE, (campaign,)


def fence_of(connection: Connection, campaign: str) -> Fence | None:
    """What stands before a campaign here."""
    row = _FENCE.first(connection, (campaign,))
    if row is None:
        return None
    kind, cell, token, until = row
    return Fence(campaign=campaign, kind=kind, cell=cell, token=token, until=until)


def refuse_writing(connection: Connection, campaign: str, now: Callable[[], str]) -> None:
    """Ask under the lock of the head, in the transaction that writes. Raises CampaignHeld, CampaignMoved.

    A fence whose time is over is taken away with what is written: whoever held it finds it gone.
    """
    fence = fence_of(connection, campaign)
    if fence is None:
        return
    if fence.kind != "held":
        raise CampaignMoved(campaign=campaign, cell=fence.cell)
    if fence.until is None or now() <= fence.until:
        raise CampaignHeld(campaign=campaign, cell=fence.cell)
    lift(connection, campaign)


def refuse_reading(connection: Connection, campaign: str) -> None:
    """Raises CampaignMoved where this is no more than a copy."""
    fence = fence_of(connection, campaign)
    if fence is not None and fence.kind != "held":
        raise CampaignMoved(campaign=campaign, cell=fence.cell)


def kept_elsewhere(connection: Connection) -> frozenset[str]:
    """The campaigns that are no more than copies here."""
    query = select(campaign_fences.c.campaign_id).where(campaign_fences.c.kind != "held")
    return frozenset(connection.execute(query).scalars())


def put(connection: Connection, fence: Fence) -> None:
    """In place of any that stands there."""
    lift(connection, fence.campaign)
    row = {"campaign_id": fence.campaign, "kind": fence.kind, "cell": fence.cell}
    connection.execute(insert(campaign_fences), {**row, "token": fence.token, "until": fence.until})


def lift(connection: Connection, campaign: str) -> None:
    """Nothing stands before it any more."""
    connection.execute(delete(campaign_fences).where(campaign_fences.c.campaign_id == campaign))

"""The fence store: sets and removes fences under the lock of a campaign's head, so no entry passes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, delete, insert

from tracker.log.prepared_statements import PreparedStatement, Query
from tracker.schema import campaign_fences
from tracker.service import fences
from tracker.service.fences import CampaignHeld, CampaignMoved, Fence, read_fence

_FENCE: Final = PreparedStatement(fences.FENCE, ("campaign",))


def fence_query(campaign: str) -> Query:
    """The query for a campaign's fence, sent with the lock of its head."""
    return _FENCE, (campaign,)


def refuse_writing(connection: Connection, campaign: str, now: Callable[[], str]) -> None:
    """Raises CampaignHeld or CampaignMoved. Call it under the lock of the head, in the transaction that
    writes.

    Deletes a fence whose time is over in that transaction: its holder finds it gone.
    """
    row = _FENCE.first(connection, (campaign,))
    fence = read_fence(campaign, row)
    if fence is None:
        return
    if fence.kind != "held":
        raise CampaignMoved(campaign=campaign, cell=fence.cell)
    if fence.until is None or now() <= fence.until:
        raise CampaignHeld(campaign=campaign, cell=fence.cell)
    lift(connection, campaign)


def put(connection: Connection, fence: Fence) -> None:
    """Set a fence, in place of an existing one."""
    lift(connection, fence.campaign)
    row = {"campaign_id": fence.campaign, "kind": fence.kind, "cell": fence.cell}
    connection.execute(insert(campaign_fences), {**row, "token": fence.token, "until": fence.until})


def lift(connection: Connection, campaign: str) -> None:
    """Remove the fence of a campaign, if there is one."""
    connection.execute(delete(campaign_fences).where(campaign_fences.c.campaign_id == campaign))

"""Which campaigns have a log in a database, whatever its boards say. Knows ids, and no event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tracker.log import raw_sql
from tracker.log.raw_sql import AnyConnection

WITH_A_LOG: Final = "SELECT heads.campaign_id FROM heads WHERE heads.size > 0 ORDER BY heads.campaign_id"
UNLISTED: Final = (
    "SELECT heads.campaign_id FROM heads WHERE heads.size > 0 AND NOT EXISTS"
    " (SELECT 1 FROM board_campaigns WHERE board_campaigns.campaign_id = heads.campaign_id)"
    " ORDER BY heads.campaign_id"
)
HAS_A_LOG: Final = (
    "SELECT EXISTS (SELECT 1 FROM heads WHERE heads.campaign_id = ?)"
    " OR EXISTS (SELECT 1 FROM events WHERE events.campaign_id = ?)"
)
# In floating point: one head that counts more than there can be is damage of its campaign, and of no other.
EVENTS: Final = "SELECT sum(heads.size * 1.0) FROM heads"


def statements() -> Iterator[str]:
    """Every statement of these."""
    yield from (WITH_A_LOG, UNLISTED, HAS_A_LOG, EVENTS)


def with_a_log(connection: AnyConnection) -> tuple[str, ...]:
    """The campaigns whose log has a head, in order of id."""
    return tuple(raw_sql.scalars(connection, WITH_A_LOG))


def has_a_log(connection: AnyConnection, campaign: str) -> bool:
    """Whether a campaign has a head, or events at the least: then its audit says that the head is gone."""
    return bool(raw_sql.scalar(connection, HAS_A_LOG, campaign, campaign))


def unlisted(connection: AnyConnection) -> tuple[str, ...]:
    """The campaigns that have a log and no row in the directory."""
    return tuple(raw_sql.scalars(connection, UNLISTED))


def events(connection: AnyConnection) -> Any:
    """How many events there are. Boards change with the head or not at all."""
    return raw_sql.scalar(connection, EVENTS)

"""The campaigns that have a log in a database, whether or not its boards list them. Knows ids only."""

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
# In floating point, because one head with an impossible count must not damage the sum for other campaigns.
EVENTS: Final = "SELECT sum(heads.size * 1.0) FROM heads"


def statements() -> Iterator[str]:
    """All statements of this module, for the test that checks them against the schema."""
    yield from (WITH_A_LOG, UNLISTED, HAS_A_LOG, EVENTS)


def with_a_log(connection: AnyConnection) -> tuple[str, ...]:
    """The campaigns whose log has a head, in order of id."""
    return tuple(raw_sql.scalars(connection, WITH_A_LOG))


def has_a_log(connection: AnyConnection, campaign: str) -> bool:
    """Whether a campaign has a head or any events. With events alone, its audit reports the missing head."""
    return bool(raw_sql.scalar(connection, HAS_A_LOG, campaign, campaign))


def unlisted(connection: AnyConnection) -> tuple[str, ...]:
    """The campaigns that have a log and no row in the directory."""
    return tuple(raw_sql.scalars(connection, UNLISTED))


def events(connection: AnyConnection) -> Any:
    """The number of events in the database. Boards change only together with the head."""
    return raw_sql.scalar(connection, EVENTS)

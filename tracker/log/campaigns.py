"""Which campaigns have a log in a database, whatever its boards say. Knows ids, and no event."""

from sqlalchemy import Connection, Delete, bindparam, delete, exists, or_, select

from tracker.schema import board_campaigns, events, heads


def with_a_log(connection: Connection) -> tuple[str, ...]:
    """The campaigns whose log has a head, in order of id."""
    return tuple(connection.execute(_WITH_A_LOG).scalars())


def has_a_log(connection: Connection, campaign: str) -> bool:
    """Whether a campaign has a head, or events at the least: then its audit says that the head is gone."""
    return bool(connection.execute(_HAS_A_LOG, {"campaign": campaign}).scalar())


def unlisted(connection: Connection) -> tuple[str, ...]:
    """The campaigns that have a log and no row in the directory."""
    return tuple(connection.execute(_UNLISTED).scalars())


def forget_strangers(connection: Connection) -> None:
    """Take off the directory what has no log, whatever its row holds."""
    connection.execute(_FORGET_STRANGERS)


_WITH_A_LOG = select(heads.c.campaign_id).where(heads.c.size > 0).order_by(heads.c.campaign_id)
_HAS_A_LOG = select(
    or_(*(exists().where(table.c.campaign_id == bindparam("campaign")) for table in (heads, events)))
)
_UNLISTED = _WITH_A_LOG.where(~exists().where(board_campaigns.c.campaign_id == heads.c.campaign_id))
_FORGET_STRANGERS: Delete = delete(board_campaigns).where(
    ~or_(*(exists().where(table.c.campaign_id == board_campaigns.c.campaign_id) for table in (heads, events)))
)

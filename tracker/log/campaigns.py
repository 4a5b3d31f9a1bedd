"""Which campaigns have a log in a database, whatever its boards say. Knows ids, and no event."""

from functools import cache
from typing import Any

from sqlalchemy import CTE, Connection, Delete, Select, Table, bindparam, delete, exists, func, or_, select

from tracker.schema import events, heads


def with_a_log(connection: Connection) -> tuple[str, ...]:
    """The campaigns that have events or a head, in order of id."""
    return tuple(sorted({*ids_in(connection, events), *ids_in(connection, heads)}))


def has_a_log(connection: Connection, campaign: str) -> bool:
    """Whether a campaign has events or a head."""
    return bool(connection.execute(_HAS_A_LOG, {"campaign": campaign}).scalar())


def ids_in(connection: Connection, table: Table) -> tuple[str, ...]:
    """The campaigns that have rows in a table."""
    return tuple(connection.execute(_ids_in(table)).scalars())


def forget_strangers(connection: Connection, table: Table) -> None:
    """Delete a table's rows of campaigns that have no log, whatever they hold."""
    connection.execute(_forget_strangers(table))


@cache
def _ids_in(table: Table) -> Select[Any]:
    ids = _ids(table)
    return select(ids.c.id).where(ids.c.id.is_not(None))


@cache
def _forget_strangers(table: Table) -> Delete:
    ids = _ids(table)
    with_log = [exists().where(one.c.campaign_id == ids.c.id) for one in (heads, events)]
    strangers = select(ids.c.id).where(ids.c.id.is_not(None), ~or_(*with_log))
    return delete(table).where(table.c.campaign_id.in_(strangers))


def _ids(table: Table) -> CTE:
    """The campaigns of a table, each found by its key from the one before; behind the last comes NULL."""
    rows = table.alias("its_rows")
    ids = select(func.min(rows.c.campaign_id).label("id")).cte("ids", recursive=True)
    following = select(func.min(rows.c.campaign_id)).where(rows.c.campaign_id > ids.c.id)
    return ids.union_all(select(following.scalar_subquery()).where(ids.c.id.is_not(None)))


_HAS_A_LOG = select(
    or_(*(exists().where(one.c.campaign_id == bindparam("campaign")) for one in (heads, events)))
)

"""A campaign's boards copied as they stand after one entry, while others go on writing.

On SQLite who reads for long keeps every writer waiting, so a copy is made in steps of a few rows. What is
appended meanwhile lies behind the last entry and is left out; only a ruling writes on rows that stand there
already: after one the copy is begun anew.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, Select, Table, bindparam, or_, select, tuple_

from tracker.campaign import records
from tracker.log.database import reading
from tracker.projections.sql import BOARDS, BY_EVENT, DELETE_ALL, insert_values
from tracker.schema import events

STEP = 2_000
"""Rows copied in one transaction: some ten milliseconds."""

TRIES = 5
"""So often a copy is begun in steps; where rulings come faster than that, it is made at once."""


def copy_boards(engine: Engine, campaign: str, copy: Connection) -> int:
    """Copy the boards into `copy`, where there are none yet. Gives the last entry that they know."""
    for at_once in (*([False] * TRIES), True):
        last_entry = _copied(engine, campaign, copy, at_once=at_once)
        if last_entry is not None:
            return last_entry
        for table in BOARDS:
            copy.execute(DELETE_ALL[table], {"its_campaign_id": campaign})
    raise AssertionError("no ruling comes between what is read at once")


def _copied(engine: Engine, campaign: str, copy: Connection, *, at_once: bool) -> int | None:
    """The last entry that the copy knows; None when a ruling wrote on what was copied."""
    bound: dict[str, Any] = {"campaign": campaign, "step": STEP}
    with reading(engine) as connection:
        bound["last_seq"], bound["last_entry"] = connection.execute(_LAST, bound).first() or (-1, 0)
        for table in BOARDS:
            if at_once or table not in BY_EVENT:
                found = connection.execute(_WHOLE[table].execution_options(yield_per=STEP), bound)
                for rows in found.partitions():
                    insert_values(copy, table, rows)
    for table in () if at_once else BY_EVENT:
        query, is_more = _FIRST_STEP[table], True
        while is_more:
            with reading(engine) as connection:
                if connection.execute(_RULED_SINCE, bound).first() is not None:
                    return None
                page = connection.execute(query, bound).all()
            insert_values(copy, table, page)
            query, is_more = _STEP[table], len(page) == STEP
            if is_more:
                bound |= {column.name: getattr(page[-1], column.name) for column in _key(table)}
    return int(bound["last_entry"])


def _key(table: Table) -> list[Any]:
    return [column for column in table.primary_key if column.name != "campaign_id"]


def _of_campaign(table: Table) -> Select[Any]:
    return select(table).where(table.c.campaign_id == bindparam("campaign"))


_LAST = (
    select(events.c.seq, events.c.entry)
    .where(events.c.campaign_id == bindparam("campaign"))
    .order_by(events.c.seq.desc())
    .limit(1)
)
_NOW = (
    select(events.c.entry)
    .where(events.c.campaign_id == bindparam("campaign"))
    .order_by(events.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_RULED_SINCE = (
    select(events.c.seq)
    .where(
        events.c.campaign_id == bindparam("campaign"),
        events.c.seq > bindparam("last_seq"),
        or_(
            events.c.slot != events.c.entry,
            events.c.type.in_([records.NAMES[records.SlotVoided], records.NAMES[records.SlotKept]]),
        ),
    )
    .limit(1)
)
_WHOLE = {table: _of_campaign(table) for table in BOARDS}
_FIRST_STEP = {
    # A row of a slot that is not there yet was written by nobody, and belongs into the copy.
    table: _of_campaign(table)
    .where(or_(table.c.slot <= bindparam("last_entry"), table.c.slot > _NOW))
    .order_by(*_key(table))
    .limit(bindparam("step"))
    for table in BY_EVENT
}
_STEP = {
    table: query.where(tuple_(*_key(table)) > tuple_(*(bindparam(one.name) for one in _key(table))))
    for table, query in _FIRST_STEP.items()
}

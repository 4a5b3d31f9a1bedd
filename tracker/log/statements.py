"""The statements that read a log, made once so that SQLAlchemy finds each compiled. `store` binds them."""

from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, case, func, or_, select, tuple_

from tracker.schema import commands, events, heads

COMMANDS_PAGE = 10_000
"""Rows of commands: nothing but sorting brings them into the order of the log, once for each page."""

CAMPAIGN: BindParameter[str] = bindparam("campaign")
COMMANDS = (
    select(commands)
    .where(
        commands.c.campaign_id == CAMPAIGN,
        or_(
            commands.c.first_seq < bindparam("before_seq"),
            # What is appended meanwhile is left out, but not what stands for no event at all.
            commands.c.first_seq
            >= select(heads.c.size).where(heads.c.campaign_id == CAMPAIGN).scalar_subquery(),
        ),
        tuple_(commands.c.first_seq, commands.c.key) > tuple_(bindparam("first"), bindparam("after_key")),
    )
    .order_by(commands.c.first_seq, commands.c.key)
    .limit(COMMANDS_PAGE)
)
STORED = select(
    events.c.seq, events.c.entry, events.c.slot, events.c.type, events.c.body, events.c.leaf
).where(events.c.campaign_id == CAMPAIGN)
PLACES = events.alias("places")
LAST_SEQ = select(func.coalesce(func.max(events.c.seq), -1)).where(events.c.campaign_id == CAMPAIGN)
READ = (
    STORED.where(events.c.seq >= bindparam("next_seq"), events.c.seq <= bindparam("through_seq"))
    .order_by(events.c.seq)
    .limit(bindparam("page"))
)


@cache
def read_slots(*, through_slot: bool, through_entry: bool, unread: frozenset[str]) -> Select[Any]:
    body = case((events.c.type.in_(sorted(unread)), b""), else_=events.c.body) if unread else events.c.body
    query = select(events.c.seq, events.c.entry, events.c.slot, events.c.type, body, events.c.leaf).where(
        events.c.campaign_id == CAMPAIGN,
        tuple_(events.c.slot, events.c.seq) > tuple_(bindparam("slot"), bindparam("seq")),
        events.c.seq <= bindparam("through_seq"),
    )
    if through_slot:
        query = query.where(events.c.slot <= bindparam("through_slot"))
    if through_entry:
        # No slot is later than its entry: said, the engine stops there instead of reading on to the end.
        entry: BindParameter[int] = bindparam("through_entry")
        query = query.where(events.c.entry <= entry, events.c.slot <= entry)
    return query.order_by(events.c.slot, events.c.seq).limit(bindparam("page"))

"""The statements of a log but for those of an append, made once; `store` binds them.

What reads many rows, or is asked with an append, is compiled here; the rest SQLAlchemy finds compiled.
"""

from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    ScalarSelect,
    Select,
    bindparam,
    delete,
    func,
    literal_column,
    or_,
    select,
    tuple_,
)

from tracker.log.prepared import Prepared, insertion
from tracker.schema import commands, events, heads, snapshots

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
_STORED = (events.c.seq, events.c.entry, events.c.slot, events.c.type, events.c.body, events.c.leaf)
STORED = select(*_STORED).where(events.c.campaign_id == CAMPAIGN)
STORED_OF = select(events.c.campaign_id, *_STORED)
_PLACES = events.alias("places")
HEAD = Prepared(select(heads.c.size, heads.c.entries).where(heads.c.campaign_id == CAMPAIGN), ("campaign",))


def _in_entry(entry: ColumnElement[Any]) -> Select[Any]:
    return select(_PLACES.c.seq).where(_PLACES.c.campaign_id == CAMPAIGN, _PLACES.c.entry == entry)


def _first_of(entry: ColumnElement[Any]) -> ScalarSelect[Any]:
    return _in_entry(entry).order_by(_PLACES.c.seq).limit(1).scalar_subquery()


def _last_of(entry: ColumnElement[Any]) -> ScalarSelect[Any]:
    return _in_entry(entry).order_by(_PLACES.c.seq.desc()).limit(1).scalar_subquery()


_ENTRY: BindParameter[int] = bindparam("entry")
# By seq, between the places that the index of entries tells of: asked for the entry alone, SQLite's planner
# walks the whole campaign to find it. The event before and the one after show whether the index gave all.
READ_ENTRY = Prepared(
    STORED.where(events.c.seq >= _first_of(_ENTRY) - 1, events.c.seq <= _last_of(_ENTRY) + 1).order_by(
        events.c.seq
    )
)
# As a range of slots, though there is one: asked for the slot alone, SQLite walks the whole campaign.
_SLOT: BindParameter[int] = bindparam("slot")
READ_SLOT = Prepared(
    STORED.where(
        tuple_(events.c.slot, events.c.seq) >= tuple_(_SLOT, 0),
        events.c.slot <= _SLOT,
        events.c.entry + 0 <= bindparam("through_entry"),
    ).order_by(events.c.slot, events.c.seq)
)
# The slot plus nothing: so that the index of slots, which may have the hole, is not asked.
COUNT_IN_SLOT = Prepared(
    select(func.count()).where(
        events.c.campaign_id == CAMPAIGN,
        events.c.seq >= _first_of(_ENTRY),
        events.c.seq <= _last_of(_ENTRY),
        events.c.slot + 0 == bindparam("slot"),
    )
)
READ = Prepared(
    STORED.where(events.c.seq >= bindparam("next_seq"), events.c.seq <= bindparam("through_seq"))
    .order_by(events.c.seq)
    .limit(bindparam("page"))
)
# The slot plus nothing: by the index of slots the whole log up to there would be walked.
REFILLED_SINCE = Prepared(
    STORED.where(
        events.c.seq > bindparam("seq"),
        events.c.slot + 0 <= bindparam("through_slot"),
        events.c.entry + 0 <= bindparam("through_entry"),
    )
    .order_by(events.c.seq)
    .limit(bindparam("page"))
)
HEADERS_BACKWARDS = Prepared(
    select(events.c.seq, events.c.entry, events.c.body)
    .where(
        events.c.campaign_id == CAMPAIGN,
        events.c.seq < bindparam("before_seq"),
        events.c.type == bindparam("header"),
        events.c.slot == events.c.entry,
    )
    .order_by(events.c.seq.desc())
    .limit(bindparam("page"))
)
_OF_CODE = (snapshots.c.campaign_id == CAMPAIGN, snapshots.c.fingerprint == bindparam("fingerprint"))
SNAPSHOTS = Prepared(select(snapshots.c.entry).where(*_OF_CODE).order_by(snapshots.c.entry))
ADD_SNAPSHOT = insertion(snapshots)
DROP_SNAPSHOT = Prepared(
    delete(snapshots).where(*_OF_CODE, snapshots.c.entry == bindparam("entry")),
    ("campaign", "fingerprint", "entry"),
)


@cache
def count_slots(*, through_entry: bool) -> tuple[Prepared, Prepared]:
    """How many events the index of slots tells of, between the first and the one behind the last event of the
    entries after `slot`; and how many there are by their seq. The second reads all bytes between the two.
    """
    size = select(heads.c.size).where(heads.c.campaign_id == CAMPAIGN).scalar_subquery()
    after: BindParameter[int] = bindparam("slot")
    through: BindParameter[int] = bindparam("through_entry")
    end = func.coalesce(_first_of(through + 1), size) if through_entry else size
    counted = select(func.count()).where(events.c.campaign_id == CAMPAIGN)
    # Nothing but its own column lets an engine take the one index, and nothing else keeps it from the other.
    by_slot, by_seq = counted.where(events.c.slot > after), counted.where(events.c.slot + 0 > after)
    by_seq = by_seq.where(events.c.seq >= bindparam("first"), events.c.seq < bindparam("end"))
    if through_entry:
        by_slot, by_seq = by_slot.where(events.c.slot <= through), by_seq.where(events.c.slot + 0 <= through)
    counts = select(_first_of(after + 1), end, by_slot.where(events.c.seq + 0 < end).scalar_subquery())
    return Prepared(counts), Prepared(by_seq)


@cache
def read_slots(*, through_entry: bool, unread: frozenset[str]) -> Prepared:
    """A page of events by slot and seq; those of the types in `unread` only where a slot was filled again."""
    query = STORED.where(
        tuple_(events.c.slot, events.c.seq) > tuple_(bindparam("slot"), bindparam("seq")),
        events.c.seq <= bindparam("through_seq"),
    )
    if unread:
        # Written into the words: they are our own names, the same for every page.
        names: list[Any] = [literal_column(f"'{name}'") for name in sorted(unread)]
        query = query.where(or_(events.c.type.not_in(names), events.c.entry != events.c.slot))
    if through_entry:
        # No slot is later than its entry: said, the engine stops there instead of reading on to the end.
        entry: BindParameter[int] = bindparam("through_entry")
        query = query.where(events.c.entry <= entry, events.c.slot <= entry)
    return Prepared(query.order_by(events.c.slot, events.c.seq).limit(bindparam("page")))

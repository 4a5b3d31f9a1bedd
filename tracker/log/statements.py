"""The statements of a log except those of an append, made once; `store` binds them.

Those that read many rows, or run with an append, are compiled here; SQLAlchemy caches the rest.
"""

from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    ScalarSelect,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)

from tracker.log.prepared_statements import PreparedStatement, insertion
from tracker.schema import Number, commands, events, heads, snapshots, snapshots_parts

COMMANDS_PAGE = 10_000
"""Rows of commands per page. Sorting brings them into the order of the log, once for each page."""

AT_ONCE = 32
"""The number of slots that one statement reads."""

CAMPAIGN: BindParameter[str] = bindparam("campaign")
COMMANDS = (
    select(commands)
    .where(
        commands.c.campaign_id == CAMPAIGN,
        or_(
            commands.c.first_seq < bindparam("before_seq"),
            # Leave out what is appended meanwhile, but not rows without an event.
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
HEAD = PreparedStatement(
    select(heads.c.size, heads.c.entries).where(heads.c.campaign_id == CAMPAIGN), ("campaign",)
)
_SIZE = select(heads.c.size).where(heads.c.campaign_id == CAMPAIGN).scalar_subquery()


def _first_of(entry: ColumnElement[Any]) -> ScalarSelect[Any]:
    """The first seq of an entry by binary search, or the log's end if there is no such entry.

    NULL if an event that the head counts is not found on the way, which includes the entry's neighbours.
    """
    whole = select(cast(0, Number).label("low"), _SIZE.label("high"))
    halves, middle = whole.cte(recursive=True), events.alias()
    at = (halves.c.low + halves.c.high).self_group() // 2
    is_before = middle.c.entry < entry
    half = select(
        case((is_before, middle.c.seq + 1), else_=halves.c.low),
        case((is_before, halves.c.high), else_=middle.c.seq),
    ).where(halves.c.low < halves.c.high, middle.c.campaign_id == CAMPAIGN, middle.c.seq == at)
    halves = halves.union_all(half)
    return select(halves.c.low).where(halves.c.low == halves.c.high).scalar_subquery()


_ENTRY: BindParameter[int] = bindparam("entry", type_=Number)
# Includes the event before and the one after, which show whether all between them were found.
READ_ENTRY = PreparedStatement(
    STORED.where(events.c.seq >= _first_of(_ENTRY) - 1, events.c.seq <= _first_of(_ENTRY + 1)).order_by(
        events.c.seq
    )
)
REFILLED = STORED.where(events.c.entry != events.c.slot)
# Later refills of a slot.
REFILLED_SLOT = PreparedStatement(
    REFILLED.where(
        events.c.slot == bindparam("slot"), events.c.entry + 0 <= bindparam("through_entry")
    ).order_by(events.c.slot, events.c.seq)
)
# The same for many slots; a slot that is given twice counts once.
REFILLED_AMONG = PreparedStatement(
    REFILLED.where(
        events.c.slot.in_([bindparam(f"slot_{place}", type_=Number) for place in range(AT_ONCE)]),
        events.c.entry + 0 <= bindparam("through_entry"),
    ).order_by(events.c.slot, events.c.seq)
)
REFILLED_SLOTS = PreparedStatement(
    REFILLED.where(
        tuple_(events.c.slot, events.c.seq) > tuple_(bindparam("slot"), bindparam("seq")),
        events.c.seq + 0 < bindparam("end"),
    )
    .order_by(events.c.slot, events.c.seq)
    .limit(bindparam("page"))
)
# "slot + 0" keeps the index of refills out of the query, because that index may be the damaged one.
COUNT_IN_SLOT = PreparedStatement(
    select(func.count()).where(
        events.c.campaign_id == CAMPAIGN,
        events.c.seq >= _first_of(_ENTRY),
        events.c.seq < _first_of(_ENTRY + 1),
        events.c.slot + 0 == bindparam("slot"),
    )
)
_RANGES = union_all(
    *(
        select(
            cast(bindparam(f"first_{place}"), Number).label("first"),
            cast(bindparam(f"last_{place}"), Number).label("last"),
        )
        for place in range(AT_ONCE)
    )
).cte("ranges")
# The number of ranges of seqs in one query; a range that ends before it begins is empty.
READ_RANGES = PreparedStatement(
    select(*_STORED)
    .select_from(_RANGES.join(events, events.c.seq.between(_RANGES.c.first, _RANGES.c.last)))
    .where(events.c.campaign_id == CAMPAIGN)
)
READ = PreparedStatement(
    STORED.where(events.c.seq >= bindparam("next_seq"), events.c.seq <= bindparam("through_seq"))
    .order_by(events.c.seq)
    .limit(bindparam("page"))
)
# "slot + 0": the index of slots would walk the whole log up to there.
REFILLED_SINCE = PreparedStatement(
    STORED.where(
        events.c.seq > bindparam("seq"),
        events.c.slot + 0 <= bindparam("through_slot"),
        events.c.entry + 0 <= bindparam("through_entry"),
    )
    .order_by(events.c.seq)
    .limit(bindparam("page"))
)
HEADERS_BACKWARDS = PreparedStatement(
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
SNAPSHOTS = PreparedStatement(
    select(snapshots.c.entry, snapshots.c.parts).where(*_OF_CODE).order_by(snapshots.c.entry)
)
ADD_SNAPSHOT = insertion(snapshots)
_PART_OF_CODE = (
    snapshots_parts.c.campaign_id == CAMPAIGN,
    snapshots_parts.c.fingerprint == bindparam("fingerprint"),
)
PARTS = PreparedStatement(select(snapshots_parts.c.name).where(*_PART_OF_CODE))
PART = PreparedStatement(
    select(snapshots_parts.c.body).where(*_PART_OF_CODE, snapshots_parts.c.name == bindparam("name")),
    ("campaign", "fingerprint", "name"),
)
ADD_PART = insertion(snapshots_parts)
DROP_PART = PreparedStatement(
    delete(snapshots_parts).where(*_PART_OF_CODE, snapshots_parts.c.name == bindparam("name")),
    ("campaign", "fingerprint", "name"),
)
DROP_SNAPSHOT = PreparedStatement(
    delete(snapshots).where(*_OF_CODE, snapshots.c.entry == bindparam("entry")),
    ("campaign", "fingerprint", "entry"),
)


@cache
def seq_range(*, through_entry: bool) -> PreparedStatement:
    """The query for the seq where the entries after `slot` begin, the seq where the log ends as of an entry,
    and how many events lie between the two.
    """
    first = _first_of(bindparam("slot", type_=Number) + 1)
    through: BindParameter[int] = bindparam("through_entry", type_=Number)
    end = _first_of(through + 1) if through_entry else _SIZE
    counted = select(func.count()).where(events.c.campaign_id == CAMPAIGN)
    counted = counted.where(events.c.seq >= first, events.c.seq < end)
    return PreparedStatement(select(first, end, counted.scalar_subquery()))


@cache
def read_moving(unread: frozenset[str]) -> PreparedStatement:
    """The query for a page of events by seq; those of the types in `unread` only in refilled slots."""
    query = STORED.where(events.c.seq >= bindparam("next_seq"), events.c.seq < bindparam("end"))
    if unread:
        # Inlined: they are our own names, the same for every page.
        names: list[Any] = [literal_column(f"'{name}'") for name in sorted(unread)]
        query = query.where(or_(events.c.type.not_in(names), events.c.entry != events.c.slot))
    return PreparedStatement(query.order_by(events.c.seq).limit(bindparam("page")))

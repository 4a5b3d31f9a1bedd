"""Reads the index of entries: which entries are about whom and which events they hold, in a fixed order.

Knows the index and the battles' slots. The events themselves are read from the log.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    false,
    func,
    or_,
    select,
    text,
)

from tracker import schema
from tracker.projections import queries
from tracker.projections.calendar import Calendar
from tracker.projections.entry_rows import COLUMNS, EntryRow, read_entry_row
from tracker.projections.row_json import read_row

PAGE = 500
"""Rows fetched at once when a filter checks them one by one."""


def entries(
    connection: Connection,
    campaign: str,
    *,
    fighter: str | None = None,
    gang: str | None = None,
    battle: str | None = None,
    events: AbstractSet[str] = frozenset(),
    command: str | None = None,
    entry: int | None = None,
    slot: int | None = None,
    since: int | None = None,
    struck: bool | None = None,
    limit: int | None = None,
    first: int | None = None,
) -> list[EntryRow]:
    """The index of entries in the order of the log.

    `limit`: only that many of the newest matches; `first`: only that many of the oldest entries, each with
    all its rows. `events` are types of events, of which an entry holds at least one; `command` is a type of
    command; `gang` also matches its fighters. All rows of one `entry` that is a ruling show which slots it
    was about.
    """
    members = _members(connection, campaign, gang) if gang is not None else None
    span = _slots_of(connection, campaign, battle) if battle is not None else (slot, slot)
    if limit == 0 or span is None:
        return []
    calendar = _calendar(connection, campaign, *span) if battle is not None else Calendar()

    def fits(row: EntryRow) -> bool:
        return (
            (fighter is None or fighter in row["fighters"])
            and (members is None or not members.isdisjoint(row["fighters"]))
            and (not events or not events.isdisjoint(row["events"]))
            and (battle is None or calendar.battle_at(row["slot"]) == battle)
        )

    table = schema.board_entries
    query = _INDEX.where(table.c.campaign_id == campaign)
    if fighter is not None:
        query = query.where(_names(table.c.fighters, fighter))
    if 0 < len(events) <= WORDS_MAX:
        holding = (table.c.events.contains(name, autoescape=True) for name in sorted(events))
        query = query.where(or_(false(), *holding))
    if command is not None:
        query = query.where(table.c.command == command)
    if entry is not None:
        query = query.where(table.c.entry == entry)
    if slot is not None:
        query = query.where(table.c.slot == slot)
    if since is not None:
        query = query.where(table.c.entry >= since)
    if struck is not None:
        query = query.where(table.c.struck_by.is_not(None) if struck else table.c.struck_by.is_(None))
    fitting: list[EntryRow] = []
    found: set[int] = set()
    for row in _listed(connection, query, *span, newest_first=first is None):
        if not fits(row):
            continue
        found.add(row["entry"])
        if first is not None and len(found) > first:
            break
        fitting.append(row)
        if first is None and len(fitting) == limit:
            break
    return _in_battles(connection, campaign, fitting if first is not None else fitting[::-1])


def entries_between_battles(
    connection: Connection, campaign: str, *, after_slot: int, before_slot: int | None
) -> list[EntryRow]:
    """The entries of the slots between these two that belong to no battle, in the order of play."""
    query = _INDEX.where(schema.board_entries.c.campaign_id == campaign)
    last = before_slot - 1 if before_slot is not None else None
    rows = _in_battles(connection, campaign, list(_listed(connection, query, after_slot + 1, last)))
    return sorted((row for row in rows if row["battle"] is None), key=_by_slot)


def entries_touching(
    connection: Connection, campaign: str, *, fighters: AbstractSet[str], events: AbstractSet[str]
) -> list[EntryRow]:
    """The entries about any of these fighters, or with an event of one of these types, struck or not."""
    table = schema.board_entries
    query = _INDEX.where(table.c.campaign_id == campaign)
    # The database filters by text first, so that most rows need not be decoded.
    if len(fighters) + len(events) <= WORDS_MAX:
        about = (_names(table.c.fighters, name) for name in sorted(fighters))
        holding = (table.c.events.contains(name, autoescape=True) for name in sorted(events))
        query = query.where(or_(false(), *about, *holding))
    rows = [
        row
        for row in _listed(connection, query)
        if not fighters.isdisjoint(row["fighters"]) or not events.isdisjoint(row["events"])
    ]
    return _in_battles(connection, campaign, rows)


def entries_moving(connection: Connection, campaign: str, gang: str) -> list[EntryRow]:
    """The entries that count and moved credits or things to or from a gang, in the order of play."""
    table = schema.board_entries
    query = _INDEX.where(
        table.c.campaign_id == campaign, table.c.struck_by.is_(None), _names(table.c.gangs, gang)
    )
    rows = [row for row in _listed(connection, query) if gang in row["gangs"]]
    return sorted(_in_battles(connection, campaign, rows), key=_by_slot)


def _listed(
    connection: Connection,
    query: Select[Any],
    first_slot: int | None = None,
    last_slot: int | None = None,
    *,
    newest_first: bool = False,
) -> Iterator[EntryRow]:
    """The rows of a query, limited to these slots, in the order of the log or backwards."""
    table = schema.board_entries
    entry, slot = table.c.entry, table.c.slot
    wanted: Select[Any] | CompoundSelect[Any] = query
    if first_slot is not None or last_slot is not None:
        # An entry's own slot by the key, a ruling's others by their index: no slot is later than its entry.
        own = query.where(slot == entry, *_between(entry, first_slot, last_slot))
        wanted = own.union_all(query.where(slot != entry, *_between(slot, first_slot, last_slot)))
    order: list[Any] = [column.desc() if newest_first else column for column in (entry, slot)]
    if isinstance(wanted, CompoundSelect):
        order = [text(f"{column.name}{' DESC' if newest_first else ''}") for column in (entry, slot)]
    with connection.execute(wanted.order_by(*order).execution_options(yield_per=PAGE)) as found:
        for row in found:
            yield read_entry_row(row)


def _between(column: Any, first: int | None, last: int | None) -> Iterator[ColumnElement[bool]]:
    if first is not None:
        yield column >= first
    if last is not None:
        yield column <= last


def _in_battles(connection: Connection, campaign: str, rows: list[EntryRow]) -> list[EntryRow]:
    """The rows with the battle that each slot belongs to."""
    if rows:
        slots = [row["slot"] for row in rows]
        calendar = _calendar(connection, campaign, min(slots), max(slots))
        for row in rows:
            row["battle"] = calendar.battle_at(row["slot"])
    return rows


def _calendar(connection: Connection, campaign: str, first: int | None, last: int | None) -> Calendar:
    """The battles that these slots belong to."""
    table = schema.board_battles
    its = table.c.campaign_id == campaign
    # Only the last battle that opened before may still have been under way.
    begun = select(func.max(table.c.slot)).where(its, table.c.slot <= (first or 0)).scalar_subquery()
    query = select(table.c.row).where(its, table.c.slot >= func.coalesce(begun, 0))
    if last is not None:
        query = query.where(table.c.slot <= last)
    rows = [read_row(table.name, row) for row in connection.execute(query).scalars()]
    return Calendar.of(rows)  # type: ignore[arg-type]  # rows as read


def _by_slot(row: EntryRow) -> tuple[int, int]:
    return row["slot"], row["entry"]


def _names(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Whether a JSON list may hold this id; a few rows match that do not hold it."""
    return column.contains(f'"{name}"', autoescape=True)


WORDS_MAX = 100
"""The number of ids above which decoding every row is faster than a text search for each."""

_INDEX = select(*COLUMNS)


def _members_query(campaign: str, gang: str) -> Select[Any]:
    table = schema.board_fighters
    its: ColumnElement[bool] = (table.c.campaign_id == campaign) & (table.c.gang_id == gang)
    return select(table.c.fighter_id).where(its)


def _members(connection: Connection, campaign: str, gang: str) -> frozenset[str]:
    return frozenset(connection.execute(_members_query(campaign, gang)).scalars())


def _slots_of(connection: Connection, campaign: str, named: str) -> tuple[int, int | None] | None:
    row = queries.battle(connection, campaign, named)
    if row is None:
        return None
    return row["slot"], row["closed"]["slot"] if row["closed"] else None

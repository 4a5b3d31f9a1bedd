"""The one writer of the boards: with each append, from nothing, and compared with what they should be.

Knows which board an event and a record of state belong to. Knows no rule and no reader, and never reads
the log: what it needs is handed in. Rows are canonical JSON with sorted keys, so that boards written entry
by entry and boards made again are equal byte for byte.
"""

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    Select,
    StaticPool,
    Table,
    Text,
    Update,
    bindparam,
    create_engine,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy import update as sql_update

from tracker import schema
from tracker.campaign.events import (
    BattleClosed,
    BattleOpened,
    Event,
    ExperienceGained,
    LastingInjurySuffered,
    RollDisputed,
    RollMade,
    RulingMade,
)
from tracker.campaign.recorded import Recorded
from tracker.campaign.state import CampaignState, Fighter, Gang
from tracker.projections import battles, disputes, entries
from tracker.projections.battles import BattleRow, Calendar
from tracker.projections.disputes import DisputeRow
from tracker.projections.experience import experience_row
from tracker.projections.injuries import injury_row
from tracker.projections.rolls import roll_row
from tracker.projections.roster import fighter_row, status
from tracker.projections.standings import gang_row

Fold: TypeAlias = Callable[[CampaignState, Event], CampaignState]
Progress: TypeAlias = Callable[[int], None]
Bound: TypeAlias = dict[str, Any]
"""The values of one statement, by column."""

PAGE = 1000
"""Rows held in memory before they are written, and slots asked for at once."""

BOARDS: tuple[Table, ...] = (
    schema.board_campaigns,
    schema.board_gangs,
    schema.board_fighters,
    schema.board_injuries,
    schema.board_experience,
    schema.board_rolls,
    schema.board_battles,
    schema.board_disputes,
    schema.board_entries,
)
_BY_EVENT = (schema.board_injuries, schema.board_experience, schema.board_rolls, schema.board_entries)
"""The boards with one row or more for an event, in the order in which they are written."""

_to_json = msgspec.json.Encoder(order="sorted").encode
_from_json = msgspec.json.Decoder().decode


def update(
    connection: Connection,
    campaign: str,
    *,
    before: CampaignState,
    after: CampaignState,
    recorded: Sequence[Recorded],
    created_slug: str | None = None,
    created_at: str = "",
) -> None:
    """Bring the boards from `before` to `after`, within the transaction that appended `recorded`.

    `created_slug` is given with a campaign's first append.
    """
    if created_slug is not None:
        _write_campaign(connection, campaign, after, slug=created_slug, created_at=created_at)
    elif (before.name, before.book) != (after.name, after.book):
        renamed = {"its_campaign_id": campaign, "name": after.name, "ruleset": after.book}
        connection.execute(_UPDATE[schema.board_campaigns], renamed)
    _write_state(connection, campaign, before, after)
    pages = _Pages(connection, campaign)
    if any(entries.slot_of(place) != place.entry for place in recorded):
        calendar = _strike(connection, campaign, recorded)
    else:
        calendar = Calendar(under_way=before.under_way.battle if before.under_way else None)
        _write_battles(connection, campaign, recorded, calendar)
        _write_disputes(connection, campaign, recorded)
    for group in entries.groups(recorded):
        pages.add(group, calendar.battle_at(entries.slot_of(group[0])))
    pages.write()


def rebuild(
    connection: Connection,
    campaign: str,
    *,
    live: Iterable[Recorded],
    struck: Iterable[Recorded],
    fold: Fold,
    slug: str,
    created_at: str,
    progress: Progress | None = None,
) -> CampaignState:
    """Throw a campaign's boards away and make them again. Returns the state that live history adds up to.

    `live` comes in order of play, `struck` (what rulings took out) in any order of entries; together they
    are the whole log, words on slots included. `live` is read to its end before `struck` is begun.
    `progress` is told now and then how many events have been read.
    """
    for table in BOARDS:
        connection.execute(_DELETE_ALL[table], {"its_campaign_id": campaign})
    pages = _Pages(connection, campaign)
    state = CampaignState()
    calendar = Calendar()
    battle_rows: dict[str, BattleRow] = {}
    dispute_rows: dict[int, DisputeRow] = {}
    fills: dict[int, list[int]] = {}
    count = 0

    for group in entries.groups(live):
        slot = entries.slot_of(group[0])
        if entries.replaces(group[0]):
            fills.setdefault(slot, []).append(group[0].entry)
        for place in group:
            event = place.event
            state = fold(state, event)
            kind = type(event)
            if kind is BattleOpened or kind is BattleClosed:
                battles.note(battle_rows, place)
                _mark(calendar, place)
            elif kind is RollDisputed or kind is RulingMade:
                disputes.note(dispute_rows, place)
        pages.add(group, calendar.battle_at(slot))
        count = _tell(progress, count, len(group))
        pages.write_when_full()

    for group in entries.groups(struck):
        slot = entries.slot_of(group[0])
        if entries.replaces(group[0]):
            fills.setdefault(slot, []).append(group[0].entry)
        pages.add(group, calendar.battle_at(slot), is_struck=True)
        count = _tell(progress, count, len(group))
        pages.write_when_full()

    pages.write()
    _mark_struck(connection, campaign, fills)
    _write_campaign(connection, campaign, state, slug=slug, created_at=created_at)
    _write_state(connection, campaign, CampaignState(), state)
    _write_battle_rows(connection, campaign, {}, battle_rows)
    _write_dispute_rows(connection, campaign, {}, dispute_rows)
    if progress is not None:
        progress(count)
    return state


def differences(
    connection: Connection,
    campaign: str,
    *,
    live: Iterable[Recorded],
    struck: Iterable[Recorded],
    fold: Fold,
    slug: str,
    created_at: str,
    progress: Progress | None = None,
) -> list[str]:
    """What stands on the boards and should not, or the other way round: one line for each such row.

    Writes nothing here: the boards are made again in a scratch database, and the two compared row by row.
    """
    # An SQLite database without a name is a file that SQLite removes itself; most of it never leaves memory.
    scratch = create_engine("sqlite://", creator=lambda: sqlite3.connect(""), poolclass=StaticPool)
    try:
        with scratch.begin() as remade:
            schema.metadata.create_all(remade, tables=BOARDS)
            rebuild(
                remade,
                campaign,
                live=live,
                struck=struck,
                fold=fold,
                slug=slug,
                created_at=created_at,
                progress=progress,
            )
            return [line for table in BOARDS for line in _differences_in(table, campaign, connection, remade)]
    finally:
        scratch.dispose()


# --- campaigns, gangs and fighters: from state ------------------------------------------------------------


def _write_campaign(
    connection: Connection, campaign: str, state: CampaignState, *, slug: str, created_at: str
) -> None:
    connection.execute(
        _INSERT[schema.board_campaigns],
        {
            "campaign_id": campaign,
            "slug": slug,
            "name": state.name,
            "ruleset": state.book,
            "created_at": created_at,
        },
    )


def _write_state(connection: Connection, campaign: str, before: CampaignState, after: CampaignState) -> None:
    if before.gangs is after.gangs:
        return
    gangs = _compared(before.gangs, after.gangs)
    fighters: _Compared[Fighter] = _Compared()
    for gang in {**before.gangs, **after.gangs}:
        was, now = before.gangs.get(gang), after.gangs.get(gang)
        if was is not now:
            fighters.join(_compared(was.fighters if was else {}, now.fighters if now else {}))
    _write_changes(
        connection,
        schema.board_gangs,
        gone=[{"campaign_id": campaign, "gang_id": gang.gang} for gang in gangs.gone],
        new=[_gang_bound(campaign, *placed) for placed in gangs.new],
        changed=[_gang_bound(campaign, *placed) for placed in gangs.changed],
    )
    _write_changes(
        connection,
        schema.board_fighters,
        gone=[{"campaign_id": campaign, "fighter_id": fighter.fighter} for fighter in fighters.gone],
        new=[_fighter_bound(campaign, *placed) for placed in fighters.new],
        changed=[_fighter_bound(campaign, *placed) for placed in fighters.changed],
    )


Record = TypeVar("Record")


@dataclass(slots=True)
class _Compared(Generic[Record]):
    """What two states hold differently, with each record's place from 1."""

    new: list[tuple[int, Record]] = field(default_factory=list)
    changed: list[tuple[int, Record]] = field(default_factory=list)
    gone: list[Record] = field(default_factory=list)

    def join(self, other: "_Compared[Record]") -> None:
        self.new += other.new
        self.changed += other.changed
        self.gone += other.gone


def _compared(before: Mapping[str, Record], after: Mapping[str, Record]) -> _Compared[Record]:
    compared: _Compared[Record] = _Compared(gone=[one for name, one in before.items() if name not in after])
    places = {name: place for place, name in enumerate(before, start=1)}
    for place, (name, one) in enumerate(after.items(), start=1):
        if name not in places:
            compared.new.append((place, one))
        elif places[name] != place or (before[name] is not one and before[name] != one):
            compared.changed.append((place, one))
    return compared


def _gang_bound(campaign: str, place: int, gang: Gang) -> Bound:
    return {"campaign_id": campaign, "gang_id": gang.gang, "position": place, "row": _json(gang_row(gang))}


def _fighter_bound(campaign: str, place: int, fighter: Fighter) -> Bound:
    return {
        "campaign_id": campaign,
        "fighter_id": fighter.fighter,
        "gang_id": fighter.gang,
        "position": place,
        "status": status(fighter),
        "xp": fighter.experience,
        "row": _json(fighter_row(fighter)),
    }


# --- battles and disputes: a few rows that later events write on ------------------------------------------


def _write_battles(
    connection: Connection, campaign: str, recorded: Sequence[Recorded], calendar: Calendar
) -> None:
    opened = {place.event.battle for place in recorded if isinstance(place.event, BattleOpened)}
    closed = {place.event.battle for place in recorded if isinstance(place.event, BattleClosed)}
    if not opened and not closed:
        return
    were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles, closed - opened)
    for place in recorded:
        _mark(calendar, place)
    _write_battle_rows(connection, campaign, were, battles.redone(were, (), recorded))


def _write_disputes(connection: Connection, campaign: str, recorded: Sequence[Recorded]) -> None:
    opened = {place.event.dispute for place in recorded if isinstance(place.event, RollDisputed)}
    ruled = {place.event.dispute for place in recorded if isinstance(place.event, RulingMade)}
    if not opened and not ruled:
        return
    were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes, ruled - opened)
    _write_dispute_rows(connection, campaign, were, disputes.redone(were, (), recorded))


def _mark(calendar: Calendar, place: Recorded) -> None:
    if isinstance(place.event, BattleOpened):
        calendar.open(place.slot, place.event.battle)
    elif isinstance(place.event, BattleClosed):
        calendar.close(place.slot, place.event.battle)


def _rows_of(
    connection: Connection, campaign: str, table: Table, wanted: Collection[str | int] | None = None
) -> dict[Any, Any]:
    # By key; all of them when none is named.
    if wanted is not None and not wanted:
        return {}
    key = list(table.primary_key)[1]
    query = select(key, table.c.row).where(table.c.campaign_id == campaign)
    if wanted is not None:
        query = query.where(key.in_(wanted))
    return {name: _from_json(row) for name, row in connection.execute(query)}


def _write_battle_rows(
    connection: Connection, campaign: str, were: Mapping[str, BattleRow], are: Mapping[str, BattleRow]
) -> None:
    def bound(battle: str) -> Bound:
        row = are[battle]
        return {
            "campaign_id": campaign,
            "battle_id": battle,
            "number": row["number"],
            "slot": row["slot"],
            "row": _json(row),
        }

    _write_changes(
        connection,
        schema.board_battles,
        gone=[{"campaign_id": campaign, "battle_id": battle} for battle in were if battle not in are],
        new=[bound(battle) for battle in are if battle not in were],
        changed=[bound(battle) for battle in are if battle in were and are[battle] != were[battle]],
    )


def _write_dispute_rows(
    connection: Connection, campaign: str, were: Mapping[int, DisputeRow], are: Mapping[int, DisputeRow]
) -> None:
    def bound(dispute: int) -> Bound:
        return {"campaign_id": campaign, "dispute": dispute, "row": _json(are[dispute])}

    _write_changes(
        connection,
        schema.board_disputes,
        gone=[{"campaign_id": campaign, "dispute": dispute} for dispute in were if dispute not in are],
        new=[bound(dispute) for dispute in are if dispute not in were],
        changed=[bound(dispute) for dispute in are if dispute in were and are[dispute] != were[dispute]],
    )


# --- what a ruling strikes --------------------------------------------------------------------------------


def _strike(connection: Connection, campaign: str, recorded: Sequence[Recorded]) -> Calendar:
    fills: dict[int, list[int]] = {}
    for first, *_ in entries.groups(recorded):
        if entries.replaces(first):
            fills.setdefault(entries.slot_of(first), []).append(first.entry)
    touched = _mark_struck(connection, campaign, fills)
    for slots in _pages_of(sorted(fills)):
        for table in (schema.board_injuries, schema.board_experience):
            connection.execute(_DELETE_SLOTS[table], {"its_campaign_id": campaign, "slots": slots})

    # The rows of a campaign's battles are few, and they alone say which battle an old slot belongs to.
    battles_were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles)
    battles_are = battles.redone(battles_were, fills.keys(), recorded)
    _write_battle_rows(connection, campaign, battles_were, battles_are)
    calendar = Calendar.of(battles_are.values())
    _move_to_battles(connection, campaign, Calendar.of(battles_were.values()), calendar)

    if touched.isdisjoint({"RollDisputed", "RulingMade"}):
        _write_disputes(connection, campaign, recorded)
    else:
        disputes_were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes)
        disputes_are = disputes.redone(disputes_were, fills.keys(), recorded)
        _write_dispute_rows(connection, campaign, disputes_were, disputes_are)
    return calendar


def _mark_struck(connection: Connection, campaign: str, fills: Mapping[int, list[int]]) -> set[str]:
    """Mark what lies under each slot's later entries, and say which types of event that was."""
    touched: set[str] = set()
    in_order = {slot: sorted(later) for slot, later in fills.items()}
    for slots in _pages_of(sorted(fills)):
        for table in (schema.board_rolls, schema.board_entries):
            marked: list[Bound] = []
            for found in connection.execute(_SELECT_SLOTS[table], {"campaign_id": campaign, "slots": slots}):
                row = _from_json(found.row)
                later = in_order[row["slot"]]
                over = bisect_right(later, row["entry"])
                if row["struck_by"] is None and over < len(later):
                    row["struck_by"] = later[over]
                    marked.append(_key_of(table, campaign, row) | {"row": _json(row)})
                    touched.update(row.get("events", ()))
            _write(connection, _UPDATE[table], marked)
    return touched


def _move_to_battles(connection: Connection, campaign: str, was: Calendar, now: Calendar) -> None:
    last_slot = connection.execute(_LAST_ENTRY, {"campaign_id": campaign}).scalar() or 0
    for start, end in now.differs_from(was, last_slot=last_slot):
        for first in range(start, end + 1, PAGE):
            span = {"campaign_id": campaign, "first": first, "last": min(end, first + PAGE - 1)}
            battle = now.battle_at(start)
            for table in _BY_EVENT:
                moved: list[Bound] = []
                for found in connection.execute(_SELECT_SPAN[table], span):
                    row = _from_json(found.row) | {"battle": battle}
                    column = {"battle": battle} if "battle" in table.c else {}
                    moved.append(_key_of(table, campaign, row) | column | {"row": _json(row)})
                _write(connection, _UPDATE[table], moved)


def _pages_of(slots: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(slots), PAGE):
        yield slots[start : start + PAGE]


def _key_of(table: Table, campaign: str, row: Mapping[str, Any]) -> Bound:
    """The key of an event's row, bound for `_UPDATE`."""
    if table is schema.board_injuries:
        return {"its_campaign_id": campaign, "its_fighter_id": row["fighter"], "its_position": row["seq"]}
    return {"its_campaign_id": campaign} | {
        f"its_{column.name}": row[column.name] for column in list(table.primary_key)[1:]
    }


# --- injuries, experience, rolls and entries: from events -------------------------------------------------


class _Pages:
    """Rows from events, waiting to be written many at a time."""

    def __init__(self, connection: Connection, campaign: str) -> None:
        self._connection = connection
        self._campaign = campaign
        self._injuries: list[Bound] = []
        self._experience: list[Bound] = []
        self._rolls: list[Bound] = []
        self._entries: list[Bound] = []
        self._waiting = (
            (schema.board_injuries, self._injuries),
            (schema.board_experience, self._experience),
            (schema.board_rolls, self._rolls),
            (schema.board_entries, self._entries),
        )

    def add(self, group: list[Recorded], battle: str | None, *, is_struck: bool = False) -> None:
        """The rows of what one entry put into one slot. What was struck keeps its rolls and its entry."""
        campaign = self._campaign
        entry = entries.entry_row(group, battle)
        self._entries.append(
            {
                "campaign_id": campaign,
                "entry": entry["entry"],
                "slot": entry["slot"],
                "battle": battle,
                "row": _json(entry),
            }
        )
        for place in group:
            event = place.event
            if isinstance(event, RollMade):
                self._rolls.append(
                    {
                        "campaign_id": campaign,
                        "seq": place.seq,
                        "slot": place.slot,
                        "entry": place.entry,
                        "fighter_id": event.fighter,
                        "purpose": event.purpose,
                        "row": _json(roll_row(place, event, battle)),
                    }
                )
            elif is_struck:
                continue
            elif isinstance(event, ExperienceGained):
                self._experience.append(
                    {
                        "campaign_id": campaign,
                        "seq": place.seq,
                        "slot": place.slot,
                        "fighter_id": event.fighter,
                        "amount": event.amount,
                        "row": _json(experience_row(place, event, battle)),
                    }
                )
            elif isinstance(event, LastingInjurySuffered):
                self._injuries.append(
                    {
                        "campaign_id": campaign,
                        "fighter_id": event.fighter,
                        "position": place.seq,
                        "slot": place.slot,
                        "row": _json(injury_row(place, event, battle)),
                    }
                )

    def write_when_full(self) -> None:
        for table, waiting in self._waiting:
            if len(waiting) >= PAGE:
                _write(self._connection, _INSERT[table], waiting)
                waiting.clear()

    def write(self) -> None:
        for table, waiting in self._waiting:
            _write(self._connection, _INSERT[table], waiting)
            waiting.clear()


def _tell(progress: Progress | None, count: int, more: int) -> int:
    if progress is not None and count // PAGE != (count + more) // PAGE:
        progress(count + more)
    return count + more


# --- comparing --------------------------------------------------------------------------------------------


def _differences_in(table: Table, campaign: str, found: Connection, remade: Connection) -> Iterator[str]:
    name = table.name.removeprefix("board_")
    is_rows, should_rows = _in_key_order(table, campaign, found), _in_key_order(table, campaign, remade)
    row, should = next(is_rows, None), next(should_rows, None)
    while row is not None or should is not None:
        if should is None or (row is not None and row[0] < should[0]):
            assert row is not None
            yield f"{name} {_key_words(row[0])}: stands there and should not"
            row = next(is_rows, None)
        elif row is None or should[0] < row[0]:
            yield f"{name} {_key_words(should[0])}: is missing"
            should = next(should_rows, None)
        else:
            if row[1] != should[1]:
                yield f"{name} {_key_words(row[0])}: {'; '.join(_unlike(row[1], should[1]))}"
            row, should = next(is_rows, None), next(should_rows, None)


Keyed: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]


def _in_key_order(table: Table, campaign: str, connection: Connection) -> Iterator[Keyed]:
    key = list(table.primary_key)[1:]
    # Both engines must name keys in the order in which Python compares them.
    bytewise = "C" if connection.dialect.name == "postgresql" else "BINARY"
    order = [column.collate(bytewise) if isinstance(column.type, Text) else column for column in key]
    query = select(table).where(table.c.campaign_id == campaign).order_by(*order)
    for row in connection.execute(query.execution_options(yield_per=PAGE)).mappings():
        yield tuple(row[column] for column in key), dict(row)


def _key_words(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key) or "itself"


def _unlike(found: Mapping[str, Any], should: Mapping[str, Any]) -> Iterator[str]:
    for column in should:
        if found[column] == should[column]:
            continue
        if column != "row":
            yield f"column {column} is {found[column]!r}, should be {should[column]!r}"
            continue
        try:
            one, other = _from_json(found["row"]), _from_json(should["row"])
        except msgspec.DecodeError:
            yield "its row is no JSON"
            continue
        if not isinstance(one, dict) or one == other:
            yield "its row is written otherwise"
            continue
        for name in sorted({*one, *other}):
            if name not in one or name not in other or one[name] != other[name]:
                yield f"{name} is {_shown(one, name)}, should be {_shown(other, name)}"


def _shown(row: Mapping[str, Any], name: str) -> str:
    text = _json(row[name]) if name in row else "absent"
    return text if len(text) <= 60 else text[:57] + "..."


# --- statements: made once, so that SQLAlchemy finds each compiled -----------------------------------------


def _json(row: Any) -> str:
    return _to_json(row).decode()


def _write(connection: Connection, statement: Insert | Update | Delete, bounds: list[Bound]) -> None:
    if bounds:
        connection.execute(statement, bounds)


def _write_changes(
    connection: Connection, table: Table, *, gone: list[Bound], new: list[Bound], changed: list[Bound]
) -> None:
    # What goes makes room first: a name may come back under another gang.
    keys = {column.name for column in table.primary_key}
    _write(connection, _DELETE[table], [_as_keys(bound, keys) for bound in gone])
    _write(connection, _INSERT[table], new)
    _write(connection, _UPDATE[table], [_as_keys(bound, keys) for bound in changed])


def _as_keys(bound: Bound, keys: Collection[str]) -> Bound:
    return {f"its_{name}" if name in keys else name: given for name, given in bound.items()}


def _its_key(table: Table) -> list[ColumnElement[bool]]:
    return [column == bindparam(f"its_{column.name}") for column in table.primary_key]


def _in_slots(table: Table) -> ColumnElement[bool]:
    return table.c.slot.in_(bindparam("slots", expanding=True))


def _in_span(table: Table) -> ColumnElement[bool]:
    return table.c.slot.between(bindparam("first"), bindparam("last"))


def _rows(table: Table) -> Select[Any]:
    return select(table.c.row).where(table.c.campaign_id == bindparam("campaign_id"))


_INSERT = {table: insert(table) for table in BOARDS}
_UPDATE = {table: sql_update(table).where(*_its_key(table)) for table in BOARDS}
_DELETE = {table: delete(table).where(*_its_key(table)) for table in BOARDS}
_DELETE_ALL = {
    table: delete(table).where(table.c.campaign_id == bindparam("its_campaign_id")) for table in BOARDS
}
_DELETE_SLOTS = {
    table: _DELETE_ALL[table].where(_in_slots(table))
    for table in (schema.board_injuries, schema.board_experience)
}
_SELECT_SLOTS = {
    table: _rows(table).where(_in_slots(table)) for table in (schema.board_rolls, schema.board_entries)
}
_SELECT_SPAN = {table: _rows(table).where(_in_span(table)) for table in _BY_EVENT}
_LAST_ENTRY = select(func.max(schema.board_entries.c.entry)).where(
    schema.board_entries.c.campaign_id == bindparam("campaign_id")
)

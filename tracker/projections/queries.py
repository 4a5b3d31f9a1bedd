"""Reading the boards: lists of rows in a fixed order, and nothing that a board does not say.

Knows board tables and filters. Knows no event, no state and no log: what it returns may be older than
the log only if somebody wrote past `boards`.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, Table, false, or_, select

from tracker import schema
from tracker.projections import rows
from tracker.projections import standings as standing
from tracker.projections.rows import read_row

Row: TypeAlias = rows.Row

PAGE = 500
"""Rows fetched at once where a filter reads them one by one."""


def campaigns(connection: Connection) -> list[Row]:
    """Every campaign of this database, by slug."""
    return [_campaign(row) for row in connection.execute(_CAMPAIGNS.order_by(schema.board_campaigns.c.slug))]


def campaign_by_slug(connection: Connection, slug: str) -> Row | None:
    """The campaign that people call by this slug, or None."""
    row = connection.execute(_CAMPAIGNS.where(schema.board_campaigns.c.slug == slug)).one_or_none()
    return _campaign(row) if row else None


def is_called(connection: Connection, slug: str, *, but: str) -> bool:
    """Whether a campaign other than that one is called so."""
    table = schema.board_campaigns
    query = select(1).where(table.c.slug == slug, table.c.campaign_id != but)
    return connection.execute(query).first() is not None


def gangs(connection: Connection, campaign: str) -> list[Row]:
    """The gangs in order of enlistment."""
    table = schema.board_gangs
    return _rows(connection, table, _of(table, campaign).order_by(table.c.position))


def gang(connection: Connection, campaign: str, gang: str) -> Row | None:
    """One gang, or None."""
    table = schema.board_gangs
    return _one(connection, table, _of(table, campaign).where(table.c.gang_id == gang))


def standings(connection: Connection, campaign: str) -> list[Row]:
    """The gangs, the one with most battles won first."""
    return standing.in_order(gangs(connection, campaign))  # type: ignore[arg-type, return-value]  # rows as read


def roster(connection: Connection, campaign: str, gang: str | None = None) -> list[Row]:
    """The fighters of one gang or of all, in order of enlistment."""
    table, gangs_table = schema.board_fighters, schema.board_gangs
    query = (
        _of(table, campaign)
        .join(
            gangs_table,
            (gangs_table.c.campaign_id == table.c.campaign_id) & (gangs_table.c.gang_id == table.c.gang_id),
        )
        .order_by(gangs_table.c.position, table.c.position)
    )
    return _rows(connection, table, query if gang is None else query.where(table.c.gang_id == gang))


def fighter(connection: Connection, campaign: str, fighter: str) -> Row | None:
    """One fighter, or None."""
    table = schema.board_fighters
    return _one(connection, table, _of(table, campaign).where(table.c.fighter_id == fighter))


def injuries(
    connection: Connection, campaign: str, *, fighter: str | None = None, gang: str | None = None
) -> list[Row]:
    """Lasting injuries in order of play."""
    table = schema.board_injuries
    query = _about(_of(table, campaign), table, campaign, fighter=fighter, gang=gang)
    return _rows(connection, table, query.order_by(table.c.slot, table.c.position))


def experience(
    connection: Connection, campaign: str, *, fighter: str | None = None, gang: str | None = None
) -> list[Row]:
    """Gains of XP in order of play."""
    table = schema.board_experience
    query = _about(_of(table, campaign), table, campaign, fighter=fighter, gang=gang)
    return _rows(connection, table, query.order_by(table.c.slot, table.c.seq))


def ledger(connection: Connection, campaign: str, gang: str) -> list[Row]:
    """What came to a gang and what left it, in order of play."""
    table = schema.board_ledger
    query = _of(table, campaign).where((table.c.source_gang == gang) | (table.c.target_gang == gang))
    return _rows(connection, table, query.order_by(table.c.slot, table.c.seq))


def rolls(
    connection: Connection,
    campaign: str,
    *,
    fighter: str | None = None,
    gang: str | None = None,
    battle: str | None = None,
    purpose: str | None = None,
    since: int | None = None,
    struck: bool | None = None,
) -> list[Row]:
    """Rolls in the order of the log. `since` is an entry; `struck` None takes all."""
    table = schema.board_rolls
    query = _about(_of(table, campaign), table, campaign, fighter=fighter, gang=gang)
    if purpose is not None:
        query = query.where(table.c.purpose == purpose)
    if since is not None:
        query = query.where(table.c.entry >= since)
    if battle is not None:
        span = _slots_of(connection, campaign, battle)
        if span is None:
            return []
        query = query.where(table.c.slot >= span[0])
        if span[1] is not None:
            query = query.where(table.c.slot <= span[1])
    return [
        row
        for row in _rows(connection, table, query.order_by(table.c.seq))
        if (struck is None or (row["struck_by"] is not None) == struck)
        and (battle is None or row["battle"] == battle)
    ]


def battles(connection: Connection, campaign: str) -> list[Row]:
    """The battles in order of play."""
    table = schema.board_battles
    return _rows(connection, table, _of(table, campaign).order_by(table.c.number, table.c.slot))


def battle(connection: Connection, campaign: str, battle: str) -> Row | None:
    """One battle, or None."""
    table = schema.board_battles
    return _one(connection, table, _of(table, campaign).where(table.c.battle_id == battle))


def disputes(connection: Connection, campaign: str, *, is_open: bool | None = None) -> list[Row]:
    """The disputes, oldest first; only open ones, or only those that were ruled on."""
    table = schema.board_disputes
    rows = _rows(connection, table, _of(table, campaign).order_by(table.c.dispute))
    return [row for row in rows if is_open is None or (row["status"] == "open") == is_open]


def dispute(connection: Connection, campaign: str, dispute: int) -> Row | None:
    """One dispute, or None."""
    table = schema.board_disputes
    return _one(connection, table, _of(table, campaign).where(table.c.dispute == dispute))


def entries(
    connection: Connection,
    campaign: str,
    *,
    fighter: str | None = None,
    gang: str | None = None,
    battle: str | None = None,
    event: str | None = None,
    command: str | None = None,
    entry: int | None = None,
    slot: int | None = None,
    since: int | None = None,
    struck: bool | None = None,
    limit: int | None = None,
    first: int | None = None,
) -> list[Row]:
    """Entries in the order of the log; with `limit`, the newest of those that fit, with `first`, so many
    of the oldest, each with all its rows.

    `event` is a type of event, `command` one of command; `gang` takes what is about its fighters.
    All rows of one `entry` that is a ruling tell what it did to which slot.
    """
    members = _members(connection, campaign, gang) if gang is not None else None

    def fits(row: Row) -> bool:
        return (
            (fighter is None or fighter in row["fighters"])
            and (members is None or not members.isdisjoint(row["fighters"]))
            and (event is None or event in row["events"])
            and (command is None or row["command"] == command)
            and (struck is None or (row["struck_by"] is not None) == struck)
        )

    table = schema.board_entries
    order = (table.c.entry, table.c.slot)
    query = _of(table, campaign).order_by(*(order if first is not None else (c.desc() for c in order)))
    if fighter is not None:
        query = query.where(_holds(table, fighter))
    if battle is not None:
        query = query.where(table.c.battle == battle)
    if entry is not None:
        query = query.where(table.c.entry == entry)
    if slot is not None:
        query = query.where(table.c.slot == slot)
    if since is not None:
        query = query.where(table.c.entry >= since)
    fitting: list[Row] = []
    if first is not None:
        found: set[int] = set()
        for row in _streamed(connection, table, query):
            if fits(row):
                found.add(row["entry"])
                if len(found) > first:
                    break
                fitting.append(row)
        return fitting
    if limit != 0:
        for row in _streamed(connection, table, query):
            if fits(row):
                fitting.append(row)
                if limit is not None and len(fitting) >= limit:
                    break
    return fitting[::-1]


def entries_between_battles(
    connection: Connection, campaign: str, *, after_slot: int, before_slot: int | None
) -> list[Row]:
    """The entries of these slots, ends left out, that belong to no battle, in the order of play."""
    table = schema.board_entries
    query = _of(table, campaign).where(table.c.slot > after_slot, table.c.battle.is_(None))
    if before_slot is not None:
        query = query.where(table.c.slot < before_slot)
    return _rows(connection, table, query.order_by(table.c.slot, table.c.entry))


def entries_touching(
    connection: Connection, campaign: str, *, fighters: AbstractSet[str], events: AbstractSet[str]
) -> list[Row]:
    """The entries about any of these fighters, or with an event of one of these types, struck or not."""
    table = schema.board_entries
    # The database looks first for the words, so that no row is taken apart that has none of them.
    words = (*sorted(fighters), *sorted(events))
    query = _of(table, campaign)
    if len(words) <= WORDS_MAX:
        query = query.where(or_(false(), *(_holds(table, word) for word in words)))
    return [
        row
        for row in _streamed(connection, table, query)
        if not fighters.isdisjoint(row["fighters"]) or not events.isdisjoint(row["events"])
    ]


def _holds(table: Table, word: str) -> ColumnElement[bool]:
    """Whether a row's JSON holds this word somewhere: the rows that may fit, and a few that do not."""
    return table.c.row.contains(f'"{word}"', autoescape=True)


WORDS_MAX = 100
"""With more, looking for each of them costs more than taking every row apart."""

_CAMPAIGNS = select(schema.board_campaigns)


def _campaign(row: Any) -> Row:
    return {
        "campaign": row.campaign_id,
        "slug": row.slug,
        "name": row.name,
        "ruleset": row.ruleset,
        "created_at": row.created_at,
        "shape": row.shape,
    }


def _of(table: Table, campaign: str) -> Select[Any]:
    return select(table.c.row).where(table.c.campaign_id == campaign)


def _about(
    query: Select[Any], table: Table, campaign: str, *, fighter: str | None, gang: str | None
) -> Select[Any]:
    if fighter is not None:
        query = query.where(table.c.fighter_id == fighter)
    if gang is not None:
        query = query.where(table.c.fighter_id.in_(_members_query(campaign, gang)))
    return query


def _members_query(campaign: str, gang: str) -> Select[Any]:
    table = schema.board_fighters
    its: ColumnElement[bool] = (table.c.campaign_id == campaign) & (table.c.gang_id == gang)
    return select(table.c.fighter_id).where(its)


def _members(connection: Connection, campaign: str, gang: str) -> frozenset[str]:
    return frozenset(connection.execute(_members_query(campaign, gang)).scalars())


def _slots_of(connection: Connection, campaign: str, named: str) -> tuple[int, int | None] | None:
    row = battle(connection, campaign, named)
    if row is None:
        return None
    return row["slot"], row["closed"]["slot"] if row["closed"] else None


def _rows(connection: Connection, table: Table, query: Select[Any]) -> list[Row]:
    return [read_row(table, text) for text in connection.execute(query).scalars()]


def _streamed(connection: Connection, table: Table, query: Select[Any]) -> Iterator[Row]:
    with connection.execute(query.execution_options(yield_per=PAGE)) as found:
        for text in found.scalars():
            yield read_row(table, text)


def _one(connection: Connection, table: Table, query: Select[Any]) -> Row | None:
    text = connection.execute(query).scalar_one_or_none()
    return None if text is None else read_row(table, text)

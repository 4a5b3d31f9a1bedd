"""Reads the boards: lists of rows in a fixed order.

Knows board tables and filters. Knows no event, no state and no log: what it returns may be older than
the log only if somebody wrote past `boards`. Its statements are text, so that boards are read with SQLAlchemy
or without; `entry_queries` reads the index of entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from tracker.log import raw_sql
from tracker.log.raw_sql import AnyConnection
from tracker.projections import row_json
from tracker.projections import standings as standing
from tracker.projections.row_json import read_row

Row: TypeAlias = row_json.Row

CAMPAIGNS: Final = "SELECT campaign_id, slug, name, ruleset, created_at, shape FROM board_campaigns"
CAMPAIGNS_BY_SLUG: Final = f"{CAMPAIGNS} ORDER BY slug"
CAMPAIGN_BY_SLUG: Final = f"{CAMPAIGNS} WHERE slug = ?"
CALLED: Final = "SELECT 1 FROM board_campaigns WHERE slug = ? AND campaign_id <> ?"

_ROWS: Final = "SELECT {0}.row FROM {0} WHERE {0}.campaign_id = ?"
_IN_ORDER: Final = {
    "board_gangs": "position",
    "board_battles": "number, slot",
    "board_disputes": "dispute",
}
_KEYS: Final = {
    "board_gangs": "gang_id",
    "board_fighters": "fighter_id",
    "board_battles": "battle_id",
    "board_disputes": "dispute",
}
ALL: Final[Mapping[str, str]] = {
    board: f"{_ROWS.format(board)} ORDER BY {columns}" for board, columns in _IN_ORDER.items()
}
BY_ID: Final[Mapping[str, str]] = {
    board: f"{_ROWS.format(board)} AND {key} = ?" for board, key in _KEYS.items()
}
_FIGHTERS: Final = (
    "SELECT board_fighters.row FROM board_fighters JOIN board_gangs"
    " ON board_gangs.campaign_id = board_fighters.campaign_id"
    " AND board_gangs.gang_id = board_fighters.gang_id"
    " WHERE board_fighters.campaign_id = ?"
)
_ENLISTED_FIRST: Final = " ORDER BY board_gangs.position, board_fighters.position"
ROSTER: Final = f"{_FIGHTERS}{_ENLISTED_FIRST}"
ROSTER_BY_GONE: Final = f"{_FIGHTERS} AND board_fighters.gone = ?{_ENLISTED_FIRST}"
# The redundant condition lets the index be used, which begins with `gone`.
ROSTER_OF: Final = (
    f"{_FIGHTERS} AND board_fighters.gone IN (0, 1) AND board_fighters.gang_id = ?{_ENLISTED_FIRST}"
)
ROSTER_OF_BY_GONE: Final = (
    f"{_FIGHTERS} AND board_fighters.gone = ? AND board_fighters.gang_id = ?{_ENLISTED_FIRST}"
)


def statements() -> Iterator[str]:
    """Every statement of this module, for the test that checks them against the schema."""
    yield from (CAMPAIGNS_BY_SLUG, CAMPAIGN_BY_SLUG, CALLED)
    yield from (*ALL.values(), *BY_ID.values())
    yield from (ROSTER, ROSTER_BY_GONE, ROSTER_OF, ROSTER_OF_BY_GONE)


def campaigns(connection: AnyConnection) -> list[Row]:
    """Every campaign of this database, by slug."""
    return [_campaign(*row) for row in raw_sql.rows(connection, CAMPAIGNS_BY_SLUG)]


def campaign_by_slug(connection: AnyConnection, slug: str) -> Row | None:
    """The campaign that people call by this slug, or None."""
    row = raw_sql.first(connection, CAMPAIGN_BY_SLUG, slug)
    return None if row is None else _campaign(*row)


def is_called(connection: AnyConnection, slug: str, *, but: str) -> bool:
    """Whether another campaign than `but` has this slug."""
    return raw_sql.first(connection, CALLED, slug, but) is not None


def gangs(connection: AnyConnection, campaign: str) -> list[Row]:
    """The gangs in order of enlistment."""
    return _all(connection, "board_gangs", campaign)


def gang(connection: AnyConnection, campaign: str, gang: str) -> Row | None:
    """One gang, or None."""
    return _one(connection, "board_gangs", campaign, gang)


def standings(connection: AnyConnection, campaign: str) -> list[Row]:
    """The gangs, the one with most battles won first."""
    return standing.in_order(gangs(connection, campaign))  # type: ignore[arg-type, return-value]  # rows as read


def roster(
    connection: AnyConnection, campaign: str, gang: str | None = None, *, gone: bool | None = None
) -> list[Row]:
    """The fighters of one gang or of all, in order of enlistment. `gone`: True, only those who left for good;
    False, only the others; None, all.
    """
    match gang, gone:
        case None, None:
            found = raw_sql.scalars(connection, ROSTER, campaign)
        case None, bool():
            found = raw_sql.scalars(connection, ROSTER_BY_GONE, campaign, int(gone))
        case str(), None:
            found = raw_sql.scalars(connection, ROSTER_OF, campaign, gang)
        case _:
            found = raw_sql.scalars(connection, ROSTER_OF_BY_GONE, campaign, int(bool(gone)), gang)
    return [read_row("board_fighters", row) for row in found]


def fighter(connection: AnyConnection, campaign: str, fighter: str) -> Row | None:
    """One fighter, or None."""
    return _one(connection, "board_fighters", campaign, fighter)


def battles(connection: AnyConnection, campaign: str) -> list[Row]:
    """The battles in order of play."""
    return _all(connection, "board_battles", campaign)


def battle(connection: AnyConnection, campaign: str, battle: str) -> Row | None:
    """One battle, or None."""
    return _one(connection, "board_battles", campaign, battle)


def disputes(connection: AnyConnection, campaign: str, *, is_open: bool | None = None) -> list[Row]:
    """The disputes, oldest first; only open ones, or only those that were ruled on."""
    rows = _all(connection, "board_disputes", campaign)
    return [row for row in rows if is_open is None or (row["status"] == "open") == is_open]


def dispute(connection: AnyConnection, campaign: str, dispute: int) -> Row | None:
    """One dispute, or None."""
    return _one(connection, "board_disputes", campaign, dispute)


def _campaign(campaign: str, slug: str, name: str, ruleset: str, created_at: str, shape: int) -> Row:
    return {
        "campaign": campaign,
        "slug": slug,
        "name": name,
        "ruleset": ruleset,
        "created_at": created_at,
        "shape": shape,
    }


def _all(connection: AnyConnection, board: str, campaign: str) -> list[Row]:
    return [read_row(board, row) for row in raw_sql.scalars(connection, ALL[board], campaign)]


def _one(connection: AnyConnection, board: str, campaign: str, key: str | int) -> Row | None:
    row = raw_sql.scalar(connection, BY_ID[board], campaign, key)
    return None if row is None else read_row(board, row)

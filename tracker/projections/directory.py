"""The directory: one row for each campaign, with the name that people use, from the event that opened it.

Knows `CampaignOpened` and no later event, because a campaign's name and book never change.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from sqlalchemy import Connection, LargeBinary, Text, cast, delete, exists, or_, select

from tracker import schema
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.sql import insert_rows

SHAPE_UNKNOWN = 0
"""The shape of boards whose directory row was lost: they are rebuilt when somebody names their campaign."""


_FORGET_STRANGERS = delete(schema.board_campaigns).where(
    ~or_(
        *(
            exists().where(table.c.campaign_id == schema.board_campaigns.c.campaign_id)
            for table in (schema.heads, schema.events)
        )
    )
)
"""Only campaigns with a log are in the directory, whatever its rows say."""


class DirectoryRow(TypedDict):
    """A campaign. `shape` is that of its boards."""

    campaign_id: str
    slug: str
    name: str
    ruleset: str
    created_at: str
    shape: int


def write_directory(
    connection: Connection, logs: Iterable[str], openings: Mapping[str, RecordedEvent]
) -> None:
    """Make the directory list exactly the campaigns with these logs, from the events that opened them."""
    connection.execute(_FORGET_STRANGERS)
    table, rows = schema.board_campaigns, _found(connection)
    wrong = [row for row in directory(logs, openings, rows) if rows.get(row["campaign_id"]) != row]
    for row in wrong:
        its = (table.c.campaign_id == row["campaign_id"]) | (table.c.slug == row["slug"])
        connection.execute(delete(table).where(its))
    insert_rows(connection, table, [dict(row) for row in wrong])


def directory(
    logs: Iterable[str], openings: Mapping[str, RecordedEvent], found: Mapping[str, DirectoryRow]
) -> list[DirectoryRow]:
    """The rows that should exist, from the events that opened the campaigns and the existing rows.

    If two campaigns have the same name, the first keeps it and the other is called by its id. If a log does
    not say how its campaign was opened, the existing row stays; without one, the campaign is called by its
    id.
    """
    rows: dict[str, DirectoryRow] = {}
    for campaign in sorted(logs, key=lambda name: (name not in openings, name)):
        was = found.get(campaign) or _nameless(campaign)
        row, opened = was.copy(), openings.get(campaign)
        if opened is not None:
            assert isinstance(opened.event, records.CampaignOpened), "it opened the campaign"
            row["slug"], row["name"] = opened.event.slug, opened.event.name
            row["ruleset"], row["created_at"] = opened.event.book, opened.at
        if row["slug"] in rows:
            row["slug"] = campaign
        rows[row["slug"]] = row
    return list(rows.values())


def _nameless(campaign: str) -> DirectoryRow:
    return DirectoryRow(
        campaign_id=campaign, slug=campaign, name=campaign, ruleset="", created_at="", shape=SHAPE_UNKNOWN
    )


def _found(connection: Connection) -> dict[str, DirectoryRow]:
    """The existing rows; a text that is not valid UTF-8 is read with replacement characters."""
    columns: list[Any] = list(schema.board_campaigns.columns)
    if connection.dialect.name == "sqlite":
        columns = [
            cast(column, LargeBinary).label(column.name) if isinstance(column.type, Text) else column
            for column in columns
        ]
    rows = {}
    for found in connection.execute(select(*columns)).mappings():
        row: Any = {
            name: str(value, "utf-8", "replace") if isinstance(value, bytes) else value
            for name, value in found.items()
        }
        rows[row["campaign_id"]] = row
    return rows

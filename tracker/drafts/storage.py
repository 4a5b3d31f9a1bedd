"""Drafts in the database: rows in and out, one statement each. Decides nothing and opens no transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from tracker.drafts.records import Draft
from tracker.log import record_rows
from tracker.schema import campaign_drafts

_LISTS = ("lines", "said", "taken_out")


def _bound(draft: Draft) -> dict[str, Any]:
    return record_rows.values_of(draft, lists=_LISTS)


def _draft(row: Row[Any]) -> Draft:
    return record_rows.record_of(Draft, row, lists=_LISTS)


def add(connection: Connection, draft: Draft) -> None:
    """A new draft."""
    connection.execute(insert(campaign_drafts), _bound(draft))


def drafts(connection: Connection, campaign: str) -> tuple[Draft, ...]:
    """Every draft of a campaign, oldest first."""
    query = select(campaign_drafts).where(campaign_drafts.c.campaign_id == campaign)
    query = query.order_by(campaign_drafts.c.made_at, campaign_drafts.c.draft)
    return tuple(_draft(row) for row in connection.execute(query))


def count(connection: Connection, campaign: str) -> int:
    """How many there are."""
    query = select(func.count()).where(campaign_drafts.c.campaign_id == campaign)
    return connection.execute(query).scalar() or 0


def draft(connection: Connection, campaign: str, draft_id: str) -> Draft | None:
    """One of them."""
    row = connection.execute(select(campaign_drafts).where(*_matches(campaign, draft_id))).one_or_none()
    return None if row is None else _draft(row)


def change(connection: Connection, draft: Draft, *, seen: int) -> bool:
    """Put it in the place of the revision that was seen; False where there is another by now."""
    changed = update(campaign_drafts).where(
        *_matches(draft.campaign, draft.draft), campaign_drafts.c.revision == seen
    )
    return connection.execute(changed.values(**_bound(draft))).rowcount == 1


def discard(connection: Connection, campaign: str, draft_id: str, *, seen: int) -> bool:
    """Take away the revision that was seen; False where there is another by now."""
    matches = [*_matches(campaign, draft_id), campaign_drafts.c.revision == seen]
    return connection.execute(delete(campaign_drafts).where(*matches)).rowcount == 1


def discard_older(connection: Connection, campaign: str, *, than: str) -> None:
    """Take away what nobody has changed since."""
    matches = [campaign_drafts.c.campaign_id == campaign, campaign_drafts.c.changed_at < than]
    connection.execute(delete(campaign_drafts).where(*matches))


def _matches(campaign: str, draft_id: str) -> list[ColumnElement[bool]]:
    return [campaign_drafts.c.campaign_id == campaign, campaign_drafts.c.draft == draft_id]

"""The campaigns of a database, by the names people use. Knows who has a log; no event, state or rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from tracker import schema_versions
from tracker.log import campaigns, database
from tracker.projections import queries
from tracker.service import fences
from tracker.service.refusals import DirectoryDamaged, UnknownCampaign

if TYPE_CHECKING:
    from tracker.service.audit import Audits


class Directory:
    """The list of campaigns."""

    def __init__(self, engine: Engine, *, audit: Callable[[], Audits]) -> None:
        self._engine = engine
        self._audit = audit

    def campaign_id(self, name: str, *, wherever: bool = False) -> str:
        """The id of a campaign by its name, or by the id. Raises UnknownCampaign, DirectoryDamaged; and
        CampaignMoved where another cell keeps it, unless `wherever` it is kept will do.

        Boards that another release wrote are made anew from the log, as a cache is.
        """
        with database.reading(self._engine) as connection:
            row = queries.campaign_by_slug(connection, name)
            if row is None or not campaigns.has_a_log(connection, str(row["campaign"])):
                rows = queries.campaigns(connection)
                if not campaigns.has_a_log(connection, name):
                    _refuse_a_damaged_directory(connection, rows)
                    raise UnknownCampaign(campaign=name, known=tuple(str(row["slug"]) for row in rows))
                row = next((row for row in rows if row["campaign"] == name), None)
            if not wherever:
                fences.refuse_reading(connection, name if row is None else str(row["campaign"]))
        if not wherever and row is not None and row["shape"] != schema_versions.BOARDS_SHAPE:
            self._audit().rebuild_boards(str(row["campaign"]))
        return name if row is None else str(row["campaign"])

    def campaigns(self) -> dict[str, str]:
        """Every campaign: its id by the name people use, or by the id where it is not in the list."""
        with database.reading(self._engine) as connection:
            rows, missing = queries.campaigns(connection), campaigns.unlisted(connection)
        listed = {str(row["slug"]): str(row["campaign"]) for row in rows}
        return listed | {campaign: campaign for campaign in missing}

    def campaigns_logged(self) -> dict[str, str]:
        """Every campaign that has a log: its id by the name people use, or by the id where it has none."""
        names = {campaign: name for name, campaign in self.campaigns().items()}
        with database.reading(self._engine) as connection:
            logged = campaigns.with_a_log(connection)
        return {names.get(campaign, campaign): campaign for campaign in logged}

    def campaigns_kept(self) -> dict[str, str]:
        """The same without those that another cell keeps now, whose logs here are copies."""
        with database.reading(self._engine) as connection:
            elsewhere = fences.kept_elsewhere(connection)
        return {name: known for name, known in self.campaigns_logged().items() if known not in elsewhere}

    def rows(self) -> list[queries.Row]:
        """The list of campaigns, as its board has it. Raises DirectoryDamaged."""
        with database.reading(self._engine) as connection:
            rows = queries.campaigns(connection)
            _refuse_a_damaged_directory(connection, rows)
        return rows


def _refuse_a_damaged_directory(connection: Connection, rows: list[queries.Row]) -> None:
    logs = {*campaigns.with_a_log(connection)}
    strange = [row for row in rows if row["campaign"] not in logs]
    names = tuple(
        str(row["slug"]) for row in strange if not campaigns.has_a_log(connection, str(row["campaign"]))
    )
    missing = campaigns.unlisted(connection)
    if missing or names:
        raise DirectoryDamaged(missing=missing, strange=names)

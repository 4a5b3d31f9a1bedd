"""The directory of campaigns, by the names that people use. Knows which have a log. Knows no event, state or
rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tracker import schema_versions
from tracker.log import campaigns
from tracker.log.board_source import BoardSource
from tracker.log.raw_sql import AnyConnection
from tracker.projections import queries
from tracker.service import fences
from tracker.service.refusals import DirectoryDamaged, UnknownCampaign

if TYPE_CHECKING:
    from tracker.service.audit import Audits


class CampaignDirectory:
    """The list of campaigns."""

    def __init__(self, source: BoardSource, *, audit: Callable[[], Audits]) -> None:
        self._source = source
        self._audit = audit

    def campaign_id(self, name: str, *, wherever: bool = False) -> str:
        """The id of a campaign by its name, or by the id. Raises UnknownCampaign, DirectoryDamaged; and
        CampaignMoved where another cell keeps it, unless `wherever` it is kept will do.

        Boards that another release wrote are made anew from the log, as a cache is.
        """
        row = self._source.read(lambda connection: _row(connection, name, wherever=wherever))
        if not wherever and row is not None and row["shape"] != schema_versions.BOARDS_SHAPE:
            self._audit().rebuild_boards(str(row["campaign"]))
        return name if row is None else str(row["campaign"])

    def found(self, name: str) -> str | None:
        """The same in any cell; None if there is none.

        Takes as long whether the campaign exists or not, and names no other campaigns.
        """

        def known(connection: AnyConnection) -> str | None:
            row = queries.campaign_by_slug(connection, name)
            campaign = name if row is None else str(row["campaign"])
            return campaign if campaigns.has_a_log(connection, campaign) else None

        return self._source.read(known)

    def campaigns(self) -> dict[str, str]:
        """The ids of all campaigns by the name that people use, or by the id if the list lacks one."""
        rows, missing = self._source.read(
            lambda connection: (queries.campaigns(connection), campaigns.unlisted(connection))
        )
        listed = {str(row["slug"]): str(row["campaign"]) for row in rows}
        return listed | {campaign: campaign for campaign in missing}

    def campaigns_logged(self) -> dict[str, str]:
        """The ids of all campaigns with a log by the name that people use, or by the id if they have none."""
        names = {campaign: name for name, campaign in self.campaigns().items()}
        logged = self._source.read(campaigns.with_a_log)
        return {names.get(campaign, campaign): campaign for campaign in logged}

    def campaigns_kept(self) -> dict[str, str]:
        """The same without campaigns that another cell keeps, whose logs here are copies."""
        elsewhere = self._source.read(fences.kept_elsewhere)
        return {name: known for name, known in self.campaigns_logged().items() if known not in elsewhere}

    def book_of(self, campaign: str) -> str:
        """The campaign's book; empty if the list does not know it."""
        rows = self._source.read(queries.campaigns)
        return next((str(row["ruleset"]) for row in rows if row["campaign"] == campaign), "")

    def rows(self) -> list[queries.Row]:
        """The list of campaigns, as stored in its board. Raises DirectoryDamaged."""
        return self._source.read(_whole_directory)


def _row(connection: AnyConnection, name: str, *, wherever: bool) -> queries.Row | None:
    """The listed row of a campaign with a log; None if it is not listed."""
    row = queries.campaign_by_slug(connection, name)
    if row is None or not campaigns.has_a_log(connection, str(row["campaign"])):
        rows = queries.campaigns(connection)
        if not campaigns.has_a_log(connection, name):
            _refuse_a_damaged_directory(connection, rows)
            raise UnknownCampaign(campaign=name, known=tuple(str(row["slug"]) for row in rows))
        row = next((row for row in rows if row["campaign"] == name), None)
    if not wherever:
        fences.refuse_reading(connection, name if row is None else str(row["campaign"]))
    return row


def _whole_directory(connection: AnyConnection) -> list[queries.Row]:
    rows = queries.campaigns(connection)
    _refuse_a_damaged_directory(connection, rows)
    return rows


def _refuse_a_damaged_directory(connection: AnyConnection, rows: list[queries.Row]) -> None:
    logs = {*campaigns.with_a_log(connection)}
    strange = [row for row in rows if row["campaign"] not in logs]
    names = tuple(
        str(row["slug"]) for row in strange if not campaigns.has_a_log(connection, str(row["campaign"]))
    )
    missing = campaigns.unlisted(connection)
    if missing or names:
        raise DirectoryDamaged(missing=missing, strange=names)

"""Reading: a database opened for its boards alone. Knows who has a log; no event, state or rule."""

from __future__ import annotations

from sqlalchemy import Connection, Engine

from tracker import schema
from tracker.log import database
from tracker.log.campaigns import has_a_log, unlisted, with_a_log
from tracker.projections import queries
from tracker.service.refusals import DirectoryDamaged, UnknownCampaign


class Reading:
    """One database, and the campaigns that its boards know."""

    def __init__(self, url: str, *, migrate: bool = True, make: bool | None = None) -> None:
        self._url = url
        self.engine: Engine = database.open_database(url, migrate=migrate, make=make)

    def close(self) -> None:
        """Let the database go."""
        self.engine.dispose()

    def campaign_id(self, name: str) -> str:
        """The id of a campaign by its name, or by the id. Raises UnknownCampaign, DirectoryDamaged."""
        with database.reading(self.engine) as connection:
            row = queries.campaign_by_slug(connection, name)
            if row is None or not has_a_log(connection, str(row["campaign"])):
                rows = queries.campaigns(connection)
                if not has_a_log(connection, name):
                    _refuse_a_damaged_directory(connection, rows)
                    raise UnknownCampaign(campaign=name, known=tuple(str(one["slug"]) for one in rows))
                row = next((one for one in rows if one["campaign"] == name), None)
        if row is not None and row["shape"] != schema.BOARDS_SHAPE:
            self._make_boards_anew(str(row["campaign"]))
        return name if row is None else str(row["campaign"])

    def _make_boards_anew(self, campaign: str) -> None:
        """The boards were written by another release: they are made again from the log, as a cache is."""
        from tracker.service.application import (
            Tracker,  # not above: it reads the log, which boards alone do not
        )

        hall = Tracker(self._url, actor="", migrate=False)
        try:
            hall.rebuild_boards(campaign)
        finally:
            hall.close()

    def campaigns(self) -> dict[str, str]:
        """Every campaign: its id by the name people use, or by the id where it is not in the list."""
        with database.reading(self.engine) as connection:
            rows, missing = queries.campaigns(connection), unlisted(connection)
        return {str(row["slug"]): str(row["campaign"]) for row in rows} | {one: one for one in missing}

    def check_directory(self) -> None:
        """Refuse a list of campaigns that lacks one, or has one without a log. Raises DirectoryDamaged."""
        with database.reading(self.engine) as connection:
            rows = queries.campaigns(connection)
            _refuse_a_damaged_directory(connection, rows)


def _refuse_a_damaged_directory(connection: Connection, rows: list[queries.Row]) -> None:
    logs = {*with_a_log(connection)}
    strange = [one for one in rows if one["campaign"] not in logs]
    names = tuple(str(one["slug"]) for one in strange if not has_a_log(connection, str(one["campaign"])))
    missing = unlisted(connection)
    if missing or names:
        raise DirectoryDamaged(missing=missing, strange=names)

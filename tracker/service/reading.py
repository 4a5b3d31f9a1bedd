"""Reading: a database opened for its boards alone. Knows no log, no state and no rule."""

from __future__ import annotations

from sqlalchemy import Engine

from tracker import schema
from tracker.log import database
from tracker.projections import queries
from tracker.service.refusals import UnknownCampaign


class Reading:
    """One database, and the campaigns that its boards know."""

    def __init__(self, url: str, *, migrate: bool = True, make: bool | None = None) -> None:
        self._url = url
        self.engine: Engine = database.open_database(url, migrate=migrate, make=make)

    def close(self) -> None:
        """Let the database go."""
        self.engine.dispose()

    def campaign_id(self, slug: str) -> str:
        """The id of a campaign by the name people use. Raises UnknownCampaign."""
        with database.reading(self.engine) as connection:
            row = queries.campaign_by_slug(connection, slug)
            if row is None:
                known = tuple(str(one["slug"]) for one in queries.campaigns(connection))
                raise UnknownCampaign(campaign=slug, known=known)
        if row["shape"] != schema.BOARDS_SHAPE:
            self._make_boards_anew(str(row["campaign"]))
        return str(row["campaign"])

    def _make_boards_anew(self, campaign: str) -> None:
        """The boards were written by another release: they are made again from the log, as a cache is."""
        from tracker.service.hall import Tracker  # not above: it reads the log, which boards alone do not

        hall = Tracker(self._url, actor="", migrate=False)
        try:
            hall.rebuild_boards(campaign)
        finally:
            hall.close()

    def campaign_slugs(self) -> tuple[str, ...]:
        """The names of every campaign in this database."""
        with database.reading(self.engine) as connection:
            return tuple(str(one["slug"]) for one in queries.campaigns(connection))

"""Boards: every reading that a report needs, now or at another point in time.

What the boards show now is read off them alone; states, and what depends on open disputes, are looked for
only where they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Engine

from tracker.log import database
from tracker.log.one_moment import at_one_moment
from tracker.projections import queries
from tracker.service.as_of import NOW, AsOf

if TYPE_CHECKING:
    from tracker.campaign.recorded_event import RecordedEvent
    from tracker.campaign.state import CampaignState
    from tracker.projections.rating_history import RatingRow
    from tracker.service.history import History
    from tracker.service.pending import Pending
    from tracker.service.repository import CampaignRepository

T = TypeVar("T")


class Boards:
    """Reads boards, and through the repository what the boards do not hold."""

    def __init__(self, engine: Engine, *, repository: Callable[[], CampaignRepository]) -> None:
        self._engine = engine
        self._get_repository = repository

    def at_one_moment(self, read: Callable[[], T]) -> T:
        """What `read` gives, all that it reads of one moment; it may be called again."""
        return at_one_moment(self._engine, read)

    # --- points in time -------------------------------------------------------------------------------------

    def state_at(self, campaign: str, as_of: AsOf) -> CampaignState:
        """The state at a point. Raises NoSuchBattle, NoSuchEvent or NothingRecordedThen."""
        return self._history.state_at(campaign, as_of)

    def pending(self, campaign: str, as_of: AsOf = NOW) -> Pending:
        """Open disputes and what depends on them: now, up to a battle's end, or as was believed then."""
        from tracker.service.pending import PendingOutcomes

        return PendingOutcomes(self._repository).at(campaign, as_of)

    def rating_history(self, campaign: str, as_of: AsOf = NOW) -> list[RatingRow]:
        """What each gang was worth and had earned at the end of every battle, up to a point."""
        return self._history.rating_history(campaign, as_of)

    def events_about(self, campaign: str, fighter: str, as_of: AsOf = NOW) -> tuple[RecordedEvent, ...]:
        """The events that name a fighter and counted at a point, in the order of play."""
        return self._history.events_about(campaign, fighter, as_of)

    def after_battle(
        self, campaign: str, battle: str, *, as_of_entry: int | None = None
    ) -> Iterator[tuple[frozenset[str], tuple[RecordedEvent, ...]]]:
        """What was recorded after a battle; see `History.after_battle`."""
        return self._history.after_battle(campaign, battle, as_of_entry=as_of_entry)

    def battle_of_slot(self, campaign: str, slot: int) -> str | None:
        """The battle that a slot belongs to, or None."""
        with database.reading(self._engine) as connection:
            rows = queries.entries(connection, campaign, slot=slot)
        return rows[0]["battle"] if rows else None

    def dispute_row(self, campaign: str, name: str) -> queries.Row:
        """A dispute, open or not, by its number or by its event. Raises NoSuchDispute."""
        from tracker.service.disputes import dispute_row

        return dispute_row(self._repository, campaign, name)

    def witnesses_of(self, campaign: str, roll: RecordedEvent) -> tuple[str, ...]:
        """Who confirmed one roll, in the order in which they did."""
        from tracker.service.witnesses import witnesses_of

        return witnesses_of(self._repository, campaign, roll)

    @cached_property
    def _repository(self) -> CampaignRepository:
        return self._get_repository()

    @cached_property
    def _history(self) -> History:
        from tracker.service.history import History

        return History(self._repository)

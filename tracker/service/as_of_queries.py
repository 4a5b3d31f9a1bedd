"""As-of queries: a campaign up to a battle's end, or as believed after an entry or on a day.

There are two time axes (bitemporal). `into:3` and `battle:3` follow the order of play: what counts today, up
to that battle's beginning or end. `entry:57` and `date:2026-03-01` follow the order of writing: what
everybody believed then, without later rulings. Starts at the nearest snapshot and uses the order of entries,
never a clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.projections import entry_queries, queries
from tracker.projections.entry_rows import EntryRow
from tracker.projections.rating_history import RatingRow, rating_history
from tracker.service.as_of import AsOf, NothingRecordedThen, is_count
from tracker.service.refusals import NoSuchBattle
from tracker.service.repository import CampaignRepository

Place: TypeAlias = tuple[int, int]
"""An entry and the slot it filled."""


class AsOfQueries:
    """States and events at points in time."""

    def __init__(self, repository: CampaignRepository) -> None:
        self._repository = repository

    def state_at(self, campaign: str, as_of: AsOf) -> CampaignState:
        """The state at a point. Raises NoSuchBattle, NoSuchEvent or NothingRecordedThen."""
        if as_of.clock == "battle":
            return self._repository.state(campaign, as_of_battle=as_of.value)
        if as_of.clock == "into":
            return self._repository.state(campaign, as_of_slot=self.last_slot(campaign, as_of))
        entry = self.entry_of(campaign, as_of)
        return self._repository.state(campaign, as_of_entry=entry)

    def entry_of(self, campaign: str, as_of: AsOf) -> int | None:
        """The entry after which something was believed; None if a point follows the order of play."""
        if as_of.clock == "entry":
            entries = self._repository.store.head(campaign).entries
            if not (is_count(as_of.value) and 1 <= int(as_of.value) <= entries):
                raise self._repository.no_such_event(campaign, as_of.value)
            return int(as_of.value)
        return self._entry_on(campaign, as_of.value) if as_of.clock == "date" else None

    def _entry_on(self, campaign: str, moment: str) -> int:
        """The last entry whose clock showed this day or moment, or an earlier one."""
        latest = moment if "T" in moment else f"{moment}T23:59:59Z"
        at = ""
        for entry, at in self._repository.log.moments(campaign):
            if at <= latest:
                return entry
        raise NothingRecordedThen(when=moment, first=at[:10] or "no day at all")

    def last_slot(self, campaign: str, as_of: AsOf) -> int | None:
        """The last slot of a point in the order of play; None if all that counts is included.

        A battle ends with its closing, or before the next battle if that was voided. Raises NoSuchBattle.
        """
        if not as_of.follows_play:
            return None
        battle = as_of.value
        with database.reading(self._repository.engine) as connection:
            rows = queries.battles(connection, campaign)
        if as_of.clock == "into":
            row = next((row for row in rows if battle in (row["battle"], str(row["number"]))), None)
            if row is not None:
                return int(row["slot"]) - 1
            if battle == str(self._repository.state(campaign).battle_number):
                return None  # the next battle begins with the present
        slots = sorted(int(row["slot"]) for row in rows)
        for row in rows:
            if battle in (row["battle"], str(row["number"])):
                if row["closed"]:
                    return int(row["closed"]["slot"])
                later = [slot for slot in slots if slot > int(row["slot"])]
                return later[0] - 1 if later else None
        raise NoSuchBattle(battle=battle, known=tuple(str(row["battle"]) for row in rows))

    def events_about(self, campaign: str, fighter: str, as_of: AsOf) -> tuple[RecordedEvent, ...]:
        """The events that name a fighter and counted at a point, in the order of play."""
        with database.reading(self._repository.engine) as connection:
            rows = entry_queries.entries(connection, campaign, fighter=fighter)
        places = self._standing(campaign, rows, as_of)
        ordered = sorted(places, key=lambda place: (place[1], place[0]))
        return tuple(
            recorded
            for entry in self._repository.contents(campaign, ordered)
            for recorded in entry
            if fighter in (getattr(recorded.event, "fighter", None), getattr(recorded.event, "by", None))
        )

    def rating_history(self, campaign: str, as_of: AsOf) -> list[RatingRow]:
        """Each gang's rating and earned XP at each battle's end, up to a point. One pass over the log."""
        entry = self.entry_of(campaign, as_of)
        through = self.last_slot(campaign, as_of)

        def work_out() -> tuple[RatingRow, ...]:
            live = self._repository.log.live(campaign, as_of_entry=entry)
            counting = takewhile(lambda recorded: through is None or recorded.slot <= through, live)
            return tuple(rating_history(recorded.event for recorded in counting))

        return list(self._repository.cached(campaign, ("rating", entry, through), work_out))

    def after_battle(
        self, campaign: str, battle: str, *, as_of_entry: int | None = None
    ) -> Iterator[tuple[frozenset[str], tuple[RecordedEvent, ...]]]:
        """The entries after a battle that count, each with those of the battle's gangs whose next battle has
        not opened yet. Includes entries about other gangs.
        """
        with database.reading(self._repository.engine) as connection:
            rows = queries.battles(connection, campaign)
            row = next(row for row in rows if row["battle"] == battle)
            if row["closed"] is None:
                return
            ends = {gang: _opening_after(row, rows, gang) for gang in _gangs(row)}
            last = None if None in ends.values() else max(int(end or 0) for end in ends.values())
            between = entry_queries.entries_between_battles(
                connection, campaign, after_slot=row["closed"]["slot"], before_slot=last
            )
        for written in between:
            if counts(written, as_of_entry):
                (entry,) = self._repository.contents(campaign, [(written["entry"], written["slot"])])
                yield (
                    frozenset(gang for gang, end in ends.items() if end is None or written["slot"] < end),
                    entry,
                )

    def _standing(self, campaign: str, rows: Sequence[EntryRow], as_of: AsOf) -> list[Place]:
        """The places of those index rows that count at a point."""
        entry = self.entry_of(campaign, as_of)
        through = self.last_slot(campaign, as_of)
        return [
            (row["entry"], row["slot"])
            for row in rows
            if counts(row, entry) and (through is None or row["slot"] <= through)
        ]


def counts(row: EntryRow, as_of_entry: int | None) -> bool:
    """Whether the entry of an index row counts now, or counted after the given entry."""
    struck_by = row["struck_by"]
    if as_of_entry is None:
        return struck_by is None
    return row["entry"] <= as_of_entry and (struck_by is None or struck_by > as_of_entry)


def _gangs(battle: queries.Row) -> list[str]:
    return [crew["gang"] for crew in battle["crews"]]


def _opening_after(battle: queries.Row, battles: Sequence[queries.Row], gang: str) -> int | None:
    """The slot that opens a gang's next battle."""
    later = (row for row in battles if row["slot"] > battle["slot"] and gang in _gangs(row))
    return min((int(row["slot"]) for row in later), default=None)

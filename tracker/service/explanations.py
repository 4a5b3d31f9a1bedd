"""Explanations: trace a number on a board to the entries, dice, house rules and rulings behind it.

Reads only the entries about one fighter or gang, by the index of entries. If the numbers that they fold to
differ from the state, it folds the whole log instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from heapq import merge
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import slots_of
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput
from tracker.log import database
from tracker.projections import entry_queries, entry_rows, number_lineage
from tracker.projections.entries import groups, slot_of
from tracker.projections.entry_rows import EntryRow
from tracker.records import Record, replace
from tracker.service.as_of import NOW, AsOf
from tracker.service.as_of_queries import AsOfQueries
from tracker.service.repository import CampaignRepository

Kind: TypeAlias = number_lineage.Kind
Numbers: TypeAlias = number_lineage.Numbers

_OF_THINGS = number_lineage.events_naming(records.EVENTS.values(), "source_gang", "target_gang")
_OF_A_GANG = _OF_THINGS | number_lineage.events_naming(
    records.EVENTS.values(), "gang", "source", "holder", "vehicle"
)
_ALWAYS = frozenset({"BattleOpened", "BattleClosed"})


class Explanation(Record):
    """The entries behind the numbers of a fighter or gang.

    `rulings` are the rulings that changed them, by entry; `kept` the events that kept a slot as played, by
    slot. `whole_log`: the log had to be folded from its beginning.
    """

    kind: Kind
    known: str
    numbers: Numbers
    contributions: tuple[number_lineage.EntryEffect, ...]
    rulings: Mapping[int, tuple[RecordedEvent, ...]]
    kept: Mapping[int, RecordedEvent]
    state: CampaignState
    whole_log: bool = False


class _Within(Record):
    """What counts at a point: the entries or the slots up to one, or everything."""

    entry: int | None = None
    slot: int | None = None

    def has(self, entry: int, slot: int) -> bool:
        """Whether an entry's content of a slot was there at the point."""
        return (self.entry is None or entry <= self.entry) and (self.slot is None or slot <= self.slot)

    def struck(self, by: int | None) -> int | None:
        """The ruling that had superseded it by then, or None."""
        return by if by is None or self.entry is None or by <= self.entry else None

    def row(self, row: EntryRow) -> EntryRow:
        """A row of the index of entries as it was at the point."""
        return {**row, "struck_by": self.struck(row["struck_by"])}


class NobodyCalled(BadInput):
    """No fighter and no {game.gang} is called {who!r}.{who:nearest} See 'arbitrator roster show'."""

    who: str
    known: tuple[str, ...]


class Explanations:
    """Answers to "why is this number what it is?"."""

    def __init__(self, repository: CampaignRepository) -> None:
        self._repository = repository
        self._history = AsOfQueries(repository)

    def explain(
        self,
        campaign: str,
        kind: Kind,
        known: str,
        numbers: Iterable[str] = (),
        *,
        as_of: AsOf = NOW,
    ) -> Explanation:
        """The changes of the numbers of a fighter or gang, in the order of play; of all numbers if none is
        named.

        At another point: as they were and counted there. `known` is an id. Raises NobodyCalled.
        """
        state = self._history.state_at(campaign, as_of)
        within = self._within(campaign, as_of)
        if as_of.follows_play:
            state = replace(state, disputes=self._repository.state(campaign).disputes)
        wanted = number_lineage.numbers_of(state, kind, known)
        if not wanted:
            raise NobodyCalled(who=known, known=(*state.gang_of, *state.gangs))
        asked = frozenset(numbers)
        rows = self._rows_about(
            campaign, kind, known, state, battles=not asked or bool(asked & number_lineage.BATTLE_COUNTS)
        )
        rows = [within.row(row) for row in rows if within.has(row["entry"], row["slot"])]
        asked_of = asked or frozenset(wanted)
        lineage, whole_log = self._lineage(campaign, kind, known, rows, state, asked_of, within)
        contributions = tuple(
            contribution
            for contribution in lineage.contributions
            if not asked or not asked.isdisjoint(contribution.moves)
        )
        slots = {contribution.filling.slot for contribution in contributions}
        struck = {contribution.filling.struck_by for contribution in contributions}
        again = {
            contribution.filling.entry
            for contribution in contributions
            if contribution.filling.entry != contribution.filling.slot
        }
        words = [row for row in rows if row["kind"] == "slot_kept" and row["slot"] in slots]
        ruled_in = {*struck, *again, *(row["entry"] for row in words)}
        rulings = sorted(entry for entry in ruled_in if entry is not None)
        return Explanation(
            kind=kind,
            known=known,
            numbers=wanted,
            contributions=contributions,
            rulings={entry: self._own(campaign, entry) for entry in rulings},
            kept={row["slot"]: self._word(campaign, row) for row in words},
            state=state,
            whole_log=whole_log,
        )

    def _lineage(
        self,
        campaign: str,
        kind: Kind,
        known: str,
        rows: Sequence[EntryRow],
        state: CampaignState,
        asked: frozenset[str],
        within: _Within,
    ) -> tuple[number_lineage.NumberLineage, bool]:
        wanted = number_lineage.numbers_of(state, kind, known)
        about = [row for row in rows if row["kind"] != "slot_kept"]
        try:
            whose = {known}
            if kind == "gang":
                whose |= {*state.gangs[known].fighters, *state.gangs[known].vehicles}
            lineage = number_lineage.lineage_of(
                self._fillings(campaign, about, whose), kind, known, people=state
            )
            if all(lineage.numbers.get(name) == wanted.get(name) for name in asked):
                return lineage, False
        except number_lineage.CannotFoldApart:
            pass
        everything = (
            replace(filling, struck_by=within.struck(filling.struck_by))
            for filling in self._everything(campaign)
            if within.has(filling.entry, filling.slot)
        )
        return number_lineage.lineage_of(everything, kind, known), True

    def _within(self, campaign: str, as_of: AsOf) -> _Within:
        through = self._history.last_slot(campaign, as_of)
        return _Within(entry=self._history.entry_of(campaign, as_of), slot=through)

    def _rows_about(
        self, campaign: str, kind: Kind, known: str, state: CampaignState, *, battles: bool
    ) -> list[EntryRow]:
        fighters = {known} if kind == "fighter" else {*state.gangs[known].fighters}
        types = {"SlotKept"} | (_OF_A_GANG if kind == "gang" else _OF_THINGS)
        types = types | _ALWAYS if battles else types - _ALWAYS
        with database.reading(self._repository.engine) as connection:
            rows = entry_queries.entries_touching(connection, campaign, fighters=fighters, events=types)
        return sorted(rows, key=lambda row: (row["slot"], row["entry"]))

    def _fillings(
        self, campaign: str, rows: Sequence[EntryRow], whose: AbstractSet[str]
    ) -> Iterator[number_lineage.SlotFilling]:
        for row in rows:
            (events,) = self._repository.contents(campaign, [(row["entry"], row["slot"])])
            if _ALWAYS.isdisjoint(row["events"]) and not any(
                name in whose for event in events for name in number_lineage.names_in(event.event)
            ):
                continue
            yield number_lineage.SlotFilling(
                slot=row["slot"], entry=row["entry"], events=events, struck_by=row["struck_by"]
            )

    def _everything(self, campaign: str) -> Iterator[number_lineage.SlotFilling]:
        """The whole log: every slot with all its versions."""
        live = (
            number_lineage.SlotFilling(slot=slot.slot, entry=slot.entry, events=slot.events)
            for slot in slots_of(self._repository.log.live(campaign))
        )
        gone = groups(self._repository.log.struck(campaign))
        with database.reading(self._repository.engine) as connection:
            by = {
                (row["entry"], row["slot"]): row["struck_by"]
                for row in entry_queries.entries(connection, campaign, struck=True)
            }
        struck = (
            number_lineage.SlotFilling(
                slot=group[0].slot,
                entry=group[0].entry,
                events=tuple(group),
                struck_by=by.get((group[0].entry, group[0].slot), group[0].entry),
            )
            for group in gone
        )
        return merge(live, struck, key=lambda filling: (filling.slot, filling.entry))

    def _own(self, campaign: str, entry: int) -> tuple[RecordedEvent, ...]:
        return tuple(
            recorded for recorded in self._repository.log.entry(campaign, entry) if recorded.slot == entry
        )

    def _word(self, campaign: str, row: EntryRow) -> RecordedEvent:
        events = self._repository.log.entry(campaign, row["entry"])
        for event in events:
            if slot_of(event) == row["slot"]:
                return event
        raise entry_rows.names_nothing(row)

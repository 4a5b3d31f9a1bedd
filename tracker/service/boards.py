"""Boards: every read that a report needs, now or at another point in time, each as one consistent call.

Present values come from the boards alone; states, and what depends on open disputes, are worked out only on
request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from tracker.log.board_source import BoardSource
from tracker.projections import queries
from tracker.projections.queries import Row
from tracker.projections.roster import fighter_row
from tracker.projections.standings import gang_row, gone_from, in_order
from tracker.records import Record
from tracker.service import refusals
from tracker.service.as_of import NOW, AsOf

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tracker.campaign.recorded_event import RecordedEvent
    from tracker.campaign.state import CampaignState
    from tracker.log.sealing import Head
    from tracker.projections.dependent_events import DependentEvent
    from tracker.projections.entries import RulingOnSlot
    from tracker.projections.entry_rows import EntryRow
    from tracker.projections.ledger import LedgerRow
    from tracker.projections.number_lineage import Kind, Numbers
    from tracker.projections.rating_history import RatingRow
    from tracker.rules.rulebook import Rulebook
    from tracker.service.as_of_queries import AsOfQueries
    from tracker.service.explanations import Explanation
    from tracker.service.pending_outcomes import PendingDisputes
    from tracker.service.repository import CampaignRepository
    from tracker.service.roll_witnesses import Confirmed, TypedRoll
    from tracker.service.thrown_dice import ThrownDie

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Roster(Record):
    """Gangs and fighters, with what depends on open disputes; `history` is empty unless requested."""

    gangs: Sequence[Row]
    fighters: Sequence[Row]
    disputes: Sequence[Row]
    dependents: Sequence[DependentEvent]
    history: Sequence[RatingRow] = ()


class Standings(Record):
    """The gangs in order of the battles they won. `book` is the name of the campaign's rulebook."""

    gangs: Sequence[Row]
    pending: PendingDisputes
    book: str
    history: Sequence[RatingRow] = ()


class FighterBoard(Record):
    """A fighter's row, the gang's row, and the events that name the fighter, in the order of play."""

    fighter: str
    row: Row
    gang: Row
    events: tuple[RecordedEvent, ...]
    state: CampaignState
    pending: PendingDisputes


class BattleBoard(Record):
    """A battle: its row, its entries in the order written with their rows of the index, and those that count
    in the order of play.

    `after` are the later entries until its gangs fought again, `now` is the present state. The entries
    include earlier, superseded records of the battle. `struck` is the ruling on a battle that no longer
    counts.
    """

    row: Row
    rows: Sequence[EntryRow]
    entries: Sequence[tuple[RecordedEvent, ...]]
    counting: Sequence[tuple[RecordedEvent, ...]]
    after: Sequence[tuple[frozenset[str], tuple[RecordedEvent, ...]]]
    state: CampaignState
    now: CampaignState
    pending: PendingDisputes
    struck: RulingOnSlot | None = None


class LedgerBoard(Record):
    """A gang's row and the movements of its credits and things."""

    gang: Row
    rows: Sequence[LedgerRow]
    battles: Sequence[Row]
    state: CampaignState
    pending: PendingDisputes


class LogBoard(Record):
    """Entries with their rows of the index."""

    rows: Sequence[EntryRow]
    entries: Sequence[tuple[RecordedEvent, ...]]
    state: CampaignState


class DisputeBoard(Record):
    """A dispute's row, the event it is about, and who witnessed the roll."""

    row: Row
    target: RecordedEvent
    witnesses: tuple[str, ...]
    state: CampaignState


class RulingsBoard(Record):
    """Every dispute with its event, and every ruling with its effect on each slot."""

    disputes: Sequence[Row]
    targets: Mapping[int, RecordedEvent]
    rulings: Sequence[tuple[RecordedEvent, Sequence[RulingOnSlot]]]
    state: CampaignState


class CampaignBoard(Record):
    """The overview of a campaign."""

    head: Head
    state: CampaignState
    rulebook: Rulebook
    battles: Sequence[Row]
    disputes: Sequence[Row]
    vkeys: tuple[str, ...] = ()
    """The public keys that sign for it, the one that signs now last."""


def _of_one_moment(
    read: Callable[Concatenate[Boards, Asked], Answer],
) -> Callable[Concatenate[Boards, Asked], Answer]:
    """Make all reads of a method consistent with each other. It may be called again, so it must only read."""

    @wraps(read)
    def reading(self: Boards, /, *asked: Asked.args, **more: Asked.kwargs) -> Answer:
        return self._source.read_consistently(lambda: read(self, *asked, **more))

    return reading


class Boards:
    """Reads boards, and through the repository what the boards do not hold."""

    def __init__(self, source: BoardSource, *, repository: Callable[[], CampaignRepository]) -> None:
        self._source = source
        self._get_repository = repository

    def read_consistently(self, read: Callable[[], Answer]) -> Answer:
        """The result of `read`, all of it at one head. It may be called again, so it must only read."""
        return self._source.read_consistently(read)

    # --- gangs and fighters ---------------------------------------------------------------------------------

    @_of_one_moment
    def roster(
        self, campaign: str, as_of: AsOf = NOW, *, with_history: bool = False, gone_most: int | None = None
    ) -> Roster:
        """Gangs and fighters in order of enlistment.

        If more than `gone_most` fighters have left a gang for good, they are left out and not read; otherwise
        they come last.
        """
        gone = None if gone_most is None else False
        disputed = True
        if as_of.is_now:
            with self._source.reading() as connection:
                gangs = queries.gangs(connection, campaign)
                fighters = queries.roster(connection, campaign, gone=gone)
                for gang in _listing_gone(gangs, fighters, gone_most):
                    fighters += queries.roster(connection, campaign, gang, gone=True)
                disputed = bool(queries.disputes(connection, campaign, is_open=True))
        else:
            state = self.state_at(campaign, as_of)
            gangs = [dict(gang_row(gang)) for gang in state.gangs.values()]
            each = [gang.fighters if gone is None else gang.enlisted for gang in state.gangs.values()]
            fighters = [dict(fighter_row(fighter)) for members in each for fighter in members.values()]
            for gang in _listing_gone(gangs, fighters, gone_most):
                members = state.gangs[gang].fighters.values()
                fighters += [dict(fighter_row(member)) for member in members if member.standing != "enlisted"]
        pending = self.pending(campaign, as_of) if disputed else None
        return Roster(
            gangs=gangs,
            fighters=fighters,
            disputes=pending.disputes if pending is not None else (),
            dependents=pending.dependents if pending is not None else (),
            history=self.rating_history(campaign, as_of) if with_history else (),
        )

    @_of_one_moment
    def standings(self, campaign: str, as_of: AsOf = NOW, *, with_history: bool = False) -> Standings:
        """The gangs, those with most battles won first."""
        if as_of.is_now:
            with self._source.reading() as connection:
                rows = queries.standings(connection, campaign)
        else:
            gangs = self.state_at(campaign, as_of).gangs.values()
            rows = [dict(row) for row in in_order(gang_row(gang) for gang in gangs)]
        return Standings(
            gangs=rows,
            pending=self.pending(campaign, as_of).about([row["gang"] for row in rows]),
            book=self._repository.state(campaign).book,
            history=self.rating_history(campaign, as_of) if with_history else (),
        )

    @_of_one_moment
    def gangs(self, campaign: str) -> tuple[Sequence[Row], PendingDisputes]:
        """The gangs in order of enlistment, and what of them depends on open disputes."""
        with self._source.reading() as connection:
            rows = queries.gangs(connection, campaign)
        return rows, self.pending(campaign).about([row["gang"] for row in rows])

    @_of_one_moment
    def captives(self, campaign: str) -> tuple[Sequence[Row], CampaignState, PendingDisputes]:
        """The rows of all captives, and of fighters whose capture is still to be decided."""
        with self._source.reading() as connection:
            everybody = queries.roster(connection, campaign)
        rows = [row for row in everybody if row["held_by"] is not None or row["capture_pending"]]
        pending = self.pending(campaign).about([row["fighter"] for row in rows])
        return rows, self._repository.state(campaign), pending

    @_of_one_moment
    def fighter(self, campaign: str, find: Callable[[CampaignState], str], as_of: AsOf = NOW) -> FighterBoard:
        """One fighter; `find` gives the id. Raises UnknownFighter."""
        from tracker.campaign.records import UnknownFighter

        state = self.state_at(campaign, as_of)
        known = find(state)
        in_state = state.fighter(known)
        if in_state is None:
            raise UnknownFighter(fighter=known, known=tuple(state.gang_of))
        events = self.events_about(campaign, known, as_of)
        row: Row | None = dict(fighter_row(in_state))
        gang: Row | None = dict(gang_row(state.gangs[in_state.gang]))
        if as_of.is_now:
            with self._source.reading() as connection:
                row = queries.fighter(connection, campaign, known)
                gang = queries.gang(connection, campaign, in_state.gang)
        assert row is not None, "an enlisted fighter is on the board"
        assert gang is not None, "a fighter's gang is on the board"
        pending = self.pending(campaign, as_of).about([known], {event.seq for event in events})
        return FighterBoard(fighter=known, row=row, gang=gang, events=events, state=state, pending=pending)

    @_of_one_moment
    def ledger(self, campaign: str, gang: str) -> LedgerBoard:
        """The movements of a gang's credits and things, in order of play. Raises UnknownGang."""
        from tracker.projections.entry_queries import entries_moving
        from tracker.projections.ledger import ledger_rows

        row = self._gang(campaign, gang)
        with self._source.through_sqlalchemy() as connection:
            listed = entries_moving(connection, campaign, gang)
            battles = queries.battles(connection, campaign)
        rows = [
            line
            for place, events in zip(listed, self._contents(campaign, listed), strict=True)
            for line in ledger_rows(events, gang, place["battle"])
        ]
        return LedgerBoard(
            gang=row,
            rows=rows,
            battles=battles,
            state=self._repository.state(campaign),
            pending=self.pending(campaign).about((), {line["seq"] for line in rows}),
        )

    @_of_one_moment
    def gang(self, campaign: str, gang: str) -> tuple[Row, CampaignState]:
        """A gang's row with its stash. Raises UnknownGang."""
        return self._gang(campaign, gang), self._repository.state(campaign)

    def _gang(self, campaign: str, gang: str) -> Row:
        with self._source.reading() as connection:
            row = queries.gang(connection, campaign, gang)
            if row is None:
                from tracker.campaign.records import UnknownGang

                known = tuple(str(row["gang"]) for row in queries.gangs(connection, campaign))
                raise UnknownGang(gang=gang, known=known)
        return row

    # --- battles --------------------------------------------------------------------------------------------

    @_of_one_moment
    def battles(self, campaign: str) -> tuple[Sequence[Row], CampaignState]:
        """The battles in order of play."""
        with self._source.reading() as connection:
            rows = queries.battles(connection, campaign)
        return rows, self._repository.state(campaign)

    @_of_one_moment
    def battle(self, campaign: str, battle: str, *, as_of_entry: int | None = None) -> BattleBoard:
        """One battle, by its id or number, even one that was rolled back. Raises NoSuchBattle."""
        from tracker.service.as_of_queries import counts
        from tracker.service.struck_battles import struck_battles

        state = self._repository.state(campaign, as_of_entry=as_of_entry)
        with self._source.through_sqlalchemy() as connection:
            battles = queries.battles(connection, campaign)
            gone = struck_battles(self._repository, connection, campaign, battles)
            row = _battle_named(battle, battles)
            last = next((was for was in reversed(gone) if _battle_named(battle, [was.row])), None)
            if row is None and last is None:
                raise refusals.NoSuchBattle(battle=battle, known=tuple(str(row["battle"]) for row in battles))
            rows = self._entries(connection, campaign, battle=row["battle"]) if row is not None else []
        struck: RulingOnSlot | None = None
        after: Sequence[tuple[frozenset[str], tuple[RecordedEvent, ...]]] = ()
        if row is not None:
            after = list(self.after_battle(campaign, row["battle"], as_of_entry=as_of_entry))
        else:
            assert last is not None, "one of them was found"
            row, struck = last.row, last.ruling
        earlier = [written for was in gone if was.row["battle"] == row["battle"] for written in was.rows]
        rows = sorted([*earlier, *rows], key=lambda written: (written["entry"], written["slot"]))
        if as_of_entry is not None:
            rows = [
                {**listed, "struck_by": None} if (listed["struck_by"] or 0) > as_of_entry else listed
                for listed in rows
                if listed["entry"] <= as_of_entry
            ]
            struck = struck if struck is not None and struck["entry"] <= as_of_entry else None
            if state.under_way is not None and state.under_way.battle == row["battle"]:
                row = {**row, "status": "under_way", "winner": None, "drawn": False, "closed": None}
        entries = self._contents(campaign, rows)
        counting = sorted(
            (place for place in zip(rows, entries, strict=True) if counts(place[0], as_of_entry)),
            key=lambda place: place[0]["slot"],
        )
        as_of = NOW if as_of_entry is None else AsOf(clock="entry", value=str(as_of_entry))
        return BattleBoard(
            row=row,
            rows=rows,
            entries=entries,
            counting=[entry for _, entry in counting] if struck is None else (),
            after=after,
            state=state,
            now=self._repository.state(campaign),
            pending=self.pending(campaign, as_of).about(
                (), {event.seq for entry in entries for event in entry}
            ),
            struck=struck,
        )

    def battle_of_slot(self, campaign: str, slot: int) -> str | None:
        """The battle that a slot belongs to, or None."""
        with self._source.through_sqlalchemy() as connection:
            rows = self._entries(connection, campaign, slot=slot)
        return rows[0]["battle"] if rows else None

    # --- the log --------------------------------------------------------------------------------------------

    @_of_one_moment
    def log(
        self, /, campaign: str, *, find: Callable[[CampaignState], str | None], **filters: Any
    ) -> LogBoard:
        """Entries in the order of the log, filtered as `entry_queries.entries` does; a battle by its id or
        number. `find` gives a fighter.
        """
        state = self._repository.state(campaign)
        fighter = find(state)
        battle = filters.pop("battle", None)
        with self._source.through_sqlalchemy() as connection:
            if battle is not None:
                numbers = {str(row["number"]): row["battle"] for row in queries.battles(connection, campaign)}
                battle = numbers.get(battle, battle)
            rows = self._entries(connection, campaign, fighter=fighter, battle=battle, **filters)
        return LogBoard(rows=rows, entries=self._contents(campaign, rows), state=state)

    @_of_one_moment
    def entry(self, campaign: str, entry: int) -> LogBoard:
        """One entry whole. Raises NoSuchEvent."""
        events = self._repository.log.entry(campaign, entry)
        if not events:
            raise self._repository.no_such_event(campaign, entry)
        with self._source.through_sqlalchemy() as connection:
            rows = self._entries(connection, campaign, entry=entry)
        return LogBoard(rows=rows, entries=(events,), state=self._repository.state(campaign))

    @_of_one_moment
    def policy_history(self, campaign: str) -> LogBoard:
        """The entries that adopted or repealed a house rule."""
        with self._source.through_sqlalchemy() as connection:
            rows = self._touching(connection, campaign, events={"PolicyAdopted", "PolicyRepealed"})
        places = sorted({(row["entry"], row["slot"]) for row in rows})
        entries = self._repository.contents(campaign, places)
        return LogBoard(rows=rows, entries=entries, state=self._repository.state(campaign))

    @_of_one_moment
    def holding(self, campaign: str, events: AbstractSet[str]) -> LogBoard:
        """The entries that count and hold an event of one of these types."""
        with self._source.through_sqlalchemy() as connection:
            touching = self._touching(connection, campaign, events=set(events))
        rows = [row for row in touching if row["struck_by"] is None]
        return LogBoard(
            rows=rows, entries=self._contents(campaign, rows), state=self._repository.state(campaign)
        )

    # --- disputes and rulings -------------------------------------------------------------------------------

    def disputes(self, campaign: str, *, is_open: bool | None = None) -> Sequence[Row]:
        """The disputes, oldest first; only open ones, or only those that were ruled on."""
        with self._source.reading() as connection:
            return queries.disputes(connection, campaign, is_open=is_open)

    @_of_one_moment
    def dispute(self, campaign: str, name: str) -> DisputeBoard:
        """A dispute, open or not, by its number or by its event. Raises NoSuchDispute."""
        from tracker.service.disputes import dispute_row
        from tracker.service.roll_witnesses import witnesses_of

        row = dispute_row(self._repository, campaign, name)
        target = self._repository.event_at(campaign, str(row["target"]))
        return DisputeBoard(
            row=row,
            target=target,
            witnesses=witnesses_of(self._repository, campaign, target),
            state=self._repository.state(campaign),
        )

    @_of_one_moment
    def rulings(self, campaign: str) -> RulingsBoard:
        """The season's disputes and rulings."""
        from tracker.service.struck_battles import words

        with self._source.through_sqlalchemy() as connection:
            disputes = queries.disputes(connection, campaign)
            own = self._touching(connection, campaign, events={"RulingMade"})
            rows = {row["entry"]: self._entries(connection, campaign, entry=row["entry"]) for row in own}
        targets = {row["dispute"]: self._repository.event_at(campaign, row["target"]) for row in disputes}
        rulings = [
            (self._ruling_made(campaign, listed[0]), words(self._repository, campaign, listed))
            for _, listed in sorted(rows.items())
        ]
        return RulingsBoard(
            disputes=disputes, targets=targets, rulings=rulings, state=self._repository.state(campaign)
        )

    def _ruling_made(self, campaign: str, row: EntryRow) -> RecordedEvent:
        from tracker.campaign.records import RulingMade
        from tracker.projections.entry_rows import names_nothing

        for event in self._repository.log.entry(campaign, row["entry"]):
            if isinstance(event.event, RulingMade):
                return event
        raise names_nothing(row)

    @_of_one_moment
    def typed_rolls(self, campaign: str) -> tuple[Sequence[TypedRoll], CampaignState]:
        """Every roll that was typed in, and who else saw it."""
        from tracker.service.roll_witnesses import typed_rolls

        return list(typed_rolls(self._repository, campaign)), self._repository.state(campaign)

    @_of_one_moment
    def confirmations(self, campaign: str) -> Mapping[Confirmed, tuple[str, ...]]:
        """Who confirmed each roll that somebody confirmed."""
        from tracker.service.roll_witnesses import confirmations

        return confirmations(self._repository, campaign)

    def unwitnessed(self, campaign: str) -> Mapping[str, int]:
        """How many dice that count each person typed in and nobody else confirmed, by actor."""
        from tracker.service.roll_witnesses import unwitnessed

        return unwitnessed(self._repository, campaign)

    @_of_one_moment
    def thrown_dice(self, campaign: str) -> Sequence[ThrownDie]:
        """Every die that fell, once, and its fate."""
        from tracker.service.thrown_dice import thrown_dice

        return list(thrown_dice(self._repository, campaign))

    # --- the campaign, and points in time -------------------------------------------------------------------

    @_of_one_moment
    def campaign(self, campaign: str) -> CampaignBoard:
        """The overview of the campaign."""
        from tracker.campaign.steps import rulebook_in_force
        from tracker.log import signed_notes
        from tracker.rules import loader

        head, state = self._repository.load(campaign)
        with self._source.through_sqlalchemy() as connection:
            battles = queries.battles(connection, campaign)
            disputes = queries.disputes(connection, campaign, is_open=True)
            vkeys = signed_notes.vkeys(connection, campaign)
        rulebook = rulebook_in_force(state, loader.rulebook)
        return CampaignBoard(
            head=head, state=state, rulebook=rulebook, battles=battles, disputes=disputes, vkeys=vkeys
        )

    @_of_one_moment
    def explanation(
        self,
        campaign: str,
        find: Callable[[CampaignState], tuple[Kind, str]],
        as_of: AsOf = NOW,
        *,
        number: Callable[[CampaignState, Numbers], str] | None = None,
    ) -> tuple[Explanation, CampaignState, tuple[str, ...]]:
        """The changes of a fighter's or gang's numbers, the state, and the requested numbers: all, or one.

        `find` returns the kind and id, `number` the name of the number. Raises NobodyCalled.
        """
        from tracker.projections.number_lineage import numbers_of
        from tracker.service.explanations import Explanations

        state = self.state_at(campaign, as_of)
        kind, known = find(state)
        asked = () if number is None else (number(state, numbers_of(state, kind, known)),)
        explained = Explanations(self._repository).explain(campaign, kind, known, asked, as_of=as_of)
        return explained, state, asked

    @_of_one_moment
    def states(self, campaign: str, before: AsOf, after: AsOf) -> tuple[CampaignState, CampaignState]:
        """The states at two points."""
        return self.state_at(campaign, before), self.state_at(campaign, after)

    def state_at(self, campaign: str, as_of: AsOf = NOW) -> CampaignState:
        """The state at a point. Raises NoSuchBattle, NoSuchEvent or NothingRecordedThen."""
        return self._history.state_at(campaign, as_of)

    def pending(self, campaign: str, as_of: AsOf = NOW) -> PendingDisputes:
        """Open disputes and what depends on them: now, up to a battle's end, or as of an entry."""
        from tracker.service.pending_outcomes import PendingOutcomes

        return PendingOutcomes(self._repository).at(campaign, as_of)

    def rating_history(self, campaign: str, as_of: AsOf = NOW) -> list[RatingRow]:
        """Each gang's rating and earned XP at the end of every battle, up to a point."""
        return self._history.rating_history(campaign, as_of)

    def events_about(self, campaign: str, fighter: str, as_of: AsOf = NOW) -> tuple[RecordedEvent, ...]:
        """The events that name a fighter and counted at a point, in the order of play."""
        return self._history.events_about(campaign, fighter, as_of)

    def after_battle(
        self, campaign: str, battle: str, *, as_of_entry: int | None = None
    ) -> Iterator[tuple[frozenset[str], tuple[RecordedEvent, ...]]]:
        """The entries after a battle; see `AsOfQueries.after_battle`."""
        return self._history.after_battle(campaign, battle, as_of_entry=as_of_entry)

    def _entries(self, connection: Connection, campaign: str, **filters: Any) -> list[EntryRow]:
        """The index of entries is queried with SQLAlchemy, which a roster does without."""
        from tracker.projections import entry_queries

        return entry_queries.entries(connection, campaign, **filters)

    def _touching(self, connection: Connection, campaign: str, *, events: set[str]) -> list[EntryRow]:
        """Entries with an event of one of these types."""
        from tracker.projections import entry_queries

        return entry_queries.entries_touching(connection, campaign, fighters=frozenset(), events=events)

    def _contents(self, campaign: str, rows: Sequence[EntryRow]) -> list[tuple[RecordedEvent, ...]]:
        return self._repository.contents(campaign, [(row["entry"], row["slot"]) for row in rows])

    @cached_property
    def _repository(self) -> CampaignRepository:
        return self._get_repository()

    @cached_property
    def _history(self) -> AsOfQueries:
        from tracker.service.as_of_queries import AsOfQueries

        return AsOfQueries(self._repository)


def _battle_named(battle: str, rows: Sequence[Row]) -> Row | None:
    """The battle of this id or number."""
    return next((row for row in rows if battle in (row["battle"], str(row["number"]))), None)


def _listing_gone(gangs: Sequence[Row], fighters: Sequence[Row], most: int | None) -> list[str]:
    """The gangs whose former fighters are still listed: there are few, or one drives a vehicle."""
    if most is None:
        return []
    known = {row["fighter"] for row in fighters} | {""}
    return [
        gang["gang"]
        for gang in gangs
        if 0 < gone_from(gang) <= most
        or not known.issuperset(vehicle["crew"] for vehicle in gang["vehicles"])
    ]

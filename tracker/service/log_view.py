"""Views of a campaign's log, now or after one of its entries, read slot by slot.

Knows nothing of rulings: a ruling is made on the current view, and audited on the view that it was made on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.access_index import AccessIndex
from tracker.campaign.rulings.redecision import LOG_COMMANDS, Slot, slots_of
from tracker.campaign.rulings.selective_replay import LogTail
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.log.reader import LogReader
from tracker.log.sealed_history import WORTH_ASKING
from tracker.log.store import EntryPlace, StoredEvent
from tracker.projections import entry_queries, queries
from tracker.service.access_index_cache import load_access_index
from tracker.service.as_of import is_count
from tracker.service.refusals import NoSuchBattle, NoSuchEvent
from tracker.service.repository import CampaignRepository, folded_over

Nearest: TypeAlias = Callable[[int], tuple[int, CampaignState]]
"""The nearest known state before a slot, and the slot that it follows."""
OnSlot: TypeAlias = Callable[[int, CampaignState], None]

OPENINGS = frozenset({"BattleOpened"})
ENLISTINGS = frozenset({"GangEnlisted", "FighterEnlisted"})
POLICY_EVENTS = frozenset({"PolicyAdopted", "PolicyRepealed"})

FIXED = (records.OpenCampaign, *LOG_COMMANDS)
"""Commands whose entries cannot be voided, kept or decided again."""


class LogView:
    """A campaign's log up to its entry number `entries`, after which the state was `state`.

    `on_slot` is called with each slot that is read on the way, and the state after it.
    """

    def __init__(
        self,
        log: LogReader,
        campaign: str,
        *,
        entries: int,
        state: CampaignState,
        nearest: Nearest,
        on_slot: OnSlot = lambda _slot, _state: None,
    ) -> None:
        self.campaign = campaign
        self.entries = entries
        self.state = state
        self.on_slot = on_slot
        self._log = log
        self._nearest = nearest

    def tail_from(self, _first: int, /) -> LogTail | None:
        """The access index from a slot on, or None; always None for an earlier log."""
        return None

    def entry(self, number: int) -> tuple[RecordedEvent, ...]:
        """One entry, whole; empty when there was none of that number."""
        return self._log.entry(self.campaign, number) if 1 <= number <= self.entries else ()

    def event_at(self, address: str) -> RecordedEvent:
        """The event at '57.3'. Raises NoSuchEvent."""
        entry, _, position = address.partition(".")
        if not (is_count(entry) and is_count(position)):
            raise self.no_such_event(address)
        events = self.entry(int(entry))
        if not 1 <= int(position) <= len(events):
            raise self.no_such_event(address)
        return events[int(position) - 1]

    def no_such_event(self, address: str | int) -> NoSuchEvent:
        """The refusal of an event or entry that is not in the log."""
        return NoSuchEvent(campaign=self.state.name, address=str(address), entries=self.entries)

    def slot(self, slot: int) -> Slot:
        """The content of a slot."""
        events = self._log.slot(self.campaign, slot, as_of_entry=self.entries)
        return Slot(slot=slot, entry=events[0].entry, events=events)

    def fillings(self, slot: int) -> list[Slot]:
        """Every content of a slot, oldest first."""
        fillings = self._log.fillings(self.campaign, slot, as_of_entry=self.entries)
        return [Slot(slot=slot, entry=filling[0].entry, events=filling) for filling in fillings]

    def from_slot(self, first: int) -> tuple[CampaignState, Iterator[Slot]]:
        """The state before a slot, and the slots that count from there on."""
        base, state = self._nearest(first)
        slots = iter(slots_of(self._log.live(self.campaign, after_slot=base, as_of_entry=self.entries)))
        for slot in slots:
            if slot.slot >= first:
                return state, _chained(slot, slots)
            state = fold(state, slot.domain_events)
            self.on_slot(slot.slot, state)
        return state, iter(())

    def state_before(self, slot: int) -> CampaignState:
        """The state before a slot."""
        return self.from_slot(slot)[0]

    def opening(self, number: int) -> tuple[int, records.OpenBattle]:
        """The slot in which a battle with this number opened, and its command. Raises NoSuchBattle."""
        openings = self.openings()
        slot = next((slot for battle, slot in openings if battle == number), None)
        if slot is None:
            raise NoSuchBattle(battle=str(number), known=tuple(str(battle) for battle, _ in openings))
        header = self.slot(slot).header
        assert header is not None, "a battle that counts is not void"
        assert isinstance(header.command, records.OpenBattle), "a battle opens with its command"
        return slot, header.command

    def openings(self) -> Sequence[tuple[int, int]]:
        """The numbers of the battles that count, with the slots in which they opened."""
        slots = []
        for slot in self._log.slots_holding(self.campaign, OPENINGS, as_of_entry=self.entries):
            opened = next(
                event for event in self.slot(slot).domain_events if isinstance(event, records.BattleOpened)
            )
            slots.append((opened.number, slot))
        return slots

    def slots_enlisting(self) -> Sequence[int]:
        """The slots in which gangs and fighters joined."""
        return self._log.slots_holding(self.campaign, ENLISTINGS, as_of_entry=self.entries)

    def policy_slots(self) -> Sequence[int]:
        """The slots that adopted or repealed a policy."""
        return self._log.slots_holding(self.campaign, POLICY_EVENTS, as_of_entry=self.entries)


class CurrentLogView(LogView):
    """The log as it is now, up to `head`; uses the boards instead of searching."""

    def __init__(self, repository: CampaignRepository, campaign: str) -> None:
        self.head, state = repository.load(campaign)
        super().__init__(
            repository.log,
            campaign,
            entries=self.head.entries,
            state=state,
            nearest=lambda slot: repository.snapshot_before(campaign, slot),
        )
        self._engine = repository.engine
        self._repository = repository

    def from_slot(self, first: int) -> tuple[CampaignState, Iterator[Slot]]:
        """The state before a slot, and the slots from there on. Reads only moving events before the slot."""
        campaign, repository = self.campaign, self._repository
        base, state = repository.snapshot_before(campaign, first)
        log = repository.sealed if first - base > WORTH_ASKING else self._log
        before = takewhile(
            lambda moving: moving[0] < first,
            log.moving_by_slot(campaign, after_slot=base, as_of_entry=self.entries),
        )
        state = folded_over(state, (event for _, events in before for event in events), first - base)
        slots = slots_of(self._log.live(campaign, after_slot=first - 1, as_of_entry=self.entries))
        return state, iter(slots)

    def tail_from(self, first: int, /) -> LogTail | None:
        """The access index from a slot on, or None."""
        campaign, repository = self.campaign, self._repository
        accesses = load_access_index(repository, campaign, first)
        if not accesses.last:
            return None
        return LogTail(
            accesses=accesses,
            slot=SlotsAhead(repository, campaign, accesses, as_of_entry=self.entries).read,
            moving=lambda slot: repository.sealed.moving_by_slot(
                campaign, after_slot=slot, as_of_entry=self.entries
            ),
            before=self.state_before,
        )

    def openings(self) -> Sequence[tuple[int, int]]:
        """From the board of battles."""
        with database.reading(self._engine) as connection:
            rows = queries.battles(connection, self.campaign)
        return [(int(row["number"]), int(row["slot"])) for row in rows]

    def policy_slots(self) -> Sequence[int]:
        """From the index of entries."""
        with database.reading(self._engine) as connection:
            rows = entry_queries.entries_touching(
                connection, self.campaign, fighters=set(), events={*POLICY_EVENTS}
            )
        return [int(row["slot"]) for row in rows if row["struck_by"] is None]


class SlotsAhead:
    """Reads a slot together with those that will probably be needed next."""

    def __init__(
        self, repository: CampaignRepository, campaign: str, accesses: AccessIndex, *, as_of_entry: int
    ) -> None:
        self._repository = repository
        self._campaign = campaign
        self._accesses = accesses
        self._as_of_entry = as_of_entry
        self._read: dict[int, tuple[StoredEvent, ...]] = {}

    def read(self, slot: int, likely: Sequence[int]) -> tuple[RecordedEvent, ...]:
        """The content of a slot; `likely` are the slots to read with it."""
        if slot not in self._read:
            places = [self._place_of(number) for number in (slot, *likely)]
            self._read = self._repository.store.read_slots_at(
                self._campaign, places, through_entry=self._as_of_entry
            )
        return self._repository.log.latest(self._campaign, self._read[slot])

    def _place_of(self, slot: int) -> EntryPlace:
        begin, following = self._accesses.first_seq_of(slot), self._accesses.first_seq_of(slot + 1)
        return EntryPlace(slot, begin, following) if begin and following else EntryPlace(slot, 0, 0)


def _chained(first: Slot, rest: Iterable[Slot]) -> Iterator[Slot]:
    yield first
    yield from rest

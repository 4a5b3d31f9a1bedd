"""The repository of campaigns: reads logs, folds states from the nearest snapshot, appends entries.

Decides nothing: its callers do.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import uuid_utils
from sqlalchemy import Connection, Engine

from tracker.campaign import records
from tracker.campaign.evolve import evolve, fold, fold_in_place
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.decision import DecidedEvent
from tracker.log import append_call, appending, database, driver_errors
from tracker.log.append_call import LockNeeded
from tracker.log.appending import Receipt
from tracker.log.codec import Codec
from tracker.log.prepared_statements import pipelined
from tracker.log.reader import INFORMATIONAL, LogReader
from tracker.log.refusals import ConnectionLost, StaleHead
from tracker.log.sealed_history import WORTH_ASKING, SealedHistory
from tracker.log.sealing import Head, UnsealedEvent, seal
from tracker.log.store import EventStore
from tracker.people.secrets import is_person_id
from tracker.projections import boards, queries
from tracker.records import replace
from tracker.service import fence_store, snapshots, webhooks
from tracker.service.as_of import is_count
from tracker.service.clock import now
from tracker.service.query_cache import QueryCache
from tracker.service.refusals import NoSuchBattle, NoSuchEvent
from tracker.service.snapshot_parts import PartReader
from tracker.service.snapshots import EVERY_ENTRIES, fingerprint, worth_keeping

Answer = TypeVar("Answer")


def allow_all(_commands: Sequence[records.Command], _state: CampaignState) -> None:
    """Refuse nothing."""


def claim_nothing(_gangs: Sequence[str], _connection: Connection | None) -> None:
    """Claim nothing: the caller had no gang to begin."""


class RemoteRequest(NamedTuple):
    """A request through the service: its idempotency key, and the head that it was made for."""

    key: str | None = None
    """The idempotency key: the same sent again finds its first answer."""
    digest: str = ""
    """The digest of the request, to tell another request under the same key."""
    expected_size: int | None = None
    expected_leaf: str = ""
    """The head that the caller has seen: the number of events, and the beginning of the last leaf."""
    agreed: records.Agreed | None = None
    """The people who proposed and confirmed what is recorded."""
    allow: Callable[[Sequence[records.Command], CampaignState], None] = allow_all
    """Refuses commands that the caller may not give, after they are decided and before they are saved."""
    claim: Callable[[Sequence[str], Connection | None], None] = claim_nothing
    """Gives the caller the gangs that they enlist, within the append that saves them; refuses too many.

    Uses the given connection, or one of its own if people are kept in another database.
    """
    once: str = ""
    """A secret of the page, equal if its form is sent twice, so that the form has its effect once."""


class CampaignRepository:
    """One database: its logs, its states, and the only way to write to it."""

    def __init__(
        self,
        engine: Engine,
        *,
        actor: str,
        clock: Callable[[], str] | None = None,
        new_id: Callable[[], str] | None = None,
        people: Engine | None = None,
    ) -> None:
        self.engine = engine
        self.people_engine = people or engine
        """The database of people: the home database of a host."""
        self.store = EventStore(engine)
        self.codec = Codec()
        self.log = LogReader(self.store, self.codec)
        self.sealed = SealedHistory(self.store, self.codec)
        self.actor = actor
        self.new_id = new_id or (lambda: str(uuid_utils.uuid7()))
        self._clock = clock or now
        self._state_cache: dict[str, tuple[Head, CampaignState]] = {}
        self._without_snapshot = set[str]()
        """Campaigns folded without a near snapshot; the next entry stores one."""
        self._rivals: set[str] = set()
        self._answers = QueryCache()
        self.sending = RemoteRequest()

    def on_behalf_of(self, actor: str, sending: RemoteRequest) -> CampaignRepository:
        """The same database for one request. Shares folded states, but not the list of saved receipts."""
        other = copy.copy(self)
        other.store = EventStore(self.engine)
        other.store.saved = deque()  # every receipt of the request
        other.log = LogReader(other.store, self.codec)
        other.sealed = SealedHistory(other.store, self.codec)
        other.actor = actor
        other.sending = sending
        return other

    @property
    def decides_first(self) -> bool:
        """Whether to decide before the log is locked: worth it for a database server."""
        return self.engine.dialect.name == "postgresql"

    def no_such_event(self, campaign: str, address: str | int) -> NoSuchEvent:
        """The refusal of an event or entry that is not in this campaign's log."""
        entries = self.store.head(campaign).entries
        return NoSuchEvent(campaign=self.state(campaign).name, address=str(address), entries=entries)

    def event_at(self, campaign: str, address: str) -> RecordedEvent:
        """The event at '57.3'. Raises NoSuchEvent."""
        entry_text, _, position_text = address.partition(".")
        head = self.store.head(campaign)
        if not (is_count(entry_text) and is_count(position_text)):
            raise self.no_such_event(campaign, address)
        events = self.log.entry(campaign, int(entry_text)) if int(entry_text) <= head.entries else ()
        position = int(position_text)
        if not 1 <= position <= len(events):
            raise self.no_such_event(campaign, address)
        return events[position - 1]

    def contents(self, campaign: str, places: Sequence[tuple[int, int]]) -> list[tuple[RecordedEvent, ...]]:
        """The events at these (entry, slot) places, in the order asked for."""
        entries: dict[int, tuple[RecordedEvent, ...]] = {}
        contents = []
        for entry, slot in places:
            if entry not in entries:
                entries[entry] = self.log.entry(campaign, entry)
            contents.append(tuple(recorded for recorded in entries[entry] if recorded.slot == slot))
        return contents

    def cached(self, campaign: str, what: tuple[Hashable, ...], compute: Callable[[], Answer]) -> Answer:
        """The result for `what` on the log as it is now, computed unless it is cached."""
        return self._answers.get(lambda: self.store.head(campaign), what, compute)

    def load_once(self, campaign: str) -> CampaignState:
        """The cached state, which may be behind the log; folded if none is cached."""
        _, state = self._state_cache.get(campaign) or self.load(campaign)
        return state

    def forget(self, campaign: str) -> None:
        """Drop the cached state: somebody else wrote to the log."""
        self._state_cache.pop(campaign, None)

    def load(self, campaign: str, store: EventStore | None = None) -> tuple[Head, CampaignState]:
        """The head and its state, from the cache or the nearest snapshot.

        `store` reads within the caller's transaction.
        """
        store = store or self.store
        head = store.head(campaign)
        kept = self._state_cache.get(campaign)
        if kept is not None and kept[0] == head:
            return kept
        state = self._followed(store, head, kept) or self._folded(store, head)
        self._state_cache[campaign] = (head, state)
        return head, state

    def _folded(self, store: EventStore, head: Head) -> CampaignState:
        """The state from the nearest snapshot."""
        base, state = self.snapshot_before(head.campaign, head.entries + 1, store)
        if head.entries - base > EVERY_ENTRIES:
            self._without_snapshot.add(head.campaign)
        log = SealedHistory(store, self.codec)
        moving = log.moving(head.campaign, after_slot=base, as_of_entry=head.entries)
        return folded_over(state, moving, head.entries - base)

    def _followed(
        self, store: EventStore, head: Head, kept: tuple[Head, CampaignState] | None
    ) -> CampaignState | None:
        """The cached state with what others appended since; None if a ruling changed an earlier slot."""
        if kept is None or not 0 < kept[0].size < head.size:
            return None
        before, state = kept
        stored = store.read(head.campaign, first_seq=before.size - 1, last_seq=head.size - 1)
        if next(stored).leaf.hex() != before.leaf_hex:
            return None  # another log: a backup was put in its place
        for event in stored:
            if event.slot != event.entry:
                return None
            if event.type not in INFORMATIONAL:
                state = evolve(state, self.codec.event(event))
        return state

    def state(
        self,
        campaign: str,
        *,
        as_of_entry: int | None = None,
        as_of_battle: str | None = None,
        as_of_slot: int | None = None,
    ) -> CampaignState:
        """The state now, as believed after an entry, or by today's rulings up to a battle's end or a slot."""
        if as_of_entry is not None:
            head = self.store.head(campaign)
            if not 1 <= as_of_entry <= head.entries:
                raise self.no_such_event(campaign, as_of_entry)
            base, state = self.snapshot_before(campaign, as_of_entry + 1)
            moving = self.sealed.moving(campaign, after_slot=base, as_of_entry=as_of_entry)
            return folded_over(state, moving, as_of_entry - base)
        if as_of_battle is not None:
            return self._state_after_battle(campaign, as_of_battle)
        if as_of_slot is not None:
            base, state = self.snapshot_before(campaign, as_of_slot + 1)
            live = self.log.live(campaign, after_slot=base)
            return fold(state, (said.event for said in live if said.slot <= as_of_slot))
        return self.load(campaign)[1]

    def _state_after_battle(self, campaign: str, battle: str) -> CampaignState:
        with database.reading(self.engine) as connection:
            rows = queries.battles(connection, campaign)
        row = next((row for row in rows if battle in (row["battle"], str(row["number"]))), None)
        if row is None:
            raise NoSuchBattle(battle=battle, known=tuple(str(row["battle"]) for row in rows))
        base, state = self.snapshot_before(campaign, int(row["slot"]))
        for event in self.sealed.moving(campaign, after_slot=base):
            under_way = state.under_way.battle if state.under_way is not None else None
            if isinstance(event, records.BattleOpened) and under_way == row["battle"]:
                break  # its closing was voided: it ends where the next one begins
            state = evolve(state, event)
            if isinstance(event, records.BattleClosed) and event.battle == row["battle"]:
                break
        return state

    def snapshot_before(
        self, campaign: str, slot: int, store: EventStore | None = None
    ) -> tuple[int, CampaignState]:
        """The nearest stored state before a slot, and the slot that it follows."""
        store = store or self.store
        snapshot = store.nearest_snapshot(campaign, fingerprint(), at_most_entry=slot - 1)
        if snapshot is None:
            return 0, CampaignState()
        entry, body = snapshot
        parts = PartReader(
            entry,
            partial(self.store.snapshot_part, campaign, fingerprint()),
            lambda: folded_over(CampaignState(), self.log.moving(campaign, as_of_entry=entry), entry),
        )
        return entry, snapshots.read_state(body, campaign, parts)

    def append(
        self,
        writer: EntryWriter,
        before: CampaignState,
        after: CampaignState,
        sent: records.IdempotencyKey,
        *,
        first_changed_slot: int | None = None,
    ) -> Receipt:
        """Seal and append, with boards and snapshots in the same transaction. Raises StaleHead.

        The receipt says whether the same command was there already: then nothing was written.
        """
        campaign = writer.head.campaign
        try:
            with self.exclusively(campaign) as store:
                return self.append_within(
                    store, writer, before, after, sent, first_changed_slot=first_changed_slot
                )
        except ConnectionLost:
            known = self.store.look_again(campaign, sent.key)
            if known is None:
                raise
            known = appending.repeated_receipt(known, sent.key, sent.digest)
            return replace(known, repeated=known.first_seq != writer.head.size)

    @contextmanager
    def exclusively(self, campaign: str, *, key: str | None = None) -> Iterator[EventStore]:
        """The store inside a transaction during which nobody else appends entries.

        `key`: the command's key, looked up together with the lock.
        """
        asks = (
            fence_store.fence_query(campaign),
            *([] if key is None else [appending.command_query(campaign, key)]),
        )
        with self.store.exclusively(campaign, queries=asks) as store:
            kept = self._state_cache.get(campaign)
            if kept is not None and kept[0] == store.head(campaign):
                self._rivals.discard(campaign)
            else:
                self._rivals.add(campaign)
            yield store

    @contextmanager
    def single_message_append(self, campaign: str, *, key: str, entries: int) -> Iterator[EventStore]:
        """The store on the cached state of a campaign, if nobody else is known to write. `entries` entries
        are sent in one message, and count if the log still ends there.

        Raises LockNeeded, having written nothing: decide `exclusively` then, and until nobody else writes in
        between.
        """
        kept = self._state_cache[campaign]
        head, _ = kept
        if not head.size or campaign in self._rivals or self._is_due(head, entries):
            raise LockNeeded
        presumed = (fence_store.fence_query(campaign), appending.command_query(campaign, key))
        try:
            with self.store.single_message_append(head, presumed=presumed) as store:
                yield store
        except BaseException as error:
            self._state_cache[campaign] = kept  # drop the state that would have followed
            if isinstance(error, LockNeeded):
                self._rivals.add(campaign)
            raise

    def _claim(self, gangs: Sequence[str], store: EventStore) -> None:
        """Lock the campaign, so that two requests of one player cannot begin more gangs than allowed."""
        if not gangs or self.sending.claim is claim_nothing:
            return
        if (held := append_call.on(store.connection)) is not None:
            held.flush()  # raises LockNeeded where the head is not locked yet
        self.sending.claim(gangs, store.connection if self.people_engine is self.engine else None)

    def append_within(
        self,
        store: EventStore,
        writer: EntryWriter,
        before: CampaignState,
        after: CampaignState,
        sent: records.IdempotencyKey,
        *,
        is_new_key: bool = False,
        first_changed_slot: int | None = None,
    ) -> Receipt:
        """The same inside a transaction, `store`'s, which the caller commits."""
        self._refuse_stale(writer.head)
        headers = (event.event for event in writer.recorded if event.entry > writer.head.entries)
        asked = [header.command for header in headers if isinstance(header, records.DecisionTaken)]
        self.sending.allow(asked, before)
        self._claim([command.gang for command in asked if isinstance(command, records.EnlistGang)], store)
        fence_store.refuse_writing(store.connection, writer.head.campaign, self._clock)
        sealed, head = seal(writer.head, writer.drafts)
        connection, recorded = store.connection, writer.recorded
        slugs = (event.event.slug for event in recorded if isinstance(event.event, records.CampaignOpened))
        with ExitStack() as stack:
            if writer.head.size:  # the first of a campaign may find its name taken
                stack.enter_context(driver_errors.rejected_rows_refused())
                stack.enter_context(pipelined(connection))
            receipt = store.append(
                writer.head, sealed, head, key=sent.key, digest=sent.digest, is_new_key=is_new_key
            )
            if receipt.repeated:
                return receipt
            boards.update(
                connection,
                head.campaign,
                before=before,
                after=after,
                recorded=recorded,
                created_slug=None if writer.head.size else next(slugs, None),
                created_at=recorded[0].at,
            )
            if first_changed_slot is not None:
                store.drop_snapshots(connection, head.campaign, first_changed_slot)
            due = self._is_due(writer.head, head.entries - writer.head.entries)
            if due or first_changed_slot is not None:
                self.keep_snapshots(connection, head.campaign, {head.entries: after})
            webhooks.enqueue(
                connection, head.campaign, [event for event in recorded if event.entry > writer.head.entries]
            )
        self._state_cache[head.campaign] = (head, after)
        self._without_snapshot.discard(head.campaign)
        return receipt

    def _is_due(self, head: Head, more: int) -> bool:
        """Whether a snapshot is due after `more` further entries."""
        by_number = (head.entries + more) // EVERY_ENTRIES > head.entries // EVERY_ENTRIES
        return by_number or head.campaign in self._without_snapshot

    def _refuse_stale(self, head: Head) -> None:
        """Raises StaleHead if the request was made for another head. Checked once, because a request's later
        entries are made on its own first ones.
        """
        size, leaf = self.sending.expected_size, self.sending.expected_leaf
        self.sending = self.sending._replace(expected_size=None)
        if size is not None and (size != head.size or not head.leaf_hex.startswith(leaf)):
            raise StaleHead(campaign=head.campaign, expected_size=size, current_size=head.size)

    def keep_snapshots(
        self, connection: Connection, campaign: str, states: Mapping[int, CampaignState]
    ) -> None:
        """Store the states after these entries, and drop older ones that are no longer worth it."""
        for entry, state in states.items():
            body = snapshots.written_state(state, campaign, entry)
            parts = snapshots.written_parts(state)
            self.store.save_snapshot(connection, campaign, entry, fingerprint(), body, parts)
        kept = self.store.snapshot_entries(connection, campaign, fingerprint())
        gone = sorted({*kept} - {*worth_keeping(kept)})
        self.store.thin_snapshots(connection, campaign, fingerprint(), gone)

    def entry_writer(self, head: Head, *, actor: str | None = None) -> EntryWriter:
        """A writer of entries after `head`, stamped now. The signed-in person is the actor, whatever a file
        says.
        """
        actor = self.actor if is_person_id(self.actor) else actor or self.actor
        return EntryWriter(head, self.codec, actor=actor, at=self._clock(), new_id=self.new_id)


def folded_over(state: CampaignState, events: Iterable[records.Event], entries: int) -> CampaignState:
    """The state after these events. For only a few, copying the grown containers first would cost more than
    it saves.
    """
    return (fold_in_place if entries >= WORTH_ASKING else fold)(state, events)


class Stamp(Protocol):
    """What an event is stamped with: the rulebook it was decided under."""

    @property
    def version(self) -> str: ...
    @property
    def digest(self) -> str: ...


class EntryWriter:
    """Turns decided events into drafts and recorded events, numbering as it goes."""

    def __init__(self, head: Head, codec: Codec, *, actor: str, at: str, new_id: Callable[[], str]) -> None:
        self.head = head
        self.drafts: list[UnsealedEvent] = []
        self.recorded: list[RecordedEvent] = []
        self._codec = codec
        self._actor = actor
        self._at = at
        self._new_id = new_id
        self._entry = head.entries
        self._entry_start = head.size

    def begin_entry(self) -> None:
        """Begin the next entry: further events belong to it."""
        self._entry += 1
        self._entry_start = self.head.size + len(self.drafts)

    def add(
        self,
        decided: Iterable[DecidedEvent],
        rulebook: Stamp,
        *,
        slot: int | None = None,
        caused_by: int | None = None,
    ) -> None:
        """Add one filling of a slot: the entry's own, or in a ruling an older one, `caused_by` an event of
        it.
        """
        first_seq = self.head.size + len(self.drafts)
        entry, slot, at, actor = self._entry, slot or self._entry, self._at, self._actor
        version, digest = rulebook.version, rulebook.digest
        for seq, made in enumerate(decided, start=first_seq):
            event = made.event
            name, shape = self._codec.name_of(event)
            causation = first_seq + made.cause if seq > first_seq else caused_by
            self.drafts.append(
                UnsealedEvent(
                    type=name,
                    shape=shape,
                    entry=entry,
                    slot=slot,
                    event_id=self._new_id(),
                    at=at,
                    actor=actor,
                    policy_version=version,
                    policy_digest=digest,
                    causation=causation,
                    data=self._codec.written(event),
                )
            )
            self.recorded.append(
                RecordedEvent(
                    seq=seq,
                    entry=entry,
                    position=seq - self._entry_start + 1,
                    slot=slot,
                    at=at,
                    actor=actor,
                    policy_version=version,
                    policy_digest=digest,
                    causation=causation,
                    event=event,
                )
            )

    def entries(self) -> tuple[tuple[RecordedEvent, ...], ...]:
        """The added events, entry by entry."""
        gathered: dict[int, list[RecordedEvent]] = {}
        for event in self.recorded:
            gathered.setdefault(event.entry, []).append(event)
        return tuple(tuple(events) for events in gathered.values())

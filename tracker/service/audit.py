"""Audits: verifies the log, and everything that is derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from tracker.campaign import records
from tracker.campaign.evolve import evolve, fold, fold_in_place
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.errors import Refusal
from tracker.log import database
from tracker.log.codec import EventUnreadable
from tracker.log.deep_verification import DeepReport, verify_deep
from tracker.log.integrity_check import integrity_faults, reindex
from tracker.log.parallel_hashing import start_hashing
from tracker.log.reader import LogReader
from tracker.log.refusals import EventsMissing
from tracker.log.schema_check import schema_faults
from tracker.log.sealed_history import seal_history, whole_segments, worth_sealing
from tracker.log.segments import Segment, drop_segments
from tracker.log.store import EventStore
from tracker.log.verification import (
    LogEnd,
    VerifyReport,
    log_end,
    refuse_an_end_of_its_own,
    root_over,
)
from tracker.projections import board_diff, boards, number_lineage, queries
from tracker.projections.board_diff import copy_boards, scratch_boards
from tracker.projections.directory import directory
from tracker.projections.row_json import BoardDamaged
from tracker.records import Record
from tracker.service import access_index_cache, roll_witnesses
from tracker.service.as_of import NOW, AsOf
from tracker.service.dice_sessions import DiceSessionReader, DiceSessions
from tracker.service.entry_checks import CommandRows
from tracker.service.explanations import Explanation, Explanations
from tracker.service.refusals import CampaignNeverOpened, DirectoryDamaged, NoSuchBattle, NoSuchDispute
from tracker.service.replay_audit import ReplayAudit, ReplayMismatch
from tracker.service.repository import CampaignRepository
from tracker.service.roll_witnesses import TypedRoll
from tracker.service.snapshot_parts import is_whole
from tracker.service.snapshots import (
    EVERY_ENTRIES,
    PassingHistory,
    fingerprint,
    worth_keeping,
)

Progress: TypeAlias = Callable[[int, int], None]


class Audit(Record):
    """The result of `verify`. `drifted` are entries that no command decided, or that today's program would
    decide differently.
    """

    log: VerifyReport
    unreadable: str | None = None
    drifted: tuple[ReplayMismatch, ...] = ()
    commands: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    dice: DiceSessions = DiceSessions()
    segments: tuple[str, ...] = ()
    segments_equal: int | None = None
    """The number of segments that are equal when they are made again; None if that was not requested."""
    touches: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        wrong = (
            *(self.drifted, self.commands, self.boards, self.snapshots),
            *(self.guards, self.pages, self.noted, self.dice.wrong, self.segments, self.touches),
        )
        return self.log.ok and not self.unreadable and not any(wrong)


class BytesAudit(Record):
    """The result of `verify_bytes`. `same`: whether the state folded from segments equals the newest
    snapshot; None if there is none.
    """

    log: VerifyReport
    same: bool | None

    @property
    def ok(self) -> bool:
        """Whether no fault was found in what was checked."""
        return self.log.ok and self.same is not False


class Audits:
    """Verifies a campaign, and rebuilds what is derived from its log."""

    def __init__(self, repository: CampaignRepository) -> None:
        self._repository = repository

    def verify(
        self,
        campaign: str,
        *,
        progress: Progress | None = None,
        noted: Mapping[int, str] | None = None,
        whole_database: bool = True,
        deep: bool = False,
    ) -> Audit:
        """Verify everything and write nothing: bytes and chain; that every event is readable and every entry
        (struck-out ones too) is decided the same today; every command key with its entries; boards and
        snapshots against a fold; with `whole_database`, pages, indexes and guards.

        `deep`: also make segments again and compare. `noted` are roots that somebody wrote down, by how many
        events there were
        then. `progress` is called with (steps done, steps in all).
        """
        tell = progress or (lambda _done, _total: None)
        sealed = whole_segments(self._repository.engine, campaign) if deep else None
        # One transaction for these; later reads, which let writers in between, stop at this end.
        with database.reading(self._repository.engine) as connection:
            end = log_end(connection, campaign)
            kept = self._repository.store.snapshot_digests(connection, campaign, fingerprint(), is_whole)
        found = self.verify_log(campaign, end, sealed, lambda done, total: tell(done, 3 * total))
        log = found.log
        guards = self.schema_faults() if whole_database else ()
        pages = self.pages_wrong() if whole_database else ()
        if not log.ok or pages:
            return Audit(log=log, guards=guards, pages=pages)
        unlike = tuple(self._unlike_noted(campaign, noted or {}))
        total = 3 * log.events
        try:
            dice = DiceSessionReader(campaign)
            again, commands = self._decided_again(
                log, kept, dice, lambda done: tell(log.events + done, total)
            )
            on_boards = self._wrong_boards(
                campaign, lambda done: tell(2 * log.events + done, total), follows=not again.drifted
            )
        except (EventUnreadable, EventsMissing) as unreadable:
            return Audit(log=log, unreadable=unreadable.message(), guards=guards, noted=unlike)
        return Audit(
            log=log,
            drifted=tuple(again.drifted),
            commands=commands,
            boards=on_boards,
            guards=guards,
            snapshots=tuple(_wrong_snapshots(kept, again.snapshots)),
            noted=unlike,
            dice=dice.sessions(),
            segments=found.wrong,
            segments_equal=found.equal if deep else None,
            touches=self.access_index_faults(campaign) if deep and not again.drifted else (),
        )

    def verify_log(
        self, campaign: str, end: LogEnd, sealed: Sequence[Segment] | None, progress: Progress | None = None
    ) -> DeepReport:
        """Verify the log's rows up to that end, and make these segments again."""
        repository = self._repository
        if sealed is not None:
            with suppress(EventUnreadable):  # named where all events are read
                return verify_deep(repository.engine, campaign, repository.codec, end, sealed, progress)
        return DeepReport(log=repository.store.verify(campaign, progress, end=end), equal=0, wrong=())

    def verify_bytes(self, campaign: str) -> BytesAudit:
        """Hash all bytes in other processes while this one folds the state from segments.

        Compares the bytes with the head row, and the state with the newest snapshot. It proves less than
        `verify`, and writes nothing.
        """
        repository = self._repository
        with database.reading(repository.engine) as connection:
            end = log_end(connection, campaign)
        entries = end.head_row.entries if end.head_row is not None else 0
        with start_hashing(repository.engine, campaign, end) as hashing:
            folded = fold_in_place(
                CampaignState(), repository.sealed.moving(campaign, as_of_entry=entries, worth_asking=1)
            )
            log = hashing.report()
        base, state = repository.snapshot_before(campaign, entries + 1)
        if not base:
            return BytesAudit(log=log, same=None)
        tail = repository.log.moving(campaign, after_slot=base, as_of_entry=entries)
        return BytesAudit(log=log, same=fold(state, tail) == folded)

    def explain(
        self,
        campaign: str,
        kind: number_lineage.Kind,
        known: str,
        numbers: Iterable[str] = (),
        *,
        as_of: AsOf = NOW,
    ) -> Explanation:
        """What moved the numbers of a fighter or gang; see `Explanations.explain`."""
        return Explanations(self._repository).explain(campaign, kind, known, numbers, as_of=as_of)

    def typed_rolls(self, campaign: str) -> Iterator[TypedRoll]:
        """Every roll that was typed in, with its witnesses."""
        return roll_witnesses.typed_rolls(self._repository, campaign)

    def pages_wrong(self) -> tuple[str, ...]:
        """The faults that the database finds in its own pages and indexes, of all campaigns."""
        wrong = integrity_faults(self._repository.engine)
        return tuple(f"{table}: {finding}" for table, findings in wrong.items() for finding in findings)

    def schema_faults(self) -> tuple[str, ...]:
        """The parts of our tables that differ from what the migrations made."""
        return schema_faults(self._repository.engine)

    def reindex(self) -> tuple[str, ...]:
        """Rebuild damaged indexes; returns their tables."""
        with database.writing(self._repository.engine) as connection:
            database.make_missing_caches(connection)  # no index is looked at on a table that is not there
        return reindex(self._repository.engine)

    def _unlike_noted(self, campaign: str, noted: Mapping[int, str]) -> Iterator[str]:
        for size, root in sorted(noted.items()):
            root_now = root_over(self._repository.engine, campaign, size)
            if root_now is None:
                yield f"{size} events were noted, and there are fewer: cut off, or a backup was put back"
            elif root_now != root:
                yield f"the first {size} events are not those whose root was noted; theirs is {root_now}"

    def _wrong_boards(
        self, campaign: str, progress: Callable[[int], None], *, follows: bool
    ) -> tuple[str, ...]:
        try:
            return tuple(self.board_differences(campaign, progress=progress))
        except CampaignNeverOpened as wrong:
            return (wrong.message(),)
        except (AssertionError, LookupError, IntegrityError) as wrong:
            reason = str(wrong).partition("\n")[0]
            if not follows:
                return (f"cannot be rebuilt from entries that do not follow ({reason})",)
            # The log itself is whole, so the index that gives the order of play is damaged.
            why = (
                f"cannot be made again in the order of play ({reason}), though the log is whole: an index of"
                " the database is damaged. 'arbitrator boards rebuild' makes indexes anew"
            )
            return (why,)

    def _decided_again(
        self,
        log: VerifyReport,
        snapshots: Iterable[int],
        dice: DiceSessionReader,
        progress: Callable[[int], None],
    ) -> tuple[ReplayAudit, tuple[str, ...]]:
        """Decide the log again, as far as it was verified; events that are appended meanwhile are ignored."""
        again = ReplayAudit(self._repository.log, log.campaign, snapshots_after=snapshots)
        rows = CommandRows(self._repository.store.command_rows(log.campaign, before_seq=log.events))

        def check(entry: tuple[RecordedEvent, ...]) -> None:
            rows.check(entry)
            dice.read_entry(entry)

        again.run(last_seq=log.events - 1, on_entry=check, progress=progress)
        rows.ended()
        return again, tuple(rows.wrong)

    def board_differences(self, campaign: str, *, progress: Callable[[int], None] | None = None) -> list[str]:
        """Rows that a rebuild would write differently; empty if there are none. Writers need not wait."""
        with scratch_boards() as copy:
            last_entry = copy_boards(self._repository.engine, campaign, copy)
            with database.reading(self._repository.engine) as connection:
                slug = self._slug(connection, campaign)
            made = _for_boards(self._repository.log, campaign, slug, as_of_entry=last_entry)
            rebuild = partial(boards.rebuild, **made, progress=progress)
            return board_diff.differences(copy, campaign, rebuild=rebuild)

    def access_index_faults(self, campaign: str) -> tuple[str, ...]:
        """The parts of the access index that differ from what deciding again gives."""
        return tuple(access_index_cache.access_index_faults(self._repository, campaign))

    def refuse_damage_that_hides(self, campaign: str | None, missing: Refusal | None = None) -> None:
        """Refuse if damage explains why something was not found: a head that ends early; a board that lacks
        the `missing` gang, fighter, battle or dispute that the log has; or, without a campaign, a directory
        with a wrong name.

        Raises HeadDamaged, BoardDamaged or DirectoryDamaged.
        """
        engine = self._repository.engine
        if campaign is not None:
            refuse_an_end_of_its_own(engine, campaign)
            if isinstance(missing, NoSuchBattle):
                self._refuse_battles_lost(campaign)
            if isinstance(missing, records.UnknownGang):
                self._refuse_lost_from_roster(campaign, missing.gang)
            if isinstance(missing, records.UnknownFighter):
                self._refuse_lost_from_roster(campaign, missing.fighter)
            if isinstance(missing, NoSuchDispute) and missing.dispute.isdecimal():
                self._refuse_a_dispute_lost(campaign, int(missing.dispute))
            return
        with database.reading(engine) as connection:
            logs, opened = self._campaigns_opened(connection)
            listed = {str(row["campaign"]): str(row["slug"]) for row in queries.campaigns(connection)}
        # Two campaigns may have one name: the second is then called by its id.
        called = {row["campaign_id"]: row["slug"] for row in directory(logs, opened, {})}
        unlike = tuple(known for known in opened if listed.get(known) != called[known])
        if unlike:
            raise DirectoryDamaged(missing=unlike, strange=())

    def _refuse_battles_lost(self, campaign: str) -> None:
        with database.reading(self._repository.engine) as connection:
            listed = {row["battle"] for row in queries.battles(connection, campaign)}
        lost = [battle for battle in self._repository.state(campaign).battles if battle not in listed]
        if lost:
            reason = f"the log has {', '.join(lost)}, and it is not there"
            raise BoardDamaged(board="battles", reason=reason)

    def _refuse_lost_from_roster(self, campaign: str, named: str) -> None:
        """A gang or fighter of that id, as the refusal that names it may mean either."""
        state = self._repository.state(campaign)
        with database.reading(self._repository.engine) as connection:
            for board, logged, row in (
                ("gangs", state.gangs, queries.gang),
                ("fighters", state.gang_of, queries.fighter),
            ):
                if named in logged and row(connection, campaign, named) is None:
                    raise BoardDamaged(board=board, reason=f"the log has {named}, and it is not there")

    def _refuse_a_dispute_lost(self, campaign: str, dispute: int) -> None:
        if dispute > self._repository.store.head(campaign).entries:
            return
        opened = self._repository.log.entry(campaign, dispute)
        if not any(isinstance(recorded.event, records.RollDisputed) for recorded in opened):
            return
        with database.reading(self._repository.engine) as connection:
            if queries.dispute(connection, campaign, dispute) is None:
                reason = f"entry {dispute} of the log opened one, and it is not there"
                raise BoardDamaged(board="disputes", reason=reason)

    def rebuild_directory(self) -> None:
        """Make the list of campaigns anew from the logs, whole, in one transaction."""
        with database.writing(self._repository.engine) as connection:
            boards.keep_directory(connection)
            boards.rebuild_directory(connection, *self._campaigns_opened(connection))

    def _campaigns_opened(self, connection: Connection) -> tuple[tuple[str, ...], dict[str, RecordedEvent]]:
        """Every campaign with a log, and the event that opened each; none where the log is damaged there."""
        store = self._repository.store.within(connection)
        openings: dict[str, RecordedEvent] = {}
        for campaign, stored in store.openings(records.NAMES[records.CampaignOpened]):
            with suppress(EventUnreadable):  # its own audit names what is wrong
                openings.setdefault(campaign, self._repository.codec.read(stored, stored.seq + 1))
        return store.campaigns(), openings

    def rebuild_boards(self, campaign: str, *, progress: Progress | None = None) -> None:
        """Delete the campaign's boards, snapshots and segments; rebuild boards and snapshots from the log."""
        self.rebuild_directory()
        with self._repository.store.exclusively(campaign) as store:
            self.rebuild_within(store, campaign, progress=progress)

    def rebuild_within(self, store: EventStore, campaign: str, *, progress: Progress | None = None) -> None:
        """The same inside a transaction, `store`'s, and without other campaigns' rows of the directory."""
        connection = store.connection
        store.drop_snapshots(connection, campaign)
        drop_segments(connection, campaign)
        log, head = LogReader(store, self._repository.codec), store.head(campaign)
        entries = head.entries
        made = _for_boards(log, campaign, self._slug(connection, campaign))
        live = PassingHistory(
            made["live"], worth_keeping((*range(EVERY_ENTRIES, entries, EVERY_ENTRIES), entries))
        )
        tell = None if progress is None else lambda done: progress(done, head.size)
        boards.rebuild(connection, campaign, **made | {"live": live, "fold": live.folded}, progress=tell)
        self._repository.keep_snapshots(connection, campaign, live.states)

    def worth_sealing(self) -> dict[str, int]:
        """The length of each log that may be due for a new segment, by campaign."""
        return worth_sealing(self._repository.engine)

    def seal(self, campaign: str, *, most: int | None = None, progress: Progress | None = None) -> int:
        """Verify the rows behind the last segment and seal them; returns the number of new segments."""
        repository = self._repository
        return seal_history(repository.engine, campaign, repository.codec, most=most, progress=progress)

    def extend_access_index(self, campaign: str, *, progress: Progress | None = None) -> int:
        """Decide entries again that the access index lacks; returns the number of new blocks."""
        return access_index_cache.extend_access_index(self._repository, campaign, progress=progress)

    def _slug(self, connection: Connection, campaign: str) -> str:
        """The campaign's slug: made from its name, or its id if another campaign has that slug."""
        opened = _opening(
            LogReader(self._repository.store.within(connection), self._repository.codec), campaign
        )
        assert isinstance(opened.event, records.CampaignOpened), "looked for"
        if not queries.is_called(connection, opened.event.slug, but=campaign):
            return opened.event.slug
        rows = directory(*self._campaigns_opened(connection), {})
        return next((row["slug"] for row in rows if row["campaign_id"] == campaign), opened.event.slug)


def _wrong_snapshots(states: Mapping[int, bytes], should: Mapping[int, bytes | None]) -> Iterator[str]:
    for entry, digest in should.items():
        if states[entry] != digest:
            yield f"the snapshot after entry {entry} is not what the log folds to"


def _for_boards(
    log: LogReader, campaign: str, slug: str, *, as_of_entry: int | None = None
) -> dict[str, Any]:
    return {
        "live": log.live(campaign, as_of_entry=as_of_entry),
        "struck": log.struck(campaign, as_of_entry=as_of_entry),
        "fold": evolve,
        "slug": slug,
        "created_at": _opening(log, campaign).at,
    }


def _opening(log: LogReader, campaign: str) -> RecordedEvent:
    """The event that opened a campaign. Raises EventUnreadable, CampaignNeverOpened."""
    for recorded in log.entry(campaign, 1):
        if isinstance(recorded.event, records.CampaignOpened):
            return recorded
    raise CampaignNeverOpened(campaign=campaign)

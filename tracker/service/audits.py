"""Audits: whether the log is what was written, and whether everything that rests on it follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from sqlalchemy.exc import IntegrityError

from tracker.campaign.events import CampaignOpened
from tracker.campaign.evolve import evolve
from tracker.log import database
from tracker.log.codec import EventUnreadable
from tracker.log.guards import guards_wrong
from tracker.log.reader import LogReader
from tracker.log.verifying import VerifyReport, root_over
from tracker.projections import boards, comparing
from tracker.records import dataclass
from tracker.service.command_rows import CommandRows
from tracker.service.deciding_again import DecidedAgain, Drifted
from tracker.service.records import Records
from tracker.service.snapshots import (
    EVERY_ENTRIES,
    Passing,
    fingerprint,
    worth_keeping,
)

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What `verify` found. `drifted` are entries that nothing decided, or that today's program would decide
    otherwise."""

    log: VerifyReport
    unreadable: str | None = None
    drifted: tuple[Drifted, ...] = ()
    commands: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        wrong = (self.drifted, self.commands, self.boards, self.guards, self.snapshots, self.noted)
        return self.log.ok and not self.unreadable and not any(wrong)


class Audits(Records):
    """What is checked, and what can be made again from the log."""

    def verify(
        self, campaign: str, *, progress: Progress | None = None, noted: Mapping[int, str] | None = None
    ) -> Audit:
        """Look at everything that must hold, and write nothing.

        Bytes and chain, every event readable, every entry decided the same today (struck-out ones too),
        every command key with its entries, boards and snapshots equal to a fold, the database's own guards
        in place. `noted` are roots that somebody wrote down, by how many events there were then.
        `progress` is called with (steps done, steps in all).
        """
        tell = progress or (lambda _done, _total: None)
        log = self.store.verify(campaign, lambda done, total: tell(done, 3 * total))
        guards = tuple(guards_wrong(self.engine))
        if not log.ok:
            return Audit(log=log, guards=guards)
        unlike = tuple(self._unlike_noted(campaign, noted or {}))
        total = 3 * log.events
        try:
            again, commands = self._decided_again(log, lambda done: tell(log.events + done, total))
            on_boards = self._wrong_boards(
                campaign, lambda done: tell(2 * log.events + done, total), follows=not again.drifted
            )
        except EventUnreadable as unreadable:
            return Audit(log=log, unreadable=unreadable.message(), guards=guards, noted=unlike)
        return Audit(
            log=log,
            drifted=tuple(again.drifted),
            commands=commands,
            boards=on_boards,
            guards=guards,
            snapshots=tuple(self._wrong_snapshots(campaign, again.snapshots)),
            noted=unlike,
        )

    def _unlike_noted(self, campaign: str, noted: Mapping[int, str]) -> Iterator[str]:
        for size, root in sorted(noted.items()):
            found = root_over(self.engine, campaign, size)
            if found is None:
                yield f"{size} events were noted, and there are fewer: cut off, or a backup was put back"
            elif found != root:
                yield f"the first {size} events are not those whose root was noted; theirs is {found}"

    def _wrong_boards(
        self, campaign: str, progress: Callable[[int], None], *, follows: bool
    ) -> tuple[str, ...]:
        try:
            return tuple(self.board_differences(campaign, progress=progress))
        except (AssertionError, LookupError, IntegrityError) as wrong:
            told = str(wrong).partition("\n")[0]
            if not follows:
                return (f"cannot be made again from entries that do not follow ({told})",)
            # The log itself is whole: then it is the index by which it is read in the order of play.
            why = (
                f"cannot be made again in the order of play ({told}), though the log is whole: an index of"
                " the database is damaged. 'arbitrator doctor' looks at its pages; a backup puts it right"
            )
            return (why,)

    def _decided_again(
        self, log: VerifyReport, progress: Callable[[int], None]
    ) -> tuple[DecidedAgain, tuple[str, ...]]:
        """The log decided again, as far as it was verified: what is appended meanwhile is left alone."""
        with database.reading(self.engine) as connection:
            kept = self.store.snapshot_entries(connection, log.campaign, fingerprint())
            entries = self.store.within(connection).head(log.campaign).entries
        meanwhile = range(log.entries + 1, entries + 1)
        again = DecidedAgain(
            self.log, log.campaign, snapshots_after=(entry for entry in kept if entry not in meanwhile)
        )
        rows = CommandRows(self.store.command_rows(log.campaign, before_seq=log.events))
        again.run(last_seq=log.events - 1, passed=rows.passed, progress=progress)
        rows.ended()
        return again, tuple(rows.wrong)

    def _wrong_snapshots(self, campaign: str, should: Mapping[int, bytes | None]) -> Iterator[str]:
        for entry, digest in should.items():
            found = self.store.nearest_snapshot(campaign, fingerprint(), at_most_entry=entry)
            if found is None or found[0] != entry:
                continue  # let go meanwhile, as snapshots are
            if sha256(found[1]).digest() != digest:
                yield f"the snapshot after entry {entry} is not what the log folds to"

    def board_differences(self, campaign: str, *, progress: Callable[[int], None] | None = None) -> list[str]:
        """Rows that a rebuild would write otherwise; empty when the boards hold."""
        with database.reading(self.engine) as connection:
            log = LogReader(self.store.within(connection), self.codec)
            return comparing.differences(
                connection, campaign, **_for_boards(log, campaign), progress=progress
            )

    def rebuild_boards(self, campaign: str, *, progress: Callable[[int], None] | None = None) -> None:
        """Throw the campaign's boards and snapshots away and make them again from the log."""
        with self.store.exclusively(campaign) as store:
            connection = store.connection
            store.drop_snapshots(connection, campaign, 0)
            log, entries = LogReader(store, self.codec), store.head(campaign).entries
            made = _for_boards(log, campaign)
            live = Passing(
                made["live"], worth_keeping((*range(EVERY_ENTRIES, entries, EVERY_ENTRIES), entries))
            )
            boards.rebuild(
                connection, campaign, **made | {"live": live, "fold": live.folded}, progress=progress
            )
            self.keep_snapshots(connection, campaign, live.states)


def _for_boards(log: LogReader, campaign: str) -> dict[str, Any]:
    first = log.entry(campaign, 1)
    opened = next((one for one in first if isinstance(one.event, CampaignOpened)), None)
    assert opened is not None, "the first entry opens no campaign"
    assert isinstance(opened.event, CampaignOpened), "looked for"
    return {
        "live": log.live(campaign),
        "struck": log.struck(campaign),
        "fold": evolve,
        "slug": opened.event.slug,
        "created_at": opened.at,
    }

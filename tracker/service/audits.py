"""Audits: whether the log is what was written, and whether everything that rests on it follows from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tracker.campaign.events import CampaignOpened, SlotKept
from tracker.campaign.evolve import evolve
from tracker.campaign.rulings import Treatment, rejudge, slots_of
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.log.codec import EventUnreadable
from tracker.log.reader import LogReader
from tracker.log.verifying import VerifyReport
from tracker.projections import boards, comparing
from tracker.rules import shelf
from tracker.service.records import Records
from tracker.service.snapshots import (
    EVERY_ENTRIES,
    Passing,
    fingerprint,
    worth_keeping,
    written_state,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What `verify` found. `drifted` are entries that today's program would decide otherwise."""

    log: VerifyReport
    unreadable: str | None = None
    drifted: tuple[tuple[int, str], ...] = ()
    boards: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return self.log.ok and not (
            self.unreadable or self.drifted or self.boards or self.guards or self.snapshots
        )


class Audits(Records):
    """What is checked, and what can be made again from the log."""

    def verify(self, campaign: str, *, progress: Callable[[int, int], None] | None = None) -> Audit:
        """Look at everything that must hold, and write nothing.

        Bytes and chain, every event readable, every entry decided the same today, boards and snapshots
        equal to a fold, the database's own guards in place.
        """
        log = self.store.verify(campaign, progress)
        guards = database.guards_wrong(self.engine)
        if not log.ok:
            return Audit(log=log, guards=tuple(guards))
        try:
            drifted = self._drifted(campaign)
            on_boards = tuple(self.board_differences(campaign))
            snapshots = self._wrong_snapshots(campaign)
        except EventUnreadable as unreadable:
            return Audit(log=log, unreadable=unreadable.message(), guards=tuple(guards))
        return Audit(log=log, drifted=drifted, boards=on_boards, guards=tuple(guards), snapshots=snapshots)

    def _drifted(self, campaign: str) -> tuple[tuple[int, str], ...]:
        kept = {
            recorded.event.kept_slot
            for recorded in self.log.live(campaign)
            if isinstance(recorded.event, SlotKept)
        }
        treatments = {slot: Treatment(keep=True) for slot in kept}
        found = rejudge(CampaignState(), slots_of(self.log.live(campaign)), treatments, shelf.rulebook)
        return tuple(
            (one.slot.slot, one.why or "decided otherwise") for one in found.slots if one.result != "kept"
        )

    def _wrong_snapshots(self, campaign: str) -> tuple[str, ...]:
        kept = self.store.snapshots(campaign, fingerprint())
        live = Passing(self.log.live(campaign), kept)
        deque(live, maxlen=0)
        wrong = [
            entry
            for entry, body in kept.items()
            if entry not in live.states or written_state(live.states[entry]) != body
        ]
        return tuple(f"the snapshot after entry {entry} is not what the log folds to" for entry in wrong)

    def board_differences(self, campaign: str) -> list[str]:
        """Rows that a rebuild would write otherwise; empty when the boards hold."""
        with database.reading(self.engine) as connection:
            log = LogReader(self.store.within(connection), self.codec)
            return comparing.differences(connection, campaign, **_for_boards(log, campaign))

    def rebuild_boards(self, campaign: str, *, progress: Callable[[int], None] | None = None) -> None:
        """Throw the campaign's boards and snapshots away and make them again from the log."""
        with self.store.exclusively(campaign) as connection:
            self.store.drop_snapshots(connection, campaign, 0)
            store = self.store.within(connection)
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
    opened = next(one for one in first if isinstance(one.event, CampaignOpened))
    assert isinstance(opened.event, CampaignOpened), "looked for"
    return {
        "live": log.live(campaign),
        "struck": log.struck(campaign),
        "fold": evolve,
        "slug": opened.event.slug,
        "created_at": opened.at,
    }

"""What is pending: disputes that are open at a point in time, and all that rests on them.

Reads the slots that are disputed, from the nearest snapshot before the first of them; nothing at all while
nothing is disputed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from tracker.campaign.events import DecisionTaken
from tracker.campaign.evolve import evolve
from tracker.campaign.rulings import Slot, roll_in_force, slots_of
from tracker.campaign.state import OpenDispute
from tracker.log import database
from tracker.projections import queries
from tracker.projections.resting import Resting, led_to, numbers_moved
from tracker.records import dataclass
from tracker.service.moments import NOW, Point
from tracker.service.points import Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Open disputes, as rows of their board, and what rests on them, in the order of play."""

    disputes: Sequence[queries.Row] = ()
    resting: Sequence[Resting] = ()

    def about(self, whom: Collection[str], seqs: AbstractSet[int] = frozenset()) -> Pending:
        """Only what moved a number of one of these gangs or fighters, or is one of these events."""
        resting = [
            one
            for one in self.resting
            if one.event.seq in seqs
            or any(number.gang in whom or number.fighter in whom for number in one.moved)
        ]
        named = {one.dispute for one in resting}
        return Pending(disputes=[row for row in self.disputes if row["dispute"] in named], resting=resting)

    @property
    def events(self) -> frozenset[int]:
        """The events that may yet come out otherwise, by their place in the log."""
        return frozenset(one.event.seq for one in self.resting)


class PendingOutcomes(Points):
    """Outcomes that rest on what is disputed."""

    def pending(self, campaign: str, point: Point = NOW) -> Pending:
        """What is pending at a point: now, in what counts up to a battle's end, or as was believed then."""
        entry = self.entry_of(campaign, point)
        last = self.last_slot(campaign, point.told) if point.clock == "battle" else None
        state = self.state(campaign, as_of_entry=entry) if entry is not None else self.state(campaign)
        open_disputes = [one for one in state.disputes.values() if last is None or one.target_slot <= last]
        if not open_disputes:
            return Pending()
        with database.reading(self.engine) as connection:
            rows = [row for row in queries.disputes(connection, campaign) if row["dispute"] in state.disputes]
        shown = {one.dispute for one in open_disputes}
        return Pending(
            disputes=[_as_open(row) for row in rows if row["dispute"] in shown],
            resting=tuple(self._resting(campaign, open_disputes, entry)),
        )

    def _resting(
        self, campaign: str, disputes: Iterable[OpenDispute], entry: int | None
    ) -> Iterable[Resting]:
        asked: dict[int, list[OpenDispute]] = {}
        for dispute in disputes:
            for slot in (dispute.target_slot, *self._decided_again_by(campaign, dispute, entry)):
                asked.setdefault(slot, []).append(dispute)
        base, state = self.snapshot_before(campaign, min(asked))
        left = len(asked)
        for held in slots_of(self.log.live(campaign, after_slot=base, as_of_entry=entry)):
            doubted = [(one, self._led_to(campaign, held, one)) for one in asked.get(held.slot, ())]
            for recorded in held.events:
                about = [one.dispute for one, seqs in doubted if recorded.seq in seqs]
                if not about:
                    state = evolve(state, recorded.event)
                    continue
                state, moved = numbers_moved(state, recorded.event)
                for number in about:
                    yield Resting(dispute=number, event=recorded, moved=moved)
            left -= held.slot in asked
            if not left:
                return

    def _led_to(self, campaign: str, slot: Slot, dispute: OpenDispute) -> frozenset[int]:
        """What of a slot rests on a dispute about it, or about the ruling that filled it."""
        if slot.slot != dispute.target_slot:
            return frozenset(one.seq for one in slot.events)
        if any(one.seq == dispute.target_seq for one in slot.events):
            return led_to(slot.events, dispute.target_seq)
        doubted = self.event_at(campaign, f"{dispute.target_entry}.{dispute.target_position}")
        if isinstance(doubted.event, DecisionTaken) and slot.header is not None:
            return frozenset(one.seq for one in slot.events)
        found = roll_in_force(slot, doubted)
        if found is None:
            return frozenset()
        # Decided again since: the same die stands elsewhere in the log.
        return led_to(slot.events, next(one.seq for one in slot.events if one.event is found[1]))

    def _decided_again_by(self, campaign: str, dispute: OpenDispute, entry: int | None) -> list[int]:
        """The slots that still hold what a disputed ruling put there."""
        with database.reading(self.engine) as connection:
            rows = queries.entries(connection, campaign, entry=dispute.target_entry)
        return [
            row["slot"]
            for row in rows
            if row["kind"] == "decided_again"
            and dispute.target_slot == dispute.target_entry
            and (row["struck_by"] is None or (entry is not None and row["struck_by"] > entry))
        ]


def _as_open(row: queries.Row) -> dict[str, Any]:
    """A dispute's row as it was while it was open, whatever was ruled since."""
    return {**row, "status": "open", "ruling": None, "taken_back_by": None, "withdrawn": None}

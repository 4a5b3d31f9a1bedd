"""Pending outcomes: disputes that are open at a point in time, and everything that depends on them.

Replays from the nearest snapshot before the first disputed slot; reads nothing while nothing is disputed.
`campaign/rulings/dispute_impact.py` works out what a dispute may change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any

from tracker.campaign import records
from tracker.campaign.evolve import evolve, fold
from tracker.campaign.rulings.counterfactuals import counterfactuals
from tracker.campaign.rulings.dispute_impact import DisputeImpact
from tracker.campaign.rulings.redecision import Slot, roll_in_force, slots_of
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.log import database
from tracker.projections import entry_queries, queries
from tracker.projections.dependent_events import DependentEvent, consequences_of, numbers_moved
from tracker.records import Record
from tracker.rules import loader
from tracker.service.as_of import NOW, AsOf
from tracker.service.as_of_queries import AsOfQueries
from tracker.service.log_view import FIXED
from tracker.service.repository import CampaignRepository


class PendingDisputes(Record):
    """Open disputes, as rows of their board, and the events that depend on them, in the order of play."""

    disputes: Sequence[queries.Row] = ()
    dependents: Sequence[DependentEvent] = ()

    def about(self, whom: Collection[str], seqs: AbstractSet[int] = frozenset()) -> PendingDisputes:
        """Only events that changed a number of one of these gangs or fighters, or that are among `seqs`."""
        dependents = [
            dependent
            for dependent in self.dependents
            if dependent.event.seq in seqs
            or any(number.gang in whom or number.fighter in whom for number in dependent.moved)
        ]
        named = {dependent.dispute for dependent in dependents}
        return PendingDisputes(
            disputes=[row for row in self.disputes if row["dispute"] in named], dependents=dependents
        )

    @property
    def events(self) -> frozenset[int]:
        """The seqs of events that may still change."""
        return frozenset(dependent.event.seq for dependent in self.dependents)


class PendingOutcomes:
    """Finds the outcomes that depend on open disputes."""

    def __init__(self, repository: CampaignRepository) -> None:
        self._repository = repository
        self._history = AsOfQueries(repository)

    def at(self, campaign: str, as_of: AsOf = NOW) -> PendingDisputes:
        """The pending disputes at a point: now, up to a battle's end, or as of an entry."""
        entry = self._history.entry_of(campaign, as_of)
        last = self._history.last_slot(campaign, as_of)
        state = (
            self._repository.state(campaign, as_of_entry=entry)
            if entry is not None
            else self._repository.state(campaign)
        )
        open_disputes = [
            dispute for dispute in state.disputes.values() if last is None or dispute.target_slot <= last
        ]
        if not open_disputes:
            return PendingDisputes()
        with database.reading(self._repository.engine) as connection:
            rows = [row for row in queries.disputes(connection, campaign) if row["dispute"] in state.disputes]
        shown = {open_dispute.dispute for open_dispute in open_disputes}
        dependents = self._repository.cached(
            campaign,
            ("dependents", entry, last),
            lambda: tuple(self._dependents(campaign, open_disputes, entry, last)),
        )
        return PendingDisputes(
            disputes=[_as_open(row) for row in rows if row["dispute"] in shown], dependents=dependents
        )

    def _dependents(
        self, campaign: str, disputes: Iterable[OpenDispute], entry: int | None, last: int | None
    ) -> Iterable[DependentEvent]:
        asked: dict[int, list[OpenDispute]] = {}
        for dispute in disputes:
            for slot in (dispute.target_slot, *self._slots_refilled_by(campaign, dispute, entry)):
                asked.setdefault(slot, []).append(dispute)
        base, state = self._repository.snapshot_before(campaign, min(asked))
        impacts: dict[int, DisputeImpact] = {}
        for held in slots_of(self._repository.log.live(campaign, after_slot=base, as_of_entry=entry)):
            if last is not None and held.slot > last:
                return
            dependents = {
                number: impact.dependents_in(held.events, state)
                for number, impact in impacts.items()
                if held.header is not None and not isinstance(held.header.command, FIXED)
            }
            for open_dispute in asked.get(held.slot, ()):
                dependents[open_dispute.dispute] = dependents.get(
                    open_dispute.dispute, frozenset()
                ) | self._consequences(campaign, held, open_dispute)
            before = state
            for recorded in held.events:
                about = [number for number, seqs in dependents.items() if recorded.seq in seqs]
                if not about:
                    state = evolve(state, recorded.event)
                else:
                    was = state
                    state, moved = numbers_moved(was, recorded.event)
                    for number in about:
                        yield DependentEvent(dispute=number, event=recorded, moved=moved)
                        impacts.setdefault(number, self._new_impact(state)).absorb(recorded.event, was, state)
                if isinstance(recorded.event, records.BattleClosed):
                    for impact in impacts.values():
                        impact.battle_over()
            for open_dispute in asked.get(held.slot, ()):
                impact = impacts.setdefault(open_dispute.dispute, self._new_impact(state))
                self._seed(campaign, impact, open_dispute, held, before, state)
            if held.slot >= max(asked) and all(impact.is_empty for impact in impacts.values()):
                return

    def _new_impact(self, state: CampaignState) -> DisputeImpact:
        tables = loader.book(state.book).tables.values() if state.is_open else ()
        return DisputeImpact(quiet={table.default_row for table in tables})

    def _seed(
        self,
        campaign: str,
        impact: DisputeImpact,
        dispute: OpenDispute,
        held: Slot,
        before: CampaignState,
        state: CampaignState,
    ) -> None:
        """Add what another ruling on a disputed slot might lead to, instead of its present content."""
        of_its_slot = held.slot == dispute.target_slot
        if of_its_slot and held.header is not None and not isinstance(held.header.command, FIXED):
            for way in counterfactuals(before, held, self._die_of(campaign, dispute, held), loader.rulebook):
                impact.seed(state, way.state or state, more_dice=filter(None, [way.rolls_for]))
        if held.slot == dispute.target_entry:
            return
        # A ruling filled it: what the ruling replaced may have been right.
        earlier = [
            filling
            for filling in self._repository.log.fillings(campaign, held.slot)
            if filling[0].entry < dispute.target_entry
        ]
        former = tuple(recorded.event for recorded in earlier[-1])
        if former == held.domain_events and not of_its_slot:  # the ruling kept it: it may not follow
            impact.seed(state, before)
            return
        with suppress(AssertionError, KeyError):  # what it depends on went with the ruling
            impact.seed(state, fold(before, former))

    def _die_of(self, campaign: str, dispute: OpenDispute, held: Slot) -> int | None:
        """The number of the disputed die within its slot; None if the dispute is about no die."""
        disputed = self._repository.event_at(campaign, f"{dispute.target_entry}.{dispute.target_position}")
        roll = roll_in_force(held, disputed)
        return None if roll is None else roll[0]

    def _consequences(self, campaign: str, slot: Slot, dispute: OpenDispute) -> frozenset[int]:
        """The events of a slot that depend on a dispute about it, or about the ruling that filled it."""
        if slot.slot != dispute.target_slot:
            return frozenset(event.seq for event in slot.events)
        if any(event.seq == dispute.target_seq for event in slot.events):
            return consequences_of(slot.events, dispute.target_seq)
        disputed = self._repository.event_at(campaign, f"{dispute.target_entry}.{dispute.target_position}")
        if not isinstance(disputed.event, records.RollMade) and slot.header is not None:
            return frozenset(event.seq for event in slot.events)
        roll = roll_in_force(slot, disputed)
        if roll is None:
            return frozenset()
        # Decided again since: the same die is elsewhere in the log.
        return consequences_of(
            slot.events, next(event.seq for event in slot.events if event.event is roll[1])
        )

    def _slots_refilled_by(self, campaign: str, dispute: OpenDispute, entry: int | None) -> Iterator[int]:
        """The slots whose content comes from a disputed ruling, also through later rulings; those that it
        left void, and those that it kept.
        """
        if dispute.target_slot != dispute.target_entry:
            return
        with database.reading(self._repository.engine) as connection:
            rows = entry_queries.entries(connection, campaign, entry=dispute.target_entry)
        for row in rows:
            if row["kind"] == "slot_kept":
                yield row["slot"]
            elif row["kind"] in ("decided_again", "slot_voided"):
                fillings = self._fillings(campaign, row["slot"], entry)
                its = next(filling for filling in fillings if filling.entry == dispute.target_entry)
                if fillings[-1].has_same_inputs(its):
                    yield row["slot"]

    def _fillings(self, campaign: str, slot: int, as_of_entry: int | None) -> list[Slot]:
        """Every content of a slot, as of an entry."""
        return [
            Slot(slot=slot, entry=filling[0].entry, events=filling)
            for filling in self._repository.log.fillings(campaign, slot)
            if as_of_entry is None or filling[0].entry <= as_of_entry
        ]


def _as_open(row: queries.Row) -> dict[str, Any]:
    """A dispute's row as it was while the dispute was open."""
    return {**row, "status": "open", "ruling": None, "taken_back_by": None, "withdrawn": None}

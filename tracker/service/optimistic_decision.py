"""Optimistic concurrency: decides on the cached state before the log is locked, and appends in one message.

For database servers, where each message costs a round trip. Decides nothing itself. Knows which results still
hold when the log is locked after all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.dice import Roller
from tracker.errors import Refusal
from tracker.log.append_call import LockNeeded
from tracker.log.appending import Receipt
from tracker.log.refusals import ConnectionLost, ServerReadOnly
from tracker.log.sealing import Head
from tracker.log.store import EventStore
from tracker.service.repository import CampaignRepository, EntryWriter
from tracker.service.roll_source import DiceMemory, RollSource

DecisionOutcome: TypeAlias = tuple[EntryWriter, CampaignState, CampaignState, tuple[str, ...]]
"""Entries, the states before and after them, and contradicted claims."""


@dataclass(slots=True)
class OptimisticDecision:
    """The result of a decision at a head that was not locked.

    `is_recorded`: it is in the log; `earlier`: the receipt that the same key had before.
    """

    dice: DiceMemory
    head: Head | None = None
    outcome: DecisionOutcome | None = None
    refused: Refusal | None = None
    is_recorded: bool = False
    earlier: Receipt | None = None

    def at(self, head: Head, decide: Callable[[], DecisionOutcome]) -> DecisionOutcome:
        """The decision at the head that is locked now. Raises its refusal."""
        if self.head != head:
            return decide()
        if self.refused is not None:
            raise self.refused
        return self.outcome or decide()


def decide_optimistically(
    repository: CampaignRepository,
    campaign: str,
    decide: Callable[[EventStore, RollSource], DecisionOutcome],
    sent: records.IdempotencyKey,
    *,
    roller: Roller,
    roll: bool,
    entries: int,
) -> OptimisticDecision:
    """Decide on the cached state and send the result, `entries` entries, in one message.

    Not recorded if somebody else writes too, if more queries are needed, or if it is refused. A refusal
    stands if the log is unchanged under the lock. Raises CommitUnknown.
    """
    first, sending = OptimisticDecision(DiceMemory(roller)), repository.sending
    rolls = RollSource(roller=(lambda: first.dice) if roll else None)
    try:
        with repository.single_message_append(campaign, key=sent.key, entries=entries) as store:
            first.head = store.head(campaign)
            try:
                first.outcome = decide(store, rolls)
                writer, before, after, _ = first.outcome
                repository.append_within(store, writer, before, after, sent)
            except Refusal as refused:
                first.refused = refused
                raise LockNeeded from refused
        first.is_recorded = True
    except (LockNeeded, ServerReadOnly):
        repository.sending = sending
    except ConnectionLost:
        repository.sending = sending
        known = repository.store.look_again(campaign, sent.key)
        if known is not None and first.head is not None and known.first_seq == first.head.size:
            first.is_recorded = True
        else:
            first.earlier = known
    return first

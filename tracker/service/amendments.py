"""Amendments: what is put right in recorded entries, as a ruling asks for it.

Knows which entries say what. Reads no file, and writes nothing: that is a ruling's to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.rulings.amending import dice_amended
from tracker.campaign.state import CampaignState
from tracker.dice import Die
from tracker.errors import BadInput
from tracker.records import Record
from tracker.service import refusals
from tracker.service.past import FIXED, Present
from tracker.service.repository import CampaignRepository


class NothingToAmend(BadInput):
    """{what} says that already, dice and all: there is nothing to put right."""

    what: str


class RecordedSlot(Record):
    """What an entry says now, and the state before it."""

    entry: int
    header: records.DecisionTaken
    before: CampaignState


class SlotAmendment(Record):
    """An entry put right, and what differs: its command's words are the reports' to make."""

    entry: int
    was: records.DecisionTaken
    amendment: records.Amendment

    @property
    def dice_before(self) -> tuple[Die, ...]:
        """The dice that no longer show what they showed."""
        return _without((*self.was.dice, *self.was.spare), self.amendment.dice)

    @property
    def dice_after(self) -> tuple[Die, ...]:
        """The dice that stand in their place."""
        if self.amendment.dice is None:
            return ()
        return _without(self.amendment.dice, (*self.was.dice, *self.was.spare))


class Amendments:
    """Looks up what is recorded, and says what a ruling would have to change."""

    def __init__(self, repository: CampaignRepository) -> None:
        self._repository = repository

    def recorded(self, campaign: str, entry: int) -> RecordedSlot:
        """What an entry says now. Raises NoSuchEvent, EntryIsVoid or EntryStands."""
        now = Present(self._repository, campaign)
        if not 1 <= entry <= now.entries:
            raise now.no_such_event(entry)
        slot = now.slot(entry)
        if slot.header is None:
            raise refusals.EntryIsVoid(address=f"entry {entry}", entry=slot.entry)
        if isinstance(slot.header.command, FIXED):
            raise refusals.EntryStands(entry=entry)
        return RecordedSlot(entry=entry, header=slot.header, before=now.state_before(entry))

    def of_entry(
        self, recorded: RecordedSlot, command: records.Command, given: Sequence[Die] = ()
    ) -> SlotAmendment:
        """The entry with this command and these dice in place of its own. Raises NothingToAmend."""
        dice = dice_amended(recorded.header, command, given)
        if dice is None and command == recorded.header.command:
            raise NothingToAmend(what=f"Entry {recorded.entry}")
        return SlotAmendment(
            entry=recorded.entry,
            was=recorded.header,
            amendment=records.Amendment(command=command, dice=dice),
        )


def _without(dice: Sequence[Die], others: Sequence[Die] | None) -> tuple[Die, ...]:
    """The dice that show what none of the others does, each counted once; whose they are is not looked at."""
    if others is None:
        return ()
    left = Counter((die.purpose, die.shown()) for die in others)
    found = []
    for die in dice:
        left[die.purpose, die.shown()] -= 1
        if left[die.purpose, die.shown()] < 0:
            found.append(die)
    return tuple(found)

"""Rolls: where dice come from that nobody gave, and what a request drew."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die, Roller
from tracker.records import Record
from tracker.rules.provable_dice import ProvableRoller


def roll_fairly(sides: int) -> int:
    """A face from 1 to `sides`, from the operating system's randomness."""
    return secrets.randbelow(sides) + 1


class RollSource(Record):
    """Where dice come from that nobody gave: nowhere, or a roller made anew for each try. `request` is the
    entry that asked for them."""

    roller: Callable[[], Roller] | None = None
    request: int | None = None


def dice_of(entry: Sequence[RecordedEvent]) -> tuple[Die, ...]:
    """The dice of an entry's header."""
    header = entry[0].event
    return header.dice if isinstance(header, records.DecisionTaken) else ()


def resolving(
    request: int, roller: ProvableRoller, entries: Sequence[Sequence[RecordedEvent]]
) -> records.ResolveRolls:
    """What a request drew, and the dice of these entries that used it, in the order in which they fell."""
    return records.ResolveRolls(
        request=request,
        sides=tuple(sides for sides, _ in roller.draws),
        faces=tuple(face for _, face in roller.draws),
        dice=tuple(
            records.DrawnDie(entry=entry[0].entry, slot=entry[0].slot, number=number)
            for entry in entries
            for number, die in enumerate(dice_of(entry))
            if die.source == "generated"
        ),
    )

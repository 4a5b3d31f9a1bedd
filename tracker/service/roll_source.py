"""Roll sources: the dice that the tool rolls itself, and those drawn by a request."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Sequence

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die, Roller
from tracker.records import Record
from tracker.rules.provable_dice import ProvableRoller


def roll_fairly(sides: int) -> int:
    """A face from 1 to `sides`, from the operating system's randomness."""
    return secrets.randbelow(sides) + 1


class RollSource(Record):
    """The source of dice that were not given: none, or a new roller for each try. `request` is the entry that
    asked for them.
    """

    roller: Callable[[], Roller] | None = None
    request: int | None = None


class DiceMemory:
    """A roller that remembers its dice for a decision that may be repeated: it then gives the same faces in
    order as long as the same dice are asked for, so that no face is discarded.
    """

    def __init__(self, roller: Roller) -> None:
        self._roller = roller
        self._fell: list[tuple[int, int]] = []

    def __call__(self, sides: int) -> int:
        face = self._roller(sides)
        self._fell.append((sides, face))
        return face

    def again(self, roller: Roller) -> Roller:
        """A roller that repeats the remembered faces first, then rolls with `roller`."""
        left = deque(self._fell)

        def roll(sides: int) -> int:
            if left and left[0][0] == sides:
                return left.popleft()[1]
            left.clear()
            return roller(sides)

        return roll


def dice_of(entry: Sequence[RecordedEvent]) -> tuple[Die, ...]:
    """The dice of an entry's header."""
    header = entry[0].event
    return header.dice if isinstance(header, records.DecisionTaken) else ()


def is_rolled_now(die: Die) -> bool:
    """Whether the tool rolled it when its entry was decided, without an earlier request."""
    return die.source == "generated" and die.request is UNSET


def resolve_request(
    request: int, roller: ProvableRoller, entries: Sequence[Sequence[RecordedEvent]]
) -> records.ResolveRolls:
    """The draws of a request, and the dice of these entries that used them, in order.

    Dice that name the request count; if none does, those that were rolled when the entries were decided.
    """
    drawn = any(die.request == request for entry in entries for die in dice_of(entry))
    return records.ResolveRolls(
        request=request,
        sides=tuple(sides for sides, _ in roller.draws),
        faces=tuple(face for _, face in roller.draws),
        dice=tuple(
            records.DrawnDie(entry=entry[0].entry, slot=entry[0].slot, number=number)
            for entry in entries
            for number, die in enumerate(dice_of(entry))
            if die.request == request or (not drawn and is_rolled_now(die))
        ),
    )

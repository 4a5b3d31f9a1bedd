"""Gaps: checks that an index returned every event, so that a part is never taken for the whole.

Knows seqs, entries and slots. A row that one index lost is still counted by the head or found by another
index.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from sqlalchemy import Connection

from tracker.log import statements
from tracker.log.refusals import EventsMissing


class Sequenced(Protocol):
    """Anything with the seq and entry of an event."""

    @property
    def seq(self) -> int: ...

    @property
    def entry(self) -> int: ...


def refuse_partial_entry(
    campaign: str, neighbours: Sequence[Sequenced], own: Sequence[Sequenced], size: int
) -> None:
    """Raises EventsMissing if `own` is only a part of an entry that the head counts."""
    if is_partial_entry(neighbours, own, size):
        raise EventsMissing(campaign, size)


def is_partial_entry(neighbours: Sequence[Sequenced], own: Sequence[Sequenced], size: int) -> bool:
    """Whether `own` is only a part of an entry.

    `neighbours` are the events by seq from the one before the entry to the one after it; `size` is the length
    of the log.
    """
    first, last = (own[0].seq, own[-1].seq) if own else (0, -1)
    return not (
        last - first == len(own) - 1
        and bool(own)
        and neighbours[0].seq == max(first - 1, 0)
        and (neighbours[-1].seq == last + 1 or last == size - 1)
    )


def seq_range(
    connection: Connection, campaign: str, *, after: int, through: int | None, size: int
) -> tuple[int, int]:
    """The first seq of the slots after `after`, and the seq behind the last of them as of entry `through`
    (None: as of the newest). Raises EventsMissing if an event between the two is not found.
    """
    bound = {"campaign": campaign, "slot": after, "through_entry": through}
    ((first, end, count),) = statements.seq_range(through_entry=through is not None).all(connection, bound)
    if first is None or end is None or count != end - first:
        raise EventsMissing(campaign, size)
    return first, end


def refuse_partial_slot(
    connection: Connection, campaign: str, slot: int, refilled: Sequence[Sequenced], size: int
) -> None:
    """Raises EventsMissing if the index of refilled slots lacks some of the events that an entry wrote into
    this slot.

    It does not notice an entry that is missing whole: to find that, it would have to read every later event.
    """
    for entry, count in Counter(event.entry for event in refilled).items():
        bound = {"campaign": campaign, "entry": entry, "slot": slot}
        if statements.COUNT_IN_SLOT.all(connection, bound) != [(count,)]:
            raise EventsMissing(campaign, size)

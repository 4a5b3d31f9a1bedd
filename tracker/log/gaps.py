"""Holes: whether an index gives all there is, so that nobody takes a part for the whole.

Knows seqs, entries and slots. What an index lost, the head or another one still knows.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from sqlalchemy import Connection

from tracker.log import statements
from tracker.log.refusals import EventsMissing


class Sequenced(Protocol):
    """An event, as far as its place goes."""

    @property
    def seq(self) -> int: ...

    @property
    def entry(self) -> int: ...


def refuse_partial_entry(
    campaign: str, neighbours: Sequence[Sequenced], own: Sequence[Sequenced], size: int
) -> None:
    """Raises EventsMissing where `own` is not all of an entry that the head counts."""
    if is_partial_entry(neighbours, own, size):
        raise EventsMissing(campaign, size)


def is_partial_entry(neighbours: Sequence[Sequenced], own: Sequence[Sequenced], size: int) -> bool:
    """Whether `own` is not all of an entry.

    `neighbours` are the events by seq from the one before to the one after it, `size` how many the log has.
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
    """The seq that the slots after `after` begin with, and the one behind them as entry `through` knew them;
    None: as the newest does. Raises EventsMissing where one between the two is not found.
    """
    bound = {"campaign": campaign, "slot": after, "through_entry": through}
    ((first, end, count),) = statements.seq_range(through_entry=through is not None).all(connection, bound)
    if first is None or end is None or count != end - first:
        raise EventsMissing(campaign, size)
    return first, end


def refuse_partial_slot(
    connection: Connection, campaign: str, slot: int, refilled: Sequence[Sequenced], size: int
) -> None:
    """Raises EventsMissing where the index of slots that were filled again does not tell of all that an entry
    wrote into this one.

    An entry none of whose events were found is not missed: to find it, every event behind them would have to
    be read.
    """
    for entry, count in Counter(event.entry for event in refilled).items():
        bound = {"campaign": campaign, "entry": entry, "slot": slot}
        if statements.COUNT_IN_SLOT.all(connection, bound) != [(count,)]:
            raise EventsMissing(campaign, size)

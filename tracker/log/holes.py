"""Holes: whether an index gives all there is, so that nobody takes a part for the whole.

Knows seqs, entries and slots. What an index lost, another one still knows.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import Connection

from tracker.log.refusals import EventsMissing
from tracker.log.statements import COUNT_IN_SLOT, count_slots


class Placed(Protocol):
    """An event, as far as its place goes."""

    @property
    def seq(self) -> int: ...

    @property
    def entry(self) -> int: ...


def refuse_part_of_entry(campaign: str, placed: Sequence[Placed], own: Sequence[Placed], size: int) -> None:
    """Raises EventsMissing where `own` is not all of an entry that the head counts.

    `found` are the events by seq from the one before to the one after it, `size` how many the log has.
    """
    first, last = (own[0].seq, own[-1].seq) if own else (0, -1)
    whole = (
        last - first == len(own) - 1
        and bool(own)
        and placed[0].seq == max(first - 1, 0)
        and (placed[-1].seq == last + 1 or last == size - 1)
    )
    if not whole:
        raise EventsMissing(campaign, size)


def refuse_part_of_slots(
    connection: Connection, campaign: str, *, after: int, through: int | None, size: int
) -> None:
    """Raises EventsMissing where the index of slots does not tell of every event in the slots after `after`,
    as entry `through` knew them; None: as the newest does. There is at least one such slot.
    """
    by_slot, by_seq = count_slots(through_entry=through is not None)
    bound: dict[str, Any] = {"campaign": campaign, "slot": after, "through_entry": through}
    ((first, end, count),) = by_slot.all(connection, bound)
    if first is not None and count == end - first:
        return
    # A ruling filled slots before these again; or the index has holes. Every slot begins with its own entry.
    if first is None or by_seq.all(connection, bound | {"first": first, "end": end}) != [(count,)]:
        raise EventsMissing(campaign, size)


def refuse_part_of_slot(
    connection: Connection, campaign: str, slot: int, events: Sequence[Placed], size: int
) -> None:
    """Raises EventsMissing where the index of slots does not tell of all that an entry wrote into a slot.

    The first events of a slot are those of the entry of its number. A later entry none of whose events were
    found is not missed: to find it, every event after them would have to be read.
    """
    by_entry = Counter(event.entry for event in events)
    for entry in {slot, *by_entry}:
        bound = {"campaign": campaign, "entry": entry, "slot": slot}
        if COUNT_IN_SLOT.all(connection, bound) != [(by_entry[entry],)]:
            raise EventsMissing(campaign, size)

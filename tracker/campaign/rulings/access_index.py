"""The access index: for each part of the state the entries that read or wrote it, in blocks of many entries.

Knows slots by their numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

import msgspec

from tracker.campaign import records
from tracker.campaign.rulings.state_components import EVERYTHING, WHOLE, ComponentSet
from tracker.records import Record, packed_decoder_of

_NUMBERS = packed_decoder_of(list[int])


def _packed(numbers: list[int]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(numbers))


class AccessBlock(Record):
    """The accesses of the slots from `first` to `last`.

    `fields` are lists of field names. `fighters` holds for each fighter pairs of a slot and a place in
    `fields`, `components` for each component the slots; both stay packed until they are read. `openings` are
    the battles that open in the block, each with its slot. `seqs` holds for each slot where its own entry
    begins in the log, as the difference from the slot before; 0 if unknown.
    """

    first: int
    last: int
    fields: tuple[tuple[str, ...], ...]
    fighters: dict[str, msgspec.Raw]
    components: dict[str, msgspec.Raw]
    openings: tuple[tuple[int, msgspec.Raw], ...] = ()
    seqs: msgspec.Raw = _packed([])

    def same_accesses(self, other: AccessBlock) -> bool:
        """Whether both have the same accesses of the same slots, however `fields` is ordered."""
        return self._in_full() == other._in_full()

    def _in_full(self) -> tuple[object, ...]:
        try:
            fighters = {name: self._runs_of(packed) for name, packed in self.fighters.items()}
            components = {name: self.slots_of(name) for name in self.components}
            openings = [(slot, bytes(packed)) for slot, packed in self.openings]
            return self.first, self.last, fighters, components, openings, _NUMBERS.decode(self.seqs)
        except (msgspec.MsgspecError, LookupError, ValueError):
            return ()  # unreadable: equal to no readable block

    def _runs_of(self, packed: msgspec.Raw) -> list[tuple[int, tuple[str, ...]]]:
        numbers = _NUMBERS.decode(packed)
        return [(slot, self.fields[run]) for slot, run in zip(numbers[::2], numbers[1::2], strict=True)]

    def first_seqs(self) -> list[int]:
        """Where the entry of each slot begins in the log; 0 if unknown."""
        ways = _NUMBERS.decode(self.seqs)
        return [seq if way else 0 for way, seq in zip(ways, accumulate(ways), strict=True)]

    def slots_of(self, component: str) -> list[int]:
        packed = self.components.get(component)
        return [] if packed is None else _NUMBERS.decode(packed)

    def slots_of_fighter(self, fighter: str, names: Collection[str]) -> Iterator[int]:
        """The slots that accessed one of these fields of a fighter."""
        packed = self.fighters.get(fighter)
        if packed is None:
            return
        accessing = {
            place
            for place, run in enumerate(self.fields)
            if WHOLE in names or any(name == WHOLE or name in names for name in run)
        }
        numbers = _NUMBERS.decode(packed)
        for slot, place in zip(numbers[::2], numbers[1::2], strict=True):
            if place in accessing:
                yield slot


class AccessBlockWriter:
    """Builds a block from the accesses of slots, in the order of play."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.last = first - 1
        self._fields: dict[tuple[str, ...], int] = {}
        self._fighters: dict[str, list[int]] = {}
        self._components: dict[str, list[int]] = {}
        self._openings: list[tuple[int, msgspec.Raw]] = []
        self._seqs: list[int] = []
        self._seq = 0

    def add(
        self, slot: int, events: Sequence[records.Event], accesses: ComponentSet, *, first_seq: int = 0
    ) -> None:
        """Add one slot with its events. `first_seq`: where its own entry begins in the log, 0 if unknown."""
        assert slot > self.last, "in the order of play"
        self.last = slot
        self._seqs.append(first_seq - self._seq if first_seq else 0)
        self._seq = first_seq or self._seq
        self._openings += [
            (slot, msgspec.Raw(msgspec.msgpack.encode(event)))
            for event in events
            if isinstance(event, records.BattleOpened)
        ]
        if EVERYTHING in accesses.components:
            self._components.setdefault(EVERYTHING, []).append(slot)
            return
        for component in accesses.components:
            self._components.setdefault(component, []).append(slot)
        for fighter, names in accesses.fighters.items():
            run = tuple(sorted(names))
            place = self._fields.setdefault(run, len(self._fields))
            self._fighters.setdefault(fighter, []).extend((slot, place))

    def block(self) -> AccessBlock:
        return AccessBlock(
            first=self.first,
            last=self.last,
            fields=tuple(self._fields),
            fighters={name: _packed(found) for name, found in sorted(self._fighters.items())},
            components={name: _packed(found) for name, found in sorted(self._components.items())},
            openings=tuple(self._openings),
            seqs=_packed(self._seqs),
        )


class AccessIndex:
    """The accesses of a log, in consecutive blocks."""

    def __init__(self, blocks: Sequence[AccessBlock]) -> None:
        self._blocks = blocks
        self.first = blocks[0].first if blocks else 1
        self.last = blocks[-1].last if blocks else 0
        self._searched: tuple[Any, dict[int, list[int]]] | None = None
        self._lasts = [block.last for block in blocks]
        self._seqs: dict[int, list[int]] = {}

    def covers(self, slot: int) -> bool:
        """Whether the index knows the accesses of a slot."""
        return self.first <= slot <= self.last

    def next_affected(self, slot: int, diff: ComponentSet) -> int:
        """The first later slot that accessed a part in `diff`, or whose accesses are unknown."""
        if not self.covers(slot + 1) or EVERYTHING in diff.components:
            return slot + 1
        key = (diff.components, diff.fighters)
        if self._searched is None or self._searched[0] != key:
            searched = ComponentSet()
            searched.update(diff)
            self._searched = ((searched.components, searched.fighters), {})
        for place in range(bisect_left(self._lasts, slot + 1), len(self._blocks)):
            found = self._affected_in(place, diff)
            if found and found[-1] > slot:
                return found[bisect_right(found, slot)]
        return self.last + 1

    def _affected_in(self, place: int, diff: ComponentSet) -> list[int]:
        """The slots of a block that accessed `diff`; cached, since a ruling asks again and again."""
        assert self._searched is not None, "asked for just now"
        found = self._searched[1].get(place)
        if found is None:
            found = self._searched[1][place] = sorted(set(_accessing(self._blocks[place], diff)))
        return found

    def likely_after(self, slot: int, most: int) -> list[int]:
        """The next affected slots after this one, as far as `next_affected` has searched."""
        found = self._searched[1] if self._searched is not None else {}
        return list(
            islice((later for place in sorted(found) for later in found[place] if later > slot), most)
        )

    def first_seq_of(self, slot: int) -> int:
        """Where a slot's own entry begins in the log; 0 if unknown."""
        place = bisect_left(self._lasts, slot)
        if place == len(self._blocks) or slot < self._blocks[place].first:
            return 0
        seqs = self._seqs.get(place)
        if seqs is None:
            seqs = self._seqs[place] = self._blocks[place].first_seqs()
        return seqs[slot - self._blocks[place].first]

    def openings_between(self, slot: int, stop: int | None) -> Iterator[records.BattleOpened]:
        """The battles that open after `slot` and before `stop`, as far as the index goes."""
        for block in self._blocks:
            for opened_in, packed in block.openings if block.last > slot else ():
                if slot < opened_in and (stop is None or opened_in < stop):
                    yield packed_decoder_of(records.BattleOpened).decode(packed)


def _accessing(block: AccessBlock, diff: ComponentSet) -> Iterator[int]:
    for component in (EVERYTHING, *diff.components):
        yield from block.slots_of(component)
    for fighter, names in diff.fighters.items():
        yield from block.slots_of_fighter(fighter, names)

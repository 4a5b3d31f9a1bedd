"""Touched: which entries read or wrote which parts of the state, gathered in blocks and asked the other way
round. Knows slots by their numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from tracker.campaign import records
from tracker.campaign.rulings.tracing import EVERYTHING, WHOLE, Reads
from tracker.records import Record, packed_decoder_of

_NUMBERS = packed_decoder_of(list[int])


def _packed(numbers: list[int]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(numbers))


class TouchedBlock(Record):
    """Of the slots from `first` to `last`: who touched what. `fields` are runs of names; `fighters` holds for
    each the slots with the place of a run behind it, `components` the slots, packed until somebody asks.
    `openings` are the battles that open in them, each behind its slot.
    """

    first: int
    last: int
    fields: tuple[tuple[str, ...], ...]
    fighters: dict[str, msgspec.Raw]
    components: dict[str, msgspec.Raw]
    openings: tuple[tuple[int, msgspec.Raw], ...] = ()

    def slots_of(self, component: str) -> list[int]:
        """The slots that touched a component."""
        packed = self.components.get(component)
        return [] if packed is None else _NUMBERS.decode(packed)

    def slots_of_fighter(self, fighter: str, names: Collection[str]) -> Iterator[int]:
        """The slots that touched one of these fields of a fighter."""
        packed = self.fighters.get(fighter)
        if packed is None:
            return
        touching = {
            place
            for place, run in enumerate(self.fields)
            if WHOLE in names or any(name == WHOLE or name in names for name in run)
        }
        numbers = _NUMBERS.decode(packed)
        for slot, place in zip(numbers[::2], numbers[1::2], strict=True):
            if place in touching:
                yield slot


class TouchedBlockWriter:
    """Gathers what slots touched, in the order of play."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.last = first - 1
        self._fields: dict[tuple[str, ...], int] = {}
        self._fighters: dict[str, list[int]] = {}
        self._components: dict[str, list[int]] = {}
        self._openings: list[tuple[int, msgspec.Raw]] = []

    def take(self, slot: int, events: Sequence[records.Event], reads: Reads) -> None:
        """Gather one more slot, and what it holds."""
        assert slot > self.last, "in the order of play"
        self.last = slot
        self._openings += [
            (slot, msgspec.Raw(msgspec.msgpack.encode(event)))
            for event in events
            if isinstance(event, records.BattleOpened)
        ]
        if EVERYTHING in reads.components:
            self._components.setdefault(EVERYTHING, []).append(slot)
            return
        for component in reads.components:
            self._components.setdefault(component, []).append(slot)
        for fighter, names in reads.fighters.items():
            run = tuple(sorted(names))
            place = self._fields.setdefault(run, len(self._fields))
            self._fighters.setdefault(fighter, []).extend((slot, place))

    def block(self) -> TouchedBlock:
        """What was gathered."""
        return TouchedBlock(
            first=self.first,
            last=self.last,
            fields=tuple(self._fields),
            fighters={name: _packed(found) for name, found in sorted(self._fighters.items())},
            components={name: _packed(found) for name, found in sorted(self._components.items())},
            openings=tuple(self._openings),
        )


class TouchedSlots:
    """Blocks that follow on each other."""

    def __init__(self, blocks: Sequence[TouchedBlock]) -> None:
        self._blocks = blocks
        self.first = blocks[0].first if blocks else 1
        self.last = blocks[-1].last if blocks else 0
        self._asked: tuple[Any, list[int]] | None = None

    def covers(self, slot: int) -> bool:
        """Whether it is known what a slot touched."""
        return self.first <= slot <= self.last

    def next_of(self, slot: int, different: Reads) -> int:
        """The first slot behind that one that touched something different, or of which nothing is known."""
        if not self.covers(slot + 1) or EVERYTHING in different.components:
            return slot + 1
        key = (different.components, different.fighters)
        if self._asked is None or self._asked[0] != key:
            found = sorted(set(self._touching(different)))
            self._asked = (({*different.components}, {**different.fighters}), found)
        found = self._asked[1]
        place = bisect_right(found, slot)
        return found[place] if place < len(found) else self.last + 1

    def likely_behind(self, slot: int, most: int) -> list[int]:
        """Which slots come next of those that touched what was asked for last."""
        found = self._asked[1] if self._asked is not None else []
        place = bisect_right(found, slot)
        return found[place : place + most]

    def openings_between(self, slot: int, stop: int | None) -> Iterator[records.BattleOpened]:
        """The battles that open behind a slot and before another, as far as slots are known."""
        for block in self._blocks:
            for opened_in, packed in block.openings if block.last > slot else ():
                if slot < opened_in and (stop is None or opened_in < stop):
                    yield packed_decoder_of(records.BattleOpened).decode(packed)

    def _touching(self, different: Reads) -> Iterable[int]:
        for block in self._blocks:
            for component in (EVERYTHING, *different.components):
                yield from block.slots_of(component)
            for fighter, names in different.fighters.items():
                yield from block.slots_of_fighter(fighter, names)

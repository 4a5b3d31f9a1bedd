"""Entry alignment: matches the entries of a corrected report with the recorded ones, in the order of play.

Knows commands and dice, and no form. Equal entries are matched first, then entries about the same people,
then entries of the same kind; what is left between two matches is paired in order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import msgspec

from tracker.campaign import records
from tracker.campaign.rulings.entry_parts import EntryPart

Pair: TypeAlias = tuple[int | None, int | None]
"""A recorded part and a written one, by their places; None: it is gone, or new."""
AlignmentKey: TypeAlias = Callable[[EntryPart], Hashable]


def align_entries(recorded: Sequence[EntryPart], written: Sequence[EntryPart]) -> list[Pair]:
    """Every recorded and every written part once, in the order of play."""
    return list(_pairs(recorded, written, 0, 0, (_whole, _asked, _about, _to_whom, _kind)))


def _pairs(
    recorded: Sequence[EntryPart],
    written: Sequence[EntryPart],
    here: int,
    there: int,
    keys: tuple[AlignmentKey, ...],
) -> Iterator[Pair]:
    if not keys:
        yield from _in_order(here, len(recorded), there, len(written))
        return
    key, *coarser = keys
    matcher = SequenceMatcher(a=[*map(key, recorded)], b=[*map(key, written)], autojunk=False)
    start = new_start = 0
    for block in matcher.get_matching_blocks():
        left, new = recorded[start : block.a], written[new_start : block.b]
        yield from _pairs(left, new, here + start, there + new_start, tuple(coarser))
        yield from ((here + block.a + nth, there + block.b + nth) for nth in range(block.size))
        start, new_start = block.a + block.size, block.b + block.size


def _in_order(here: int, count: int, there: int, new_count: int) -> Iterator[Pair]:
    for nth in range(max(count, new_count)):
        yield (here + nth if nth < count else None, there + nth if nth < new_count else None)


def _whole(part: EntryPart) -> Hashable:
    return _asked(part), tuple(sorted((die.purpose, die.shown()) for die in part.dice))


def _asked(part: EntryPart) -> Hashable:
    return _kind(part), msgspec.json.encode(msgspec.to_builtins(part.command, str_keys=True), order="sorted")


def _about(part: EntryPart) -> Hashable:
    return _kind(part), _people(part)


def _to_whom(part: EntryPart) -> Hashable:
    """The first person that a command names: mostly the target, else the one who acts."""
    return _kind(part), _people(part)[:1]


def _people(part: EntryPart) -> tuple[str, ...]:
    kinds = records.kinds_of_fields(type(part.command))
    people = (getattr(part.command, name) for name, kind in kinds.items() if kind == "fighter")
    return tuple(who for who in people if isinstance(who, str))


def _kind(part: EntryPart) -> Hashable:
    return type(part.command).__name__, getattr(part.command, "outcome", None)

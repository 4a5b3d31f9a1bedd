"""Amending: the dice of an entry that should have said something else.

A die lies as it fell: whom it was noted for is part of what was written down wrong. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tracker.campaign import records
from tracker.dice import Die
from tracker.records import replace


def dice_amended(
    header: records.DecisionTaken, command: records.Command, given: Sequence[Die] = ()
) -> tuple[Die, ...] | None:
    """All dice of an entry with this command in its place; None where they are the dice that it has.

    `given` are dice as they should have been written: of each purpose they stand for those that it has.
    """
    was = (*header.dice, *header.spare)
    renamed = people_renamed(header.command, command)
    now = [replace(die, fighter=renamed[die.fighter]) if die.fighter in renamed else die for die in was]
    for purpose in dict.fromkeys(die.purpose for die in given):
        places = [place for place, die in enumerate(now) if die.purpose == purpose]
        new = [die for die in given if die.purpose == purpose]
        if len(places) == len(new):
            for place, die in zip(places, new, strict=True):
                if not shows_the_same(now[place], die):
                    now[place] = replace(die, fighter=now[place].fighter)
        else:
            now = [*(die for die in now if die.purpose != purpose), *new]
    return None if tuple(now) == was else tuple(now)


def shows_the_same(recorded: Die, written: Die) -> bool:
    """Whether a recorded die shows what is written: its faces, or the symbol that stands for them."""
    return recorded.faces == written.faces if written.faces else recorded.symbol == written.symbol


def people_renamed(was: records.Command, now: records.Command) -> dict[str, str]:
    """Who stands in one command where somebody else stands in the other, and nowhere else."""
    old, new = (dict(_texts(msgspec.to_builtins(one, str_keys=True), ())) for one in (was, now))
    pairs = {(text, new[path]) for path, text in old.items() if new.get(path, text) != text}
    to: dict[str, set[str]] = {}
    for before, after in pairs:
        to.setdefault(before, set()).add(after)
    taken = {after for _, after in pairs}
    # Who is still named, and stands in nobody else's place, is meant by what was noted for them.
    stays = {text for text in new.values() if text not in taken}
    return {before: after.pop() for before, after in to.items() if len(after) == 1 and before not in stays}


def _texts(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text within plain data, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, (list, tuple)):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*path, place))

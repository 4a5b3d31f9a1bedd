"""Entry parts: recorded entries split into commands with their dice, amended, and joined again.

A die keeps its faces. Whom it was noted for may change, because that is what can be written down wrong. Knows
no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tracker.campaign import records
from tracker.dice import Die
from tracker.records import Record, replace


class EntryPart(Record):
    """One command of an entry with its dice; most entries have one part. `note` is the remark in a file; a
    recorded entry has one note for all its parts.
    """

    command: records.Command
    dice: tuple[Die, ...] = ()
    note: str | None = None


def split_parts(header: records.DecisionTaken) -> tuple[EntryPart, ...]:
    """The commands of an entry, each with its dice. Dice of no particular part go with the first."""
    dice = (*header.dice, *header.spare)
    if not isinstance(header.command, records.PlayInTurn):
        return (EntryPart(command=header.command, dice=dice),)
    fell = [(0 if die.part is UNSET else die.part, replace(die, part=UNSET)) for die in dice]
    return tuple(
        EntryPart(command=command, dice=tuple(die for at, die in fell if at == number))
        for number, command in enumerate(header.command.commands)
    )


def join_parts(parts: Sequence[EntryPart]) -> records.Amendment:
    if len(parts) == 1:
        return records.Amendment(command=parts[0].command, dice=parts[0].dice)
    return records.Amendment(
        command=records.PlayInTurn(commands=tuple(part.command for part in parts)),
        dice=tuple(replace(die, part=number) for number, part in enumerate(parts) for die in part.dice),
    )


def amendment_of(
    header: records.DecisionTaken, parts: Sequence[EntryPart], note: str | None = None
) -> records.Amendment | None:
    """The amendment that turns an entry into these parts; None if it has them already. `note` is its new
    note, "" for none; None keeps its own.
    """
    note = None if note == (header.note or "") else note
    made = join_parts(parts)
    was = join_parts(split_parts(header))
    if made == was and note is None:
        return None
    return replace(made, dice=None if made.dice == was.dice else made.dice, note=note)


def copy_stated_fields(command: records.Command, recorded: records.Command) -> records.Command:
    """The command with the fields that no file states taken from the recorded command of the same kind."""
    if type(command) is not type(recorded):
        return command
    stated = records.DECLARATIONS[type(command)].stated
    return replace(command, **{name: getattr(recorded, name) for name in stated})


def amended_dice(part: EntryPart, command: records.Command, given: Sequence[Die] = ()) -> tuple[Die, ...]:
    """All dice of an entry, or of a part of one, with this command in its place. Dice `given` replace those
    of the same purpose.
    """
    renamed = renamed_people(part.command, command)
    now = [replace(die, fighter=renamed[die.fighter]) if die.fighter in renamed else die for die in part.dice]
    for purpose in dict.fromkeys(die.purpose for die in given):
        places = [place for place, die in enumerate(now) if die.purpose == purpose]
        new = [die for die in given if die.purpose == purpose]
        if len(places) == len(new):
            for place, die in zip(places, new, strict=True):
                if not same_faces(now[place], die):
                    now[place] = replace(die, fighter=now[place].fighter)
        else:
            now = [*(die for die in now if die.purpose != purpose), *new]
    return tuple(now)


def same_faces(recorded: Die, written: Die) -> bool:
    """Whether a recorded die shows the faces written, or the symbol written in their place."""
    return recorded.faces == written.faces if written.faces else recorded.symbol == written.symbol


def renamed_people(was: records.Command, now: records.Command) -> dict[str, str]:
    """A map from each person of the first command to the one who takes their place in the second.

    Only where the replacement is unambiguous, and the first person is named nowhere else in the second.
    """
    old, new = (dict(_texts(msgspec.to_builtins(side, str_keys=True), ())) for side in (was, now))
    pairs = {(text, new[path]) for path, text in old.items() if new.get(path, text) != text}
    to: dict[str, set[str]] = {}
    for before, after in pairs:
        to.setdefault(before, set()).add(after)
    taken = {after for _, after in pairs}
    # A person still named elsewhere keeps their dice.
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

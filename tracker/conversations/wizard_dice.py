"""Reads typed dice: one, several of a kind in a row, or those of one roll on one line.

Knows dice and their spelling. Knows no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from tracker import dice as books_dice
from tracker.dice import D3, D66, TWO_D6, DiceNeeded, DieAsked, ImpossibleFace
from tracker.rules.rulebook import DicePurpose

Face: TypeAlias = "int | str"
WANTED: Final = "Type what lies on the table, or r to roll it here."
_NTH: Final = re.compile(r"\b([0-9]{1,2}) of ([0-9]{1,2})\b")


class Roll:
    """The dice that are asked for on one line: the missing one, and those that the same fighter rolls next
    whatever its result.
    """

    def __init__(
        self, needed: DiceNeeded, following: Sequence[DieAsked], purposes: Mapping[str, DicePurpose]
    ) -> None:
        first = DieAsked(purpose=needed.purpose, die=needed.die, fighter=needed.fighter, why=needed.why)
        self.dice = (first, *following)
        self._purposes = purposes

    @property
    def purposes(self) -> tuple[str, ...]:
        """The purposes of the dice, in their order."""
        return tuple(die.purpose for die in self.dice)

    def in_words(self, *, begins: bool) -> str:
        """The purposes of the dice and how to type them; `begins` says whether they begin a sentence."""
        first = self.dice[0]
        why = first.why[:1].upper() + first.why[1:] if begins else first.why
        others = [die.why for die in self.dice if die.purpose != first.purpose]
        if others:
            count = "both" if len(self.dice) == 2 else f"all {len(self.dice)}"
            return f"{', '.join([why, *others[:-1]])}, and {others[-1]} ({count} in a row)"
        nth = _NTH.search(first.why)
        left = int(nth[2]) - int(nth[1]) + 1 if nth else 1
        purpose = self._purposes[first.purpose]
        words = [f"all {left} in a row"] if left > 1 else []
        words += [purpose.die] if purpose.special is None else []
        return f"{why} ({', '.join(words)})" if words else why

    def faces(self, typed: str) -> dict[str, list[Face]]:
        """The typed faces by purpose; faces beyond those that were asked for count for the last purpose."""
        by_purpose: dict[str, list[Face]] = {}
        for place, face in enumerate(faces_of(typed, [die.die for die in self.dice])):
            by_purpose.setdefault(self.purposes[min(place, len(self.dice) - 1)], []).append(face)
        return by_purpose

    def wrong(self, typed: str) -> str:
        """Why a line is no valid answer; empty if it is one."""
        faces = self.faces(typed)
        count = sum(map(len, faces.values()))
        if count > len(self.dice) and len({*self.purposes}) > 1:
            return f"{len(self.dice)} dice are asked for, and these are {count}."
        for name, each in faces.items():
            purpose = self._purposes[name]
            for face in each:
                try:
                    books_dice.read_die(name, purpose.die, face, special=purpose.special)
                except ImpossibleFace as impossible:
                    return impossible.message()
        return "" if faces else WANTED


def rolled(die: str, roller: Callable[[int], int]) -> Face:
    """The result of a die rolled here, as people write it."""
    if die in (D66, TWO_D6):
        return f"{roller(6)}{'-' if die == D66 else '+'}{roller(6)}"
    return roller(3 if die == D3 else 6)


def faces_of(typed: str, dice: Sequence[str]) -> list[Face]:
    """The faces in a line, separated by commas or as digits in a row: 46 is a D66, 5324 are four D6.

    `dice` are the dice that are asked for, in their order; there may be more of the last.
    """
    faces: list[Face] = []
    for word in (word.strip() for word in typed.split(",")):
        left = word[:60]
        while left:
            die = dice[min(len(faces), len(dice) - 1)]
            size = len(books_dice.sides_of(die))
            if not re.fullmatch("[0-9]+", left) or len(left) < size:
                faces.append(int(left) if re.fullmatch("[0-9]{1,3}", left) else left)
                break
            join = {D66: "-", TWO_D6: "+"}.get(die)
            faces.append(join.join(left[:size]) if join is not None else int(left[:size]))
            left = left[size:]
    return faces

"""Symbolic dice: a comparison splits the faces of a die into branches; faces that answer alike share one.

`Branch` holds the dice of one branch and names the branches that it has left. Both users of it, the odds
(`enumeration`) and the preview of a ruling (`rulings/outcome_distribution`), run the rules for each branch.
Knows no rule.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

from tracker.dice import DiceTray, Die, SpecialDie

Restrictions: TypeAlias = tuple[tuple[int, ...], ...]
"""For each die of a branch, the outcomes it is restricted to."""


class DieVariable:
    """One die of a branch. No comparison has split the `indistinguishable` outcomes from the `actual` one."""

    __slots__ = ("actual", "indistinguishable", "total", "weights")

    def __init__(self, weights: Sequence[int], among: tuple[int, ...], total: int) -> None:
        self.weights = weights
        self.total = total
        self.indistinguishable = among
        self.actual = among[0]

    def settle(self) -> None:
        """Split the outcome from all others."""
        self.indistinguishable = (self.actual,)

    @property
    def weight(self) -> int:
        """The sum of the weights of the indistinguishable outcomes."""
        return sum([self.weights[outcome] for outcome in self.indistinguishable])


class SymbolicFace:
    """A symbolic die face: one value for each outcome of its die.

    Not an `int`, because `range(face)` would bypass the tracking: it calls no method of an int.
    """

    __slots__ = ("die", "values")

    def __init__(self, die: DieVariable, values: tuple[int, ...]) -> None:
        self.die = die
        self.values = values

    def concretize(self) -> int:
        """The plain number. From here on every other value is a branch of its own."""
        die, values = self.die, self.values
        value = values[die.actual]
        die.indistinguishable = tuple(face for face in die.indistinguishable if values[face] == value)
        return value

    def _compare(self, holds: Callable[[int, int], bool], other: Any) -> bool:
        die, values, against = self.die, self.values, _plain(other)
        answer = holds(values[die.actual], against)
        die.indistinguishable = tuple(
            face for face in die.indistinguishable if holds(values[face], against) == answer
        )
        return answer

    def _compute(self, operation: Callable[[int, int], int], other: Any) -> Any:
        if isinstance(other, SymbolicFace) and other.die is self.die:
            return SymbolicFace(self.die, tuple(map(operation, self.values, other.values)))
        by = _plain(other)
        return SymbolicFace(self.die, tuple(operation(value, by) for value in self.values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | SymbolicFace) and self._compare(operator.eq, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return self._compare(operator.lt, other)

    def __le__(self, other: Any) -> bool:
        return self._compare(operator.le, other)

    def __gt__(self, other: Any) -> bool:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> bool:
        return self._compare(operator.ge, other)

    def __bool__(self) -> bool:
        return self._compare(operator.ne, 0)

    def __add__(self, other: Any) -> Any:
        return self._compute(operator.add, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._compute(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._compute(lambda mine, theirs: theirs - mine, other)

    def __mul__(self, other: Any) -> Any:
        return self._compute(operator.mul, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._compute(operator.floordiv, other)

    def __mod__(self, other: Any) -> Any:
        return self._compute(operator.mod, other)

    def __neg__(self) -> Any:
        return self._compute(operator.mul, -1)

    # Whatever needs the number itself splits it from all others.

    def __index__(self) -> int:
        return self.concretize()

    __int__ = __index__

    def __hash__(self) -> int:
        return hash(self.concretize())

    def __format__(self, spec: str) -> str:
        return format(self.concretize(), spec)

    def __str__(self) -> str:
        return str(self.concretize())

    __repr__ = __str__


def _plain(number: Any) -> Any:
    return number.concretize() if isinstance(number, SymbolicFace) else number


class Branch:
    """The dice of one branch: restricted where the branch says so, free where a die is new.

    Two passes over the same restrictions ask for the same dice, so the restrictions identify a branch.
    """

    def __init__(self, restrictions: Restrictions) -> None:
        self.dice: list[DieVariable] = []
        self.restrictions = restrictions

    def throw(self, weights: Sequence[Any], total: Any) -> DieVariable:
        """The next die. `weights` has one number for each of its outcomes, `total` is their sum."""
        place = len(self.dice)
        if place < len(self.restrictions):
            among = self.restrictions[place]
        else:
            among = tuple(range(len(weights)))
        die = DieVariable(weights, among, total)
        self.dice.append(die)
        return die

    def weight(self, first: int = 0) -> tuple[int, int]:
        """The weight of the outcomes of the dice from `first` on, and the weight of all their outcomes."""
        own = self.dice[first:]
        return prod(die.weight for die in own), prod(die.total for die in own)

    def others(self, first: int = 0) -> Iterator[Restrictions]:
        """The branches that comparisons split off, of the dice from `first` on."""
        taken = tuple(die.indistinguishable for die in self.dice)
        for place, die in enumerate(self.dice[first:], start=first):
            known = place < len(self.restrictions)
            among = self.restrictions[place] if known else tuple(range(len(die.weights)))
            split_off = tuple(outcome for outcome in among if outcome not in die.indistinguishable)
            if split_off:
                # Faces split late leave the later dice of this branch restricted as they were.
                yield (*taken[:place], split_off, *self.restrictions[place + 1 :])


class SymbolicTray(DiceTray):
    """A tray whose dice are those of a branch. A special die shows its symbol only, as a typed one may."""

    def __init__(self, branch: Branch, waiting: Sequence[Die] = ()) -> None:
        super().__init__(waiting)
        self.branch = branch

    def _throw(
        self,
        purpose: str,
        die: str,
        why: str,  # noqa: ARG002 -- the tray's own signature
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None,
    ) -> Die:
        if special is not None:
            symbols = tuple(dict.fromkeys(special.symbols))
            thrown = self.branch.throw(tuple(map(special.symbols.count, symbols)), len(special.symbols))
            thrown.settle()
            return Die(purpose=purpose, die=die, symbol=symbols[thrown.actual], fighter=fighter)
        count, columns = outcomes(sides)
        thrown = self.branch.throw((1,) * count, count)
        faces = tuple(SymbolicFace(thrown, values) for values in columns)
        return Die(purpose=purpose, die=die, faces=cast("tuple[int, ...]", faces), fighter=fighter)


@cache
def outcomes(sides: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """How many ways dice with these sides can fall, and for each die its face in each of them."""
    ways = tuple(product(*(range(1, count + 1) for count in sides)))
    return len(ways), tuple(zip(*ways, strict=True))

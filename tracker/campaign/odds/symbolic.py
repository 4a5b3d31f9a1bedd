"""Watched numbers: faces that remember what was asked of them, so that faces nobody told apart are one way.

Knows outcomes of one throw and questions about them. Knows no rule: a face that is compared with a target
answers "reached or not", and every other face with the same answer has gone the same way so far.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any


class Throw:
    """One die thrown in a walk. `live` are the outcomes that no question has told from the `actual` one."""

    __slots__ = ("actual", "live", "total", "weights")

    def __init__(self, weights: Sequence[int], among: tuple[int, ...], total: int) -> None:
        self.weights = weights
        self.total = total
        self.live = among
        self.actual = among[0]

    def settle(self) -> None:
        """The outcome is told from every other."""
        self.live = (self.actual,)

    @property
    def weight(self) -> int:
        """How much the outcomes weigh that are still one with the actual one."""
        return sum([self.weights[outcome] for outcome in self.live])


class Watched:
    """A number that a throw gives: one value for each outcome. It behaves as an int and is none.

    An int would be used behind our back (`range(face)` asks no method of an int); this cannot be.
    """

    __slots__ = ("throw", "values")

    def __init__(self, throw: Throw, values: tuple[int, ...]) -> None:
        self.throw = throw
        self.values = values

    def told(self) -> int:
        """The plain number; from here on every other value is another way."""
        now = self.values[self.throw.actual]
        self.throw.live = tuple(one for one in self.throw.live if self.values[one] == now)
        return now

    def _asked(self, question: Callable[[int, int], bool], other: Any) -> bool:
        against, values = _plain(other), self.values
        answer = question(values[self.throw.actual], against)
        self.throw.live = tuple(one for one in self.throw.live if question(values[one], against) == answer)
        return answer

    def _moved(self, how: Callable[[int, int], int], other: Any) -> Any:
        if isinstance(other, Watched) and other.throw is self.throw:
            return Watched(self.throw, tuple(map(how, self.values, other.values)))
        by = _plain(other)
        return Watched(self.throw, tuple(how(value, by) for value in self.values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | Watched) and self._asked(operator.eq, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return self._asked(operator.lt, other)

    def __le__(self, other: Any) -> bool:
        return self._asked(operator.le, other)

    def __gt__(self, other: Any) -> bool:
        return self._asked(operator.gt, other)

    def __ge__(self, other: Any) -> bool:
        return self._asked(operator.ge, other)

    def __bool__(self) -> bool:
        return self._asked(operator.ne, 0)

    def __add__(self, other: Any) -> Any:
        return self._moved(operator.add, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._moved(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._moved(lambda mine, theirs: theirs - mine, other)

    def __mul__(self, other: Any) -> Any:
        return self._moved(operator.mul, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._moved(operator.floordiv, other)

    def __mod__(self, other: Any) -> Any:
        return self._moved(operator.mod, other)

    def __neg__(self) -> Any:
        return self._moved(operator.mul, -1)

    # Whatever needs the number itself tells it from all others.

    def __index__(self) -> int:
        return self.told()

    __int__ = __index__

    def __hash__(self) -> int:
        return hash(self.told())

    def __format__(self, spec: str) -> str:
        return format(self.told(), spec)

    def __str__(self) -> str:
        return str(self.told())

    __repr__ = __str__


def _plain(number: Any) -> Any:
    return number.told() if isinstance(number, Watched) else number

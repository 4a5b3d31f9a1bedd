"""Dice on pages: as fields of a form, to be chosen face by face, and as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tracker.dice import TWO_D6, Die, sides_of
from tracker.reports.dice_words import roll_words
from tracker.rules.rulebook import Book
from tracker.server.pages.forms import FormValues

_LOW, _MIDDLE, _HIGH = 6.5, 12, 17.5
_ONE: Final = ((_MIDDLE, _MIDDLE),)
_TWO: Final = ((_LOW, _HIGH), (_HIGH, _LOW))
_FOUR: Final = (*_TWO, (_LOW, _LOW), (_HIGH, _HIGH))
PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: _ONE,
    2: _TWO,
    3: (*_ONE, *_TWO),
    4: _FOUR,
    5: (*_ONE, *_FOUR),
    6: (*_FOUR, (_LOW, _MIDDLE), (_HIGH, _MIDDLE)),
}
"""The positions of the pips on a face."""


class DieField(NamedTuple):
    """A die whose faces can be chosen. Of two dice rolled as one, each has its own group of fields."""

    name: str
    words: str
    """The purpose of the roll."""
    die: str
    fighter: str | None
    groups: tuple[tuple[str, ...], ...]
    chosen: tuple[str, ...]

    @property
    def given(self) -> str | None:
        """The faces as an option takes them; None until all are chosen."""
        if not all(self.chosen):
            return None
        return ("+" if self.die == TWO_D6 else "-").join(self.chosen)


def die_field(
    book: Book, purpose: str, name: str, filled: FormValues, *, fighter: str | None = None
) -> DieField | None:
    """The field of a die by its purpose; None for an unknown purpose."""
    known = book.purposes.get(purpose)
    if known is None:
        return None
    groups = (
        (tuple(dict.fromkeys(known.special.symbols)),)
        if known.special is not None
        else tuple(tuple(str(face) for face in range(1, sides + 1)) for sides in sides_of(known.die))
    )
    sent = [filled.get(f"{name}/{number}") for number in range(len(groups))]
    chosen = tuple(value if value in group else "" for value, group in zip(sent, groups, strict=True))
    return DieField(name, roll_words(purpose), known.die, fighter, groups, chosen)


def shown(die: Mapping[str, Any]) -> str:
    """A die of a report's data in words: 'D66 4-6'."""
    thrown = Die(purpose="", die=die["die"], faces=tuple(die["faces"]), symbol=die["symbol"])
    return f"{die['die']} {thrown.shown()}"

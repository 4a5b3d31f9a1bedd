"""Dice as fields of a form: the faces that a die has, to be chosen one by one, and what was chosen."""

from __future__ import annotations

from typing import NamedTuple

from tracker.dice import TWO_D6, sides_of
from tracker.reports.dice_words import roll_words
from tracker.rules.rulebook import Book
from tracker.server.pages.forms import FormValues


class DieField(NamedTuple):
    """A die that somebody may choose the faces of. Of two dice in one each has its own group of fields."""

    name: str
    words: str
    """What it is rolled for."""
    die: str
    fighter: str | None
    groups: tuple[tuple[str, ...], ...]
    chosen: tuple[str, ...]

    @property
    def given(self) -> str | None:
        """What lies on the table, as an option takes it; None while a face is not chosen."""
        if not all(self.chosen):
            return None
        return ("+" if self.die == TWO_D6 else "-").join(self.chosen)


def die_field(
    book: Book, purpose: str, name: str, filled: FormValues, *, fighter: str | None = None
) -> DieField | None:
    """The field of a die by what it is rolled for; None where the book knows no such purpose."""
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

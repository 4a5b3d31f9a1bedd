"""Cards: how a fighter's numbers and kit are printed. Knows names and signs, no limits and no prices.

A card without the usual twelve numbers is printed as in the book that has the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tracker.reports.escaping import sanitize
from tracker.rules.dashes import NO_NUMBER
from tracker.rules.glossary import USUAL, GameWords

if TYPE_CHECKING:
    from tracker.rules.rulebook import Book

# In the order of the card: name in the log, on the card, in a sentence, and the sign behind the number.
_CARD: tuple[tuple[str, str, str, str], ...] = (
    ("movement", "M", "Movement", '"'),
    ("weapon_skill", "WS", "Weapon Skill", "+"),
    ("ballistic_skill", "BS", "Ballistic Skill", "+"),
    ("strength", "S", "Strength", ""),
    ("toughness", "T", "Toughness", ""),
    ("wounds", "W", "Wounds", ""),
    ("initiative", "I", "Initiative", "+"),
    ("attacks", "A", "Attacks", ""),
    ("leadership", "Ld", "Leadership", "+"),
    ("cool", "Cl", "Cool", "+"),
    ("willpower", "Wil", "Willpower", "+"),
    ("intelligence", "Int", "Intelligence", "+"),
)
_NAMES = {key: name for key, _, name, _ in _CARD}
_SIGNS = {key: sign for key, _, _, sign in _CARD}
_IN_DICE = frozenset({"ranged", "melee"})
SHORT_NAMES: dict[str, str] = {key: short for key, short, _, _ in _CARD}
"""The column heading of each characteristic, in the order of the card."""

_ID = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_SMALL_WORDS = frozenset({"and", "by", "de", "of", "on", "or", "the", "to"})
_STATUS = {"in_recovery": "in Recovery", "critical": "critically injured"}


def columns(characteristics: Collection[str]) -> dict[str, str]:
    """The column heading of each characteristic, in the order of the card that has these."""
    book = _book(frozenset(characteristics))
    if book is not None:
        return {limits.characteristic: limits.short for limits in book.characteristics.values()}
    if set(characteristics) == set(SHORT_NAMES):
        return SHORT_NAMES
    return {characteristic: characteristic_name(characteristic) for characteristic in characteristics}


def words_beside(characteristics: Collection[str]) -> GameWords:
    """The words of the book that prints these numbers."""
    book = _book(frozenset(characteristics))
    return book.words if book is not None else USUAL


def words_of(book: str) -> GameWords:
    """The words of a book; `book` is empty before a campaign is opened."""
    from tracker.rules import loader  # not above: reading boards needs no book

    return loader.book(book).words if book else USUAL


@cache
def _book(characteristics: frozenset[str]) -> Book | None:
    """The book that prints these numbers and no others; None for the usual twelve, or no book's."""
    if characteristics in (frozenset(SHORT_NAMES), frozenset()):
        return None
    from tracker.rules import loader  # not above: the usual card needs no book

    books = map(loader.book, loader.book_names())
    return next((book for book in books if frozenset(book.characteristics) == characteristics), None)


def characteristic_name(characteristic: str) -> str:
    """'ballistic_skill' as 'Ballistic Skill'."""
    return _NAMES.get(characteristic) or display_name(characteristic)


def characteristic_shown(characteristic: str, value: int) -> str:
    """The number with its sign, as on a card: '5"', '4+', '3', '+1 DICE', '-'."""
    sign = _SIGNS.get(characteristic, "")
    kind = "dice" if characteristic in _IN_DICE else "target_number" if sign == "+" else ""
    if NO_NUMBER.get(kind) == value:
        return "-"
    return f"{value:+d} DICE" if kind == "dice" else f"{value}{sign}"


def card_cells(characteristics: Mapping[str, int]) -> list[str]:
    """The numbers in the order of `columns`."""
    return [characteristic_shown(key, characteristics[key]) for key in columns(characteristics)]


def card_line(characteristics: Mapping[str, int], *, pending: Collection[str] = ()) -> str:
    """'M 5" WS 4+ BS 3+ ...'; a question mark behind what is pending."""
    shown = zip(columns(characteristics).items(), card_cells(characteristics), strict=True)
    return " ".join(f"{short} {number}{' ?' if key in pending else ''}" for (key, short), number in shown)


def status_words(status: str) -> str:
    """'in_recovery' as 'in Recovery'."""
    return _STATUS.get(status) or lowercase_id(status)


def status_shown(fighter: Mapping[str, Any]) -> str:
    """A fighter's status; a fighter in Recovery may be in Convalescence too, which the status hides."""
    words = status_words(fighter["status"])
    hidden = fighter["status"] == "in_recovery" and fighter.get("convalescing")
    return f"{words}, convalescing" if hidden else words


def lowercase_id(text: str) -> str:
    """An id as words ('out of action'); anything else as it was written."""
    return text.replace("_", " ") if _ID.fullmatch(text) else sanitize(text)


def past_shown(past: Mapping[str, Any]) -> str:
    """'4 battles (2 won, 1 drawn, 1 lost), from our notebook, week 4'."""
    record = f"{past['won']} won, {past['drawn']} drawn, {past['lost']} lost"
    return f"{counted(past['battles'], 'battle')} ({record}), from {sanitize(past['source'])}"


def display_name(text: str) -> str:
    """An id as a title ('Out Cold'); anything else as it was written."""
    if not _ID.fullmatch(text):
        return sanitize(text)
    words = text.split("_")
    return " ".join(
        word if word in _SMALL_WORDS and place else word[:1].upper() + word[1:]
        for place, word in enumerate(words)
    )


def listed(words: Sequence[str]) -> str:
    """'Rats', 'Rats and Hawks', 'Rats, Hawks and Saints'."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def inches(hundredths: int) -> str:
    """'4.5' of 450 hundredths of an inch, and '4' of 400."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".")


def counted(number: int, singular: str, many: str | None = None) -> str:
    """'1 Wound', '2 Wounds'."""
    return f"{number} {singular if number == 1 else many or singular + 's'}"


def numbers_listed(numbers: Sequence[int]) -> str:
    """'3, 5 to 9, 12, 13': rising numbers, with runs shortened."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)

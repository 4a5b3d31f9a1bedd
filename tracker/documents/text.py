"""Rules for names, notes and ids.

Knows the characters that make a text look like another. Knows no file and no campaign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import chain, count
from typing import Annotated, Any, Final

from anyascii import anyascii
from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from tracker.documents.nodes import shown
from tracker.errors import BadInput

NAME_CHARACTERS_MAX: Final = 80
NOTE_CHARACTERS_MAX: Final = 500
SLUG_CHARACTERS_MAX: Final = 40

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_SLUG_WORDS = f"an id: small letters a-z, digits and dashes, up to {SLUG_CHARACTERS_MAX}, such as iron-skulls"
# Letters that look like nothing, beside the categories refused below.
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_LETTERS_SPELLED_OUT = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


class TextRefused(BadInput):
    """A name, note or id that cannot be kept as it is."""

    text: str
    expected: str

    def message(self) -> str:
        return f"found {shown(self.text)!r}, expected {self.expected}."


def clean_name(text: str) -> str:
    """A name as it is kept: NFC, single spaces, 1 to 80 visible characters, one line. Raises TextRefused."""
    return _clean(text, NAME_CHARACTERS_MAX, "a name")


def clean_note(text: str) -> str:
    """A note or reason as it is kept: as a name, up to 500 characters. Raises TextRefused."""
    return _clean(text.rstrip("\n"), NOTE_CHARACTERS_MAX, "a text")


def is_slug(text: str) -> bool:
    """Whether a text can be an id."""
    return _SLUG.fullmatch(text) is not None


def slug_of(name: str) -> str:
    """The id that a name gives when none is written: krug-the-fist. Letters of any script are transliterated,
    and of a name without letters or digits what its signs are called. Empty when none can be made.
    """
    spelled = unicodedata.normalize("NFC", name[: 4 * NAME_CHARACTERS_MAX].casefold())
    letters = "".join(map(_in_ascii, spelled.translate(_LETTERS_SPELLED_OUT)))
    return _as_slug(letters) or _as_slug(anyascii(spelled))


def numbered(slug: str, taken: Collection[str]) -> str:
    """The id, or the first with a number behind it that is not taken: krug, krug-2."""
    numbers = (f"-{number}" for number in count(2))
    ways = chain([slug], (slug[: SLUG_CHARACTERS_MAX - len(tail)].rstrip("-") + tail for tail in numbers))
    return next(way for way in ways if way not in taken)


def _in_ascii(letter: str) -> str:
    """A letter without its marks, where that leaves a Latin one; else transliterated."""
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode("ascii")
    return bare or (anyascii(letter) if unicodedata.category(letter)[0] in "LN" else "")


def _as_slug(ascii_only: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower().replace("'", "")).strip("-")
    return words[:SLUG_CHARACTERS_MAX].strip("-")


def _clean(text: str, characters_max: int, what: str) -> str:
    # Measured before it is normalised too: ordering endless combining marks takes quadratic time.
    expected = f"{what} of 1 to {characters_max} characters"
    if len(text) > 4 * characters_max:
        raise TextRefused(text=text, expected=expected)
    for character in text:
        if unicodedata.category(character) in _UNSEEN_CATEGORIES or character in _BLANK_LETTERS:
            unseen = "on one line" if character in "\n\r\u2028\u2029" else "without invisible characters"
            raise TextRefused(text=text, expected=f"{what} {unseen} (U+{ord(character):04X} stands in it)")
    tidy = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(tidy) <= characters_max or all(unicodedata.category(mark)[0] == "M" for mark in tidy):
        raise TextRefused(text=text, expected=expected)
    return tidy


# --- the same for Pydantic -------------------------------------------------------------------------------


def expected(what: str) -> PydanticCustomError:
    """A validator's error that says what was expected; `checking` adds what was found and where."""
    return PydanticCustomError("expected", "{expected}", {"expected": what})


def _name(given: Any) -> str:
    return _checked(given, clean_name, "a name")


def _note(given: Any) -> str:
    return _checked(given, clean_note, "a text")


def _slug(given: Any) -> str:
    if not isinstance(given, str) or not is_slug(given):
        quoted = ", in quotes" if isinstance(given, int) else ""
        raise expected(_SLUG_WORDS + quoted)
    return given


def _checked(given: Any, clean: Any, what: str) -> str:
    if not isinstance(given, str):
        quoted = "; put it in quotes" if given is not None and not isinstance(given, list | dict) else ""
        raise expected(f"{what}{quoted}")
    try:
        return str(clean(given))
    except TextRefused as refused:
        raise expected(refused.expected) from refused


Name = Annotated[
    str,
    PlainValidator(_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_CHARACTERS_MAX}),
]
Note = Annotated[
    str,
    PlainValidator(_note),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NOTE_CHARACTERS_MAX}),
]
Slug = Annotated[
    str, PlainValidator(_slug), WithJsonSchema({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"})
]

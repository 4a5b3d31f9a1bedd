"""Numbers as cards print them: 5", 4+, -1, a dash.

Knows their spelling and sane bounds. Knows no limits of a book: `decide` checks those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, PlainValidator, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

from tracker.documents.text import expected
from tracker.records import Record
from tracker.rules.dashes import NO_NUMBER


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # typing hashes what is in Annotated
class NumberNotation:
    """Tells Pydantic how a whole number may be written.

    `pattern` is how it may stand in quotes, digits in group 1; `words` are other ways, with the number
    that each means; `but` are numbers between that it may not be.
    """

    lowest: int
    highest: int
    pattern: str = ""
    example: str = ""
    words: Mapping[str, int | None] = field(default_factory=dict)
    but: tuple[int, ...] = ()

    def read(self, given: Any) -> int | None:
        """The number meant. Refuses anything else, true and false too, which Python counts as numbers."""
        if isinstance(given, str):
            if given in self.words:
                return self.words[given]
            if self.pattern and (match := re.fullmatch(self.pattern, given)):
                given = int(match[1])
        no_number = isinstance(given, bool) or not isinstance(given, int) or given in self.but
        if no_number or not self.lowest <= given <= self.highest:
            example = f", {self.example}" if self.example else ""
            but = f" but {' and '.join(map(str, self.but))}" if self.but else ""
            raise expected(f"a whole number from {self.lowest} to {self.highest}{but}{example}")
        number: int = given
        return number

    def nearest(self, number: int) -> int:
        """The number, or the nearest that may be written."""
        return min(max(number, self.lowest), self.highest)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        number: dict[str, Any] = {"type": "integer", "minimum": self.lowest, "maximum": self.highest}
        if self.but:
            number["not"] = {"enum": [*self.but]}
        patterns = [pattern for pattern in (self.pattern, *map(re.escape, self.words)) if pattern]
        if not patterns:
            return number
        return {"anyOf": [number, {"type": "string", "pattern": f"^({'|'.join(patterns)})$"}]}


NONE_WORDS = ("-", "\u2013", "\u2014", "N/A", "n/a")
"""How a card says that it has none."""

SIGNED_NUMBER = NumberNotation(lowest=-99, highest=99, pattern="([-+]?[0-9]{1,2})", example="such as 0 or -1")
DICE = NumberNotation(
    lowest=-99,
    highest=99,
    pattern="([-+]?[0-9]{1,2})(?: ?[Dd][Ii][Cc][Ee])?",
    example='such as +1 or -1, or "-" for none',
    words=dict.fromkeys(NONE_WORDS, NO_NUMBER["dice"]),
)
INCHES = NumberNotation(lowest=0, highest=99, pattern='([0-9]{1,2})["”″]?', example='such as 5 or 5"')
TARGET_NUMBER = NumberNotation(
    lowest=0,
    highest=99,
    pattern=r"([0-9]{1,2})\+?",
    example='such as 4 or 4+, or "-" for none',
    words=dict.fromkeys(NONE_WORDS, NO_NUMBER["target_number"]),
)
NUMBER = NumberNotation(lowest=0, highest=99)
CREDITS = NumberNotation(lowest=0, highest=100_000)
POINTS = NumberNotation(lowest=0, highest=9_999)

Inches = Annotated[int, INCHES]
TargetNumber = Annotated[int, TARGET_NUMBER]
Handling = Annotated[
    int, NumberNotation(lowest=0, highest=99, pattern=r"([0-9]{1,2})\+?", example="such as 7 or 7+")
]
Number = Annotated[int, NUMBER]
SaveNumber = Annotated[
    int, NumberNotation(lowest=2, highest=6, pattern=r"([2-6])\+?", example="such as 5 or 5+")
]
HitFace = Annotated[int, NumberNotation(lowest=1, highest=6)]
Credits = Annotated[int, CREDITS]
ExperiencePoints = Annotated[int, POINTS]
Reputation = Annotated[int, POINTS]
WeaponsCounted = Annotated[int, NumberNotation(lowest=1, highest=2)]
SearchTotal = Annotated[int, NumberNotation(lowest=0, highest=40)]
DiceCount = Annotated[int, NumberNotation(lowest=1, highest=20)]


class WieldersStrength(Record):
    """A weapon's Strength as its wielder has it, with so much added: 1 for S+1."""

    added: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrengthWritten(NumberNotation):
    """Also S, S+1 and user+1."""

    of_wielder: str = r"(?:[Ss]|[Uu]ser)(?: ?([-+]) ?([1-9]))?"

    def read(self, given: Any) -> Any:
        """The number meant, or what is added to the wielder's own."""
        if isinstance(given, str) and (match := re.fullmatch(self.of_wielder, given)):
            return WieldersStrength(added=int(f"{match[1]}{match[2]}") if match[1] else 0)
        return NumberNotation.read(self, given)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        patterns = NumberNotation.__get_pydantic_json_schema__(self, schema, handler)
        return {"anyOf": [*patterns["anyOf"], {"type": "string", "pattern": f"^{self.of_wielder}$"}]}


WeaponStrength = Annotated[
    int | WieldersStrength,
    StrengthWritten(
        lowest=0,
        highest=99,
        pattern="([0-9]{1,2})",
        example='S or S+1 for the wielder\'s own and what is added to it, or "-" for none',
        words=dict.fromkeys(NONE_WORDS, 0),
    ),
]
ArmourPenetration = Annotated[
    int,
    NumberNotation(
        lowest=-99,
        highest=9,
        pattern="([-+]?[0-9]{1,2})",
        example='such as -1, or "-" for none',
        words=dict.fromkeys(NONE_WORDS, 0),
    ),
]
Damage = Annotated[
    int | None,
    NumberNotation(
        lowest=0,
        highest=99,
        pattern="([0-9]{1,2})",
        example='or "-" for a weapon that removes no Wounds',
        words=dict.fromkeys(NONE_WORDS),
    ),
]


class TimesStrength(Record):
    """A range that is the wielder's Strength so many times: 3 for Sx3."""

    times: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeWritten(NumberNotation):
    """Also Sx3."""

    of_strength: str = "[Ss] ?[xX×] ?([1-9])"

    def read(self, given: Any) -> Any:
        """The inches meant, or how many times the Strength."""
        if isinstance(given, str) and (match := re.fullmatch(self.of_strength, given)):
            return TimesStrength(times=int(match[1]))
        return NumberNotation.read(self, given)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        patterns = NumberNotation.__get_pydantic_json_schema__(self, schema, handler)
        return {"anyOf": [*patterns["anyOf"], {"type": "string", "pattern": f"^{self.of_strength}$"}]}


RangeInches = Annotated[
    int | TimesStrength | None,
    RangeWritten(
        lowest=0,
        highest=999,
        pattern='([0-9]{1,3})["”″]?',
        example='such as 8, Sx3 for Strength times 3, or "-", E (Engaged) or T (Template) for none',
        words={**dict.fromkeys(NONE_WORDS), "E": None, "T": None},
    ),
]
Accuracy = Annotated[
    int,
    NumberNotation(
        lowest=-9,
        highest=9,
        pattern="([-+]?[0-9])",
        example='such as +1, or "-" for none',
        words=dict.fromkeys(NONE_WORDS, 0),
    ),
]
AmmoRoll = Annotated[
    int | None,
    NumberNotation(
        lowest=1,
        highest=9,
        pattern=r"([1-9])\+?",
        example='such as 4+, or "-" for none',
        words=dict.fromkeys(NONE_WORDS),
    ),
]


def _fall_hundredths(given: Any) -> int:
    """Hundredths of an inch, read off the text: 5.2 is 520 exactly, as no binary fraction is."""
    written = str(given) if isinstance(given, int | Decimal | str) and not isinstance(given, bool) else ""
    match = re.fullmatch(r'([0-9]{1,3})(?:\.([0-9]{1,2}))?["”″]?', written)
    if match is None:
        raise expected("a distance in inches such as 5 or 5.2, with up to two decimals")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


FallInches = Annotated[
    int,
    PlainValidator(_fall_hundredths),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 999.99},
                {"type": "string", "pattern": '^[0-9]{1,3}(\\.[0-9]{1,2})?["”″]?$'},
            ]
        }
    ),
]

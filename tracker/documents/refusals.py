"""Refusals of documents: one class per reason, each with the file, the place and advice.

Knows messages. Reads nothing itself.
"""

from __future__ import annotations

from typing import Any

from tracker.documents.nodes import Place, shown
from tracker.errors import BadInput, FilePosition, Refusal
from tracker.records import Record

PROBLEMS_SHOWN = 20
"""A page is read; in JSON stands every one of them."""


# --- the file --------------------------------------------------------------------------------------------


class FileMissing(BadInput):
    """{file}: there is no such file. Check the name, or give - to read standard input."""

    file: str


class FileIsFolder(BadInput):
    """{file} is a folder. Name one file in it."""

    file: str


class FileNotReadable(BadInput):
    """{file} cannot be read: {why}. Check who may read it and whether it is a plain file."""

    file: str
    why: str


class FileTooLarge(BadInput):
    """{file} is larger than {bytes_max:,} bytes, which no report or sheet needs. Check that it is the right
    file; a long season is one report per battle.
    """

    file: str
    bytes_max: int


class DocumentEmpty(BadInput):
    """{file} holds no document: it is empty, or all of it is comments. Check that it was saved."""

    file: str


# --- its text --------------------------------------------------------------------------------------------


class Misplaced(BadInput):
    """A refusal that points at one place in a file; a subclass's docstring says what is wrong there."""

    file: str
    place: Place

    def __init__(self, *args: Any, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.in_file = FilePosition(file=self.file, line=self.place.line, column=self.place.column)

    def message(self) -> str:
        return f"{self.file}:{self.place.line}:{self.place.column}: {self.fault()}"

    def fault(self) -> str:
        """What is wrong at that place, and what to do."""
        return super().message()


class NotUtf8(Misplaced):
    """the text from here on is not UTF-8. Save the file again with the encoding UTF-8."""


class CharacterRefused(Misplaced):
    """an invisible or control character (U+{codepoint:04X}) is here; it could make the text look different
    from what it is. Delete it and type the text again.
    """

    codepoint: int


class SyntaxWrong(Misplaced):
    """this is not YAML: {what}. Look at this line and the one above for a missing colon, quote, bracket or
    indent; a lone dash is written "-", in quotes.
    """

    what: str


class DirectiveRefused(Misplaced):
    """the file begins with a % directive. Take the line out: files are read as YAML 1.2."""


class SeveralDocuments(Misplaced):
    """a second document begins here. Write one document per file (take the --- line out)."""


class AnchorRefused(Misplaced):
    """& and * (YAML anchors and aliases) are not read. Write the value out; text that begins with one of them
    needs quotes.
    """


class TagRefused(Misplaced):
    """! (a YAML tag) is not read. Take it out; text that begins with ! needs quotes."""


class NestedTooDeep(Misplaced):
    """values are nested deeper than {levels_max} levels. No format here needs that; look for a stray
    bracket.
    """

    levels_max: int


class TooManyValues(Misplaced):
    """the document holds more than {values_max:,} values. Check that it is the right file."""

    values_max: int


class TextTooLong(Misplaced):
    """a text longer than {characters_max:,} characters begins here. Shorten it, or close its quote."""

    characters_max: int


class KeyRepeated(Misplaced):
    key: str
    first: Place

    def fault(self) -> str:
        return (
            f"the key {shown(self.key)!r} is repeated (first in line {self.first.line}). Keep one of the two."
        )


class KeyNotText(Misplaced):
    """{found} is used as a key, and keys are text. If it is meant as text, put it in quotes."""

    found: str


class NumberRefused(Misplaced):
    """{found} is no number that is used here (whole numbers of up to 15 digits, or plain decimals such as
    5.2). If it is meant as text, put it in quotes.
    """

    found: str


# --- what it says ----------------------------------------------------------------------------------------


class FormatNotExpected(Misplaced):
    """format: found {found}, expected {expected}. {instead}"""

    found: str
    expected: str
    instead: str


class Problem(Record):
    """One thing to put right: where it stands, which value it is (in words), and what is wrong with it."""

    place: Place
    path: str
    fault: str
    entry: int | None = None
    """The number of the entry it is in."""
    place_in_data: tuple[str | int, ...] = ()
    """The keys and positions that lead to it."""


class ValueRefused(Misplaced):
    """{path}: {what}"""

    path: str
    what: str


class DocumentRefused(BadInput):
    """The document can be read, but it is not what its format asks for."""

    file: str
    what: str
    problems: tuple[Problem, ...]

    def each(self) -> tuple[Refusal, ...]:
        values = [
            ValueRefused(file=self.file, place=problem.place, path=problem.path, what=problem.fault)
            for problem in self.problems
        ]
        for value, problem in zip(values, self.problems, strict=True):
            value.in_file = value.in_file._replace(entry=problem.entry)
        return tuple(values)

    def message(self) -> str:
        count = len(self.problems)
        lines = [
            f"  {self.file}:{problem.place.line}:{problem.place.column} {problem.path}: {problem.fault}"
            for problem in self.problems[:PROBLEMS_SHOWN]
        ]
        if count > PROBLEMS_SHOWN:
            lines.append(f"  ... and {count - PROBLEMS_SHOWN} more")
        mistakes = "1 mistake" if count == 1 else f"{count} mistakes"
        article = "an" if self.what[0] in "aeiou" else "a"
        return "\n".join(
            [
                (
                    f"{self.file} is not {article} {self.what} yet: {mistakes} to correct."
                    " Nothing was recorded."
                ),
                *lines,
            ]
        )

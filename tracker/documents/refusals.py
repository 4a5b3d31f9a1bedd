"""How documents are refused: one class per reason, each naming the file, the place and what to do.

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
    file: str
    bytes_max: int

    def message(self) -> str:
        return (
            f"{self.file} is larger than {self.bytes_max:,} bytes, which no report or sheet needs. Check"
            f" that it is the right file; a long season is one report per battle."
        )


class DocumentEmpty(BadInput):
    """{file} holds no document: it is empty, or all of it is comments. Check that it was saved."""

    file: str


# --- its text --------------------------------------------------------------------------------------------


class Misplaced(BadInput):
    """A refusal that points at one place in a file. Subclasses say what is wrong there and what to do."""

    file: str
    place: Place

    def __init__(self, *args: Any, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.in_file = FilePosition(file=self.file, line=self.place.line, column=self.place.column)

    def message(self) -> str:
        return f"{self.file}:{self.place.line}:{self.place.column}: {self.fault()}"

    def fault(self) -> str:
        """What is wrong at that place, and what to do."""
        raise NotImplementedError


class NotUtf8(Misplaced):
    def fault(self) -> str:
        return "the text from here on is not UTF-8. Save the file again with the encoding UTF-8."


class CharacterRefused(Misplaced):
    codepoint: int

    def fault(self) -> str:
        return (
            f"an invisible or control character (U+{self.codepoint:04X}) is here; it could make the text"
            f" look different from what it is. Delete it and type the text again."
        )


class SyntaxWrong(Misplaced):
    what: str

    def fault(self) -> str:
        return (
            f"this is not YAML: {self.what}. Look at this line and the one above for a missing colon, quote,"
            f' bracket or indent; a lone dash is written "-", in quotes.'
        )


class DirectiveRefused(Misplaced):
    def fault(self) -> str:
        return "the file begins with a % directive. Take the line out: files are read as YAML 1.2."


class SeveralDocuments(Misplaced):
    def fault(self) -> str:
        return "a second document begins here. Write one document per file (take the --- line out)."


class AnchorRefused(Misplaced):
    def fault(self) -> str:
        return (
            "& and * (YAML anchors and aliases) are not read. Write the value out; text that begins with one"
            " of them needs quotes."
        )


class TagRefused(Misplaced):
    def fault(self) -> str:
        return "! (a YAML tag) is not read. Take it out; text that begins with ! needs quotes."


class NestedTooDeep(Misplaced):
    levels_max: int

    def fault(self) -> str:
        return (
            f"values are nested deeper than {self.levels_max} levels. No format here needs that; look for a"
            f" stray bracket."
        )


class TooManyValues(Misplaced):
    values_max: int

    def fault(self) -> str:
        return f"the document holds more than {self.values_max:,} values. Check that it is the right file."


class TextTooLong(Misplaced):
    characters_max: int

    def fault(self) -> str:
        return (
            f"a text longer than {self.characters_max:,} characters begins here."
            f" Shorten it, or close its quote."
        )


class KeyRepeated(Misplaced):
    key: str
    first: Place

    def fault(self) -> str:
        return (
            f"the key {shown(self.key)!r} is repeated (first in line {self.first.line}). Keep one of the two."
        )


class KeyNotText(Misplaced):
    found: str

    def fault(self) -> str:
        return f"{self.found} is used as a key, and keys are text. If it is meant as text, put it in quotes."


class NumberRefused(Misplaced):
    found: str

    def fault(self) -> str:
        return (
            f"{self.found} is no number that is used here (whole numbers of up to 15 digits, or plain"
            f" decimals such as 5.2). If it is meant as text, put it in quotes."
        )


# --- what it says ----------------------------------------------------------------------------------------


class FormatNotExpected(Misplaced):
    """The document says that it is something else, or a version that this program does not read."""

    found: str
    expected: str
    instead: str

    def fault(self) -> str:
        return f"format: found {self.found}, expected {self.expected}. {self.instead}"


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
    """One value of a document that is not what its format asks for."""

    path: str
    what: str

    def fault(self) -> str:
        return f"{self.path}: {self.what}"


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

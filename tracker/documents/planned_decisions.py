"""Plans: the decisions that a document about play leads to, each with its dice.

Knows the spelling of dice, and the line that a message names. Knows no format and no rules.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tracker.campaign import records
from tracker.dice import Die, ImpossibleFace, read_die
from tracker.documents.nodes import Document, Path, Plain, entry_of
from tracker.documents.validation import Problems
from tracker.errors import Asks, FilePosition, nearest
from tracker.records import Record, replace
from tracker.rules.rulebook import DicePurpose


class PlannedDecision(Record):
    """One command with the dice given for it. `label` is for messages: 'entry 3 (hit), line 27'."""

    command: records.Command
    dice: tuple[Die, ...]
    label: str
    in_file: FilePosition
    note: str | None = None
    asks: Asks | None = None
    """Which choices to stop for that it leaves out, where somebody is there to be asked."""


def asking_in_last(decisions: tuple[PlannedDecision, ...], asks: Asks | None) -> tuple[PlannedDecision, ...]:
    """The decisions, the last of which stops for choices that it leaves out."""
    return (*decisions[:-1], replace(decisions[-1], asks=asks)) if decisions else ()


class DiceReader:
    """Turns written faces into dice of the book, and collects what no die shows."""

    def __init__(self, problems: Problems, purposes: Mapping[str, DicePurpose]) -> None:
        self.problems = problems
        self._purposes = purposes

    def read(self, given: Mapping[str, Sequence[Any]], path: Path) -> tuple[Die, ...]:
        """Every die under `path`: by purpose in the order of the book, then in the order rolled."""
        for purpose in given:
            if purpose not in self._purposes:
                guess = nearest(purpose, self._purposes) or _similar(purpose, self._purposes)
                self.problems.add(path, f"no die is rolled for this.{guess}", key=purpose)
        in_order = [purpose for purpose in self._purposes if purpose in given]
        return tuple(die for name in in_order for die in self.read_purpose(name, given[name], (*path, name)))

    def read_purpose(self, name: str, faces: Sequence[Any], path: Path) -> tuple[Die, ...]:
        """The dice of one purpose. A face that the die does not have becomes a problem."""
        purpose = self._purposes.get(name)
        if purpose is None:
            self.problems.add(path, f"this campaign's book rolls no {name}.")
            return ()
        die = f"the {purpose.special.name} die" if purpose.special else f"a {purpose.die}"
        dice: list[Die] = []
        for position, face in enumerate(faces):
            try:
                dice.append(_die(name, purpose, face))
            except ImpossibleFace as impossible:
                self.problems.add_expected((*path, position), impossible.expected, on=die)
        return tuple(dice)


def _similar(named: str, purposes: Iterable[str]) -> str:
    """A tail for messages: what shares a word with what was written, else all that there is."""
    words = set(named.casefold().replace("-", "_").split("_"))
    similar = [purpose for purpose in purposes if words & set(purpose.split("_"))]
    return (
        f" Did you mean {' or '.join(similar)}?"
        if 0 < len(similar) < 6
        else f" Known here: {', '.join(purposes)}."
    )


def _die(name: str, purpose: DicePurpose, face: Any) -> Die:
    """A written face as a die; under `rolled` stands one that the tool rolled when the report was written."""
    if isinstance(face, Mapping):
        die = read_die(name, purpose.die, face["rolled"], special=purpose.special)
        if "request" in face:  # the log has it that the tool was asked for it, before it fell
            return replace(die, source="generated", request=face["request"])
        return replace(die, source="reported")
    return read_die(name, purpose.die, face, special=purpose.special)


def file_position(document: Document, path: Path) -> FilePosition:
    """Where messages point for what stands at a path; an entry of a list has its number."""
    if len(path) == 1 and isinstance(path[0], str):
        place = document.place_of_key((), path[0])
    else:
        place = document.place_of(path)
    return FilePosition(file=document.file, line=place.line, column=place.column, entry=entry_of(path))


def digest_of_document(document: Document) -> str:
    """SHA-256 of what a document says, whatever its layout."""
    import msgspec  # not above: an exchange is judged without it

    meaning = msgspec.json.encode(_normalized(document.root.plain()), order="sorted")
    return hashlib.sha256(meaning).hexdigest()


def _normalized(plain: Plain) -> Plain:
    """The same with every text in NFC: an é typed on another keyboard is no other report."""
    if isinstance(plain, dict):
        return {unicodedata.normalize("NFC", key): _normalized(member) for key, member in plain.items()}
    if isinstance(plain, list):
        return [_normalized(member) for member in plain]
    return unicodedata.normalize("NFC", plain) if isinstance(plain, str) else plain

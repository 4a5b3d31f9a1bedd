"""What becomes of each fact of a source: taken, guessed, asked, lost, left out, unknown. Nothing goes unsaid.

A reader takes facts through `Fact`, which notes what it says of each. What no reader spoke of is unknown,
and is found by walking the source again: a key that the tool has only since today is not lost in silence.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import Any, Literal, TypeAlias

from tracker.documents.nodes import Path, path_in_words, shown
from tracker.records import Record, replace

Fate: TypeAlias = Literal["taken", "guessed", "asked", "lost", "left_out", "unknown"]
FATES: dict[Fate, str] = {
    "taken": "Taken",
    "guessed": "Guessed",
    "asked": "To be answered",
    "lost": "Lost",
    "left_out": "Left out",
    "unknown": "Unknown",
}
TEXT_MAX = 120


class Finding(Record):
    """What became of one fact, or of `times` alike. `path` is its place in the source, `into` the sheet's."""

    fate: Fate
    path: str
    fact: str
    into: str = ""
    why: str = ""
    times: int = 1


class Findings:
    """The fates of a source's facts, in the order in which they were noted."""

    def __init__(self) -> None:
        self._noted: list[Finding] = []
        self._spoken_of: set[Path] = set()

    def note(self, fate: Fate, path: Path, fact: object, *, into: str = "", why: str = "") -> None:
        """What became of the fact at a path, and of everything under it."""
        self._spoken_of.add(path)
        self._noted.append(
            Finding(fate=fate, path=path_in_words(path), fact=_words(fact), into=into, why=why)
        )

    def say(self, fate: Fate, fact: str, *, into: str = "", why: str = "") -> None:
        """Something about the file as a whole."""
        self._noted.append(Finding(fate=fate, path="the file", fact=fact, into=into, why=why))

    def close(self, root: Any) -> tuple[Finding, ...]:
        """All findings: what nobody spoke of is unknown, and of what is left out alike facts are counted."""
        unknown = [
            Finding(fate="unknown", path=path_in_words(path), fact=_words(leaf))
            for path, leaf in _leaves(root, ())
            if not self._is_spoken_of(path)
        ]
        return (*_counted(self._noted), *unknown)

    def _is_spoken_of(self, path: Path) -> bool:
        return any(path[:length] in self._spoken_of for length in range(len(path) + 1))


class Fact:
    """One value of a source, its place, and a way to say what becomes of it."""

    def __init__(self, value: Any, path: Path, findings: Findings) -> None:
        self.value = value
        self.path = path
        self._findings = findings

    @property
    def is_there(self) -> bool:
        """Whether it says anything: not null, not empty."""
        return self.value not in (None, "", [], {})

    def child(self, key: str | int) -> Fact:
        """What stands under a key; of what is no map and has no such key, nothing."""
        value = None
        if isinstance(self.value, dict):
            value = self.value.get(key)
        elif isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            value = self.value[key]
        return Fact(value, (*self.path, key), self._findings)

    def first(self, *keys: str) -> Fact:
        """What stands under the first of these keys that says anything."""
        children = [self.child(key) for key in keys]
        return next((child for child in children if child.is_there), children[0])

    def children(self) -> list[Fact]:
        """The members of a list; of anything else none."""
        members = self.value if isinstance(self.value, list) else []
        return [self.child(at) for at in range(len(members))]

    @property
    def text(self) -> str:
        """As text: entities resolved, on one line. Empty of what is no text and no number."""
        return text_of(self.value) if isinstance(self.value, str | int | float) else ""

    @property
    def number(self) -> int | None:
        """As a whole number, where it is one: 4, "4", "4.0", "+2 Dice" as 2."""
        if isinstance(self.value, bool):
            return None
        if isinstance(self.value, int | float):
            return int(self.value) if isfinite(self.value) and self.value == int(self.value) else None
        words = self.text.casefold().replace("dice", "").replace('"', "").strip()
        try:
            number = float(words)
        except ValueError:
            return None
        return int(number) if abs(number) < 10**6 and number == int(number) else None

    def taken(self, into: str, why: str = "") -> Fact:
        """It stands in the sheet as it stands here."""
        if self.is_there:
            self._findings.note("taken", self.path, self.value, into=into, why=why)
        return self

    def guessed(self, into: str, why: str) -> Fact:
        """It stands in the sheet as somebody should look at it."""
        if self.is_there:
            self._findings.note("guessed", self.path, self.value, into=into, why=why)
        return self

    def asked(self, into: str, why: str) -> Fact:
        """It cannot be known from the file: a person says it."""
        if self.is_there:
            self._findings.note("asked", self.path, self.value, into=into, why=why)
        return self

    def lost(self, why: str) -> Fact:
        """The sheet has no place for it. A 0 was nothing."""
        if self.is_there and self.value not in (0, "0", False):
            self._findings.note("lost", self.path, self.value, why=why)
        return self

    def left_out(self, why: str) -> Fact:
        """It says nothing of the gang: ids, pictures, times of the other tool."""
        if self.is_there:
            self._findings.note("left_out", self.path, self.value, why=why)
        return self


def text_of(value: object) -> str:
    """A value as one line of text; rules' prose and the like is cut when it is shown, never kept."""
    if isinstance(value, dict | list):
        return shown(value)
    return " ".join(html.unescape(str(value)).split())


def _words(fact: object) -> str:
    return shown(text_of(fact), characters_max=TEXT_MAX)


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Every value that says something. Walked without recursion: a hostile file may be nested deep."""
    waiting: list[tuple[Path, Any]] = [(path, value)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, dict):
            waiting.extend(((*place, str(key)), member) for key, member in reversed(here.items()))
        elif isinstance(here, list):
            waiting.extend(((*place, at), member) for at, member in reversed([*enumerate(here)]))
        elif here not in (None, "", 0, "0", False):
            yield place, here


def _counted(noted: list[Finding]) -> Iterator[Finding]:
    """Alike guesses, and all that is left out for one reason, are said once, with how often."""
    alike = Counter(map(_kind, noted))
    said: set[tuple[str, ...]] = set()
    for finding in noted:
        kind = _kind(finding)
        if kind not in said:
            said.add(kind)
            yield replace(finding, times=alike[kind])


def _kind(finding: Finding) -> tuple[str, ...]:
    match finding.fate:
        case "left_out":
            return finding.fate, finding.why
        case "guessed" | "lost":
            return finding.fate, finding.fact, finding.why
        case _:
            return finding.fate, finding.path, finding.into

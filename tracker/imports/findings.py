"""What becomes of each fact of a source: taken, guessed, asked, lost, left out, unknown. Nothing goes unsaid.

A reader takes facts through `Fact`, which notes what it says of each. What no reader spoke of is unknown,
and is found by walking the source again: a key that the tool has only since today is not lost in silence.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
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
TEXT_MAX = 300
LEFT_OUT_MAX = 40
"""Of what is left out less is shown: rules' text is among it."""


class Finding(Record):
    """What became of one fact. `path` is its place in the source, `into` the sheet's."""

    fate: Fate
    path: str
    fact: str
    into: str = ""
    why: str = ""


class Findings:
    """The fates of a source's facts, in the order in which they were noted."""

    def __init__(self) -> None:
        self._noted: list[tuple[Path | None, Finding]] = []
        self._at: dict[Path, int] = {}

    def note(self, fate: Fate, path: Path, fact: object, *, into: str = "", why: str = "") -> None:
        """What became of the fact at a path. What is lost or left out is so with everything under it; what is
        taken speaks for itself only. Nothing is lost or left out that was
        spoken of before.
        """
        if fate in ("lost", "left_out") and path in self._at:
            return
        self._at[path] = len(self._noted)
        self._noted.append(
            (
                path,
                Finding(fate=fate, path=path_in_words(path), fact=_shortened(fact, fate), into=into, why=why),
            )
        )

    def say(self, fate: Fate, fact: str, *, into: str = "", why: str = "") -> None:
        """Something about the file as a whole."""
        self._noted.append((None, Finding(fate=fate, path="the file", fact=fact, into=into, why=why)))

    def close(self, root: Any) -> tuple[Finding, ...]:
        """A finding for every value of the source that says something: what nobody spoke of is unknown."""
        under: dict[int, list[Finding]] = {}
        unknown: list[Finding] = []
        for path, leaf, covered in _leaves(root, self._at, self._covers):
            if covered is not None:
                under.setdefault(covered, []).append(_for_leaf(self._noted[covered][1], path, leaf))
            elif leaf in (0, "0"):
                why = "0 or no, under a key that no sheet has"
                unknown.append(
                    Finding(
                        fate="left_out", path=path_in_words(path), fact=_shortened(leaf, "left_out"), why=why
                    )
                )
            else:
                unknown.append(
                    Finding(fate="unknown", path=path_in_words(path), fact=_shortened(leaf, "unknown"))
                )
        noted = [
            finding for number, (_, whole) in enumerate(self._noted) for finding in under.get(number, [whole])
        ]
        return (*dict.fromkeys(noted), *unknown)

    def _covers(self, number: int) -> bool:
        return self._noted[number][1].fate in ("lost", "left_out")


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
        """As a whole number, where it is one: 4, "4", "4.0", "4+", "+2 Dice" as 2."""
        if isinstance(self.value, bool):
            return None
        if isinstance(self.value, int | float):
            return int(self.value) if isfinite(self.value) and self.value == int(self.value) else None
        words = self.text.casefold().replace("dice", "").replace('"', "").strip().rstrip("+")
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
        if self.is_there:
            zero = self.value in (0, "0")
            self._findings.note("left_out" if zero else "lost", self.path, self.value, why=why)
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


def _shortened(fact: object, fate: Fate) -> str:
    return shown(text_of(fact), characters_max=LEFT_OUT_MAX if fate == "left_out" else TEXT_MAX)


def _for_leaf(whole: Finding, path: Path, leaf: object) -> Finding:
    """What a finding about a map or a list says of one value in it."""
    return replace(whole, path=path_in_words(path), fact=_shortened(leaf, whole.fate))


def _leaves(
    root: Any, noted: Mapping[Path, int], covers: Callable[[int], bool]
) -> Iterator[tuple[Path, Any, int | None]]:
    """Every value that says something and has no note of its own, with the note that covers it, if any does.

    Walked without recursion: a hostile file may be nested deep.
    """
    waiting: list[tuple[Path, Any, int | None]] = [((), root, None)]
    while waiting:
        place, here, covered = waiting.pop()
        own = noted.get(place)
        if isinstance(here, dict | list):
            if own is not None:
                covered = own if covers(own) else None
            members = here.items() if isinstance(here, dict) else enumerate(here)
            waiting.extend(((*place, key), member, covered) for key, member in reversed([*members]))
        elif own is None and here is not None and text_of(here):
            yield place, here, covered

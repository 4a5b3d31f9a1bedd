"""The fate of each fact of a source: taken, guessed, asked, lost, left out, unknown.

A reader takes facts through `Fact`, which notes their fates. Afterwards the source is walked again: facts
without a note are unknown, so that a new key of the tool is not lost silently.
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
"""The most characters of a left-out fact that are shown; fewer than of others, because it may be a rule's
text.
"""


class Finding(Record):
    """The fate of one fact. `path` is its place in the source, `into` its place in the sheet."""

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
        """Note the fate of the fact at a path.

        A lost or left-out fact covers everything under it, a taken fact only itself. Nothing is lost or left
        out that has a note already.
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
        """Note something about the file as a whole."""
        self._noted.append((None, Finding(fate=fate, path="the file", fact=fact, into=into, why=why)))

    def close(self, root: Any) -> tuple[Finding, ...]:
        """A finding for every non-empty value of the source; values without a note are unknown."""
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
    """One value of a source with its place; notes its fate."""

    def __init__(self, value: Any, path: Path, findings: Findings) -> None:
        self.value = value
        self.path = path
        self._findings = findings

    @property
    def is_there(self) -> bool:
        """Whether it has content: neither null nor empty."""
        return self.value not in (None, "", [], {})

    def child(self, key: str | int) -> Fact:
        """The value under a key; an empty fact if there is none."""
        value = None
        if isinstance(self.value, dict):
            value = self.value.get(key)
        elif isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            value = self.value[key]
        return Fact(value, (*self.path, key), self._findings)

    def first(self, *keys: str) -> Fact:
        """The first non-empty value of these keys."""
        children = [self.child(key) for key in keys]
        return next((child for child in children if child.is_there), children[0])

    def children(self) -> list[Fact]:
        """The members of a list; none of any other value."""
        members = self.value if isinstance(self.value, list) else []
        return [self.child(at) for at in range(len(members))]

    @property
    def text(self) -> str:
        """The value as text, with entities resolved, on one line. Empty if it is neither text nor number."""
        return text_of(self.value) if isinstance(self.value, str | int | float) else ""

    @property
    def number(self) -> int | None:
        """The value as a whole number, or None: 4, "4", "4.0", "4+", "+2 Dice" as 2."""
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
        """Note that the sheet has the value as it is."""
        if self.is_there:
            self._findings.note("taken", self.path, self.value, into=into, why=why)
        return self

    def guessed(self, into: str, why: str) -> Fact:
        """Note that the sheet has a value that somebody should check."""
        if self.is_there:
            self._findings.note("guessed", self.path, self.value, into=into, why=why)
        return self

    def asked(self, into: str, why: str) -> Fact:
        """Note that the file lacks it: a person has to answer."""
        if self.is_there:
            self._findings.note("asked", self.path, self.value, into=into, why=why)
        return self

    def lost(self, why: str) -> Fact:
        """Note that the sheet has no place for it. A 0 is left out instead."""
        if self.is_there:
            zero = self.value in (0, "0")
            self._findings.note("left_out" if zero else "lost", self.path, self.value, why=why)
        return self

    def left_out(self, why: str) -> Fact:
        """Note that it says nothing about the gang: ids, pictures, times of the other tool."""
        if self.is_there:
            self._findings.note("left_out", self.path, self.value, why=why)
        return self


def text_of(value: object) -> str:
    """A value as one line of text; long text such as rules is cut when shown."""
    if isinstance(value, dict | list):
        return shown(value)
    return " ".join(html.unescape(str(value)).split())


def _shortened(fact: object, fate: Fate) -> str:
    return shown(text_of(fact), characters_max=LEFT_OUT_MAX if fate == "left_out" else TEXT_MAX)


def _for_leaf(whole: Finding, path: Path, leaf: object) -> Finding:
    """The fate of one value within a map or a list that has a finding."""
    return replace(whole, path=path_in_words(path), fact=_shortened(leaf, whole.fate))


def _leaves(
    root: Any, noted: Mapping[Path, int], covers: Callable[[int], bool]
) -> Iterator[tuple[Path, Any, int | None]]:
    """Every non-empty value without a note of its own, with the note that covers it, if any.

    Not recursive, because a hostile file may be nested deep.
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

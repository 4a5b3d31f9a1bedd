"""A document as read: plain values, each with the line and column where it stands.

Knows positions. Knows no format, and not whether the text was YAML or JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

Scalar: TypeAlias = bool | int | Decimal | str | None
Plain: TypeAlias = "Scalar | list[Plain] | dict[str, Plain]"
Path: TypeAlias = tuple[str | int, ...]
"""Keys and list positions (from 0) from the root of a document down to a value."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands, both counted from 1, as editors count."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One value. A list holds nodes, a map holds nodes by key; `keys` says where each key stands."""

    content: Scalar | tuple[Node, ...] | dict[str, Node]
    place: Place
    keys: dict[str, Place] = field(default_factory=dict)

    def plain(self) -> Plain:
        """The value without positions."""
        if isinstance(self.content, tuple):
            return [node.plain() for node in self.content]
        if isinstance(self.content, dict):
            return {key: node.plain() for key, node in self.content.items()}
        return self.content

    def child(self, step: str | int) -> Node | None:
        """The value under a key or at a list position, or None."""
        if isinstance(self.content, dict) and isinstance(step, str):
            return self.content.get(step)
        if isinstance(self.content, tuple) and isinstance(step, int) and 0 <= step < len(self.content):
            return self.content[step]
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole document and the name of the file that it came from, as the user gave it."""

    file: str
    root: Node

    def resolve(self, path: Path) -> tuple[Path, Node]:
        """The steps of `path` that the document really has, and the value they lead to.

        A step that does not exist is passed over: a reader's path may name alternatives that nobody wrote.
        """
        taken: list[str | int] = []
        node = self.root
        for step in path:
            child = node.child(step)
            if child is not None:
                taken.append(step)
                node = child
        return tuple(taken), node

    def place_of(self, path: Path) -> Place:
        """Where the value at `path` stands, or the nearest value around it."""
        return self.resolve(path)[1].place

    def place_of_key(self, path: Path, key: str) -> Place:
        """Where a key of the map at `path` stands."""
        node = self.resolve(path)[1]
        return node.keys.get(key, node.place)


def entry_of(path: Path) -> int | None:
    """The number of the entry that a path leads into, of a report or any file that lists entries."""
    listed = path[1] if len(path) > 1 and path[0] in ("entries", "exchange") else None
    return listed + 1 if isinstance(listed, int) else None


def path_in_words(path: Path) -> str:
    """A path as people point: `entries[3].hit.target`. List positions count from 1: the third entry."""
    return "".join(map(_step_in_words, path)).removeprefix(".") or "the document"


@lru_cache(maxsize=4096)
def _step_in_words(step: str | int) -> str:
    return f"[{step + 1}]" if isinstance(step, int) else f".{shown(step)}"


def shown(given: object, *, characters_max: int = 40) -> str:
    """Anything a user wrote, safe and short enough to print: nothing in it moves a cursor or hides."""
    if isinstance(given, dict):
        return "a map" if given else "an empty map"
    if isinstance(given, list | tuple):
        return f"a list of {len(given)}" if given else "an empty list"
    if given is None:
        return "nothing"
    if isinstance(given, bool):
        return "true" if given else "false"
    text = str(given)
    cut = text if len(text) <= characters_max else text[: characters_max - 3] + "..."
    if cut.isprintable():
        return cut
    return "".join(character if character.isprintable() else _escaped(character) for character in cut)


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) <= 0xFFFF else f"\\U{ord(character):08x}"

"""Faces: the faces that a die can show, and those that it showed. Knows the books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tracker.dice import sides_of
from tracker.rules import loader

Faces: TypeAlias = tuple[str, ...]


def faces_shown(
    book: str, purpose: str, die: str, symbol: str | None, faces: Sequence[int] | None
) -> tuple[Faces, Faces]:
    """The name of each face of the die, and the names that it showed; none if only a table row was
    recorded.
    """
    known_purpose = loader.book(book).purposes.get(purpose)
    if known_purpose is not None and known_purpose.special is not None:
        symbols = known_purpose.special.symbols
        face = symbol or (symbols[faces[0] - 1] if faces else None)
        return symbols, ((face,) if face in symbols else ())
    names = tuple(str(face) for face in range(1, sides_of(die)[0] + 1))
    return names, tuple(map(str, faces or ()))

"""Faces: what a die that fell showed, and what it could have shown. Knows the books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tracker.dice import sides_of
from tracker.rules import loader

Faces: TypeAlias = tuple[str, ...]


def faces_shown(
    book: str, purpose: str, die: str, symbol: str | None, faces: Sequence[int] | None
) -> tuple[Faces, Faces]:
    """What each face of the die shows, and what these dice showed; nothing where only a row was named."""
    asked = loader.book(book).purposes.get(purpose)
    if asked is not None and asked.special is not None:
        symbols = asked.special.symbols
        shown = symbol or (symbols[faces[0] - 1] if faces else None)
        return symbols, ((shown,) if shown in symbols else ())
    names = tuple(str(face) for face in range(1, sides_of(die)[0] + 1))
    return names, tuple(map(str, faces or ()))

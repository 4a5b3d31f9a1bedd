"""Modifiers: numbers added to a roll, each with its reason in a few words."""

from __future__ import annotations

from typing import TypeAlias

Modifiers: TypeAlias = tuple[tuple[str, int], ...]


def nonzero(*modifiers: tuple[str, int]) -> Modifiers:
    """The modifiers other than 0."""
    return tuple([modifier for modifier in modifiers if modifier[1]])

"""Modifiers: what is added to a roll or taken off it, each with its reason in a few words."""

from __future__ import annotations

from typing import TypeAlias

Modifiers: TypeAlias = tuple[tuple[str, int], ...]


def nonzero(*modifiers: tuple[str, int]) -> Modifiers:
    """Those of them that change anything."""
    return tuple([modifier for modifier in modifiers if modifier[1]])

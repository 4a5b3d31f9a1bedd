"""Containers of a state: copied for a new state, or written in place where one fold alone sees them.

Records are replaced either way. Only `evolve.fold_in_place` makes a container that is written in place, and
it lets none out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class OwnedDict(dict[Key, Value]):
    """A container that one fold owns: `put` writes into it, and copies any other."""


def put(held: Mapping[Key, Value], key: Key, value: Value) -> dict[Key, Value]:
    """The container with one value put in; itself where a fold owns it."""
    if type(held) is OwnedDict:
        held[key] = value
        return held
    return {**held, key: value}

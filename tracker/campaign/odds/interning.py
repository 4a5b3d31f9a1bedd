"""Interning: one small token for all equal values, so that whole states are compared at once.

Knows records, dictionaries and tuples, and containers with a `compared_by`: a part that states share is
inspected once. Through `compared_by` equal values may get two tokens, but unequal ones never share one. Knows
no state and no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from tracker.campaign.odds.symbolic import SymbolicFace
from tracker.records import Record, names_of_fields


class Interner:
    """Gives equal values the same token. A part that states share is inspected once; `inspected` counts them.

    Only the first of several equal values is remembered by identity. With `keeps` so many others are too,
    which is worth its memory if states share them (100,000 take some 35 MB).
    """

    def __init__(self, *, keeps: int = 0) -> None:
        self.inspected = 0
        self._keeps = keeps
        self._tokens: dict[object, object] = {}
        self._seen: dict[int, tuple[object, object]] = {}
        self._kept: set[int] = set()

    def token(self, value: Any) -> object:
        """A token for a value with parts; a plain value is its own token."""
        if type(value) in _PLAIN:
            return value
        seen = self._seen.get(id(value))
        return seen[1] if seen is not None else self._inspect(value)

    def keep(self, value: Any) -> None:
        """Remember every part of a long-lived value by identity: most other values consist of these parts."""
        if id(value) not in self._kept:
            self._kept.add(id(value))
            parts_of = _splitter(value.__class__)
            for member in parts_of(value) if parts_of is not None else ():
                self.keep(member)
            self._seen[id(value)] = (value, self.token(value))

    def take_as_it_is(self, value: object) -> None:
        """Make a value its own token, without looking at it."""
        self._seen[id(value)] = (value, value)

    def _inspect(self, value: Any) -> object:
        self.inspected += 1
        kind = value.__class__
        if kind is SymbolicFace:
            return value.concretize()
        parts_of = _splitter(kind)
        if parts_of is None:
            return value
        # Hot path, `token` inlined: called for every leaf, about 100 parts each.
        plain, seen, inspect = _PLAIN, self._seen, self._inspect
        known = [
            part
            if type(part) in plain
            else (met[1] if (met := seen.get(id(part))) is not None else inspect(part))
            for part in parts_of(value)
        ]
        key = (kind, *known)
        token = self._tokens.get(key)
        if token is None:
            token = self._tokens[key] = object()
            # What is seen is kept alive, so that no other object takes its id.
            seen[id(value)] = (value, token)
        elif len(seen) < self._keeps:
            seen[id(value)] = (value, token)
        return token


_PLAIN = frozenset({str, int, bool, type(None)})


@cache
def _splitter(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """The function that gives the parts of such a value; None for a kind without parts."""
    if hasattr(kind, "compared_by"):
        return attrgetter("compared_by")
    if issubclass(kind, Mapping):
        return lambda mapping: (*mapping, *mapping.values())
    if kind is tuple or kind is list:
        return tuple
    if kind is frozenset or kind is set:
        return lambda members: tuple(sorted(members, key=repr))
    if not issubclass(kind, Record):
        return None
    names = names_of_fields(kind)
    # With one name or none an attrgetter gives no tuple.
    return (
        attrgetter(*names)
        if len(names) > 1
        else lambda record: tuple(getattr(record, name) for name in names)
    )

"""Pieces of rows as JSON, kept while what they say stays as it is: most of a card is the same from one
decision to the next.

Knows objects and their bytes. Knows no board: what is kept is thrown away at will.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter, is_
from typing import Any, Final

import msgspec

from tracker.projections.row_json import to_json

KEPT_MAX: Final = 512


class Pieces:
    """Some fields of records, two at least, as JSON, by the name that a record is known by.

    A piece is written anew where its field holds another object. `rows` are the fields whose items a row
    shows in words of its own.
    """

    def __init__(self, *fields: str, rows: Mapping[str, Callable[[Any], Any]]) -> None:
        self._fields = fields
        self._facts = attrgetter(*fields)
        self._rows = rows
        self._kept: dict[str, tuple[tuple[Any, ...], dict[str, msgspec.Raw]]] = {}

    def of(self, known_as: str, record: Any) -> Mapping[str, msgspec.Raw]:
        """The pieces of a record, by field."""
        facts = self._facts(record)
        kept = self._kept.get(known_as)
        if kept is None:
            pieces = {name: self._written(name, fact) for name, fact in zip(self._fields, facts, strict=True)}
        elif all(map(is_, kept[0], facts)):
            return kept[1]
        else:
            pieces = {
                name: kept[1][name] if was is fact else self._written_after(was, kept[1][name], name, fact)
                for name, was, fact in zip(self._fields, kept[0], facts, strict=True)
            }
        if len(self._kept) >= KEPT_MAX:
            self._kept.clear()
        self._kept[known_as] = facts, pieces
        return pieces

    def _written_after(self, was: Any, before: msgspec.Raw, name: str, fact: Any) -> msgspec.Raw:
        """A list that grew at its end is written on: a card may name dozens of injuries."""
        if was and type(was) is tuple is type(fact) and len(was) < len(fact) and fact[: len(was)] == was:
            more = self._written(name, fact[len(was) :])
            return msgspec.Raw(b"%b,%b" % (bytes(before)[:-1], bytes(more)[1:]))
        return self._written(name, fact)

    def _written(self, name: str, fact: Any) -> msgspec.Raw:
        row = self._rows.get(name)
        return msgspec.Raw(to_json(fact if row is None else row(fact)))

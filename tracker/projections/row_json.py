"""The rows of the boards as JSON: encoded, with fields cached, and decoded or refused as damage.

Knows the shape of each board's rows. Knows no query and no log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from operator import attrgetter, is_
from typing import Any, Final, TypeAlias

import msgspec

from tracker.campaign.profiles import Item, Weapon
from tracker.errors import LogDamaged
from tracker.records import decoder_of, replace

to_json = msgspec.json.Encoder(order="sorted").encode
from_json = msgspec.json.Decoder().decode


def as_json(row: Any) -> str:
    """A row as the JSON that the boards store."""
    return to_json(row).decode()


Row: TypeAlias = dict[str, Any]


class BoardDamaged(LogDamaged):
    """A row of the board of {board} is damaged ({reason}). The log is stored apart: 'arbitrator boards
    rebuild' makes the boards again from it; then 'arbitrator audit verify' checks everything.
    """

    board: str
    reason: str


# By name, so that reading one board does not import what the others are made from.
_ROW_OF = {
    "board_gangs": "standings.GangRow",
    "board_fighters": "roster.FighterRow",
    "board_battles": "battles.BattleRow",
    "board_disputes": "dispute_rows.DisputeRow",
}


def read_row(board: str, text: str) -> Row:
    """The row in a board's JSON. Raises BoardDamaged if it has another shape."""
    try:
        row: Row = decoder_of(_row_of(board)).decode(text)
    except (msgspec.MsgspecError, RecursionError, TypeError) as wrong:
        raise BoardDamaged(board=board.removeprefix("board_"), reason=str(wrong)) from wrong
    return row


@cache
def _row_of(board: str) -> type:
    module, name = _ROW_OF[board].split(".")
    kind: type = getattr(import_module(f"tracker.projections.{module}"), name)
    return kind


def plain_weapons(weapons: Iterable[Weapon]) -> list[dict[str, Any]]:
    """Weapons as plain data. The unit of a range is left out for inches, so that rows of earlier releases
    stay equal.
    """
    rows: list[dict[str, Any]] = [msgspec.json.decode(msgspec.json.encode(weapon)) for weapon in weapons]
    for profile in (profile for row in rows for profile in row["profiles"]):
        if not profile["range_of_strength"]:
            del profile["range_of_strength"]
    return rows


def plain_items(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Things as plain data, with weapons as `plain_weapons` writes them."""
    return [
        msgspec.json.decode(msgspec.json.encode(replace(item, weapon=None)))
        | {"weapon": plain_weapons([item.weapon])[0] if item.weapon is not None else None}
        for item in items
    ]


RECORDS_MAX: Final = 512


class FieldCache:
    """Caches some fields of records (two or more) as JSON, by the id of the record.

    A field is encoded again only when it holds another object: most of a card stays the same from one
    decision to the next. `rows` maps a field to a function that makes its items plain data.
    """

    def __init__(self, *fields: str, rows: Mapping[str, Callable[[Any], Any]]) -> None:
        self._fields = fields
        self._facts = attrgetter(*fields)
        self._rows = rows
        self._cached: dict[str, tuple[tuple[Any, ...], dict[str, msgspec.Raw]]] = {}

    def fields_of(self, known_as: str, record: Any) -> Mapping[str, msgspec.Raw]:
        """The fields of a record as JSON."""
        facts = self._facts(record)
        cached = self._cached.get(known_as)
        if cached is None:
            fields = {name: self._encoded(name, fact) for name, fact in zip(self._fields, facts, strict=True)}
        elif all(map(is_, cached[0], facts)):
            return cached[1]
        else:
            fields = {
                name: cached[1][name] if was is fact else self._extended(was, cached[1][name], name, fact)
                for name, was, fact in zip(self._fields, cached[0], facts, strict=True)
            }
        if len(self._cached) >= RECORDS_MAX:
            self._cached.clear()
        self._cached[known_as] = facts, fields
        return fields

    def _extended(self, was: Any, before: msgspec.Raw, name: str, fact: Any) -> msgspec.Raw:
        """Append to the JSON of a list that grew at its end: a card may name dozens of injuries."""
        if was and type(was) is tuple is type(fact) and len(was) < len(fact) and fact[: len(was)] == was:
            more = self._encoded(name, fact[len(was) :])
            return msgspec.Raw(b"%b,%b" % (bytes(before)[:-1], bytes(more)[1:]))
        return self._encoded(name, fact)

    def _encoded(self, name: str, fact: Any) -> msgspec.Raw:
        row = self._rows.get(name)
        return msgspec.Raw(to_json(fact if row is None else row(fact)))

"""Records: frozen, keyword-only, cheap to make and to compare. The core keeps everything in these."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, dataclass_transform

import msgspec
from msgspec import field
from msgspec.structs import force_setattr

__all__ = ["Record", "field", "force_setattr", "names_of_fields", "remembered", "replace"]

REMEMBERED_MAX = 256

Facts = ParamSpec("Facts")
Kind = TypeVar("Kind")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class _Frozen(msgspec.StructMeta):
    """Makes each record frozen and keyword-only, so that no class has to say so."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        return super().__new__(cls, name, bases, namespace, **{"frozen": True, "kw_only": True, **options})


class Record(msgspec.Struct, frozen=True, kw_only=True, metaclass=_Frozen):
    """A frozen record: its fields are given by name, and it equals what has the same type and fields."""


def replace(record: Kind, /, **changes: Any) -> Kind:
    """The record with some fields replaced; the others are the same objects as before."""
    # Asked of the record itself, so that what stands in for one hears of it.
    replaced: Kind = record.__replace__(**changes)  # type: ignore[attr-defined]  # every Struct has it
    return replaced


def names_of_fields(record: Any) -> tuple[str, ...]:
    """The names of a record's fields, in order; of what is no record, none."""
    return getattr(record, "__struct_fields__", ())


def remembered(work: Callable[Facts, Kind]) -> Callable[Facts, Kind]:
    """A function that keeps what it gave for the very same objects: what every decision asks of records that
    stay as they are. Of objects that are merely equal it is worked out anew.
    """
    known: dict[tuple[int, ...], tuple[tuple[Any, ...], Kind]] = {}

    @wraps(work)
    def asked(*facts: Facts.args, **named: Facts.kwargs) -> Kind:
        assert not named, "known by place"
        key = tuple(map(id, facts))
        found = known.get(key)
        if found is None:
            if len(known) >= REMEMBERED_MAX:
                known.clear()
            # The facts are kept beside it, so that no other object takes the id of one.
            found = known[key] = (facts, work(*facts, **named))
        return found[1]

    return asked

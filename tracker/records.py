"""Records: frozen, keyword-only, cheap to make and to compare. The core stores everything in these."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar, dataclass_transform

import msgspec
from msgspec import field

CACHED_MAX = 256

Facts = ParamSpec("Facts")
Kind = TypeVar("Kind")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class _Frozen(msgspec.StructMeta):
    """Makes each record class frozen and keyword-only, so that no class has to say so."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        return super().__new__(cls, name, bases, namespace, **{"frozen": True, "kw_only": True, **options})


class Record(msgspec.Struct, frozen=True, kw_only=True, metaclass=_Frozen):
    """A frozen record. Fields are given by name; records are equal if type and fields are."""


def replace(record: Kind, /, **changes: Any) -> Kind:
    """The record with some fields replaced; all other fields are the same objects."""
    # Calls the record's own method, so that a proxy can override it.
    replaced: Kind = record.__replace__(**changes)  # type: ignore[attr-defined]  # every Struct has it
    return replaced


def names_of_fields(record: Any) -> tuple[str, ...]:
    """The names of a record's fields, in order; none for anything else."""
    return getattr(record, "__struct_fields__", ())


def cached_by_identity(work: Callable[Facts, Kind]) -> Callable[Facts, Kind]:
    """Caches a function by the identity of its arguments, for queries about records that rarely change. Equal
    but different objects are computed anew.
    """
    cache: dict[tuple[int, ...], tuple[tuple[Any, ...], Kind]] = {}

    @wraps(work)
    def cached(*facts: Facts.args, **named: Facts.kwargs) -> Kind:
        assert not named, "known by place"
        key = tuple(map(id, facts))
        entry = cache.get(key)
        if entry is None:
            if len(cache) >= CACHED_MAX:
                cache.clear()
            # The arguments are kept alive, so that no other object takes the id of one.
            entry = cache[key] = (facts, work(*facts, **named))
        return entry[1]

    cached.cache_clear = cache.clear  # type: ignore[attr-defined]  # by the name that functools gives it
    return cached


@contextmanager
def collector_held() -> Iterator[None]:
    """Pauses the garbage collector while thousands of records are made: none is garbage, and searching them
    takes longer than making them.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# --- decoders: msgspec stores what it learns about a class on the class itself, while it is still learning.
# A second thread that meets the class then reads half-written data, and the process crashes. So each decoder
# is built once, by one thread at a time, and nothing else in the program converts to a class.

_building = RLock()
_built: dict[Any, msgspec.json.Decoder[Any]] = {}


def decoder_of(kind: Any) -> msgspec.json.Decoder[Any]:
    """The JSON decoder of a type, thread-safe: the first caller builds it."""
    decoder = _built.get(kind)
    if decoder is None:
        with _building:
            decoder = _built.get(kind)
            if decoder is None:
                decoder = _built[kind] = msgspec.json.Decoder(kind)
    return decoder


_built_packed: dict[Any, msgspec.msgpack.Decoder[Any]] = {}


def packed_decoder_of(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """The MessagePack decoder of a type, thread-safe as `decoder_of`."""
    with _building:
        if kind not in _built_packed:
            _built_packed[kind] = msgspec.msgpack.Decoder(kind)
        return _built_packed[kind]


def converted(
    value: Any, kind: Any, *, str_keys: bool = True, dec_hook: Callable[[type, Any], Any] | None = None
) -> Any:
    """Plain data converted to a type, thread-safe. Raises msgspec.ValidationError."""
    decoder_of(kind)
    return msgspec.convert(value, kind, str_keys=str_keys, dec_hook=dec_hook)

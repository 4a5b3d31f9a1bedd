"""Decoders: what msgspec reads our types with, each built once and by one thread at a time.

msgspec writes down what it has learned of a class on the class itself while it still learns: a second thread
that meets the class then reads what is half written, and the process ends. Knows no type by name.
"""

from __future__ import annotations

from threading import RLock
from typing import Any

import msgspec

__all__ = ["converted", "decoder_of"]

_building = RLock()
_built: dict[Any, msgspec.json.Decoder[Any]] = {}


def decoder_of(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of JSON for a type, safe to ask for in any thread: the first who asks builds it."""
    found = _built.get(kind)
    if found is None:
        with _building:
            found = _built.get(kind)
            if found is None:
                found = _built[kind] = msgspec.json.Decoder(kind)
    return found


def converted(value: Any, kind: Any) -> Any:
    """Plain data as a type, safe in any thread. Raises msgspec.ValidationError."""
    decoder_of(kind)
    return msgspec.convert(value, kind, str_keys=True)

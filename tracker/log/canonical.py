"""Canonical JSON: the only encoding of a value into the bytes that are hashed and stored for ever.

Knows RFC 8785 and stricter rules of our own (ASCII keys, integers only, clean strings, bounded
depth and size). Knows no envelope and no event type. Within these rules msgspec's sorted encoder and
RFC 8785 write the same bytes; a test holds them together.
"""

import unicodedata
from typing import Annotated, Any, TypeAlias

import msgspec

from tracker.log.refusals import NotStorable

INTEGER_MAX = 2**53 - 1
DEPTH_MAX = 16
BYTES_MAX = 64 * 1024

# Bidirectional controls: with them a name could show other letters than it holds.
BIDI_OVERRIDES = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))

Place: TypeAlias = "tuple[Place, str | int] | None"

_encode = msgspec.json.Encoder(order="sorted").encode

# Non-ASCII characters that are no bidirectional control, do not combine and have one spelling only. Other
# texts need a full check.
_ASCII = bytes(range(0x80))
_PLAIN_END = "\u0300"


def canonical_bytes(value: Any) -> bytes:
    """The canonical bytes of a value. Raises NotStorable, which names the place."""
    _check(value, None, 1)
    body = _encode(value)
    if len(body) > BYTES_MAX:
        raise NotStorable("", f"it takes {len(body)} bytes and an event may take {BYTES_MAX}")
    return body


def sorted_json(value: Any) -> bytes:
    """The JSON of records or plain data with sorted keys, without any check."""
    try:
        return _encode(value)
    except TypeError:  # a ruling's slots are numbers as keys, which sort as texts
        return _encode(msgspec.to_builtins(value, str_keys=True))


def json_type_of_depth(levels: int) -> Any:
    """The storable values as a type for msgspec, down to this depth of nesting.

    Each level doubles the size of the decoder, so keep it low; deeper values are checked by walking through
    them.
    """
    number = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
    scalar: Any = str | number | bool | None
    json_type = scalar
    for _ in range(levels):
        json_type = scalar | list[json_type] | dict[str, json_type]  # type: ignore[valid-type]  # msgspec reads it, not mypy
    return json_type


def is_surely_canonical(value: Any, body: bytes) -> bool:
    """Whether these bytes are certainly canonical; `value` was decoded from them by `json_type_of_depth`.

    Decided without walking through the value: it encodes to the same bytes, and none of its texts needs a
    check of its own. False means unknown: ask `canonical_bytes`.
    """
    return len(body) <= BYTES_MAX and has_plain_texts(body) and _encode(value) == body


def has_plain_texts(body: bytes) -> bool:
    """Whether the texts in this valid JSON are certainly storable and its keys ASCII."""
    if b"\\" in body or b"\x7f" in body:
        return False
    if body.isascii():
        return True
    encoded = body.translate(None, _ASCII)
    non_ascii = encoded.decode()
    return non_ascii.isprintable() and max(non_ascii) < _PLAIN_END and _keys_are_ascii(body, encoded)


def _keys_are_ascii(body: bytes, non_ascii: bytes) -> bool:
    # Nothing is escaped, so the first quotation mark after a character ends its text, and a colon follows a
    # key.
    for byte in set(non_ascii[::2]):  # each takes two bytes, and the first is not ASCII
        at = body.find(byte)
        while at >= 0:
            end = body.index(b'"', at)
            if body.startswith(b":", end + 1):
                return False
            at = body.find(byte, end)
    return True


def _check(value: Any, place: Place, depth: int) -> None:
    kind = type(value)
    if kind is str:
        if not (value.isascii() and value.isprintable()):
            _check_text(value, place)
    elif kind is int:
        if not -INTEGER_MAX <= value <= INTEGER_MAX:
            raise NotStorable(
                path_text(place), "a whole number beyond 2^53-1 differs between programming languages"
            )
    elif kind is dict:
        _check_depth(place, depth)
        for key, item in value.items():
            if type(key) is not str or not (key.isascii() and key.isprintable()):
                raise NotStorable(path_text(place), f"the key {key!r} is not plain ASCII text")
            _check(item, (place, key), depth + 1)
    elif kind is list or kind is tuple:
        _check_depth(place, depth)
        for at, item in enumerate(value):
            _check(item, (place, at), depth + 1)
    elif value is not None and kind is not bool:
        kinds = "text, whole numbers, true, false, null, lists and objects"
        raise NotStorable(path_text(place), f"it is a {kind.__name__}, and the log keeps only {kinds}")


def _check_depth(place: Place, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise NotStorable(path_text(place), f"it is nested deeper than {DEPTH_MAX}")


def _check_text(text: str, place: Place) -> None:
    # A printable text holds no control character, lone surrogate or bidirectional override.
    for character in "" if text.isprintable() else text:
        if unicodedata.category(character) in {"Cc", "Cs"} or character in BIDI_OVERRIDES:
            raise NotStorable(
                path_text(place), f"the text holds the invisible character U+{ord(character):04X}"
            )
    if not unicodedata.is_normalized("NFC", text):
        raise NotStorable(path_text(place), "the text is not in Unicode normal form NFC")


def path_text(place: Place) -> str:
    """The place as text: `dice[0].faces`. Built only for an error."""
    if place is None:
        return ""
    outer, step = place
    if isinstance(step, int):
        return f"{path_text(outer)}[{step}]"
    return f"{path_text(outer)}.{step}" if outer else step

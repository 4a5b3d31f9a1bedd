"""Canonical JSON: the one way in which a value becomes the bytes that are hashed and kept for ever.

Knows RFC 8785 and the stricter rules of this house (ASCII keys, integers only, clean strings, bounded
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

# Characters that turn the reading direction around: a name could show other letters than it holds.
BIDI_OVERRIDES = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))

Place: TypeAlias = "tuple[Place, str | int] | None"

_encode = msgspec.json.Encoder(order="sorted").encode

# Beyond ASCII only what can neither turn, nor combine, nor be written in two ways: more needs a closer look.
_ASCII = bytes(range(0x80))
_PLAIN_END = "\u0300"


def canonical_bytes(value: Any) -> bytes:
    """The value's only spelling. Refuses, naming the place, whatever has no spelling here: `NotStorable`."""
    _check(value, None, 1)
    body = _encode(value)
    if len(body) > BYTES_MAX:
        raise NotStorable("", f"it takes {len(body)} bytes and an event may take {BYTES_MAX}")
    return body


def sorted_json(value: Any) -> bytes:
    """The JSON of records or plain data with the keys in order, not looked at any closer."""
    try:
        return _encode(value)
    except TypeError:  # slots of a ruling are keys that are numbers, which stand in order as texts do
        return _encode(msgspec.to_builtins(value, str_keys=True))


def json_type_of_depth(levels: int) -> Any:
    """What may be kept, as a type for msgspec: so many lists and objects within each other.

    Each level doubles what msgspec holds of it: few will do, what is nested deeper can be walked.
    """
    number = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
    scalar: Any = str | number | bool | None
    json_type = scalar
    for _ in range(levels):
        json_type = scalar | list[json_type] | dict[str, json_type]  # type: ignore[valid-type]  # msgspec reads it, not mypy
    return json_type


def is_surely_canonical(value: Any, body: bytes) -> bool:
    """Whether these bytes are the canonical ones of a value decoded from them by `json_type_of_depth`.

    Decided without walking through the value: written again it makes the same bytes, and all its texts are
    such as need no look of their own. False leaves it to `canonical_bytes`.
    """
    return len(body) <= BYTES_MAX and has_plain_texts(body) and _encode(value) == body


def has_plain_texts(body: bytes) -> bool:
    """Whether the texts in this JSON, which was decoded, are surely such as may be kept, its keys ASCII."""
    if b"\\" in body or b"\x7f" in body:
        return False
    if body.isascii():
        return True
    encoded = body.translate(None, _ASCII)
    non_ascii = encoded.decode()
    return non_ascii.isprintable() and max(non_ascii) < _PLAIN_END and _keys_are_ascii(body, encoded)


def _keys_are_ascii(body: bytes, non_ascii: bytes) -> bool:
    # Nothing is escaped: the first quotation mark after a character ends its text, and a colon follows a key.
    for byte in set(non_ascii[::2]):  # each takes two bytes, and the first is none of ASCII's
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
                path_text(place), "a whole number beyond 2^53-1 is not the same in every language"
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
    # What is printable is neither a control character, a lone surrogate nor a bidirectional override.
    for character in "" if text.isprintable() else text:
        if unicodedata.category(character) in {"Cc", "Cs"} or character in BIDI_OVERRIDES:
            raise NotStorable(
                path_text(place), f"the text holds the invisible character U+{ord(character):04X}"
            )
    if not unicodedata.is_normalized("NFC", text):
        raise NotStorable(path_text(place), "the text is not in Unicode normal form NFC")


def path_text(place: Place) -> str:
    """A place as people write it: `dice[0].faces`. Built only when something is wrong there."""
    if place is None:
        return ""
    outer, step = place
    if isinstance(step, int):
        return f"{path_text(outer)}[{step}]"
    return f"{path_text(outer)}.{step}" if outer else step

"""Canonical JSON: the same bytes as the RFC 8785 reference, and a named place for all it refuses."""

import json
import unicodedata
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from tables import every

from tracker.log.canonical import BIDI_OVERRIDES, canonical_bytes
from tracker.log.refusals import NotStorable

KEYS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=6)
TEXTS = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="".join(BIDI_OVERRIDES))
).map(lambda text: unicodedata.normalize("NFC", text))
INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(KEYS, VALUES))
def test_the_bytes_are_those_of_rfc_8785(value: dict[str, Any]) -> None:
    body = canonical_bytes(value)
    assert body == rfc8785.dumps(value)
    assert json.loads(body) == value
    assert canonical_bytes(json.loads(body)) == body


def test_keys_are_sorted_at_every_depth() -> None:
    assert (
        canonical_bytes({"b": {"d": 1, "c": (True, None)}, "a": "Krüg"})
        == '{"a":"Krüg","b":{"c":[true,null],"d":1}}'.encode()
    )


class Faces(dict[str, int]):
    """Not a plain dict: what else it knows would be lost."""


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@every(
    ("value", "path", "reason"),
    [
        ({"dice": [{"faces": [1, 2.0]}]}, "dice[0].faces[1]", "float"),
        ({"n": float("nan")}, "n", "float"),
        ({"n": 2**53}, "n", "2^53-1"),
        ({"n": -(2**53)}, "n", "2^53-1"),
        ({"a": {"é": 1}}, "a", "ASCII"),
        ({"a": {"\n": 1}}, "a", "ASCII"),
        ({1: 1}, "", "ASCII"),
        ({"name": "e\u0301"}, "name", "NFC"),
        ({"name": "a\nb"}, "name", "U+000A"),
        ({"name": "\x1b]0;owned\x07"}, "name", "U+001B"),
        ({"name": "\x7f"}, "name", "U+007F"),
        ({"name": "\x85"}, "name", "U+0085"),
        ({"name": "gnol\u202e"}, "name", "U+202E"),
        ({"name": "\u2066x"}, "name", "U+2066"),
        ({"name": "\ud800"}, "name", "U+D800"),
        ({"raw": b"x"}, "raw", "bytes"),
        ({"tags": {"a"}}, "tags", "set"),
        ({"faces": Faces(d6=1)}, "faces", "Faces"),
        (nested(17), "[0]" * 16, "deeper than 16"),
        ({"note": "x" * 70_000}, "", "70011 bytes"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_place(value: Any, path: str, reason: str) -> None:
    with pytest.raises(NotStorable) as refused:
        canonical_bytes(value)
    assert refused.value.path == path
    assert reason in refused.value.reason
    assert refused.value.exit_code == 2


def test_the_edges_are_inside() -> None:
    assert canonical_bytes({"n": [2**53 - 1, -(2**53) + 1]}) == b'{"n":[9007199254740991,-9007199254740991]}'
    assert canonical_bytes(nested(16)) == b"[" * 16 + b"0" + b"]" * 16
    assert canonical_bytes('\u200fעברית 🎲 "\\') == '"\u200fעברית 🎲 \\"\\\\"'.encode()

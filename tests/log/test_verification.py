"""Bytes of events, read quickly: accepted are exactly those that the walk through every value accepts."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_events import sealed
from tables import every

from tracker.log import envelopes
from tracker.log.canonical import canonical_bytes
from tracker.log.chain import EMPTY_PREV
from tracker.log.envelopes import Bodies, Envelope
from tracker.log.refusals import NotStorable
from tracker.log.verification import PLAIN_LEVELS

DATA = {
    "burnt": False,
    "faces": [3, 6],
    "modifiers": {"hip": -1, "torch": 2},
    "name": "Krähe",
    "nested": [{"a": [{"b": None}]}],
    "section": "Core · Injury Dice",
    "zeal": "",
}


def accepted(body: bytes) -> bool:
    try:
        return Bodies(PLAIN_LEVELS).envelope(body, EMPTY_PREV) is not None
    except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError):
        return False


def walked(body: bytes) -> bool:
    """What is checked without any shortcut."""
    try:
        value = msgspec.json.decode(body)
        msgspec.convert(value, Envelope)
        return canonical_bytes(value) == body
    except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError):
        return False


FORGED = [
    ("a key twice, the same value", '"burnt":false', '"burnt":false,"burnt":false'),
    ("a key twice, another value", '"burnt":false', '"burnt":true,"burnt":false'),
    ("a key of the envelope twice", '"shape":1', '"shape":1,"shape":1'),
    ("keys out of order", '"hip":-1,"torch":2', '"torch":2,"hip":-1'),
    ("keys of the envelope out of order", '"actor":"arbitrator","at":', '"at":'),
    ("1.0", "[3,6]", "[3.0,6]"),
    ("1e2", "[3,6]", "[3,1e2]"),
    ("1E2 where a whole number is wanted", '"shape":1', '"shape":1e0'),
    ("1.0 where a whole number is wanted", '"shape":1', '"shape":1.0'),
    ("-0", '"hip":-1', '"hip":-0'),
    ("a leading zero", "[3,6]", "[03,6]"),
    ("2^53", "[3,6]", "[3,9007199254740992]"),
    ("-2^53", "[3,6]", "[3,-9007199254740992]"),
    ("2^64", "[3,6]", "[3,18446744073709551616]"),
    ("a number of a hundred digits", "[3,6]", f"[3,1{'0' * 99}]"),
    ("an escaped letter", "Core", "\\u0043ore"),
    ("an escaped letter in a key", '"zeal"', '"\\u007aeal"'),
    ("an escaped slash", "Core", "Core\\/"),
    ("an escape in capitals", "Core", "Core\\u00B7"),
    ("a control character", "Core", "Core\\u0007"),
    ("a lone surrogate, escaped", "Core", "Core\\ud800"),
    ("a deleted character", "Core", "Core\x7f"),
    ("a control character beyond ASCII", "Core", "Core\x85"),
    ("a character that turns the direction", "Core", "Core\u202e"),
    ("a letter taken apart", "Krähe", "Kra\u0308he"),
    ("a sign that stands for another", "Core", "Core\u212b"),
    ("a key beyond ASCII", '"zeal"', '"zeäl"'),
    ("a key beyond ASCII, nested", '"hip"', '"hipä"'),
    ("a space", '"burnt":false', '"burnt": false'),
    ("a new line at the end", '"v":1}', '"v":1}\n'),
    ("more at the end", '"v":1}', '"v":1}{}'),
    ("a day without a moment", "2026-11-21T09:50:34Z", "2026-11-21"),
    ("an id of another kind", "0190a000-0000-7000-8000-000000000001", "0190a000-0000-4000-8000-000000000001"),
    ("a digest with capitals", "abab", "ABAB"),
    ("nobody", '"arbitrator"', '""'),
    ("the slot before the first", '"slot":1', '"slot":0'),
    ("seventeen deep", '"zeal":""', f'"zeal":{"[" * 15}{"]" * 15}'),
]  # fmt: skip


@every(("old", "new"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED])
def test_another_spelling_is_not_accepted(old: str, new: str) -> None:
    body = sealed(DATA).body.decode()
    forged = body.replace(old, new)
    assert forged != body
    assert not accepted(forged.encode())
    assert not walked(forged.encode())


@every("bytes_", [b"\xff", b"\xed\xa0\x80", b"\xc0\x80"], ids=["no UTF-8", "a surrogate", "NUL"])
def test_bytes_that_are_no_text_are_not_accepted(bytes_: bytes) -> None:
    assert not accepted(sealed(DATA).body.replace(b"Core", b"Core" + bytes_))


@every(
    "data",
    [
        {},
        DATA,
        {"n": [2**53 - 1, -(2**53) + 1, 0]},
        {"digits": "9007199254740993", "dots": "1.0", "much": "1e400"},
        {"quoted": '"Core"', "path": "a\\b", "dashes": "“Core” – …"},
        {"hebrew": "עברית \u200f", "cards": "🎲", "accents": "Ǻ ŵ ɐ"},
        {"deep": [[[[[[[[[[[[[0]]]]]]]]]]]]]},
    ],
)
def test_what_may_be_kept_is_accepted(data: dict[str, Any]) -> None:
    body = sealed(data).body
    assert accepted(body)
    assert walked(body)


def test_plain_scalars_are_not_checked_recursively(monkeypatch: pytest.MonkeyPatch) -> None:
    body = sealed(DATA).body
    monkeypatch.delattr(envelopes, "canonical_bytes")
    assert accepted(body)


def test_an_event_is_judged_by_itself_after_any_other() -> None:
    bodies, good = Bodies(PLAIN_LEVELS), sealed(DATA).body
    assert bodies.envelope(good, EMPTY_PREV) is not None
    for old, new in ((b"abab", b"ABAB"), (b"T09:50:34Z", b"T09:50:34X"), (b"-7000-8000", b"-4000-8000")):
        with pytest.raises(msgspec.ValidationError):
            bodies.envelope(good.replace(old, new), EMPTY_PREV)
        assert bodies.envelope(good, EMPTY_PREV) is not None


KEYS = st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["Cs"]), max_size=3)
TEXTS = st.text(
    st.sampled_from('ab1."\\:,{}[] ·äß\u0308\u0301\u0085\u00a0\u00ad\u202e\u1100\u1161\x7f\n')
) | st.text(max_size=4)


def within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(SCALARS, within, max_leaves=8)
SPELLINGS = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "sort_keys": st.sampled_from([True, True, False]),
        "separators": st.sampled_from([(",", ":"), (",", ":"), (", ", ":")]),
    }
)


@settings(max_examples=250)
@given(st.dictionaries(KEYS, VALUES, max_size=4), SPELLINGS)
def test_the_quick_look_and_the_walk_agree(data: dict[str, Any], spelling: dict[str, Any]) -> None:
    envelope = json.loads(sealed({}).body) | {"data": data}
    body = json.dumps(envelope, **spelling).encode("utf-8", "surrogatepass")
    assert accepted(body) == walked(body)


@settings(max_examples=250)
@given(st.data())
def test_the_quick_look_and_the_walk_agree_on_altered_bytes(drawn: st.DataObject) -> None:
    body = bytearray(sealed(DATA).body)
    for _ in range(drawn.draw(st.integers(1, 2))):
        at = drawn.draw(st.integers(0, len(body) - 1))
        gone = drawn.draw(st.integers(0, 2))
        put = st.binary(max_size=2) | st.sampled_from(
            [b'"', b":", b"\\u0041", b"\xc3\xa4", b"0", b".0", b"e1", b" "]
        )
        body[at : at + gone] = drawn.draw(put)
    assert accepted(bytes(body)) == walked(bytes(body))

"""What a campaign's keys say: which witnesses are wanted, and which key follows which. What does not follow is refused."""

from base64 import b64encode
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, Note, NoteUnreadable
from tracker.log.signed_statements import (
    KeyStatement,
    WitnessStatement,
    keys_in_order,
    parse_key,
    parse_witnesses,
)

ORIGIN, LATER_ORIGIN = "arbitrator/ash-wastes", "arbitrator/ash-wastes-2"
FIRST, SECOND, SAMS = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3))
SAM = c2sp.verifier_of(SAMS, "sam", c2sp.WITNESS_KEY)
ROOT = bytes(range(32))
LOST = Checkpoint(ORIGIN, 100, ROOT)

BEGUN = KeyStatement("ash-wastes", 0, c2sp.verifier_of(FIRST, ORIGIN, c2sp.LOG_KEY), 10, ROOT)
ROTATED = KeyStatement("ash-wastes", 1, c2sp.verifier_of(SECOND, ORIGIN, c2sp.LOG_KEY), 100, ROOT)
REPLACED = KeyStatement(
    "ash-wastes", 1, c2sp.verifier_of(SECOND, LATER_ORIGIN, c2sp.LOG_KEY), 100, ROOT, before=LOST
)


def signed(statement: KeyStatement, *keys: Ed25519PrivateKey) -> Note:
    text = statement.text()
    return Note(text, tuple(c2sp.sign(key, statement.key.name, text) for key in keys))


def test_a_key_says_all_that_it_signs_and_is_read_back() -> None:
    root = b64encode(ROOT).decode()
    assert REPLACED.text().splitlines()[1:] == [
        "campaign ash-wastes",
        "number 1",
        f"key {REPLACED.key.vkey()}",
        f"from 100 {root}",
        f"lost {ORIGIN} 100 {root}",
    ]
    assert parse_key(signed(REPLACED, SECOND)) == REPLACED


def test_who_may_witness_is_said_in_full_and_read_back() -> None:
    statement = WitnessStatement("ash-wastes", 2, ORIGIN, 1, (SAM,), 100, ROOT)
    assert statement.text().splitlines()[1:] == [
        "campaign ash-wastes",
        "number 2",
        f"origin {ORIGIN}",
        "wanted 1",
        f"from 100 {b64encode(ROOT).decode()}",
        f"witness {SAM.vkey()}",
    ]
    assert parse_witnesses(Note(statement.text(), ())) == statement


def test_a_key_signs_until_the_next_begins() -> None:
    handed_on = keys_in_order("ash-wastes", [signed(BEGUN, FIRST), signed(ROTATED, FIRST, SECOND)])
    assert [(key.began, key.until) for key in handed_on] == [("first", 100), ("rotated", None)]
    lost = keys_in_order("ash-wastes", [signed(BEGUN, FIRST), signed(REPLACED, SECOND)])
    assert [(key.began, key.until) for key in lost] == [("first", 100), ("replaced", None)]
    assert [lost[0].signs(size) for size in (9, 10, 100, 101)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("later", "keys", "why"),
    [
        (replace(ROTATED, campaign="other"), (FIRST, SECOND), "another campaign"),
        (replace(ROTATED, number=2), (FIRST, SECOND), "another number"),
        (replace(ROTATED, size=9), (FIRST, SECOND), "begins before"),
        (ROTATED, (SECOND,), "not handed on"),
        (replace(REPLACED, before=None), (FIRST, SECOND), "not handed on"),
        (replace(REPLACED, before=Checkpoint("arbitrator/other", 100, ROOT)), (SECOND,), "origin"),
        (replace(ROTATED, before=LOST), (FIRST, SECOND), "origin"),
    ],
)
def test_a_key_that_does_not_follow_is_refused(
    later: KeyStatement, keys: tuple[Ed25519PrivateKey, ...], why: str
) -> None:
    with pytest.raises(NoteUnreadable, match=why):
        keys_in_order("ash-wastes", [signed(BEGUN, FIRST), signed(later, *keys)])


def test_a_first_key_names_none_before_it() -> None:
    with pytest.raises(NoteUnreadable, match="another before it"):
        keys_in_order("ash-wastes", [signed(replace(BEGUN, before=LOST), FIRST)])

"""Signed notes: what is signed verifies here and with somebody else's program, and nothing else does."""

import random
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tables import every

from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, InclusionProof, Note, NoteUnreadable
from tracker.log.chain import leaf_hash
from tracker.log.proofs import Tree

ORIGIN = "arbitrator/ash-wastes"
KEY, WITNESS = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
LOG = c2sp.verifier_of(KEY, ORIGIN, c2sp.LOG_KEY)
SAM = c2sp.verifier_of(WITNESS, "sam", c2sp.WITNESS_KEY)
TREE = Tree([leaf_hash(bytes([number])) for number in range(100)])
HEAD = Checkpoint(ORIGIN, 100, TREE.root())
SIGNED = Note(HEAD.text(), (c2sp.sign(KEY, ORIGIN, HEAD.text()),))
WITNESSED = SIGNED.signed_by(c2sp.cosign(WITNESS, "sam", HEAD.text(), seconds=1_679_315_147))


def test_a_head_is_three_lines_and_a_signature_and_short_enough_for_a_chat() -> None:
    first, size, root, empty, line, end = SIGNED.written().split("\n")
    assert (first, size, empty, end) == (ORIGIN, "100", "", "")
    assert len(root) == 44
    assert line.startswith(f"— {ORIGIN} ")
    assert len(SIGNED.written()) < 240


def test_what_is_written_is_read_back_and_verifies() -> None:
    note = c2sp.parse_note(WITNESSED.written())
    assert note == WITNESSED
    assert c2sp.parse_checkpoint(note) == HEAD
    assert c2sp.parse_vkey(LOG.vkey()) == LOG
    assert LOG.signature_on(note) == note.signatures[0]
    assert SAM.signature_on(note) == note.signatures[1]
    assert c2sp.cosigned_at(note.signatures[1]) == 1_679_315_147


def test_a_key_that_go_published_has_its_published_id() -> None:
    """The key of Go's checksum database, as its own documentation prints it."""
    go = c2sp.parse_vkey("sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    assert (go.name, go.key_id.hex(), go.kind) == ("sum.golang.org", "033de0ae", c2sp.LOG_KEY)


def test_a_witness_counts_once_under_any_key_name() -> None:
    again = WITNESSED.signed_by(c2sp.cosign(WITNESS, "sam2", HEAD.text(), seconds=1))
    both = (SAM, c2sp.verifier_of(WITNESS, "sam2", c2sp.WITNESS_KEY))
    assert c2sp.good_witnesses(again, both) == (SAM,)
    assert c2sp.good_witnesses(SIGNED, both) == ()
    assert c2sp.good_witnesses(again, (LOG,)) == ()


def test_a_proof_of_one_event_is_short_and_comes_back() -> None:
    proof = InclusionProof(42, TREE.inclusion(42, 100), WITNESSED)
    assert c2sp.parse_inclusion(proof.written()) == proof
    assert proof.proves(leaf_hash(bytes([42])))
    assert not proof.proves(leaf_hash(bytes([43])))
    assert len(proof.written().encode()) < 1_000
    with_extra = proof.written().replace("index ", "extra AAAA\nindex ", 1)
    assert c2sp.parse_inclusion(with_extra) == proof


def test_a_proof_of_the_only_event_has_no_path() -> None:
    head = Checkpoint(ORIGIN, 1, leaf_hash(b"one"))
    proof = InclusionProof(0, (), Note(head.text(), (c2sp.sign(KEY, ORIGIN, head.text()),)))
    assert c2sp.parse_inclusion(proof.written()) == proof
    assert proof.proves(leaf_hash(b"one"))


def test_a_proof_of_consistency_comes_back() -> None:
    proof = c2sp.ConsistencyProof(37, 100, TREE.consistency(37, 100))
    assert c2sp.parse_consistency(proof.written()) == proof


def test_somebody_elses_program_accepts_heads_witnesses_and_proofs() -> None:
    """A verifier in Rust that knows nothing of this one, where it is installed."""
    if find_spec("metamorphic_log") is None:
        return
    import metamorphic_log as other

    written, vkeys = WITNESSED.written(), [LOG.vkey()]  # it knows no cosignatures
    assert other.verify_signed_note(written, vkeys) == 1
    head = other.checkpoint_verify(written, vkeys)
    assert (head.origin, head.size, head.root) == (ORIGIN, 100, TREE.root())
    for index in range(100):
        path = list(TREE.inclusion(index, 100))
        other.checkpoint_verify_inclusion(written, [LOG.vkey()], index, leaf_hash(bytes([index])), path)
    for old in range(1, 101):
        other.verify_consistency(old, 100, list(TREE.consistency(old, 100)), TREE.root(old), TREE.root())
    with pytest.raises(other.VerifyError):
        other.checkpoint_verify(written.replace("100", "101"), vkeys)


@every(
    "spoil",
    [
        lambda text: text.replace("\n100\n", "\n101\n"),
        lambda text: text.replace("\n100\n", "\n0100\n"),
        lambda text: text.replace("\n100\n", "\n\n100\n"),
        lambda text: text.replace("arbitrator/", "arbitratôr/"),
        lambda text: text.replace("\n— ", "\n- "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "more\n",
        lambda text: text.partition("\n\n")[0],
        lambda text: text[:0],
        lambda text: text * 400,
    ],
    ids=range(11),
)
def test_an_altered_note_is_unreadable_or_has_no_good_signature(
    spoil: Callable[[str], str],
) -> None:
    assert not accepted(spoil(WITNESSED.written()))


@every("name", ["", "two words", "a+b", "tab\tbed", "x" * 201, "soft\u00adhyphen", "a\u2028b"])
def test_a_name_that_no_note_can_hold_is_refused(name: str) -> None:
    with pytest.raises(NoteUnreadable):
        c2sp.verifier_of(KEY, name, c2sp.LOG_KEY)


@every(
    "vkey",
    ["", "a", "a+b+c", LOG.vkey()[:-4], LOG.vkey().replace("+", "+0", 1), LOG.vkey().replace("ash", "ask")],
)
def test_a_word_that_is_no_key_is_refused(vkey: str) -> None:
    with pytest.raises(NoteUnreadable):
        c2sp.parse_vkey(vkey)


def test_no_flipped_bit_in_a_note_or_proof_is_accepted_or_ends_otherwise_than_by_refusal() -> None:
    """A small share of what `make soak` does a million times."""
    chance = random.Random(57)
    note = WITNESSED.written().encode()
    proof = InclusionProof(42, TREE.inclusion(42, 100), SIGNED).written().encode()
    for _ in range(500):
        assert not accepted(flipped(note, chance))
        assert not proven(flipped(proof, chance), leaf_hash(bytes([42])))


def flipped(content: bytes, chance: random.Random) -> str:
    """The same with one bit turned; what is no text any more becomes one with a mark in it."""
    at = chance.randrange(len(content))
    turned = bytes([content[at] ^ 1 << chance.randrange(8)])
    return (content[:at] + turned + content[at + 1 :]).decode(errors="replace")


def accepted(written: str) -> bool:
    """Whether a text is taken for the head, signed by the log and by Sam."""
    try:
        note = c2sp.parse_note(written)
        c2sp.parse_checkpoint(note)
    except NoteUnreadable:
        return False
    return LOG.signature_on(note) is not None and SAM.signature_on(note) is not None


def proven(written: str, leaf: bytes) -> bool:
    """Whether a text is taken for a proof of the leaf, under a head that the log signed."""
    try:
        proof = c2sp.parse_inclusion(written)
        proves = proof.proves(leaf)
    except NoteUnreadable:
        return False
    return proves and proof.index == 42 and LOG.signature_on(proof.note) is not None

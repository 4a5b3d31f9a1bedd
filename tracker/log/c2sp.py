"""Signed notes: heads of a log under a signature, in the formats of C2SP.

These are signed-note, tlog-checkpoint, tlog-cosignature (`cosignature/v1`) and tlog-proof.

Knows texts, keys and signatures. Knows no event and no database. Ed25519 is `cryptography`'s.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tracker.log.chain import HASH_BYTES
from tracker.log.proofs import root_of_path

LOG_KEY, WITNESS_KEY = 0x01, 0x04
"""The key types: for signing heads, and for witnessing them (`cosignature/v1`)."""
NOTE_CHARACTERS_MAX = 2**16
SIGNATURES_MAX = 100
NAME_CHARACTERS_MAX = 200
PATH_MAX = 63
PROOF_HEADING = "c2sp.org/tlog-proof@v1"
CONSISTENCY_HEADING = "campaign-tracker/consistency/1"
"""C2SP has no file format for a consistency proof: this one is like a `tlog-proof`, with two sizes."""

_TIME_BYTES, _KEY_ID_BYTES, _PUBLIC_BYTES = 8, 4, 32
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile("0|[1-9][0-9]{0,15}")


class NoteUnreadable(ValueError):
    """A text that is not a valid signed note, checkpoint, key or proof."""


class Signature(NamedTuple):
    """A signature line: the claimed name, the key id and the signature."""

    name: str
    key_id: bytes
    signed: bytes

    def line(self) -> str:
        """The line as a note writes it."""
        return f"— {self.name} {b64encode(self.key_id + self.signed).decode()}\n"


class Note(NamedTuple):
    """A text and its signatures, none of them checked yet."""

    text: str
    signatures: tuple[Signature, ...]

    def written(self) -> str:
        """The note as text."""
        return self.text + "\n" + "".join(signature.line() for signature in self.signatures)

    def signed_by(self, *more: Signature) -> "Note":
        """The note with more signatures; duplicates are left out."""
        return Note(self.text, tuple(dict.fromkeys((*self.signatures, *more))))


class Checkpoint(NamedTuple):
    """A head of a log: how many events, and the root over them."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


class Verifier(NamedTuple):
    """A public key with the name it signs under."""

    name: str
    kind: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The key id that begins each of its signatures."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:_KEY_ID_BYTES]

    def vkey(self) -> str:
        """The key as one word, to pass on."""
        encoded = b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"

    def signature_on(self, note: Note) -> Signature | None:
        """This key's valid signature on a note, or None."""
        for signature in note.signatures:
            if (signature.name, signature.key_id) == (self.name, self.key_id):
                signed, message = signature.signed, note.text.encode()
                if self.kind == WITNESS_KEY:
                    message = _cosigned(note.text, int.from_bytes(signed[:_TIME_BYTES], "big"))
                    signed = signed[_TIME_BYTES:]
                try:
                    Ed25519PublicKey.from_public_bytes(self.public).verify(signed, message)
                except (InvalidSignature, ValueError):
                    continue
                return signature
        return None


def verifier_of(private: Ed25519PrivateKey, name: str, kind: int) -> Verifier:
    """The public half of a key. Raises NoteUnreadable for a name that no note can hold."""
    if not _NAME.fullmatch(name) or not name.isprintable() or len(name) > NAME_CHARACTERS_MAX:
        raise NoteUnreadable(f"{name!r} cannot name a key: use one word without '+'")
    return Verifier(name, kind, private.public_key().public_bytes_raw())


def parse_vkey(text: str) -> Verifier:
    """A key as `vkey` wrote it. Raises NoteUnreadable."""
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    material = _decoded(encoded, "a verifier key")
    verifier = Verifier(name, material[0] if material else 0, material[1:])
    right_size = len(verifier.public) == _PUBLIC_BYTES and verifier.kind in (LOG_KEY, WITNESS_KEY)
    if not (right_size and _NAME.fullmatch(name) and name.isprintable() and key_id == verifier.key_id.hex()):
        raise NoteUnreadable(f"{text[:80]!r} is not a verifier key")
    return verifier


def sign(private: Ed25519PrivateKey, name: str, text: str) -> Signature:
    """A log key's signature on a text."""
    return Signature(name, verifier_of(private, name, LOG_KEY).key_id, private.sign(text.encode()))


def cosign(private: Ed25519PrivateKey, name: str, text: str, *, seconds: int) -> Signature:
    """A witness's `cosignature/v1` on a checkpoint's text, at a time in POSIX seconds."""
    signed = seconds.to_bytes(_TIME_BYTES, "big") + private.sign(_cosigned(text, seconds))
    return Signature(name, verifier_of(private, name, WITNESS_KEY).key_id, signed)


def cosigned_at(signature: Signature) -> int:
    """The time of signing that the witness claims, in POSIX seconds."""
    return int.from_bytes(signature.signed[:_TIME_BYTES], "big")


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


# --- reading ---------------------------------------------------------------------------------------------


def parse_note(written: str) -> Note:
    """A signed note's text and signatures. Raises NoteUnreadable."""
    text, gap, below = written.rpartition("\n\n")
    lines = below.splitlines(keepends=True)
    if not gap or not lines or len(written) > NOTE_CHARACTERS_MAX or len(lines) > SIGNATURES_MAX:
        raise NoteUnreadable("it is not a signed note")
    if any(letter != "\n" and not letter.isprintable() for letter in written):
        raise NoteUnreadable("it is not a signed note")
    return Note(text + "\n", tuple(_signature(line) for line in lines))


def _signature(line: str) -> Signature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    if dash != "—" or not line.endswith("\n") or not _NAME.fullmatch(name):
        raise NoteUnreadable("one of its lines is not a signature")
    material = _decoded(encoded[:-1], "a signature")
    if len(material) <= _KEY_ID_BYTES:
        raise NoteUnreadable("one of its signatures is too short")
    return Signature(name, material[:_KEY_ID_BYTES], material[_KEY_ID_BYTES:])


def parse_checkpoint(note: Note) -> Checkpoint:
    """The head that a note's text names. Raises NoteUnreadable."""
    lines = note.text.split("\n")
    if len(lines) != 4 or lines[3] or not _NAME.fullmatch(lines[0]):
        raise NoteUnreadable("it does not name the head of a log in three lines")
    return Checkpoint(lines[0], number(lines[1]), hash_of(lines[2]))


@dataclass(frozen=True)
class InclusionProof:
    """The index of one event in a log, its path, and the head that covers it (`.tlog-proof`)."""

    index: int
    path: tuple[bytes, ...]
    note: Note

    def written(self) -> str:
        """As a file."""
        steps = "".join(f"{b64encode(step).decode()}\n" for step in self.path)
        return f"{PROOF_HEADING}\nindex {self.index}\n{steps}\n{self.note.written()}"

    def proves(self, leaf: bytes) -> bool:
        """Whether the path leads from the leaf to the head's root. The signature is not looked at."""
        head = parse_checkpoint(self.note)
        return root_of_path(leaf, self.index, head.size, self.path) == head.root


def parse_inclusion(written: str) -> InclusionProof:
    """A `.tlog-proof`. Extra data in it is not read. Raises NoteUnreadable."""
    heading, _, rest = written.partition("\n")
    if heading != PROOF_HEADING:
        raise NoteUnreadable(f"it does not begin with {PROOF_HEADING}")
    if rest.startswith("extra "):
        _, _, rest = rest.partition("\n")
    first, _, rest = rest.partition("\n")
    word, _, index = first.partition(" ")
    if word != "index":
        raise NoteUnreadable("it does not name the index that it proves")
    path, note = _path(rest)
    return InclusionProof(number(index), path, note)


class ConsistencyProof(NamedTuple):
    """That the log under one head begins with the log under another."""

    old: int
    new: int
    path: tuple[bytes, ...]

    def written(self) -> str:
        """As a text: the two sizes, and the path."""
        steps = "".join(f"{b64encode(step).decode()}\n" for step in self.path)
        return f"{CONSISTENCY_HEADING}\nold {self.old}\nnew {self.new}\n{steps}"


def parse_consistency(written: str) -> ConsistencyProof:
    """What `ConsistencyProof.written` wrote. Raises NoteUnreadable."""
    heading, *lines = written.split("\n")
    if heading != CONSISTENCY_HEADING or len(lines) < 3 or lines.pop() or len(lines) > PATH_MAX + 2:
        raise NoteUnreadable("it is not a consistency proof")
    numbers = []
    for word, line in zip(("old ", "new "), lines, strict=False):
        if not line.startswith(word):
            raise NoteUnreadable("it does not name its two sizes")
        numbers.append(number(line.removeprefix(word)))
    return ConsistencyProof(numbers[0], numbers[1], tuple(map(hash_of, lines[2:])))


def _path(rest: str) -> tuple[tuple[bytes, ...], Note]:
    steps, gap, note = rest.partition("\n\n") if not rest.startswith("\n") else ("", "\n\n", rest[1:])
    lines = steps.split("\n") if steps else []
    if not gap or len(lines) > PATH_MAX:
        raise NoteUnreadable("it lacks a path and a head")
    return tuple(map(hash_of, lines)), parse_note(note)


def hash_of(encoded: str) -> bytes:
    """A hash in base 64. Raises NoteUnreadable."""
    material = _decoded(encoded, "a hash")
    if len(material) != HASH_BYTES:
        raise NoteUnreadable("one of its hashes has another size")
    return material


def number(text: str) -> int:
    """A number in its only valid spelling. Raises NoteUnreadable."""
    if not _NUMBER.fullmatch(text):
        raise NoteUnreadable(f"{text[:20]!r} is not a number")
    return int(text)


def _decoded(encoded: str, what: str) -> bytes:
    """Base 64 in its only valid spelling: other letters for the same bytes are refused."""
    try:
        material = b64decode(encoded, validate=True)
    except ValueError as wrong:
        raise NoteUnreadable(f"{what} of it is not written in base 64") from wrong
    if b64encode(material).decode() != encoded:
        raise NoteUnreadable(f"{what} of it is not written in base 64")
    return material


def good_witnesses(note: Note, witnesses: Iterable[Verifier]) -> tuple[Verifier, ...]:
    """The witnesses among these that signed a note; a key counts once, whatever names it has."""
    signed: dict[bytes, Verifier] = {}
    for witness in witnesses:
        if witness.kind == WITNESS_KEY and witness.signature_on(note) is not None:
            signed.setdefault(witness.public, witness)
    return tuple(signed.values())


def merged(notes: Sequence[Note]) -> Note:
    """Notes with the same text as one note with all their signatures."""
    assert len({note.text for note in notes}) == 1, "of one text"
    return notes[0].signed_by(*(signature for note in notes[1:] for signature in note.signatures))

"""Cosignatures: a player's signature on a head of somebody's log, and the last head that the player has seen.

A witness signs a head only if its log begins with everything seen before. Knows files of this machine; opens
no database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tracker.errors import BadInput, LogDamaged, Stale
from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, ConsistencyProof, Note, NoteUnreadable, Verifier
from tracker.log.proofs import is_consistent
from tracker.log.signed_statements import CampaignKey
from tracker.service import key_files
from tracker.service.key_files import KeyNotWritten, KeyUnreadable, SigningKey
from tracker.service.whole_files import write_whole

SEEN_CHARACTERS_MAX = 2**17


class HeadNotSigned(BadInput):
    """This head of {origin} is not signed with the key that you know: {vkey}. It was not witnessed. Ask the
    Arbitrator; where the key was changed, ask for 'arbitrator audit key show --statements' and give that with
    --keys: the old key must have signed it.
    """

    origin: str
    vkey: str


class NameUnfit(BadInput):
    """{name!r} cannot name a key: use one word, without '+' and slashes."""

    name: str


class KeyNotKnown(BadInput):
    """You have not seen {origin} before, and no key came with its head. Name the one that the campaign's page
    shows: --vkey.
    """

    origin: str


class OlderThanSeen(Stale):
    """This head covers {size} events, and you have seen one over {seen}. It was not witnessed. Ask for the
    newest; if there is none, the log was cut off, or a backup was put back.
    """

    size: int
    seen: int


class NotProved(BadInput):
    """Nothing proves that the log of {size} events begins with the {seen} that you have seen. It was not
    witnessed. Ask for 'arbitrator audit consistency --from {seen} --to {size}', and give it with --proof.
    """

    size: int
    seen: int


class Diverged(LogDamaged):
    """The head does not continue what was seen before: {seen} events then, {size} now."""

    seen: int
    size: int
    notes: tuple[str, ...]

    def message(self) -> str:
        return (
            f"This log does not begin with what you have seen: {self.seen} events then, {self.size} in this"
            " head. It was not witnessed. Keep both notes; with the log they prove that it was changed.\n\n"
            + "\n".join(self.notes)
        )


class SeenHead(NamedTuple):
    """The last head of a log that a witness saw, and the log's key at that time."""

    verifier: Verifier
    note: Note

    @property
    def head(self) -> Checkpoint:
        """The head itself."""
        return c2sp.parse_checkpoint(self.note)


RootAt = Callable[[int], bytes | None]
"""Returns the root over the first events of a log that is at hand; None if it has fewer."""


class WitnessMemory:
    """The heads that one witness of this machine has seen."""

    def __init__(self, keys: Path, name: str) -> None:
        if not name or not name.isprintable() or set(name) & set("/\\:") or name.startswith("."):
            raise NameUnfit(name=name)
        self.file = keys / f"witness-{name}.key"

    def new_key(self, name: str, passphrase: str | None) -> SigningKey:
        """Make the witness's key. Raises KeyExists, NameUnfit."""
        try:
            private, verifier = key_files.make_key(name, c2sp.WITNESS_KEY)
        except NoteUnreadable as wrong:
            raise NameUnfit(name=name) from wrong
        return key_files.keep_key(self.file, private, verifier, passphrase)

    def seen(self, origin: str) -> SeenHead | None:
        """The last head that was seen of a log, or None. Raises KeyUnreadable."""
        file = self._seen_file(origin)
        try:
            if not file.exists():
                return None
            vkey, _, note = file.read_text(encoding="utf-8")[:SEEN_CHARACTERS_MAX].partition("\n")
            seen = SeenHead(c2sp.parse_vkey(vkey), c2sp.parse_note(note))
            assert seen.head.origin == origin, "kept under its origin"
        except (OSError, UnicodeDecodeError, NoteUnreadable) as wrong:
            raise KeyUnreadable(file=str(file), why="it does not say what was seen") from wrong
        return seen

    def cosign(
        self,
        note: Note,
        key: SigningKey,
        *,
        seconds: int,
        given: Verifier | None = None,
        first: Verifier | None = None,
        keys: Sequence[CampaignKey] = (),
        proof: ConsistencyProof | None = None,
        root_at: RootAt | None = None,
    ) -> Note:
        """The note with this witness's signature, once it continues all that they saw; it is then seen.

        `given` is the log's key as people passed it on, `first` the one to believe where nothing of that log
        was seen, `keys` how one was handed on to the next. `root_at` answers from the log itself, where that
        is at hand. Raises KeyNotKnown, HeadNotSigned, OlderThanSeen,
        NotProved, Diverged.
        """
        head = c2sp.parse_checkpoint(note)
        seen = self.seen(head.origin)
        known = given or (seen.verifier if seen else first)
        if known is None:
            raise KeyNotKnown(origin=head.origin)
        verifier = _key_of(head, note, known, keys)
        if root_at is not None and root_at(head.size) not in (head.root, None):
            raise Diverged(seen=head.size, size=head.size, notes=(note.written(),))
        if seen is not None:
            self._check_continues(head, note, seen, proof, root_at)
        signature = c2sp.cosign(key.private, key.name, note.text, seconds=seconds)
        self._keep(SeenHead(verifier, note))
        return note.signed_by(signature)

    def _check_continues(
        self,
        head: Checkpoint,
        note: Note,
        seen: SeenHead,
        proof: ConsistencyProof | None,
        root_at: RootAt | None,
    ) -> None:
        before = seen.head
        both = (seen.note.written(), note.written())
        if head.size < before.size:
            raise OlderThanSeen(size=head.size, seen=before.size)
        if head.size == before.size:
            if head.root != before.root:
                raise Diverged(seen=before.size, size=head.size, notes=both)
            return
        if root_at is not None and root_at(before.size) is not None:
            if root_at(before.size) != before.root:
                raise Diverged(seen=before.size, size=head.size, notes=both)
            return
        if proof is None or (proof.old, proof.new) != (before.size, head.size):
            raise NotProved(size=head.size, seen=before.size)
        if not is_consistent(before.size, before.root, head.size, head.root, proof.path):
            raise Diverged(seen=before.size, size=head.size, notes=both)

    def _keep(self, seen: SeenHead) -> None:
        file = self._seen_file(seen.head.origin)
        try:
            write_whole(file, f"{seen.verifier.vkey()}\n{seen.note.written()}".encode())
        except OSError as error:
            raise KeyNotWritten(file=str(file), why=error.strerror or "no reason given") from error

    def _seen_file(self, origin: str) -> Path:
        return self.file.with_name(f"{self.file.stem}.{sha256(origin.encode()).hexdigest()[:16]}.seen")


def _key_of(head: Checkpoint, note: Note, known: Verifier, keys: Sequence[CampaignKey]) -> Verifier:
    """The key that signed a head and that a known key stands for. Raises HeadNotSigned."""
    for verifier in signing_keys(head.size, (known,), keys):
        if verifier.name == head.origin and verifier.signature_on(note) is not None:
            return verifier
    raise HeadNotSigned(origin=head.origin, vkey=known.vkey())


def signing_keys(size: int, known: Iterable[Verifier], keys: Sequence[CampaignKey]) -> tuple[Verifier, ...]:
    """The keys that known keys stand for and that sign heads of that size."""
    places = {key.verifier: key for key in keys}
    stood_for = dict.fromkeys(verifier for key in known for verifier in linked_keys(keys, key))
    return tuple(key for key in stood_for if key not in places or places[key].signs(size))


def linked_keys(keys: Sequence[CampaignKey], known: Verifier) -> tuple[Verifier, ...]:
    """The keys that one known key stands for: itself, and those that it was handed on from or to.

    A key that replaced a lost one is none of them: nothing but its own word links it to the key before.
    """
    verifiers = [key.verifier for key in keys]
    if known not in verifiers:
        return (known,)
    first = last = verifiers.index(known)
    while first > 0 and keys[first].began == "rotated":
        first -= 1
    while last + 1 < len(keys) and keys[last + 1].began == "rotated":
        last += 1
    return tuple(verifiers[first : last + 1])

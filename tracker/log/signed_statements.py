"""Statements signed by a campaign's key: which key signs, which key follows it, and who may witness.

Both kinds are numbered signed notes that hold from a head of the log on. Knows texts and signatures, no
database.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, Note, NoteUnreadable, Verifier, parse_vkey

KEY_HEADING = "campaign-tracker/key/1"
WITNESSES_HEADING = "campaign-tracker/witnesses/1"
WITNESSES_MAX = 50

Began: TypeAlias = Literal["first", "rotated", "replaced"]
"""How a key began to sign: as the first, handed on by the key before, or in place of a lost key."""


@dataclass(frozen=True)
class KeyStatement:
    """A key that signs from a head on. `before`: the last head under a lost key."""

    campaign: str
    number: int
    key: Verifier
    size: int
    root: bytes
    before: Checkpoint | None = None

    def text(self) -> str:
        """The text that this key signs; if a key hands on to it, that key signs it too."""
        lines = [
            KEY_HEADING,
            f"campaign {self.campaign}",
            f"number {self.number}",
            f"key {self.key.vkey()}",
            f"from {self.size} {b64encode(self.root).decode()}",
        ]
        if self.before is not None:
            lines.append(f"lost {' '.join(self.before.text().split())}")
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class WitnessStatement:
    """The witnesses that a campaign names from a head on, and how many of them it wants."""

    campaign: str
    number: int
    origin: str
    wanted: int
    witnesses: tuple[Verifier, ...]
    size: int
    root: bytes

    def text(self) -> str:
        """The text that the campaign's key signs."""
        lines = [
            WITNESSES_HEADING,
            f"campaign {self.campaign}",
            f"number {self.number}",
            f"origin {self.origin}",
            f"wanted {self.wanted}",
            f"from {self.size} {b64encode(self.root).decode()}",
            *(f"witness {witness.vkey()}" for witness in self.witnesses),
        ]
        return "".join(f"{line}\n" for line in lines)


def parse_key(note: Note) -> KeyStatement:
    """The key statement in a note. Raises NoteUnreadable, also if that key has not signed it."""
    fields = _Fields(note.text, KEY_HEADING)
    campaign, number, key = fields.word("campaign"), fields.number("number"), parse_vkey(fields.word("key"))
    size, root = fields.head("from")
    before = None
    if fields.has("lost"):
        origin, lost_size, lost_root = fields.words("lost", 3)
        before = c2sp.parse_checkpoint(Note(f"{origin}\n{lost_size}\n{lost_root}\n", ()))
    fields.ended()
    statement = KeyStatement(campaign, number, key, size, root, before)
    if key.kind != c2sp.LOG_KEY or statement.text() != note.text or key.signature_on(note) is None:
        raise NoteUnreadable("the key that it names has not signed it")
    return statement


def parse_witnesses(note: Note) -> WitnessStatement:
    """The statement of witnesses in a note; does not check its signature. Raises NoteUnreadable."""
    fields = _Fields(note.text, WITNESSES_HEADING)
    campaign, number, origin = fields.word("campaign"), fields.number("number"), fields.word("origin")
    wanted = fields.number("wanted")
    size, root = fields.head("from")
    witnesses = []
    while fields.has("witness"):
        witnesses.append(parse_vkey(fields.word("witness")))
    fields.ended()
    statement = WitnessStatement(campaign, number, origin, wanted, tuple(witnesses), size, root)
    few = len({witness.public for witness in witnesses}) != len(witnesses) or wanted > len(witnesses)
    kinds = any(witness.kind != c2sp.WITNESS_KEY for witness in witnesses)
    if few or kinds or len(witnesses) > WITNESSES_MAX or statement.text() != note.text:
        raise NoteUnreadable("it does not say which witnesses are wanted")
    return statement


@dataclass(frozen=True)
class CampaignKey:
    """A key of a campaign, how it began to sign, and up to which head it signs."""

    statement: KeyStatement
    began: Began
    until: int | None = None

    @property
    def verifier(self) -> Verifier:
        """The public key."""
        return self.statement.key

    def signs(self, size: int) -> bool:
        """Whether this key signs heads of that size."""
        return self.statement.size <= size and (self.until is None or size <= self.until)


def keys_in_order(campaign: str, written: Iterable[Note]) -> tuple[CampaignKey, ...]:
    """A campaign's keys in order. Raises NoteUnreadable if one does not follow the key before it."""
    keys: list[CampaignKey] = []
    for number, note in enumerate(written):
        statement = parse_key(note)
        if (statement.campaign, statement.number) != (campaign, number):
            raise NoteUnreadable(f"key {number} is that of another campaign, or has another number")
        keys.append(CampaignKey(statement, _began(statement, note, keys)))
        if number:
            keys[-2] = CampaignKey(keys[-2].statement, keys[-2].began, statement.size)
    return tuple(keys)


def _began(statement: KeyStatement, note: Note, earlier: Sequence[CampaignKey]) -> Began:
    if not earlier:
        if statement.before is not None:
            raise NoteUnreadable("its first key names another before it")
        return "first"
    before = earlier[-1]
    if statement.size < before.statement.size:
        raise NoteUnreadable(f"key {statement.number} begins before the key before it")
    if statement.before is None:
        if statement.key.name == before.verifier.name and before.verifier.signature_on(note) is not None:
            return "rotated"
        raise NoteUnreadable(f"key {statement.number} was not handed on by the key before it")
    if statement.before.origin != before.verifier.name or statement.key.name == before.verifier.name:
        raise NoteUnreadable(f"key {statement.number} does not name the origin whose key was lost")
    return "replaced"


class _Fields:
    """The lines of a statement, read in order; each begins with its field name."""

    def __init__(self, text: str, heading: str) -> None:
        first, *self._lines = text.split("\n")
        if first != heading or not self._lines or self._lines.pop():
            raise NoteUnreadable(f"it does not begin with {heading}")

    def has(self, name: str) -> bool:
        return bool(self._lines) and self._lines[0].startswith(f"{name} ")

    def words(self, name: str, count: int) -> list[str]:
        if not self.has(name):
            raise NoteUnreadable(f"it has no {name}")
        words = self._lines.pop(0).split(" ")[1:]
        if len(words) != count or not all(words):
            raise NoteUnreadable(f"its {name} cannot be read")
        return words

    def word(self, name: str) -> str:
        return self.words(name, 1)[0]

    def number(self, name: str) -> int:
        return c2sp.number(self.word(name))

    def head(self, name: str) -> tuple[int, bytes]:
        size, root = self.words(name, 2)
        return c2sp.number(size), c2sp.hash_of(root)

    def ended(self) -> None:
        if self._lines:
            raise NoteUnreadable("it holds more lines than it should")

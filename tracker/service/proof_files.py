"""Proof files: signed heads, proofs and keys, as people pass them on to each other."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tracker.documents import remote_files
from tracker.documents.yaml_reader import file_bytes, is_from_afar
from tracker.errors import BadInput
from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, ConsistencyProof, InclusionProof, Note, NoteUnreadable
from tracker.log.signed_statements import KEY_HEADING, CampaignKey, keys_in_order, parse_key

T = TypeVar("T")
_STATEMENT = re.compile(rf"^(?={KEY_HEADING}$)", re.MULTILINE)


class FileUnreadable(BadInput):
    """{file} cannot be read as {what}: {why}."""

    file: str
    what: str
    why: str


class FileNotWritten(BadInput):
    """{file} cannot be written: {why}. Name another file: an existing one is never overwritten."""

    file: str
    why: str


class KeyWordUnreadable(BadInput):
    """{word!r} is not a public key: that is one word with two '+' in it, as 'audit key show' prints it."""

    word: str


def read_head(file: str) -> tuple[Checkpoint, Note]:
    """A signed head. Raises FileUnreadable."""

    def parsed(text: str) -> tuple[Checkpoint, Note]:
        note = c2sp.parse_note(text)
        return c2sp.parse_checkpoint(note), note

    return _parsed(file, "a signed head", parsed)


def read_keys(file: str) -> tuple[CampaignKey, ...]:
    """A campaign's keys, by the statements that handed them on. Raises FileUnreadable."""

    def parsed(text: str) -> tuple[CampaignKey, ...]:
        statements = [c2sp.parse_note(each.strip("\n") + "\n") for each in _STATEMENT.split(text)[1:]]
        if not statements:
            raise NoteUnreadable("it holds no statement of a key")
        return keys_in_order(parse_key(statements[0]).campaign, statements)

    return _parsed(file, "the statements of a campaign's keys", parsed)


def read_inclusion_proof(file: str) -> InclusionProof:
    """A `.tlog-proof`. Raises FileUnreadable."""
    return _parsed(file, "a proof of an event", c2sp.parse_inclusion)


def read_consistency_proof(file: str) -> ConsistencyProof:
    """A proof of consistency. Raises FileUnreadable."""
    return _parsed(file, "a proof of consistency", c2sp.parse_consistency)


def read_verifier(word: str) -> c2sp.Verifier:
    """A public key. Raises KeyWordUnreadable."""
    try:
        return c2sp.parse_vkey(word)
    except NoteUnreadable as wrong:
        raise KeyWordUnreadable(word=word[:100]) from wrong


def write_new(text: str, file: str | None) -> None:
    """Write a text to a new file, if one is named. Raises FileNotWritten."""
    if file is None or remote_files.collect(file, text.encode()):
        return
    try:
        with Path(file).open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it cannot name a file"
        raise FileNotWritten(file=file, why=why) from error


def _parsed(file: str, what: str, parse: Callable[[str], T]) -> T:
    try:
        text = _content(file).decode()
        # A text from a chat may have lost or gained line ends.
        return parse(text.replace("\r\n", "\n").strip("\n") + "\n")
    except (OSError, ValueError) as wrong:  # NoteUnreadable is a ValueError
        why = (wrong.strerror if isinstance(wrong, OSError) else None) or (
            str(wrong) if isinstance(wrong, NoteUnreadable) else "it is not a text"
        )
        raise FileUnreadable(file=file, what=what, why=why) from wrong


def _content(file: str) -> bytes:
    """Raises OSError, ValueError, and BadInput for a file that was not sent along."""
    if is_from_afar():
        return file_bytes(file)[: c2sp.NOTE_CHARACTERS_MAX + 1]
    if file == "-":
        return sys.stdin.buffer.read(c2sp.NOTE_CHARACTERS_MAX + 1)
    with Path(file).open("rb") as stream:
        return stream.read(c2sp.NOTE_CHARACTERS_MAX + 1)

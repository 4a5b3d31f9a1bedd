"""What people pass on to each other as texts in files: signed heads, proofs and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tracker.errors import BadInput
from tracker.log import notes
from tracker.log.notes import Checkpoint, ConsistencyProof, InclusionProof, Note, NoteUnreadable

T = TypeVar("T")


class FileUnreadable(BadInput):
    """{file} cannot be read as {what}: {why}."""

    file: str
    what: str
    why: str


class FileNotWritten(BadInput):
    """{file} cannot be written: {why}. A file that is there already is never written over."""

    file: str
    why: str


class KeyWordUnreadable(BadInput):
    """{word!r} is no public key: it is one word with two '+' in it, as 'audit key show' prints it."""

    word: str


def head_in(file: str) -> tuple[Checkpoint, Note]:
    """A signed head. Raises FileUnreadable."""

    def parsed(text: str) -> tuple[Checkpoint, Note]:
        note = notes.parse_note(text)
        return notes.parse_checkpoint(note), note

    return _parsed(file, "a signed head", parsed)


def inclusion_in(file: str) -> InclusionProof:
    """A `.tlog-proof`. Raises FileUnreadable."""
    return _parsed(file, "a proof of an event", notes.parse_inclusion)


def consistency_in(file: str) -> ConsistencyProof:
    """A proof of consistency. Raises FileUnreadable."""
    return _parsed(file, "a proof of consistency", notes.parse_consistency)


def verifier(word: str) -> notes.Verifier:
    """A public key. Raises KeyWordUnreadable."""
    try:
        return notes.parse_vkey(word)
    except NoteUnreadable as wrong:
        raise KeyWordUnreadable(word=word[:100]) from wrong


def deliver(text: str, file: str | None) -> None:
    """Write a text to a new file, where one is named. Raises FileNotWritten."""
    if file is None:
        return
    try:
        with Path(file).open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is no name for a file"
        raise FileNotWritten(file=file, why=why) from error


def _parsed(file: str, what: str, parse: Callable[[str], T]) -> T:
    try:
        with Path(file).open("rb") as stream:
            text = stream.read(notes.NOTE_CHARACTERS_MAX + 1).decode()
        # What went through a chat may have lost or gained ends of lines.
        return parse(text.replace("\r\n", "\n").strip("\n") + "\n")
    except (OSError, ValueError) as wrong:  # NoteUnreadable is a ValueError
        why = (wrong.strerror if isinstance(wrong, OSError) else None) or (
            str(wrong) if isinstance(wrong, NoteUnreadable) else "it is no text"
        )
        raise FileUnreadable(file=file, what=what, why=why) from wrong

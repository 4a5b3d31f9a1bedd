"""Key files: private keys on this machine, readable by their owner only, and what each has signed so far.

Knows files and passphrases. Knows no log and no database.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tracker.errors import BadInput
from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, NoteUnreadable, Verifier

Passphrase: TypeAlias = Callable[[], str]
"""Asks for the passphrase if the key needs one."""

KEY_BYTES_MAX = 2**14


class KeyExists(BadInput):
    """There is a key already: {file}. Nothing was written. 'audit key rotate' changes a key; if it is lost,
    move the file away and use 'audit key new --lost'.
    """

    file: str


class KeyMissing(BadInput):
    """There is no key on this machine: {file} does not exist. Make one with 'arbitrator audit key new', or
    sign on the machine that has it.
    """

    file: str


class KeyUnreadable(BadInput):
    """The key file {file} cannot be used: {why}. Nothing was signed. Restore the file from your own copy."""

    file: str
    why: str


class PassphraseWrong(BadInput):
    """That is not the passphrase of {file}. Nothing was signed. Try again with the right one."""

    file: str


class KeyNotWritten(BadInput):
    """The file {file} could not be written: {why}. Nothing was signed. Free some space, or make its
    folder writable, and try again.
    """

    file: str
    why: str


class SigningKey(NamedTuple):
    """An opened private key, its public half, and its file."""

    private: Ed25519PrivateKey
    verifier: Verifier
    file: Path

    @property
    def name(self) -> str:
        """The name it signs under."""
        return self.verifier.name


def make_key(name: str, kind: int) -> tuple[Ed25519PrivateKey, Verifier]:
    """A new key, not stored yet. Raises NoteUnreadable for a name that no note can hold."""
    private = Ed25519PrivateKey.generate()
    return private, c2sp.verifier_of(private, name, kind)


def keep_key(
    file: Path, private: Ed25519PrivateKey, verifier: Verifier, passphrase: str | None
) -> SigningKey:
    """Write a key to a file of its owner's. Raises KeyExists, KeyNotWritten."""
    encryption = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(file, verifier.vkey().encode() + b"\n" + pem)
    except FileExistsError as there:
        raise KeyExists(file=str(file)) from there
    except OSError as error:
        raise KeyNotWritten(file=str(file), why=error.strerror or "no reason given") from error
    return SigningKey(private, verifier, file)


def public_half(file: Path) -> Verifier:
    """The public half, which no passphrase covers. Raises KeyMissing, KeyUnreadable."""
    return _read(file)[0]


def open_key(file: Path, passphrase: Passphrase) -> SigningKey:
    """The key in a file. Raises KeyMissing, KeyUnreadable, PassphraseWrong."""
    verifier, pem = _read(file)
    secret = passphrase() if b"ENCRYPTED" in pem else None
    try:
        private = load_pem_private_key(pem, None if secret is None else secret.encode())
    except ValueError as wrong:
        if secret is None:
            raise KeyUnreadable(file=str(file), why="it holds no key") from wrong
        raise PassphraseWrong(file=str(file)) from wrong
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyUnreadable(file=str(file), why="its key is not an Ed25519 key")
    if private.public_key().public_bytes_raw() != verifier.public:
        raise KeyUnreadable(file=str(file), why="its first line names another key than it holds")
    return SigningKey(private, verifier, file)


def _read(file: Path) -> tuple[Verifier, bytes]:
    try:
        with file.open("rb") as stream:
            content = stream.read(KEY_BYTES_MAX)
    except FileNotFoundError as missing:
        raise KeyMissing(file=str(file)) from missing
    except OSError as error:
        raise KeyUnreadable(file=str(file), why=error.strerror or "no reason given") from error
    first, _, pem = content.partition(b"\n")
    try:
        return c2sp.parse_vkey(first.decode()), pem
    except (NoteUnreadable, UnicodeDecodeError) as wrong:
        raise KeyUnreadable(file=str(file), why="its first line is not a verifier key") from wrong


def _write(file: Path, content: bytes) -> None:
    handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


# --- what a key has signed -------------------------------------------------------------------------------


def signed_so_far(key: Path) -> tuple[Checkpoint, ...]:
    """The heads that the key beside this file has signed, oldest first. Raises KeyUnreadable.

    Stored beside the key and not in the database, where restoring a backup would lose some.
    """
    file = _journal(key)
    try:
        lines = file.read_text(encoding="utf-8").split("\n") if file.exists() else []
        return tuple(
            c2sp.parse_checkpoint(c2sp.Note("\n".join((*line.split(" "), "")), ())) for line in lines if line
        )
    except (OSError, UnicodeDecodeError, NoteUnreadable) as wrong:
        raise KeyUnreadable(file=str(file), why="what was signed is not readable in it") from wrong


def note_down(key: Path, head: Checkpoint) -> None:
    """Record a head before it is signed. Raises KeyNotWritten."""
    file = _journal(key)
    line = " ".join(head.text().split("\n")[:3]) + "\n"
    try:
        handle = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise KeyNotWritten(file=str(file), why=error.strerror or "no reason given") from error


def _journal(key: Path) -> Path:
    return key.with_name(f"{key.name}.signed")

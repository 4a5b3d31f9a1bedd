"""The file of an archive: a ZIP with reproducible bytes, read as if an attacker had made it.

Knows members, lines and bounds. Knows no event, no campaign and no database.
"""

from __future__ import annotations

import os
import stat
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from tracker.errors import BadInput
from tracker.log.backup import remove_leftovers
from tracker.records import Record

EVENTS, COMMANDS, MANIFEST, README = MEMBERS = (
    "events.jsonl",
    "commands.jsonl",
    "manifest.json",
    "README.txt",
)
SIGNED, CONSISTENCY = "signatures/notes.jsonl", "proofs/consistency.txt"
"""The campaign's signed notes, and the proofs that each signed head continues the one before it."""
VERIFIERS = ("verify.html", "verify.py")
"""Verifiers that travel with the archive, for people who have none. This program never runs or reads them."""
LATER = ("proofs/", "signatures/")
"""The folder for members of later versions; this version ignores them."""
EVENT_PROOF = ".tlog-proof"
"""The suffix of a member under `proofs/` that proves one event."""

MEMBER_BYTES_MAX = 2**31 - 1
"""The ZIP version that every tool reads."""
LINE_BYTES_MAX = 2**16
MANIFEST_BYTES_MAX = 2**20
MEMBERS_MAX = 100
DIRECTORY_BYTES_MAX = 2**16

_END = struct.Struct("<4s4H2LH")
_END_SIGNATURE, _ZIP64_SIGNATURE = b"PK\5\6", b"PK\6\7"
_ZIP64_LOCATOR_BYTES = 20
_ENCRYPTED = 0x1
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNREADABLE = (
    *(BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error, struct.error),
    OSError,
)


class ArchiveExists(BadInput):
    """{file} already exists and an export never overwrites. Choose another name."""

    file: str


class ArchiveNotWritten(BadInput):
    """The archive {file} could not be written: {reason}. No part of it was kept; name a file in another
    place.
    """

    file: str
    reason: str


class ArchiveUnreadable(BadInput):
    """{file} is not a readable campaign archive: {reason}. Nothing was written. Ask for it to be exported and
    sent again.
    """

    file: str
    reason: str


class MemberDigest(Record):
    """The size of a member in bytes, and its SHA-256."""

    bytes: int
    sha256: str


# --- writing ---------------------------------------------------------------------------------------------


class ArchiveWriter:
    """Writes members one after the other, uncompressed: compressors differ from version to version."""

    def __init__(self, file: Path, stream: BinaryIO) -> None:
        self._file = file
        self._zip = ZipFile(stream, "w", ZIP_STORED, allowZip64=False)

    def member(self, name: str, pieces: Iterable[bytes]) -> MemberDigest:
        """Add a member with these bytes. Raises ArchiveNotWritten when they are too many."""
        info = ZipInfo(name, _EPOCH)
        info.create_system, info.external_attr = 3, (stat.S_IFREG | 0o644) << 16
        size, digest = 0, sha256()
        with self._zip.open(info, "w") as member:
            for piece in pieces:
                size += len(piece)
                if size > MEMBER_BYTES_MAX:
                    reason = f"its {name} would take more than {MEMBER_BYTES_MAX} bytes"
                    raise ArchiveNotWritten(file=str(self._file), reason=reason)
                digest.update(piece)
                member.write(piece)
        return MemberDigest(bytes=size, sha256=digest.hexdigest())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()  # which writes the directory of members


@contextmanager
def new_archive(file: Path) -> Iterator[ArchiveWriter]:
    """A writer of a file that gets its name once it is whole. Raises ArchiveExists, ArchiveNotWritten."""
    with new_file(file) as stream, ArchiveWriter(file, stream) as writer:
        yield writer


@contextmanager
def new_file(file: Path) -> Iterator[BinaryIO]:
    """A file that gets its name once it is whole. Raises ArchiveExists, ArchiveNotWritten."""
    if file.exists() or file.is_symlink():
        raise ArchiveExists(file=str(file))
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    try:
        remove_leftovers(file.parent)
        with unfinished.open("xb") as stream:
            try:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                if file.exists():
                    raise ArchiveExists(file=str(file))
                unfinished.rename(file)
            finally:
                unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise ArchiveNotWritten(file=str(file), reason=error.strerror or str(error)) from error


# --- reading ---------------------------------------------------------------------------------------------


class ArchiveReader:
    """The members of an archive, none of them read before it is asked for and none further than its bound."""

    def __init__(self, file: Path, members: ZipFile) -> None:
        self.file = file
        self._members = members
        self.names = tuple(info.filename for info in members.infolist())
        self.later = tuple(
            name
            for name in self.names
            if name.startswith(LATER) and name not in (SIGNED, CONSISTENCY) and not name.endswith(EVENT_PROOF)
        )
        """Members that this version ignores."""

    def manifest(self) -> bytes:
        """The manifest's bytes."""
        with self._reading(MANIFEST) as member:
            body = member.read(MANIFEST_BYTES_MAX + 1)
        if len(body) > MANIFEST_BYTES_MAX:
            raise self.refusal(f"its {MANIFEST} takes more than {MANIFEST_BYTES_MAX} bytes")
        return body

    def small(self, name: str) -> bytes:
        """The bytes of a short member. Raises ArchiveUnreadable for a long one."""
        with self._reading(name) as member:
            body = member.read(LINE_BYTES_MAX + 1)
        if len(body) > LINE_BYTES_MAX:
            raise self.refusal(f"its {name} takes more than {LINE_BYTES_MAX} bytes")
        return body

    def lines(
        self, name: str, expected: MemberDigest, *, at_end: Callable[[], None] = lambda: None
    ) -> Iterator[bytes]:
        """The lines of a member, without line ends; at its end it is compared with what is expected.

        `at_end` may name a fault before that.
        """
        size, digest, number = 0, sha256(), 0
        with self._reading(name) as member:
            while line := member.readline(LINE_BYTES_MAX + 2):
                number += 1
                size += len(line)
                digest.update(line)
                if not line.endswith(b"\n") or len(line) > LINE_BYTES_MAX + 1:
                    raise self.refusal(f"line {number} of its {name} is cut off or too long")
                yield line[:-1]
        at_end()
        if (size, digest.hexdigest()) != (expected.bytes, expected.sha256):
            raise self.refusal(f"its {name} is not the one that its {MANIFEST} names")

    def refusal(self, reason: str) -> ArchiveUnreadable:
        """The refusal for this archive."""
        return ArchiveUnreadable(file=str(self.file), reason=reason)

    @contextmanager
    def _reading(self, name: str) -> Iterator[IO[bytes]]:
        """A member; read nothing else within the block."""
        with _translated(self.file), self._members.open(name) as member:
            yield member


@contextmanager
def open_archive(file: Path) -> Iterator[ArchiveReader]:
    """A reader of an archive whose member list was checked. Raises ArchiveUnreadable."""
    with _translated(file):
        if not stat.S_ISREG(file.stat().st_mode):
            raise ValueError("it is not a file")
        stream = file.open("rb")
    with stream:
        with _translated(file):
            _check_directory(stream)
            members = ZipFile(stream)
            _check_members(members.infolist())
        yield ArchiveReader(file, members)


@contextmanager
def _translated(file: Path) -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as wrong:
        reason = (wrong.strerror if isinstance(wrong, OSError) else None) or str(wrong) or "it ends too early"
        raise ArchiveUnreadable(file=str(file), reason=reason) from wrong


def _check_directory(stream: BinaryIO) -> None:
    """Bound the directory before it is read: it may name millions of members."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _END.size - _ZIP64_LOCATOR_BYTES))
    tail = stream.read(_END.size + _ZIP64_LOCATOR_BYTES)
    if len(tail) < _END.size or tail[-_END.size :][:4] != _END_SIGNATURE:
        raise ValueError("it is not a ZIP file, or it is cut off")
    _, _, _, _, count, directory_bytes, _, comment_bytes = _END.unpack(tail[-_END.size :])
    if tail.startswith(_ZIP64_SIGNATURE) or comment_bytes:
        raise ValueError("it is a ZIP file of another kind")
    if count > MEMBERS_MAX or directory_bytes > DIRECTORY_BYTES_MAX:
        raise ValueError(f"it has more than {MEMBERS_MAX} members, or names that are too long")


def _check_members(members: list[ZipInfo]) -> None:
    names = [info.filename for info in members]
    for info in members:
        name = info.filename
        if name not in (*MEMBERS, *VERIFIERS) and not _is_for_later(name):
            raise ValueError(f"it holds {name[:100]!r}, which is not a member of an archive")
        if names.count(name) > 1:
            raise ValueError(f"it holds {name} more than once")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise ValueError(f"its {name} is encrypted, or compressed in a way that is not supported")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise ValueError(f"its {name} is not a plain file")
        if info.file_size > MEMBER_BYTES_MAX:
            raise ValueError(f"its {name} is too large")
    missing = [name for name in (EVENTS, COMMANDS, MANIFEST) if name not in names]
    if missing:
        raise ValueError(f"it lacks {missing[0]}")


def _is_for_later(name: str) -> bool:
    folder = next((folder for folder in LATER if name.startswith(folder)), None)
    rest = name.removeprefix(folder) if folder else ""
    return bool(rest) and rest.isascii() and rest.isprintable() and "/" not in rest and "\\" not in rest

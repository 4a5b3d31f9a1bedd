"""Verify an exported campaign with nothing of the program that made it: python verify.py ARCHIVE.zip

Needs Python 3.9 or newer and `cryptography`. Exit codes: 0 VALID or VALID-WITNESSED (10 where more witnesses are
wanted), 4 INVALID-EVENT, 11 INVALID-SIGNATURE, 12 DIVERGED, 13 STALE, 14 UNANCHORED, 15 UNVERIFIABLE.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
import zipfile
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, NoReturn, Optional

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CODES = {
    "VALID": 0, "VALID-WITNESSED": 0, "INVALID-EVENT": 4, "INVALID-SIGNATURE": 11, "DIVERGED": 12, "STALE": 13,
    "UNANCHORED": 14, "UNVERIFIABLE": 15,
}  # fmt: skip
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError)
LOG, WITNESS = 1, 4
LINE_MAX = 2**16
NOTES = "signatures/notes.jsonl"
Rows = List[Dict[str, Any]]


class Over(Exception):
    """The verdict, as soon as it is known."""

    def __init__(self, word: str, reason: str, notes: tuple[str, ...] = (), code: Optional[int] = None):
        super().__init__(word, reason)
        self.word, self.reason, self.notes = word, reason, notes
        self.code = CODES[word.split(maxsplit=1)[0]] if code is None else code


class Key(NamedTuple):
    name: str
    kind: int
    public: bytes

    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def signed(self, note: Note) -> bool:
        for name, key_id, given in note.signatures:
            if (name, key_id) != (self.name, self.id()):
                continue
            message = note.text.encode()
            if self.kind == WITNESS:
                seconds, given = int.from_bytes(given[:8], "big"), given[8:]
                message = f"cosignature/v1\ntime {seconds}\n{note.text}".encode()
            try:
                Ed25519PublicKey.from_public_bytes(self.public).verify(given, message)
                return True
            except (InvalidSignature, ValueError):
                continue
        return False


class Note(NamedTuple):
    text: str
    signatures: list[tuple[str, bytes, bytes]]
    written: str


class Head(NamedTuple):
    origin: str
    size: int
    root: bytes
    note: Note


class KeyStatement(NamedTuple):  # from how many events on, and whether the key before handed on to it
    key: Key
    size: int
    handed_on: bool


def exact(encoded: str) -> bytes:
    material = b64decode(encoded, validate=True)
    if b64encode(material).decode() != encoded:
        raise ValueError("base 64 in another spelling")
    return material


def read_key(word: str) -> Key:
    name, key_id, encoded = word.strip().split("+", 2)
    material = exact(encoded)
    key = Key(name, material[0], material[1:])
    if key.kind not in (LOG, WITNESS) or len(key.public) != 32 or key.id().hex() != key_id:
        raise ValueError(f"{word!r} is no key")
    return key


def read_note(written: str) -> Note:
    text, gap, below = written.rpartition("\n\n")
    if not gap or not below.endswith("\n"):
        raise ValueError("it is no signed note")
    signatures = []
    for line in below[:-1].split("\n"):
        dash, name, encoded = line.split(" ")
        material = exact(encoded)
        if dash != "\u2014" or not name or len(material) < 5:
            raise ValueError("a line of it is no signature")
        signatures.append((name, material[:4], material[4:]))
    return Note(text + "\n", signatures, written)


def read_head(note: Note) -> Head:
    origin, size, root, end = note.text.split("\n")
    if end or not origin or str(int(size)) != size or int(size) < 0 or len(exact(root)) != 32:
        raise ValueError("it names no head of a log")
    return Head(origin, int(size), exact(root), note)


def fields(note: Note, heading: str) -> dict[str, list[str]]:
    first, *lines = note.text.rstrip("\n").split("\n")
    if first != heading:
        raise ValueError(f"it does not begin with {heading}")
    found: dict[str, list[str]] = {}
    for line in lines:
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value)
    return found


def lines_of(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as member:
        while line := member.readline(LINE_MAX + 2):
            if not line.endswith(b"\n"):
                raise ValueError(f"a line of {name} is cut off or too long")
            yield line[:-1]


def walk(archive: zipfile.ZipFile, sizes: set[int]) -> tuple[int, dict[int, bytes]]:
    """Follow the chain of hashes; gives how many events there are, and the root at the sizes asked for."""
    count, before, stack = 0, sha256(b"").hexdigest(), []  # type: int, str, list[bytes]
    manifest = json.loads(archive.read("manifest.json"))
    roots: dict[int, bytes] = {}
    for body in lines_of(archive, "events.jsonl"):
        try:
            event = json.loads(body)
            place, follows, whose = event["seq"], event["prev"], event["campaign"]
        except (ValueError, KeyError, TypeError) as wrong:
            raise Over("INVALID-EVENT", f"event {count}: it is no event ({wrong})") from wrong
        if follows != before:
            wrong_one = max(0, count - 1)
            raise Over("INVALID-EVENT", f"event {wrong_one}: it is not the one that event {count} follows")
        if (place, whose) != (count, manifest["campaign"]):
            raise Over("INVALID-EVENT", f"event {count}: it says that it is event {place} of {whose}")
        leaf = sha256(b"\x00" + body).digest()
        before, carried, at = leaf.hex(), leaf, count
        while at & 1:
            carried, at = sha256(b"\x01" + stack.pop() + carried).digest(), at >> 1
        stack.append(carried)
        count += 1
        if count in sizes:
            root = stack[-1]
            for left in reversed(stack[:-1]):
                root = sha256(b"\x01" + left + root).digest()
            roots[count] = root
    if count == manifest["events"] and before != manifest["head"]:
        raise Over("INVALID-EVENT", f"event {count - 1}: it is not the last one that the manifest names")
    return count, roots


def chain_of_keys(rows: Rows, campaign: str) -> list[KeyStatement]:
    keys: list[KeyStatement] = []
    for number, row in enumerate(row for row in rows if row["kind"] == "key"):
        note = read_note(row["note"])
        said = fields(note, "campaign-tracker/key/1")
        key, size = read_key(said["key"][0]), int(said["from"][0].split(" ")[0])
        if (said["campaign"], said["number"]) != ([campaign], [str(number)]) or not key.signed(note):
            raise ValueError(f"key {number} has not signed its own statement")
        handed_on = bool(keys) and keys[-1].key.name == key.name and keys[-1].key.signed(note)
        if keys and not handed_on and "lost" not in said:
            raise ValueError(f"key {number} was not handed on by the key before it")
        keys.append(KeyStatement(key, size, handed_on))
    return keys


def trusted_keys(keys: list[KeyStatement], pinned: list[Key]) -> list[Key]:
    """The pinned keys, and those that were handed on from or to them."""
    if not pinned:
        return [one.key for one in keys]
    if keys and not {one.key for one in keys} & set(pinned):
        raise ValueError("it is not signed with the key that you hold")
    trusted = list(pinned)
    for _ in keys:
        for before, after in zip(keys, keys[1:]):
            if after.handed_on and (before.key in trusted) != (after.key in trusted):
                trusted += [before.key if after.key in trusted else after.key]
    return trusted


def good_head(note: Note, keys: list[KeyStatement], trusted: list[Key]) -> Head:
    head = read_head(note)
    ends = [*(one.size for one in keys[1:]), sys.maxsize]
    for one, end in zip(keys, ends):
        in_time = one.key.name == head.origin and one.size <= head.size <= end
        if in_time and one.key in trusted and one.key.signed(note):
            return head
    raise ValueError(f"the head over {head.size} events has no good signature of {head.origin}")


def verify(options: argparse.Namespace) -> NoReturn:
    with zipfile.ZipFile(options.archive) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        there = NOTES in manifest["files"] or NOTES in archive.namelist()
        rows = [json.loads(line) for line in lines_of(archive, NOTES)] if there else []
        try:
            keys = chain_of_keys(rows, manifest["campaign"])
            pinned = [read_key(word) for word in options.vkey]
            trusted = trusted_keys(keys, pinned)
            written = [row["note"] for row in rows if row["kind"] == "checkpoint"]
            heads = [good_head(read_note(one), keys, [key.key for key in keys]) for one in written]
            heads = [head for head in heads if any(key.signed(head.note) for key in trusted)]
            for file in options.known_head:
                kept = Path(file).read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n") + "\n"
                heads.append(good_head(read_note(kept), keys, trusted))
        except (ValueError, KeyError, IndexError, TypeError) as wrong:
            raise Over("INVALID-SIGNATURE", str(wrong)) from wrong
        count, roots = walk(archive, {head.size for head in heads})
    same = 0
    for head in sorted(heads, key=lambda one: one.size):
        if head.size > count:
            reason = (
                f"a head over {head.size} events was signed, and there are {count}: cut off, or an older copy"
            )
            raise Over("STALE", reason, notes=(head.note.written,))
        if roots.get(head.size, sha256(b"").digest()) != head.root:
            reason = (
                f"it is not the log that was signed: it differs at some event from {same} to {head.size - 1}"
            )
            raise Over("DIVERGED", reason, notes=(head.note.written, heads[-1].note.written))
        same = head.size
    if count != manifest["events"]:
        raise Over("UNVERIFIABLE", f"it holds {count} events, and its manifest names {manifest['events']}")
    judge(heads, keys, rows, count, options)


def judge(heads: list[Head], keys: list[KeyStatement], rows: Rows, count: int, options: Any) -> NoReturn:
    if not heads:
        raise Over("UNANCHORED", f"nothing that is signed covers these {count} events")
    newest = max(heads, key=lambda one: one.size)
    want, named = 0, []  # type: int, list[Key]
    for row in (row for row in rows if row["kind"] == "witnesses"):
        note = read_note(row["note"])
        said = fields(note, "campaign-tracker/witnesses/1")
        if not any(one.key.signed(note) for one in keys):
            raise Over("INVALID-SIGNATURE", "who may witness is not signed with the campaign's key")
        if int(said["from"][0].split(" ")[0]) <= newest.size:
            want, named = int(said["wanted"][0]), [read_key(word) for word in said.get("witness", [])]
    if options.witness:
        named, want = [read_key(word) for word in options.witness], max(want, 1)
    lines = [row["note"] for row in rows if row["kind"] == "cosignature" and row["size"] == newest.size]
    cosigned = read_note(newest.note.written + "".join(lines))
    good = {key.public: key.name for key in named if key.kind == WITNESS and key.signed(cosigned)}
    if newest.size < count:
        raise Over("UNANCHORED", f"events {newest.size} to {count - 1} came after the newest signed head")
    said_by = f"{count} events, signed by {newest.origin}"
    if want and len(good) >= want:
        by = ", ".join(good.values())
        raise Over(f"VALID-WITNESSED {len(good)}/{want}", f"{said_by}, witnessed by {by}")
    short = f"; {len(good)} of {want} wanted witnesses" if want else ""
    raise Over("VALID", said_by + short, code=10 if want else 0)


def main() -> int:
    parser = argparse.ArgumentParser(description="Verify an exported campaign.")
    parser.add_argument("archive")
    parser.add_argument("--vkey", action="append", default=[], help="the campaign's key, as you got it")
    parser.add_argument("--known-head", action="append", default=[], help="a file with a head that you kept")
    parser.add_argument("--witness", action="append", default=[], help="a witness's key: only these count")
    options = parser.parse_args()
    try:
        verify(options)
    except Over as over:
        verdict = over
    except (OSError, ValueError, LookupError, TypeError, RuntimeError, *BROKEN) as wrong:
        verdict = Over("UNVERIFIABLE", f"it cannot be read ({wrong})")
    print(f"{verdict.word}: {verdict.reason}")
    for note in verdict.notes:
        print(f"\n{note}", end="")
    if not options.vkey and verdict.code in (0, 10):
        print("Compare the key with the one on the campaign's page, or give that with --vkey.")
    return verdict.code


if __name__ == "__main__":
    sys.exit(main())

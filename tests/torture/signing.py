"""What is signed is forged: bits of notes, proofs and archives are flipped, and a tail is written anew."""

from __future__ import annotations

import io
import random
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from runpy import run_path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tracker.log import archive_file, c2sp
from tracker.log.c2sp import Checkpoint, InclusionProof, Note, NoteUnreadable
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash
from tracker.log.proofs import Tree, is_consistent
from tracker.log.signed_log import SignedHead, SignedHistory
from tracker.log.signed_statements import CampaignKey, KeyStatement
from tracker.service import standalone_verifier
from tracker.service.file_verification import TrustAnchors, verdict_on_file
from tracker.service.log_verdicts import EXIT_CODES, verdict_on

from . import club
from .runner import Run

FLIPS_A_ROUND = 1_000
VERIFY_PY = Path(standalone_verifier.__path__[0]) / "verify.py"
ORIGIN = "ash-wastes-000001"
KEY, WITNESS = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
LOG = c2sp.verifier_of(KEY, ORIGIN, c2sp.LOG_KEY)
SAM = c2sp.verifier_of(WITNESS, "sam", c2sp.WITNESS_KEY)


def forgeries(run: Run) -> None:
    """A bit is flipped in a signed head, a proof of an event or of consistency: none is accepted, none breaks."""
    for dice in run.each_round():
        size = dice.randint(2, 2_000)
        tree = Tree([leaf_hash(dice.randbytes(8)) for _ in range(size)])
        head = Checkpoint(ORIGIN, size, tree.root())
        note = Note(head.text(), (c2sp.sign(KEY, ORIGIN, head.text()),))
        note = note.signed_by(c2sp.cosign(WITNESS, "sam", head.text(), seconds=dice.randrange(2**32)))
        old, index = dice.randint(1, size - 1), dice.randrange(size)
        proof = InclusionProof(index, tree.inclusion(index, size), note).written().encode()
        continues = c2sp.ConsistencyProof(old, size, tree.consistency(old, size)).written().encode()
        leaf, written = tree.leaf(index), note.written().encode()
        for _ in range(FLIPS_A_ROUND // 4):
            assert not _is_head(flipped(written, dice), head)
            assert not _is_proven(flipped(proof, dice), index, leaf)
            assert not _is_continued(flipped(continues, dice), tree, old)
            spoiled = bytes(leaf[:-1]) + bytes([leaf[-1] ^ 1 << dice.randrange(8)])
            assert not _is_proven(proof.decode(), index, spoiled)
        run.count("flips", by=FLIPS_A_ROUND)


def flipped(content: bytes, dice: random.Random) -> str:
    """The same with one bit turned; what is no text any more becomes one with a mark in it."""
    at = dice.randrange(len(content))
    turned = bytes([content[at] ^ 1 << dice.randrange(8)])
    return (content[:at] + turned + content[at + 1 :]).decode(errors="replace")


def _is_head(written: str, head: Checkpoint) -> bool:
    try:
        note = c2sp.parse_note(written)
        same = c2sp.parse_checkpoint(note) == head
    except NoteUnreadable:
        return False
    return same and LOG.signature_on(note) is not None and SAM.signature_on(note) is not None


def _is_proven(written: str, index: int, leaf: bytes) -> bool:
    try:
        proof = c2sp.parse_inclusion(written)
        proves = proof.index == index and proof.proves(leaf)
    except NoteUnreadable:
        return False
    return proves and LOG.signature_on(proof.note) is not None and SAM.signature_on(proof.note) is not None


def _is_continued(written: str, tree: Tree, old: int) -> bool:
    try:
        proof = c2sp.parse_consistency(written)
    except NoteUnreadable:
        return False
    if (proof.old, proof.new) != (old, tree.size):
        return False
    return is_consistent(proof.old, tree.root(old), proof.new, tree.root(), proof.path)


def spoiled_archives(run: Run) -> None:
    """A bit of a signed archive is flipped: its verdict is bad, or nothing that counts differs.

    By this program, and by the `verify.py` that travels in it.
    """
    place = run.folder / "signed.zip"
    key = _signed_archive(run, place)
    content = place.read_bytes()
    with zipfile.ZipFile(place) as members:
        counts = [
            (
                info.header_offset + 30 + len(info.filename),
                info.header_offset + 30 + len(info.filename) + info.file_size,
            )
            for info in members.infolist()
            if info.filename.endswith("notes.jsonl") or info.filename == "events.jsonl"
        ]
    spoiled, script = run.folder / "spoiled.zip", run_path(str(VERIFY_PY))["main"]
    for dice in run.each_round():
        start, end = dice.choice([*counts, (0, len(content))])
        at = dice.randrange(start, end)
        turned = bytes([content[at] ^ 1 << dice.randrange(8)])
        spoiled.write_bytes(content[:at] + turned + content[at + 1 :])
        verdict = verdict_on_file(str(spoiled), TrustAnchors(keys=(key,)))
        with redirect_stdout(io.StringIO()) as out, _words("verify.py", str(spoiled), "--vkey", key.vkey()):
            script()
        for word in (verdict.word, out.getvalue().partition(":")[0]):
            assert word in EXIT_CODES, (at, out.getvalue())
            if word in ("VALID", "VALID-WITNESSED", "UNANCHORED"):
                assert (start, _that_count(spoiled)) == (0, _that_count(place)), (at, word)
        run.count(verdict.word)


def _that_count(archive: Path) -> tuple[bytes, ...]:
    """What a verdict is about; of README.txt, or of keys that commands were sent under, it says nothing."""
    with zipfile.ZipFile(archive) as members:
        return tuple(map(members.read, (archive_file.EVENTS, archive_file.SIGNED)))


@contextmanager
def _words(*typed: str) -> Iterator[None]:
    before, sys.argv = sys.argv, [*typed]
    try:
        yield
    finally:
        sys.argv = before


def _signed_archive(run: Run, place: Path) -> c2sp.Verifier:
    with club.opened(club.sqlite(run.folder / "club.db")) as tracker:
        campaign = club.begin(tracker)
        signing = tracker.signing(run.folder / "keys")
        signing.new_key(campaign, origin=ORIGIN, passphrase=None)
        signing.checkpoint(campaign, lambda: "")
        tracker.archives.export(campaign, place)
        return signing.signed(campaign).keys[-1].verifier


def rewritten_tails(run: Run) -> None:
    """The tail of a log is written anew from any position: found with any head after it, the window named."""
    for dice in run.each_round():
        size = dice.randint(20, 10_000)
        every = dice.choice((1, 10, 100, size))
        leaves = [leaf_hash(number.to_bytes(4, "big")) for number in range(size)]
        signed = _signed(leaves, every)
        first = dice.randrange(size - size % every or 1)
        others = [*leaves[:first], *(leaf_hash(leaf) for leaf in leaves[first:])]
        tree = Tree(others)
        verdict = verdict_on(signed, size=size, root_at=tree.root)
        before, after = first - first % every, first - first % every + every
        assert verdict.word == "DIVERGED", (size, every, first, verdict)
        assert f"from {before} to {after - 1}" in verdict.reason, (size, every, first, verdict)
        run.count("tails")


EVENTS = 10_000
EVERY_TAIL = 1_000
"""So many rounds rewrite the tail from each position once."""
HEADS_EVERY = 10


def every_tail(run: Run) -> None:
    """The tail of 10,000 events is written anew from each position in turn, every hash with it.

    Each head after it, alone, shows that; the verdict names the window between the heads before and after it.
    """
    leaves = _chained(0, EMPTY_PREV)
    signed = _signed(leaves, HEADS_EVERY)
    for dice in run.each_round():
        for first in range(run.at % EVERY_TAIL, EVENTS, EVERY_TAIL):
            frontier, roots = EMPTY_FRONTIER.append(*leaves[:first]), dict[int, bytes]()
            others = _chained(first, leaves[first - 1].hex() if first else EMPTY_PREV, b"another")
            for at, leaf in enumerate(others, start=first + 1):
                frontier = frontier.append(leaf)
                if at % HEADS_EVERY == 0:
                    roots[at] = frontier.root()
            after = first // HEADS_EVERY
            assert not [
                signed_head.head.size
                for signed_head in signed.heads[after:]
                if roots[signed_head.head.size] == signed_head.head.root
            ]
            before = signed.heads[after - 1 : after] if after else ()
            roots |= {signed_head.head.size: signed_head.head.root for signed_head in before}
            for head in {after, dice.randrange(after, len(signed.heads)), len(signed.heads) - 1}:
                some = SignedHistory(signed.keys, (), (*before, signed.heads[head]))
                verdict = verdict_on(some, size=EVENTS, root_at=roots.__getitem__)
                window = f"from {after * HEADS_EVERY} to {signed.heads[head].head.size - 1}"
                assert verdict.word == "DIVERGED", (first, head, verdict)
                assert window in verdict.reason, (first, head, verdict)
            run.count("tails")


def _chained(first: int, prev: str, says: bytes = b"one") -> list[bytes]:
    """The leaves from an event on, each naming the one before it."""
    leaves = []
    for number in range(first, EVENTS):
        leaf = leaf_hash(b'{"is":"%s","prev":"%s","seq":%d}' % (says, prev.encode(), number))
        leaves.append(leaf)
        prev = leaf.hex()
    return leaves


def _signed(leaves: list[bytes], every: int) -> SignedHistory:
    """A head after every so many events."""
    heads, frontier = [], EMPTY_FRONTIER
    key = CampaignKey(KeyStatement("c", 0, LOG, 0, EMPTY_FRONTIER.root()), "first")
    for start in range(0, len(leaves) - every + 1, every):
        frontier = frontier.append(*leaves[start : start + every])
        head = Checkpoint(ORIGIN, frontier.size, frontier.root())
        heads.append(SignedHead(head, Note(head.text(), (c2sp.sign(KEY, ORIGIN, head.text()),)), frontier))
    return SignedHistory((key,), (), tuple(heads))

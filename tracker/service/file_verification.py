"""Verifies a file, an archive or a proof of one event. Opens no database."""

from __future__ import annotations

from pathlib import Path

from tracker.log import c2sp
from tracker.log.archive_file import ArchiveUnreadable
from tracker.log.c2sp import Note, Verifier
from tracker.log.chain import leaf_hash
from tracker.log.signed_statements import CampaignKey
from tracker.records import Record
from tracker.service import archive_reader, cosignatures, log_verdicts, proof_files
from tracker.service.archive_reader import ArchiveTooNew, EventWrong, SignedWrong
from tracker.service.log_verdicts import LogVerdict

BODY_BYTES_MAX = 2**16


class TrustAnchors(Record):
    """What a person trusts instead of the Arbitrator: the campaign's key, known heads, trusted witnesses.

    `followed` are the statements that hand a key on; an archive has its own, a proof of one event has none.
    """

    keys: tuple[Verifier, ...] = ()
    followed: tuple[CampaignKey, ...] = ()
    heads: tuple[Note, ...] = ()
    witnesses: tuple[Verifier, ...] | None = None


def verdict_on_file(file: str, held: TrustAnchors) -> LogVerdict:
    """The verdict on an archive, or on a proof of one event with the event beside it in FILE.json."""
    if _is_proof(file):
        return _verdict_on_proof(file, held)
    sizes = [c2sp.parse_checkpoint(note).size for note in held.heads]
    try:
        with archive_reader.opened(Path(file), sizes) as archive:
            return archive_reader.verdict_on_archive(
                archive, pinned=held.keys, known=held.heads, witnesses=held.witnesses
            )
    except EventWrong as wrong:
        said = wrong.reason.startswith("event ")  # the reason names the event
        return log_verdicts.invalid_event(None if said else wrong.seq, 0, wrong.reason)
    except SignedWrong as wrong:
        return log_verdicts.invalid_signature(0, wrong.reason)
    except ArchiveTooNew as newer:
        return log_verdicts.unverifiable(f"this program cannot read its event {newer.seq} ({newer.type})")
    except ArchiveUnreadable as wrong:
        return log_verdicts.unverifiable(wrong.reason)


def _is_proof(file: str) -> bool:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(len(c2sp.PROOF_HEADING)) == c2sp.PROOF_HEADING.encode()
    except (OSError, ValueError):
        return False  # not an archive either, which is reported


def _verdict_on_proof(file: str, held: TrustAnchors) -> LogVerdict:
    try:
        proof = proof_files.read_inclusion_proof(file)
        head = c2sp.parse_checkpoint(proof.note)
    except (proof_files.FileUnreadable, c2sp.NoteUnreadable) as wrong:
        return log_verdicts.unverifiable(str(wrong))
    if not held.keys:
        return log_verdicts.unverifiable(
            "whose key must have signed it? Name the one on the campaign's page: --vkey"
        )
    body = Path(f"{file}.json")
    try:
        with body.open("rb") as stream:
            content = stream.read(BODY_BYTES_MAX + 1)
    except OSError:
        return log_verdicts.unverifiable(f"{body} is missing, the event that it proves")
    return log_verdicts.verdict_on_event(
        head,
        proof.note,
        proves=proof.proves(leaf_hash(content)),
        index=proof.index,
        pinned=cosignatures.signing_keys(head.size, held.keys, held.followed),
        witnesses=held.witnesses or (),
        known=held.heads,
    )

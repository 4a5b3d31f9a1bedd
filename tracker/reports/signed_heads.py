"""Signed heads: keys, heads, witnesses and proofs, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tracker.log.c2sp import Checkpoint, ConsistencyProof, InclusionProof, Note, Verifier
from tracker.log.signed_log import SignedHead
from tracker.log.signed_statements import CampaignKey, WitnessStatement
from tracker.reports.page import DataTable, Heading, Page, Text
from tracker.service.log_verdicts import LogVerdict
from tracker.service.signing import WitnessCount

_BEGAN = {
    "first": "the first",
    "rotated": "handed on by the key before it",
    "replaced": "after the key before it was lost: nothing but its own word links it to that",
}


def key_page(keys: Sequence[CampaignKey], statements: Sequence[Note], file: Path) -> Page:
    """A campaign's keys with the statement of each, the present one last."""
    lines = [
        *(
            f"{key.verifier.vkey()}\n  from event {key.statement.size} on, {_BEGAN[key.began]}"
            for key in keys
        ),
        f"On this machine: {file}" if file.exists() else "It is not on this machine.",
    ]
    return Page(
        schema="audit-key",
        blocks=lambda: [[Text("\n".join(lines).split("\n"))]],
        data=lambda: {
            "keys": [
                {
                    "key": key.verifier.vkey(),
                    "origin": key.verifier.name,
                    "from_event": key.statement.size,
                    "began": key.began,
                    "before": None if key.statement.before is None else _head(key.statement.before),
                    "statement": statement.written(),
                }
                for key, statement in zip(keys, statements, strict=True)
            ],
            "here": file.exists(),
        },
    )


def witness_key_page(verifier: Verifier, file: Path) -> Page:
    """A witness's own key."""
    lines = [verifier.vkey(), f"On this machine: {file}", "Give the first line to the Arbitrator."]
    return Page(
        schema="audit-witness-key",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {"key": verifier.vkey(), "name": verifier.name},
    )


def head_page(signed: SignedHead, witnessed: WitnessCount) -> Page:
    """A signed head, and who witnessed it."""
    return Page(
        schema="audit-checkpoint",
        blocks=lambda: [[Text(signed.note.written().rstrip("\n").split("\n"))]],
        data=lambda: _signed_head(signed, witnessed),
    )


def heads_page(counted: Sequence[tuple[SignedHead, WitnessCount]], *, heading: str) -> Page:
    """Every signed head, and who witnessed it."""
    rows = [
        (
            str(signed.head.size),
            signed.head.root.hex()[:16],
            signed.head.origin,
            ", ".join(witness.name for witness in witnessed.good),
            f"{len(witnessed.good)} of {witnessed.wanted}" if witnessed.wanted else "",
        )
        for signed, witnessed in counted
    ]
    columns = ("events", "root", "signed by", "witnessed by", "wanted")
    none = "No head was signed yet: arbitrator audit checkpoint."
    return Page(
        schema="audit-heads",
        blocks=lambda: [[Heading(heading, 1)], [DataTable(columns, rows) if rows else Text([none])]],
        data=lambda: {"heads": [_signed_head(signed, witnessed) for signed, witnessed in counted]},
    )


def _signed_head(signed: SignedHead, witnessed: WitnessCount) -> dict[str, Any]:
    return {
        **_head(signed.head),
        "note": signed.note.written(),
        "witnesses": [witness.name for witness in witnessed.good],
        "wanted": witnessed.wanted,
    }


def witnessed_page(head: Checkpoint, note: Note, witness: Verifier) -> Page:
    """A head with the caller's own signature."""
    return Page(
        schema="audit-cosignature",
        blocks=lambda: [[Text(note.written().rstrip("\n").split("\n"))]],
        data=lambda: {**_head(head), "note": note.written(), "witness": witness.vkey()},
    )


def witnesses_page(statements: Sequence[WitnessStatement]) -> Page:
    """Every version of the statement of witnesses."""
    lines = []
    for statement in statements:
        lines.append(
            f"Version {statement.number + 1}, from event {statement.size} on:"
            f" {statement.wanted} of {len(statement.witnesses)} wanted"
        )
        lines += [f"  {witness.vkey()}" for witness in statement.witnesses]
    return Page(
        schema="audit-witnesses",
        blocks=lambda: [[Text(lines or ["No witnesses are named. Name them with --want."])]],
        data=lambda: {
            "versions": [
                {
                    "version": statement.number + 1,
                    "from_event": statement.size,
                    "wanted": statement.wanted,
                    "witnesses": [witness.vkey() for witness in statement.witnesses],
                }
                for statement in statements
            ]
        },
    )


def proof_page(address: str, proof: InclusionProof, body: bytes, file: str) -> Page:
    """The written proof, and how to check it."""
    size = len(proof.written().encode())
    lines = [
        f"Event {address} is number {proof.index} of the log: {file} ({size} bytes) proves it.",
        f"What it proves is {file}.json, to the byte.",
    ]
    return Page(
        schema="audit-proof",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {
            "event": address,
            "index": proof.index,
            "file": file,
            "bytes": size,
            "proof": proof.written(),
            "body": body.decode(),
        },
    )


def verdict_page(verdict: LogVerdict) -> Page:
    """The verdict on an archive or a proof."""
    return Page(
        schema="audit-verdict",
        blocks=lambda: [[Text([*verdict_lines(verdict)])]],
        data=lambda: verdict_data(verdict),
    )


def verdict_lines(verdict: LogVerdict) -> Iterator[str]:
    """The verdict in words, with the notes that prove it to others."""
    yield f"{verdict.shown}: {verdict.reason}"
    if verdict.covered and verdict.word == "UNANCHORED":
        yield f"Events 0 to {verdict.covered - 1} are those that were signed."
    if verdict.signer:
        yield f"Signed with {verdict.signer}"
    if verdict.witnesses:
        yield f"Witnessed by {', '.join(verdict.witnesses)}; the first at {verdict.cosigned}."
    for note in verdict.evidence:
        yield ""
        yield from note.rstrip("\n").split("\n")


def verdict_data(verdict: LogVerdict) -> dict[str, Any]:
    """The verdict for programs."""
    return {
        "verdict": verdict.word,
        "reason": verdict.reason,
        "events": verdict.events,
        "covered": verdict.covered,
        "witnesses": list(verdict.witnesses),
        "wanted": verdict.wanted,
        "key": verdict.signer or None,
        "evidence": list(verdict.evidence),
        "exit_code": verdict.exit_code,
    }


def consistency_page(proof: ConsistencyProof) -> Page:
    """A proof of consistency for programs."""
    return Page(
        schema="audit-consistency",
        blocks=lambda: [[Text(proof.written().rstrip("\n").split("\n"))]],
        data=lambda: {"old": proof.old, "new": proof.new, "proof": proof.written()},
    )


def _head(head: Checkpoint) -> dict[str, Any]:
    return {"origin": head.origin, "events": head.size, "root": head.root.hex()}

"""The signed history of a log: its keys in order, its witnesses and its heads, with the signatures of its
keys checked.

Knows rows and notes. Opens no database, and does not check the heads against a log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, Note, NoteUnreadable
from tracker.log.chain import Frontier
from tracker.log.signed_notes import SignedRow
from tracker.log.signed_statements import CampaignKey, WitnessStatement, keys_in_order, parse_witnesses


@dataclass(frozen=True)
class SignedHead:
    """A head with its signatures."""

    head: Checkpoint
    note: Note
    frontier: Frontier


@dataclass(frozen=True)
class SignedHistory:
    """The signed history of a campaign; every signature of its own keys was checked."""

    keys: tuple[CampaignKey, ...] = ()
    statements: tuple[WitnessStatement, ...] = ()
    heads: tuple[SignedHead, ...] = ()

    @property
    def last(self) -> SignedHead | None:
        """The head over the most events."""
        return self.heads[-1] if self.heads else None

    def witnesses(self, size: int) -> tuple[int, tuple[c2sp.Verifier, ...]]:
        """The number of witnesses that a head of that size needs, and the witnesses that count."""
        held = [statement for statement in self.statements if statement.size <= size]
        return (held[-1].wanted, held[-1].witnesses) if held else (0, ())


def read_history(campaign: str, rows: Sequence[SignedRow]) -> SignedHistory:
    """The history in these rows, after a check of every signature of the campaign's own keys.

    Raises NoteUnreadable. Does not check cosignatures: whoever counts them does.
    """
    of = {kind: [row for row in rows if row.kind == kind] for kind in ("key", "witnesses", "checkpoint")}
    keys = keys_in_order(campaign, [c2sp.parse_note(row.note) for row in of["key"]])
    statements = []
    for number, row in enumerate(of["witnesses"]):
        note = c2sp.parse_note(row.note)
        statement = parse_witnesses(note)
        if (statement.campaign, statement.number) != (campaign, number):
            raise NoteUnreadable(f"statement {number} on witnesses is of another campaign or number")
        _check_signed(keys, note, statement.origin, statement.size)
        statements.append(statement)
    heads = []
    for row in of["checkpoint"]:
        note = c2sp.parse_note(row.note)
        head = c2sp.parse_checkpoint(note)
        if (head.origin, head.size) != (row.origin, row.size):
            raise NoteUnreadable(f"the head over {row.size} events is that of another place")
        _check_signed(keys, note, head.origin, head.size)
        if row.frontier.size and (row.frontier.size, row.frontier.root()) != (head.size, head.root):
            raise NoteUnreadable(f"the frontier beside the head over {head.size} events is not its own")
        lines = [
            line
            for other in rows
            if other.kind == "cosignature" and (other.origin, other.size) == (head.origin, head.size)
            for line in c2sp.parse_note(f"{head.text()}\n{other.note}").signatures
        ]
        heads.append(SignedHead(head, note.signed_by(*lines), row.frontier))
    return SignedHistory(keys, tuple(statements), tuple(heads))


def _check_signed(keys: Sequence[CampaignKey], note: Note, origin: str, size: int) -> None:
    for key in keys:
        if key.verifier.name == origin and key.signs(size) and key.verifier.signature_on(note) is not None:
            return
    raise NoteUnreadable(f"the note over {size} events has no valid signature of {origin}")

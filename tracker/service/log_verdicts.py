"""Verdicts: whether a log is the signed one, and the one that people saw.

Knows events' hashes, heads and keys. Opens no file and no database; the caller has verified the bytes and the
chain, or names the damaged event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from tracker.log import c2sp
from tracker.log.c2sp import Checkpoint, Note, Verifier
from tracker.log.signed_log import SignedHead, SignedHistory
from tracker.records import Record, replace
from tracker.service.cosignatures import linked_keys

Word: TypeAlias = Literal[
    "VALID",
    "VALID-WITNESSED",
    "INVALID-EVENT",
    "INVALID-SIGNATURE",
    "DIVERGED",
    "STALE",
    "UNANCHORED",
    "UNVERIFIABLE",
]
EXIT_CODES: dict[Word, int] = {
    "VALID": 0,
    "VALID-WITNESSED": 0,
    "INVALID-EVENT": 4,
    "INVALID-SIGNATURE": 11,
    "DIVERGED": 12,
    "STALE": 13,
    "UNANCHORED": 14,
    "UNVERIFIABLE": 15,
}
FEWER_WITNESSES = 10
"""The exit code of VALID if fewer witnesses have signed than the campaign wants."""

RootAt: TypeAlias = Callable[[int], bytes]
"""Returns the root over the log's first events; never called with more than there are."""


class LogVerdict(Record):
    """The verdict on a log of `events` events. `covered` is how many the newest good head covers."""

    word: Word
    reason: str
    events: int
    covered: int = 0
    witnesses: tuple[str, ...] = ()
    wanted: int = 0
    signer: str = ""
    cosigned: str = ""
    evidence: tuple[str, ...] = ()
    """Contradictory notes, in the form in which they are passed on."""

    @property
    def shown(self) -> str:
        """The verdict in one word, with the number of witnesses."""
        return (
            f"{self.word} {len(self.witnesses)}/{self.wanted}"
            if self.word == "VALID-WITNESSED"
            else self.word
        )

    @property
    def exit_code(self) -> int:
        """The exit code of the command that shows it."""
        too_few = self.word == "VALID" and len(self.witnesses) < self.wanted
        return FEWER_WITNESSES if too_few else EXIT_CODES[self.word]


def verdict_on(
    signed: SignedHistory,
    *,
    size: int,
    root_at: RootAt,
    pinned: Sequence[Verifier] = (),
    known: Sequence[Note] = (),
    witnesses: Sequence[Verifier] | None = None,
) -> LogVerdict:
    """The verdict on a log of `size` events with correct bytes and chain.

    `pinned` are keys from the Arbitrator's own hand, `known` heads that somebody kept. `witnesses` are those
    whose signatures count; None: those that the campaign names.
    """
    trusted = _trusted(signed, pinned)
    if trusted is None:
        held = ", ".join(verifier.vkey() for verifier in pinned)
        return _bad("INVALID-SIGNATURE", size, f"it is not signed with the key that you hold: {held}")
    mine = _known_heads(known, trusted)
    if isinstance(mine, str):
        return _bad("INVALID-SIGNATURE", size, mine)
    heads = [found for found in signed.heads if _signer(found.note, found.head, trusted) is not None]
    wrong = _conflict(heads, mine, size, root_at)
    if wrong is not None:
        return wrong
    covering = [(found.head, found.note) for found in heads] + [
        (c2sp.parse_checkpoint(own_note), own_note) for own_note in mine
    ]
    if not covering:
        return _bad("UNANCHORED", size, "no signed head covers any of it")
    head, note = max(covering, key=lambda pair: pair[0].size)
    return _of_head(signed, head, note, size, trusted, witnesses)


def _trusted(signed: SignedHistory, pinned: Sequence[Verifier]) -> tuple[Verifier, ...] | None:
    """The keys whose heads count; None if a pinned key is not the campaign's."""
    if not pinned:
        return tuple(key.verifier for key in signed.keys)
    campaigns = {key.verifier for key in signed.keys}
    if campaigns and not campaigns.intersection(pinned):
        return None
    return tuple(dict.fromkeys(key for pinned_key in pinned for key in linked_keys(signed.keys, pinned_key)))


def _signer(note: Note, head: Checkpoint, trusted: Sequence[Verifier]) -> Verifier | None:
    return next(
        (key for key in trusted if key.name == head.origin and key.signature_on(note) is not None), None
    )


def _known_heads(known: Sequence[Note], trusted: Sequence[Verifier]) -> list[Note] | str:
    for note in known:
        head = c2sp.parse_checkpoint(note)
        if _signer(note, head, trusted) is None:
            return f"the head over {head.size} events that you hold is not signed with this campaign's key"
    return list(known)


def _conflict(
    heads: Sequence[SignedHead], mine: Sequence[Note], size: int, root_at: RootAt
) -> LogVerdict | None:
    """A head that the log does not continue; None if it continues all of them."""
    all_heads = sorted(
        [(found.head, found.note) for found in heads]
        + [(c2sp.parse_checkpoint(own_note), own_note) for own_note in mine],
        key=lambda pair: pair[0].size,
    )
    same, roots = 0, dict[tuple[str, int], tuple[Checkpoint, Note]]()
    for head, note in all_heads:
        other = roots.setdefault((head.origin, head.size), (head, note))
        if other[0].root != head.root:
            reason = f"two heads over {head.size} events are signed, of two different logs"
            return _bad("DIVERGED", size, reason, evidence=(other[1].written(), note.written()))
    for head, note in all_heads:
        if head.size > size:
            reason = (
                f"a head over {head.size} events was signed, and there are {size}: the end was cut off, or an"
                " older copy was put back"
            )
            return _bad("STALE", size, reason, covered=same, evidence=(note.written(),))
        if root_at(head.size) != head.root:
            reason = (
                f"it is not the log that was signed: it differs at some event from {same} to {head.size - 1}"
            )
            newest = heads[-1].note.written() if heads else ""
            evidence = tuple(dict.fromkeys((note.written(), *([newest] if newest else []))))
            return _bad("DIVERGED", size, reason, covered=same, evidence=evidence)
        same = head.size
    return None


def _of_head(
    signed: SignedHistory,
    head: Checkpoint,
    note: Note,
    size: int,
    trusted: Sequence[Verifier],
    witnesses: Sequence[Verifier] | None,
) -> LogVerdict:
    wanted, named = signed.witnesses(head.size)
    good = c2sp.good_witnesses(note, named if witnesses is None else witnesses)
    times = [c2sp.cosigned_at(found) for witness in good if (found := witness.signature_on(note)) is not None]
    signer = _signer(note, head, trusted)
    wanted = wanted if witnesses is None else max(wanted, 1)
    so_far = LogVerdict(
        word="VALID",
        reason="",
        events=size,
        covered=head.size,
        witnesses=tuple(witness.name for witness in good),
        wanted=wanted,
        signer="" if signer is None else signer.vkey(),
        cosigned=_day(min(times)) if times else "",
    )
    if head.size < size:
        reason = (
            f"events {head.size} to {size - 1} came after the newest signed head: nothing vouches for them"
        )
        return replace(so_far, word="UNANCHORED", reason=reason)
    lost = [key for key in signed.keys if key.began == "replaced" and key.verifier in trusted]
    aside = " A lost key was replaced: nothing but its own word links the new one to it." if lost else ""
    if wanted and len(good) >= wanted:
        reason = f"signed and witnessed to the last event.{aside}"
        return replace(so_far, word="VALID-WITNESSED", reason=reason)
    few = ""
    if wanted:
        few = f" {len(good)} of the {wanted} witnesses that are wanted have signed."
    return replace(so_far, reason=f"signed to the last event.{few}{aside}")


def _bad(
    word: Word, events: int, reason: str, *, covered: int = 0, evidence: tuple[str, ...] = ()
) -> LogVerdict:
    return LogVerdict(word=word, reason=reason, events=events, covered=covered, evidence=evidence)


def invalid_event(seq: int | None, events: int, why: str) -> LogVerdict:
    """The verdict on a log that is damaged at an event."""
    where = "" if seq is None else f"event {seq}: "
    return _bad("INVALID-EVENT", events, f"{where}{why}")


def invalid_signature(events: int, why: str) -> LogVerdict:
    """The verdict on a log with a bad signature beside it."""
    return _bad("INVALID-SIGNATURE", events, why)


def unverifiable(why: str) -> LogVerdict:
    """The verdict if something that it needs is missing."""
    return _bad("UNVERIFIABLE", 0, why)


def _day(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def verdict_on_event(
    head: Checkpoint,
    note: Note,
    *,
    proves: bool,
    index: int,
    pinned: Sequence[Verifier],
    witnesses: Sequence[Verifier] = (),
    known: Sequence[Note] = (),
) -> LogVerdict:
    """The verdict on one event by its proof that it is in the signed log."""
    signer = _signer(note, head, pinned)
    if signer is None:
        return _bad("INVALID-SIGNATURE", head.size, "its head is not signed with the key that you hold")
    if not proves:
        return _bad("INVALID-EVENT", head.size, f"event {index}: it is not the one that was signed")
    for mine in known:
        other = c2sp.parse_checkpoint(mine)
        if _signer(mine, other, pinned) and other[:2] == head[:2] and other.root != head.root:
            both = (mine.written(), note.written())
            return _bad("DIVERGED", head.size, "you hold another head of the same size", evidence=both)
    good = c2sp.good_witnesses(note, witnesses)
    return LogVerdict(
        word="VALID-WITNESSED" if witnesses and len(good) == len(witnesses) else "VALID",
        reason=f"event {index} stands in the log of {head.size} events that was signed.",
        events=head.size,
        covered=head.size,
        witnesses=tuple(witness.name for witness in good),
        wanted=len(witnesses),
        signer=signer.vkey(),
    )

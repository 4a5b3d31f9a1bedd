"""Sealing: drafts become numbered, chained, frozen bytes. Pure.

Knows no database and no event type.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from tracker.log.canonical import canonical_bytes, sorted_json
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier, leaf_hash
from tracker.log.envelopes import Bodies, Envelope
from tracker.log.refusals import NotStorable
from tracker.records import converted


# Structs: made for every event, at a fifth of what our own records take.
class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event before it is sealed. `data` is a dict, or the JSON of one."""

    type: str
    shape: int
    entry: int
    slot: int
    event_id: str
    at: str
    actor: str
    policy_version: str
    policy_digest: str
    causation: int | None
    data: dict[str, Any] | bytes


class SealedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event with its place, its bytes and their hash: what a row of `events` holds."""

    campaign: str
    seq: int
    entry: int
    slot: int
    event_id: str
    type: str
    body: bytes
    leaf: bytes


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a campaign's log ends. `leaf_hex` is the `prev` of the next event."""

    campaign: str
    size: int = 0
    entries: int = 0
    leaf_hex: str = EMPTY_PREV
    frontier: Frontier = EMPTY_FRONTIER


def seal(head: Head, drafts: Sequence[Draft]) -> tuple[tuple[SealedEvent, ...], Head]:
    """Number, chain and freeze drafts after `head`. Refuses what canonical JSON cannot hold: `NotStorable`.

    Whole entries only: the first draft opens the entry after the head's last one.
    """
    assert drafts, "an append holds at least one event"
    assert drafts[0].entry == head.entries + 1, "an entry that was written is closed"
    sealed: list[SealedEvent] = []
    seq, entries, prev = head.size, head.entries, head.leaf_hex
    for draft in drafts:
        assert entries <= draft.entry <= entries + 1, "entries follow each other without a gap"
        event = _seal_one(head.campaign, seq, prev, draft)
        sealed.append(event)
        seq, entries, prev = seq + 1, draft.entry, event.leaf.hex()
    return tuple(sealed), Head(
        campaign=head.campaign,
        size=seq,
        entries=entries,
        leaf_hex=prev,
        frontier=head.frontier.append(*(event.leaf for event in sealed)),
    )


def _seal_one(campaign: str, seq: int, prev: str, draft: Draft) -> SealedEvent:
    assert draft.slot <= draft.entry, "a slot is an entry that was played, now or before"
    assert draft.causation is None or draft.causation < seq, "a cause comes before its effect"
    envelope = {
        "v": 1,
        "campaign": campaign,
        "seq": seq,
        "entry": draft.entry,
        "slot": draft.slot,
        "id": draft.event_id,
        "type": draft.type,
        "shape": draft.shape,
        "at": draft.at,
        "actor": draft.actor,
        "policy": {"version": draft.policy_version, "digest": draft.policy_digest},
        "causation": draft.causation,
        "prev": prev,
        "data": msgspec.Raw(draft.data) if isinstance(draft.data, bytes) else draft.data,
    }
    body = _frozen(envelope, prev)
    return SealedEvent(
        campaign=campaign,
        seq=seq,
        entry=draft.entry,
        slot=draft.slot,
        event_id=draft.event_id,
        type=draft.type,
        body=body,
        leaf=leaf_hash(body),
    )


def _frozen(envelope: dict[str, Any], prev: str) -> bytes:
    """The canonical bytes. What comes as JSON is looked at as verifying looks; all else is walked through."""
    if isinstance(envelope["data"], msgspec.Raw):
        body = sorted_json(envelope)
        try:
            if _bodies().envelope(body, prev) is not None:
                return body
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError):
            pass  # the walk reports what is wrong
        envelope["data"] = msgspec.json.decode(envelope["data"])
    try:
        converted(envelope, Envelope)
    except msgspec.ValidationError as error:
        raise NotStorable("the event's envelope", str(error)) from error
    return canonical_bytes(envelope)


@cache
def _bodies() -> Bodies:
    return Bodies(plain_levels=5)

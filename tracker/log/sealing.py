"""Sealing: drafts become numbered, chained, frozen bytes. Pure.

Knows the envelope, which is for ever: `fixtures/vectors/` holds it. Knows no database and no event type.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from tracker.log.canonical import canonical_bytes
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier, leaf_hash
from tracker.log.refusals import NotStorable
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEvent:
    """An event with its place, its bytes and their hash: what a row of `events` holds."""

    campaign: str
    seq: int
    entry: int
    slot: int
    event_id: str
    type: str
    body: bytes
    leaf: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where a campaign's log ends. `leaf_hex` is the `prev` of the next event."""

    campaign: str
    size: int = 0
    entries: int = 0
    leaf_hex: str = EMPTY_PREV
    frontier: Frontier = EMPTY_FRONTIER


Text = Annotated[str, msgspec.Meta(min_length=1)]
Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Uuid7 = Annotated[
    str, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
]
Moment = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Ordinal = Annotated[int, msgspec.Meta(ge=1)]


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under which rulebook an event was decided."""

    version: Text
    digest: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of every body, for ever. Freezing it is what `fixtures/vectors/` is for."""

    v: Literal[1]
    campaign: Text
    seq: Count
    entry: Ordinal
    slot: Ordinal
    id: Uuid7
    type: Text
    shape: Ordinal
    at: Moment
    actor: Text
    policy: Policy
    causation: Count | None
    prev: Hex64
    data: dict[str, Any]


def seal(head: Head, drafts: Sequence[Draft]) -> tuple[tuple[SealedEvent, ...], Head]:
    """Number, chain and freeze drafts after `head`. Refuses what canonical JSON cannot hold: `NotStorable`.

    Whole entries only: the first draft opens the entry after the head's last one.
    """
    assert drafts, "an append holds at least one event"
    assert drafts[0].entry == head.entries + 1, "an entry that was written is closed"
    sealed: list[SealedEvent] = []
    for draft in drafts:
        event = _seal_one(head, draft)
        sealed.append(event)
        head = Head(
            campaign=head.campaign,
            size=head.size + 1,
            entries=draft.entry,
            leaf_hex=event.leaf.hex(),
            frontier=head.frontier.append(event.leaf),
        )
    return tuple(sealed), head


def _seal_one(head: Head, draft: Draft) -> SealedEvent:
    assert head.entries <= draft.entry <= head.entries + 1, "entries follow each other without a gap"
    assert draft.slot <= draft.entry, "a slot is an entry that was played, now or before"
    assert draft.causation is None or draft.causation < head.size, "a cause comes before its effect"
    envelope = {
        "v": 1,
        "campaign": head.campaign,
        "seq": head.size,
        "entry": draft.entry,
        "slot": draft.slot,
        "id": draft.event_id,
        "type": draft.type,
        "shape": draft.shape,
        "at": draft.at,
        "actor": draft.actor,
        "policy": {"version": draft.policy_version, "digest": draft.policy_digest},
        "causation": draft.causation,
        "prev": head.leaf_hex,
        "data": msgspec.json.decode(draft.data) if isinstance(draft.data, bytes) else draft.data,
    }
    try:
        msgspec.convert(envelope, Envelope)
    except msgspec.ValidationError as error:
        raise NotStorable("the event's envelope", str(error)) from error
    body = canonical_bytes(envelope)
    return SealedEvent(
        campaign=head.campaign,
        seq=head.size,
        entry=draft.entry,
        slot=draft.slot,
        event_id=draft.event_id,
        type=draft.type,
        body=body,
        leaf=leaf_hash(body),
    )

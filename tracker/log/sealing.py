"""Sealing: drafts become numbered, chained, frozen bytes, each with its hash (`chain.leaf_hash`). Pure.

Knows no database and no event type.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec

from tracker.log import canonical, envelopes
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier, leaf_hash
from tracker.log.refusals import NotStorable
from tracker.records import converted, decoder_of

PLAIN_LEVELS = 5
"""The depth that covers nearly all data; deeper values are checked by walking through them."""

_entry = attrgetter("entry")


# Structs, because one is made for every event: a fifth of the time of our own records.
class UnsealedEvent(msgspec.Struct, frozen=True, kw_only=True):
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
    """An event with its number, its bytes and their hash: a row of `events`."""

    campaign: str
    seq: int
    entry: int
    slot: int
    event_id: str
    type: str
    body: bytes
    leaf: bytes


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a campaign's log. `leaf_hex` is the `prev` of the next event."""

    campaign: str
    size: int = 0
    entries: int = 0
    leaf_hex: str = EMPTY_PREV
    frontier: Frontier = EMPTY_FRONTIER


def seal(head: Head, drafts: Sequence[UnsealedEvent]) -> tuple[tuple[SealedEvent, ...], Head]:
    """Number, chain and freeze drafts after `head`. Raises NotStorable.

    Whole entries only: the first draft opens the entry after the head's last one.
    """
    assert drafts, "an append holds at least one event"
    assert drafts[0].entry == head.entries + 1, "an entry that was written is closed"
    sealed: list[SealedEvent] = []
    seq, entries, prev = head.size, head.entries, head.leaf_hex
    for entry, group in groupby(drafts, _entry):
        assert entries <= entry <= entries + 1, "entries follow each other without a gap"
        together = list(group)
        plain = _sealed_quickly(head.campaign, seq, prev, together)
        sealed.extend(plain or _sealed_by_steps(head.campaign, seq, prev, together))
        seq, prev = seq + len(together), sealed[-1].leaf.hex()
        entries = entry
    return tuple(sealed), Head(
        campaign=head.campaign,
        size=seq,
        entries=entries,
        leaf_hex=prev,
        frontier=head.frontier.append(*(event.leaf for event in sealed)),
    )


# --- the fast path: checks what an entry's events share once, and their data together ----------------------


class _Stamp(msgspec.Struct):
    campaign: envelopes.Text
    at: envelopes.Moment
    actor: envelopes.Text
    policy: envelopes.PolicyStamp


class _Kind(msgspec.Struct):
    type: envelopes.Text
    shape: envelopes.Ordinal


_is_id = re.compile(envelopes.UUID7).fullmatch
_is_leaf = re.compile("[0-9a-f]{64}").fullmatch


def _sealed_quickly(
    campaign: str, seq: int, prev: str, drafts: Sequence[UnsealedEvent]
) -> list[SealedEvent] | None:
    """The sealed events of an entry with plain data; None if any event needs the slow path."""
    if not (_is_leaf(prev) and _are_plain([draft.data for draft in drafts])):
        return None
    sealed: list[SealedEvent] = []
    stamp: tuple[str, ...] = ()
    before = policy = b""
    try:
        for draft in drafts:
            entry, slot, cause, event_id = draft.entry, draft.slot, draft.causation, draft.event_id
            data = draft.data
            assert isinstance(data, bytes), "only JSON is plain"
            if not (1 <= slot <= entry <= canonical.INTEGER_MAX and (cause is None or 0 <= cause < seq)):
                return None
            if not _is_id(event_id):
                return None
            own = (draft.at, draft.actor, draft.policy_version, draft.policy_digest)
            if own != stamp:
                stamp, (before, policy) = own, _stamped(campaign, *own)
            kind, shape = _named(draft.type, draft.shape)
            body = b'%b%b,"data":%b,"entry":%d,"id":"%b"%b,"prev":"%b","seq":%d%b,"slot":%d%b,"v":1}' % (
                before,
                b"null" if cause is None else b"%d" % cause,
                data,
                entry,
                event_id.encode(),
                policy,
                prev.encode(),
                seq,
                shape,
                slot,
                kind,
            )
            if len(body) > canonical.BYTES_MAX:
                return None
            event = _sealed(campaign, seq, draft, body)
            sealed.append(event)
            seq, prev = seq + 1, event.leaf.hex()
    except (msgspec.ValidationError, NotStorable):
        return None
    return sealed


def _sealed(campaign: str, seq: int, draft: UnsealedEvent, body: bytes) -> SealedEvent:
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


@lru_cache(maxsize=64)
def _stamped(campaign: str, at: str, actor: str, version: str, digest: str) -> tuple[bytes, bytes]:
    """The part of an envelope before its cause, and its policy. Raises ValidationError, NotStorable."""
    policy = {"version": version, "digest": digest}
    converted({"campaign": campaign, "at": at, "actor": actor, "policy": policy}, _Stamp)
    return (
        canonical.canonical_bytes({"actor": actor, "at": at, "campaign": campaign})[:-1] + b',"causation":',
        b',"policy":' + canonical.canonical_bytes(policy),
    )


@cache
def _named(kind: str, shape: int) -> tuple[bytes, bytes]:
    """The type and shape of an event as JSON. Raises ValidationError, NotStorable."""
    converted({"type": kind, "shape": shape}, _Kind)
    named = canonical.canonical_bytes({"type": kind})[1:-1], canonical.canonical_bytes({"shape": shape})[1:-1]
    return b"," + named[0], b"," + named[1]


def _are_plain(data: Sequence[Any]) -> bool:
    """Whether each of these is certainly the canonical JSON of an object."""
    if any(type(each) is not bytes for each in data):
        return False
    try:
        values = [_data().decode(each) for each in data]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False  # the slow path reports the fault
    # Each is exactly one value, so joining them proves the same about each.
    return (
        canonical.has_plain_texts(together := b"[%b]" % b",".join(data))
        and canonical.sorted_json(values) == together
    )


@cache
def _data() -> msgspec.json.Decoder[dict[str, Any]]:
    return decoder_of(dict[str, canonical.json_type_of_depth(PLAIN_LEVELS)])  # type: ignore[misc]


# --- the slow path -----------------------------------------------------------------------------------------


def _sealed_by_steps(
    campaign: str, seq: int, prev: str, drafts: Sequence[UnsealedEvent]
) -> Iterator[SealedEvent]:
    for draft in drafts:
        assert draft.slot <= draft.entry, "a slot is an entry that was played, now or before"
        assert draft.causation is None or draft.causation < seq, "a cause comes before its effect"
        event = _sealed(campaign, seq, draft, _by_steps(campaign, seq, prev, draft))
        yield event
        seq, prev = seq + 1, event.leaf.hex()


def _by_steps(campaign: str, seq: int, prev: str, draft: UnsealedEvent) -> bytes:
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
    return _frozen(envelope, prev)


def _frozen(envelope: dict[str, Any], prev: str) -> bytes:
    """The canonical bytes. JSON is checked as `verify` checks it; anything else is walked through."""
    if isinstance(envelope["data"], msgspec.Raw):
        body = canonical.sorted_json(envelope)
        try:
            if _bodies().envelope(body, prev) is not None:
                return body
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError):
            pass  # the walk reports what is wrong
        envelope["data"] = msgspec.json.decode(envelope["data"])
    try:
        converted(envelope, envelopes.Envelope)
    except msgspec.ValidationError as error:
        raise NotStorable("the event's envelope", str(error)) from error
    return canonical.canonical_bytes(envelope)


@cache
def _bodies() -> envelopes.Bodies:
    return envelopes.Bodies(plain_levels=PLAIN_LEVELS)

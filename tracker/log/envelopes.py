"""The envelope: its shape, which never changes, and a strict reader of its bytes.

`fixtures/vectors/` freezes it. Knows no database, no chain and no event type.
"""

import re
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from tracker.log.canonical import canonical_bytes, is_surely_canonical, json_type_of_depth
from tracker.records import converted, decoder_of

Text = Annotated[str, msgspec.Meta(min_length=1)]
Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
UUID7 = "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
Uuid7 = Annotated[str, msgspec.Meta(pattern=UUID7)]
Moment = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
Digest = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Ordinal = Annotated[int, msgspec.Meta(ge=1)]


class PolicyStamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rulebook that an event was decided under."""

    version: Text
    digest: Digest


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of every body. It never changes: `fixtures/vectors/` freezes it."""

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
    policy: PolicyStamp
    causation: Count | None
    prev: Hex64
    data: dict[str, Any]


class _ReadPolicy(PolicyStamp, frozen=True, forbid_unknown_fields=True):
    digest: str


Data = TypeVar("Data")


class _Read(Envelope, Generic[Data], frozen=True, forbid_unknown_fields=True):
    """An envelope decoded without checking its patterns: most equal those of the row before."""

    id: str
    at: str
    policy: _ReadPolicy
    prev: str
    data: Data  # type: ignore[assignment]  # a dict of `json_type_of_depth` values


@cache  # a lookup by the type, seven levels deep, takes a millisecond
def _decoder(plain_levels: int) -> msgspec.json.Decoder[Any]:
    return decoder_of(_Read[dict[str, json_type_of_depth(plain_levels)]])  # type: ignore[misc]


class Bodies:
    """Reads the bytes of events one after the other.

    Values nested deeper than `plain_levels` are checked by walking through them; a decoder for seven levels
    takes long to prepare.
    """

    def __init__(self, plain_levels: int) -> None:
        self._read = _decoder(plain_levels)
        self._is_id = re.compile(UUID7).match
        self._stamp = ("", "")

    def envelope(self, body: bytes, before: str) -> Envelope | None:
        """The envelope in the bytes; None if they are not canonical.

        Raises an error that names the fault. `before` is the expected `prev`; the caller compares them.
        """
        try:
            quick: Envelope = self._read.decode(body)
            if quick.prev == before and self._patterns_hold(quick) and is_surely_canonical(quick, body):
                return quick
        except (msgspec.MsgspecError, ValueError):
            pass  # the walk decides whether it is wrong, and where
        value = msgspec.json.decode(body)
        envelope: Envelope = converted(value, Envelope)
        return envelope if canonical_bytes(value) == body else None

    def _patterns_hold(self, read: Envelope) -> bool:
        """Check the patterns that `_Read` leaves out, except that of `prev`."""
        stamp = (read.at, read.policy.digest)
        if stamp != self._stamp:
            converted(read.at, Moment)
            converted(read.policy.digest, Digest)
            self._stamp = stamp
        return self._is_id(read.id) is not None

"""Pseudonyms: events without the names of the players.

Knows which keys hold a person. Names of gangs and fighters belong to the game, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from tracker.log.canonical import canonical_bytes

PERSONS: Final = frozenset(
    {"actor", "player", "raised_by", "withdrawn_by", "confirmed_by", "entered_by", "witness"}
)
"""Keys that hold a person's name."""
FREE_TEXT: Final = frozenset({"reason", "note", "why", "when", "brought_from", "repeal_reason"})
"""Keys with free text: people's names within it are replaced too."""
NO_HASH: Final = "0" * 64
"""Replaces the hash of the event before, because a hash could confirm a guessed name."""


class Pseudonyms:
    """The people of one campaign, numbered in the order in which its log names them.

    All are collected before the first event is rewritten, because a note may name somebody who joins later.
    """

    def __init__(self, bodies: Iterable[bytes]) -> None:
        self._known: dict[str, str] = {}
        for body in bodies:
            self._meet(msgspec.json.decode(body))
        names = sorted(map(re.escape, self._known), key=len, reverse=True)
        self._named = re.compile(rf"(?<!\w)({'|'.join(names)})(?!\w)", re.IGNORECASE)
        self._folded = {name.casefold(): pseudonym for name, pseudonym in self._known.items()}

    def without_names(self, body: bytes) -> bytes:
        """The event as canonical JSON with pseudonyms; it differs from the sealed event."""
        event: dict[str, Any] = msgspec.json.decode(body)
        event["prev"] = NO_HASH
        event["actor"] = self._known[event["actor"]]
        event["data"] = self._replaced(event["data"])
        return canonical_bytes(event)

    def _meet(self, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in PERSONS and isinstance(inner, str) and inner not in self._known:
                    self._known[inner] = f"player-{len(self._known) + 1}"
                else:
                    self._meet(inner)
        elif isinstance(value, list):
            for inner in value:
                self._meet(inner)

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: self._under(key, inner, value)
                for key, inner in value.items()
                if key != "sent"  # the key and digest of the request, which may contain names
            }
        if isinstance(value, list):
            return [self._replaced(inner) for inner in value]
        return value

    def _under(self, key: str, value: Any, beside: Mapping[str, Any]) -> Any:
        if isinstance(value, str):
            if key in PERSONS:
                return self._known[value]
            if key == "digest" and "source" in beside:  # of a sheet, which names its player
                return ""
            if key in FREE_TEXT or (key == "source" and "digest" in beside):
                return self._in_text(value)
        return self._replaced(value)

    def _in_text(self, text: str) -> str:
        return self._named.sub(lambda found: self._folded.get(found[0].casefold(), "somebody"), text)

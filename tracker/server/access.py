"""Who asks, and what they may do: read off the one table of rights."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from tracker.cli.session import Row
from tracker.service.application import Tracker


class NotSignedIn(Exception):
    """Nobody is known by what was sent."""


class Forbidden(Exception):
    """Somebody is, who may not do that."""


class Caller(NamedTuple):
    """Who asks."""

    actor: str
    """What entries are recorded under."""


class Access(Protocol):
    """Decides who asks and what they may do."""

    def caller(self, authorization: str | None) -> Caller:
        """Who sent this header. Raises NotSignedIn."""
        ...

    def campaign(self, caller: Caller, named: str, operation: str, given: Mapping[str, Any]) -> str:
        """The campaign's id, where the caller may do that in it. Raises UnknownCampaign, Forbidden."""
        ...

    def sees(self, caller: Caller, row: Row) -> bool:
        """Whether the caller may know that there is this campaign."""
        ...


class OneToken:
    """Everything for whoever has the one token of this process."""

    def __init__(self, tracker: Tracker, token: str, actor: str) -> None:
        self._tracker, self._token, self._actor = tracker, token, actor

    def caller(self, authorization: str | None) -> Caller:
        """Raises NotSignedIn."""
        kind, _, sent = (authorization or "").partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(sent.strip().encode(), self._token.encode()):
            raise NotSignedIn
        return Caller(self._actor)

    def campaign(self, _caller: Caller, named: str, _operation: str, _given: Mapping[str, Any]) -> str:
        """Raises UnknownCampaign."""
        return self._tracker.directory.campaign_id(named)

    def sees(self, _caller: Caller, _row: Row) -> bool:
        """All of them."""
        return True

"""Handlers: which function decides which command. A handler enters itself where it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision

Handler: TypeAlias = Callable[[Decision, Any], records.Command | None]
"""Decides one kind of command; what it gives, if anything, is the command as the header keeps it."""
AnyHandler = TypeVar("AnyHandler", bound=Callable[..., records.Command | None])

HANDLERS: dict[type[records.Command], Handler] = {}


def handles(kind: type[records.Command]) -> Callable[[AnyHandler], AnyHandler]:
    """Enters the handler of a command; of each there is one."""

    def enter(handler: AnyHandler) -> AnyHandler:
        assert kind not in HANDLERS, f"{kind.__name__} has a handler already"
        HANDLERS[kind] = handler
        return handler

    return enter

"""Declaring: what every command and event is, and the registers in which each is named for the log.

A name is for ever once a log holds it; a class may be renamed and moved, so the name is written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tracker.records import Record


class Command(Record):
    """What may be asked of a campaign. Imperative; it may be refused, and rolls no die."""


class Event(Record):
    """What happened. Past; states its outcome, so that no table is needed to understand it later."""


COMMANDS: dict[str, type[Command]] = {}
"""Every command by its name in the log."""
EVENTS: dict[str, type[Event]] = {}
"""Every event by its name in the log."""
NAMES: dict[type[Record], str] = {}
"""The log's name of every command and event."""

AnyCommand = TypeVar("AnyCommand", bound=Command)
AnyEvent = TypeVar("AnyEvent", bound=Event)


def command(name: str) -> Callable[[type[AnyCommand]], type[AnyCommand]]:
    """Enters a command in the register under its name in the log."""

    def enter(kind: type[AnyCommand]) -> type[AnyCommand]:
        assert name not in NAMES.values(), f"{name} is the name of another record"
        COMMANDS[name], NAMES[kind] = kind, name
        return kind

    return enter


def event(name: str) -> Callable[[type[AnyEvent]], type[AnyEvent]]:
    """Enters an event in the register under its name in the log."""

    def enter(kind: type[AnyEvent]) -> type[AnyEvent]:
        assert name not in NAMES.values(), f"{name} is the name of another record"
        EVENTS[name], NAMES[kind] = kind, name
        return kind

    return enter

"""Handlers: which function decides which command. A handler enters itself where it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.rules.rulebook import Book, BookHasNo

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


# --- commands of another game -------------------------------------------------------------------------


def refuse_unsupported_game(book: Book, command: records.Command) -> None:
    """Raises BookHasNo when the command is of a game whose injuries are decided in another way."""
    declared = records.DECLARATIONS[type(command)]
    match declared.game:
        case "warbands":
            assert book.warbands.skill_tables, "a book that tells of warbands has skills for them"
        case "injury_chart":
            book.chart("injury_chart")
        case "injury_dice":
            assert book.injury_dice, "a die has variants"
    if declared.needs is not None and declared.needs[0] not in book.sections:
        raise BookHasNo(book=book.title, part=declared.needs[1])

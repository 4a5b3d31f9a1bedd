"""Handlers: which function decides which command. Each handler registers itself with `handles`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, assert_never

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.rules.rulebook import Book, BookHasNo

Handler: TypeAlias = Callable[[Decision, Any], records.Command | None]
"""Decides one kind of command. It returns the command as the header keeps it, or None to keep it as given."""
AnyHandler = TypeVar("AnyHandler", bound=Callable[..., records.Command | None])

HANDLERS: dict[type[records.Command], Handler] = {}


def handles(kind: type[records.Command]) -> Callable[[AnyHandler], AnyHandler]:
    """Register the handler of a command. Each command has one."""

    def enter(handler: AnyHandler) -> AnyHandler:
        assert kind not in HANDLERS, f"{kind.__name__} has a handler already"
        HANDLERS[kind] = handler
        return handler

    return enter


# --- commands of another game -------------------------------------------------------------------------


def refuse_unsupported_game(book: Book, command: records.Command) -> None:
    """Raises BookHasNo, with what to use instead, if the book does not know the command."""
    declared = records.DECLARATIONS[type(command)]
    if is_known(book, declared):
        return
    instead = ""
    if declared.instead is not None:
        name, how = declared.instead
        if is_known(book, records.DECLARATIONS[records.COMMANDS[name]]):
            instead = f" Use {how} instead."
    raise BookHasNo(book=book.title, part=declared.part or declared.name, instead=instead)


def is_known(book: Book, declared: records.Declaration) -> bool:
    """Whether a book knows a command, by its declaration."""
    if declared.needs is not None and declared.needs not in book.sections:
        return False
    match declared.game:
        case "every":
            return True
        case "warbands":
            return book.warband_rules is not None
        case "injury_chart":
            return "injury_chart" in book.charts
        case "injury_dice":
            return "injury" in book.special_dice
    assert_never(declared.game)

"""Commands of another game: refused before any of their rules looks for what this book has not."""

from __future__ import annotations

from tracker.campaign import records
from tracker.rules.rulebook import Book, BookHasNo


def refuse_other_games(book: Book, command: records.Command) -> None:
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

"""Asked: a command in the words of the table, as it heads an entry ("hit: Krug's autogun on Mags")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from tracker.campaign import records
from tracker.reports.dispute_words import dispute_asked
from tracker.reports.names import Names

CHAPTERS: tuple[tuple[Any, Callable[[Any, Names], str]], ...] = ((records.DisputeCommand, dispute_asked),)
"""The commands of a chapter, and the words for them; other commands say themselves."""

_CHAPTER_OF = {kind: chapter for commands, chapter in CHAPTERS for kind in get_args(commands) or (commands,)}


def command_words(command: records.Command, names: Names) -> str:
    """One line that says what was asked for."""
    chapter = _CHAPTER_OF.get(type(command))
    return command.in_words(names) if chapter is None else chapter(command, names)

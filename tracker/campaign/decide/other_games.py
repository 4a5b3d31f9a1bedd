"""Commands of another game: refused before any of their rules looks for what this book has not."""

from __future__ import annotations

from tracker.campaign.commands import (
    AdoptPolicy,
    AwardExperience,
    CloseBattle,
    Command,
    DecideFate,
    DisputeRoll,
    EnlistFighter,
    EnlistGang,
    Fight,
    OpenBattle,
    OpenCampaign,
    Reload,
    RenameFighter,
    RepealPolicy,
    RetireFighter,
    RollInjuryChart,
    RuleOnDispute,
    Shoot,
    SpendBloodMarkers,
    StandUp,
)
from tracker.rules.rulebook import Book, BookHasNo

_OF_EVERY_GAME = (
    OpenCampaign,
    AdoptPolicy,
    RepealPolicy,
    EnlistGang,
    EnlistFighter,
    RetireFighter,
    RenameFighter,
    OpenBattle,
    CloseBattle,
    AwardExperience,
    DisputeRoll,
    RuleOnDispute,
)
_OF_THE_INJURY_CHART = (RollInjuryChart, SpendBloodMarkers, StandUp, DecideFate)
_CHAPTERS: tuple[tuple[tuple[type[Command], ...], str, str], ...] = (
    ((Shoot, Reload), "shooting", "chapter on shooting (tell what struck as `hit`)"),
    ((Fight,), "melee_hit_roll", "chapter on close combat (tell what struck as `hit`)"),
)
"""Commands of a chapter that a book may lack, the section that says it has it, and what it lacks in words."""


def refuse_other_games(book: Book, command: Command) -> None:
    """Raises BookHasNo when the command is of a game whose injuries are decided in another way."""
    if isinstance(command, _OF_EVERY_GAME):
        return
    if isinstance(command, _OF_THE_INJURY_CHART):
        book.chart("injury_chart")
    else:
        assert book.injury_dice, "a die has variants"
    for commands, section, chapter in _CHAPTERS:
        if isinstance(command, commands) and section not in book.sections:
            raise BookHasNo(book=book.title, part=chapter)

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
    OpenBattle,
    OpenCampaign,
    RenameFighter,
    RepealPolicy,
    RetireFighter,
    RollInjuryChart,
    RuleOnDispute,
    SpendBloodMarkers,
    StandUp,
)
from tracker.rules.rulebook import Book

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


def refuse_other_games(book: Book, command: Command) -> None:
    """Raises BookHasNo when the command is of a game whose injuries are decided in another way."""
    if isinstance(command, _OF_EVERY_GAME):
        return
    if isinstance(command, _OF_THE_INJURY_CHART):
        book.chart("injury_chart")
    else:
        assert book.injury_dice, "a die has variants"

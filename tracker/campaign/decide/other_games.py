"""Commands of another game: refused before any of their rules looks for what this book has not."""

from __future__ import annotations

from tracker.campaign.commands import (
    AdoptPolicy,
    AwardBattleExperience,
    AwardExperience,
    AwardLatecomer,
    AwardSeveral,
    BuyItem,
    CallReinforcements,
    ChangeGlory,
    CheckMorale,
    CloseBattle,
    Command,
    DecideFate,
    DisputeRoll,
    EnlistFighter,
    EnlistGang,
    Explore,
    Fight,
    GainBlessingMarkers,
    HireFighter,
    LearnSkill,
    MoveCredits,
    MoveItem,
    OpenBattle,
    OpenCampaign,
    RaiseThreshold,
    RecordRating,
    Reload,
    RenameFighter,
    RepealPolicy,
    ResolveFall,
    RetireFighter,
    RollInjuryChart,
    RollPromotions,
    RollShellShock,
    RuleOnDispute,
    SellItem,
    SettleRansom,
    Shoot,
    SpendBlessingMarkers,
    SpendBloodMarkers,
    StandUp,
)
from tracker.rules.rulebook import Book, BookHasNo

_OF_EVERY_GAME = frozenset(
    {
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
        AwardSeveral,
        MoveCredits,
        BuyItem,
        SellItem,
        MoveItem,
        HireFighter,
        RecordRating,
        DisputeRoll,
        RuleOnDispute,
    }
)
_OF_THE_INJURY_CHART = frozenset(
    {
        RollInjuryChart,
        SpendBloodMarkers,
        StandUp,
        DecideFate,
        GainBlessingMarkers,
        SpendBlessingMarkers,
        CheckMorale,
    }
)
_OF_WARBANDS = frozenset(
    {
        AwardBattleExperience,
        AwardLatecomer,
        LearnSkill,
        RollPromotions,
        RaiseThreshold,
        CallReinforcements,
        Explore,
        ChangeGlory,
        SettleRansom,
        RollShellShock,
    }
)
_SHOOTING, _CLOSE_COMBAT = ("shooting", "rules for shooting"), ("melee_hit_roll", "rules for close combat")
_CHAPTERS: dict[type[Command], tuple[str, str]] = {
    Shoot: _SHOOTING,
    Reload: _SHOOTING,
    Fight: _CLOSE_COMBAT,
}
"""Commands of a chapter that a book may lack, the section that says it has it, and what it lacks in words."""


def refuse_other_games(book: Book, command: Command) -> None:
    """Raises BookHasNo when the command is of a game whose injuries are decided in another way."""
    kind = type(command)
    if kind in _OF_EVERY_GAME:
        return
    if kind in _OF_WARBANDS:
        assert book.warbands.skill_tables, "a book that tells of warbands has skills for them"
    elif kind in _OF_THE_INJURY_CHART:
        book.chart("injury_chart")
    elif kind is ResolveFall and "injury_chart" in book.charts:
        return
    else:
        assert book.injury_dice, "a die has variants"
    chapter = _CHAPTERS.get(kind)
    if chapter is not None and chapter[0] not in book.sections:
        raise BookHasNo(book=book.title, part=chapter[1])

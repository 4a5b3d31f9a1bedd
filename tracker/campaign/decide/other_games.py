"""Commands of another game: refused before any of their rules looks for what this book has not."""

from __future__ import annotations

from tracker.campaign import records
from tracker.rules.rulebook import Book, BookHasNo

_OF_EVERY_GAME = frozenset(
    {
        records.OpenCampaign,
        records.AdoptPolicy,
        records.RepealPolicy,
        records.EnlistGang,
        records.EnlistFighter,
        records.RetireFighter,
        records.RenameFighter,
        records.OpenBattle,
        records.CloseBattle,
        records.AwardExperience,
        records.AwardSeveral,
        records.MoveCredits,
        records.BuyItem,
        records.SellItem,
        records.MoveItem,
        records.HireFighter,
        records.RecordRating,
        records.DisputeRoll,
        records.RuleOnDispute,
    }
)
_OF_THE_INJURY_CHART = frozenset(
    {
        records.RollInjuryChart,
        records.SpendBloodMarkers,
        records.StandUp,
        records.DecideFate,
        records.GainBlessingMarkers,
        records.SpendBlessingMarkers,
        records.CheckMorale,
    }
)
_OF_WARBANDS = frozenset(
    {
        records.AwardBattleExperience,
        records.AwardLatecomer,
        records.LearnSkill,
        records.RollPromotions,
        records.RaiseThreshold,
        records.CallReinforcements,
        records.Explore,
        records.ChangeGlory,
        records.SettleRansom,
        records.RollShellShock,
    }
)
_SHOOTING, _CLOSE_COMBAT = ("shooting", "rules for shooting"), ("melee_hit_roll", "rules for close combat")
_CHAPTERS: dict[type[records.Command], tuple[str, str]] = {
    records.Shoot: _SHOOTING,
    records.Reload: _SHOOTING,
    records.Fight: _CLOSE_COMBAT,
}
"""Commands of a chapter that a book may lack, the section that says it has it, and what it lacks in words."""


def refuse_other_games(book: Book, command: records.Command) -> None:
    """Raises BookHasNo when the command is of a game whose injuries are decided in another way."""
    kind = type(command)
    if kind in _OF_EVERY_GAME:
        return
    if kind in _OF_WARBANDS:
        assert book.warbands.skill_tables, "a book that tells of warbands has skills for them"
    elif kind in _OF_THE_INJURY_CHART:
        book.chart("injury_chart")
    elif kind is records.ResolveFall and "injury_chart" in book.charts:
        return
    else:
        assert book.injury_dice, "a die has variants"
    chapter = _CHAPTERS.get(kind)
    if chapter is not None and chapter[0] not in book.sections:
        raise BookHasNo(book=book.title, part=chapter[1])

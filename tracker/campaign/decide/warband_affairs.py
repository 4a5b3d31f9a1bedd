"""Warband affairs: which function decides a command of a warband."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign.commands import (
    AwardBattleExperience,
    AwardLatecomer,
    CallReinforcements,
    ChangeGlory,
    CheckMorale,
    Explore,
    GainBlessingMarkers,
    LearnSkill,
    RaiseThreshold,
    RollPromotions,
    RollShellShock,
    SettleRansom,
    SpendBlessingMarkers,
)
from tracker.campaign.decide import blessings, morale, warband_promotion, warbands
from tracker.campaign.decide.decision import Decision

WarbandCommand: TypeAlias = (
    AwardBattleExperience
    | AwardLatecomer
    | CallReinforcements
    | ChangeGlory
    | CheckMorale
    | Explore
    | GainBlessingMarkers
    | LearnSkill
    | RaiseThreshold
    | RollPromotions
    | RollShellShock
    | SettleRansom
    | SpendBlessingMarkers
)


def carry_out_warband_affair(decision: Decision, command: WarbandCommand) -> None:
    """Decide one of them."""
    match command:
        case AwardBattleExperience():
            warbands.award_battle_experience(decision, command)
        case AwardLatecomer():
            warbands.award_latecomer(decision, command)
        case LearnSkill():
            warband_promotion.learn_skill(decision, command)
        case RollPromotions():
            warband_promotion.roll_promotions(decision, command)
        case RaiseThreshold():
            warbands.raise_threshold(decision, command)
        case CallReinforcements():
            warbands.call_reinforcements(decision, command)
        case Explore():
            warbands.explore(decision, command)
        case ChangeGlory():
            warbands.change_glory(decision, command)
        case SettleRansom():
            warbands.settle_ransom(decision, command)
        case RollShellShock():
            warbands.roll_shell_shock(decision, command)
        case GainBlessingMarkers():
            blessings.gain_blessing_markers(decision, command)
        case SpendBlessingMarkers():
            blessings.spend_blessing_markers(decision, command)
        case CheckMorale():
            morale.check_morale(decision, command)
        case _:
            assert_never(command)

"""After a battle: which function decides a command of the sequence, and which battle's policies govern it."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign.commands import (
    AwardSeveral,
    AwardTakingPart,
    BeginCycle,
    ChangeReputation,
    ClaimBounty,
    ClaimScrap,
    Command,
    DisposeOfCaptive,
    EndActions,
    EndRescue,
    GainTerritory,
    LoseTerritory,
    MedicalEscort,
    NegotiateRepairs,
    PutCaptiveToWork,
    ReturnCaptive,
    RollCapture,
    RollEscape,
    RollPraise,
    SeekRare,
    SellCaptive,
    StateAlignment,
    TakeEquipment,
    TakeIncome,
    TakePatronage,
    TakeRecruit,
    TakeReward,
    Trade,
    TradeCaptive,
)
from tracker.campaign.decide import (
    awards,
    boons,
    captives,
    cycles,
    doctor,
    incomes,
    post_battle_actions,
    reputation,
    rewards,
    territories,
    wrap_up,
)
from tracker.campaign.decide.decision import Decision
from tracker.campaign.state import CampaignState

PostBattleCommand: TypeAlias = (
    RollEscape
    | RollCapture
    | ClaimScrap
    | TakeReward
    | ChangeReputation
    | StateAlignment
    | TradeCaptive
    | EndRescue
    | ReturnCaptive
    | PutCaptiveToWork
    | SellCaptive
    | ClaimBounty
    | DisposeOfCaptive
    | MedicalEscort
    | EndActions
    | NegotiateRepairs
    | Trade
    | SeekRare
    | GainTerritory
    | LoseTerritory
    | TakeIncome
    | BeginCycle
    | AwardSeveral
    | AwardTakingPart
    | RollPraise
    | TakeRecruit
    | TakeEquipment
    | TakePatronage
)


def carry_out_after_battle(decision: Decision, command: PostBattleCommand) -> None:
    """Decide one of them."""
    match command:
        case RollEscape():
            wrap_up.roll_escape(decision, command)
        case RollCapture():
            wrap_up.roll_capture(decision, command)
        case ClaimScrap():
            wrap_up.claim_scrap(decision, command)
        case TakeReward():
            rewards.take_reward(decision, command)
        case ChangeReputation():
            reputation.change_reputation_stated(decision, command)
        case StateAlignment():
            captives.state_alignment(decision, command)
        case TradeCaptive():
            captives.trade_captive(decision, command)
        case EndRescue():
            captives.end_rescue(decision, command)
        case ReturnCaptive():
            captives.return_captive(decision, command)
        case PutCaptiveToWork():
            captives.put_to_work(decision, command)
        case SellCaptive():
            captives.sell_captive(decision, command)
        case ClaimBounty():
            captives.claim_bounty(decision, command)
        case DisposeOfCaptive():
            captives.dispose_of_captive(decision, command)
        case MedicalEscort():
            doctor.medical_escort(decision, command)
        case EndActions():
            doctor.end_actions_stated(decision, command)
        case NegotiateRepairs():
            post_battle_actions.negotiate_repairs(decision, command)
        case Trade():
            post_battle_actions.trade(decision, command)
        case SeekRare():
            post_battle_actions.seek_rare(decision, command)
        case GainTerritory():
            territories.gain_territory(decision, command)
        case LoseTerritory():
            territories.lose_territory(decision, command)
        case TakeIncome():
            incomes.take_income(decision, command)
        case BeginCycle():
            cycles.begin_cycle(decision, command)
        case AwardSeveral():
            awards.award_several(decision, command)
        case AwardTakingPart():
            awards.award_taking_part(decision, command)
        case RollPraise():
            awards.roll_praise(decision, command)
        case TakeRecruit():
            boons.take_recruit(decision, command)
        case TakeEquipment():
            boons.take_equipment(decision, command)
        case TakePatronage():
            boons.take_patronage(decision, command)
        case _:
            assert_never(command)


def battle_followed(state: CampaignState, command: Command) -> int | None:
    """The number of the battle whose sequence a command belongs to, and whose policies govern it; or None."""
    if state.under_way is not None:
        return None
    match command:
        case (
            RollCapture()
            | ClaimScrap()
            | TakeReward()
            | ChangeReputation()
            | EndActions()
            | SeekRare()
            | GainTerritory()
            | AwardTakingPart()
        ):
            gang = command.gang
        case RollEscape() | RollPraise():
            gang = state.gang_of.get(command.fighter, "")
        case (
            SellCaptive()
            | ClaimBounty()
            | DisposeOfCaptive()
            | MedicalEscort()
            | NegotiateRepairs()
            | Trade()
        ):
            gang = state.gang_of.get(command.by, "")
        case TakeIncome() | TakeRecruit() | TakeEquipment():
            territory = state.territories.get(command.territory)
            gang = (territory.holder or "") if territory is not None else ""
        case _:
            return None
    after = state.after_battle.get(gang)
    return after.number if after is not None else None

"""Decide: a command and dice in, events or a refusal out.

Does all the refusing. Knows nothing of who asks, what time it is or where events are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, assert_never

from tracker.campaign.commands import (
    AdoptPolicy,
    AwardBattleExperience,
    AwardExperience,
    AwardLatecomer,
    AwardSeveral,
    AwardTakingPart,
    BeginCycle,
    BuyAdvancement,
    BuyItem,
    BuyVehicle,
    CallReinforcements,
    ChangeGlory,
    ChangeReputation,
    CheckBottle,
    CheckControl,
    CheckDriver,
    CheckMorale,
    ChooseMutation,
    ClaimBounty,
    ClaimScrap,
    CleanHouse,
    CloseBattle,
    Command,
    ConfirmRoll,
    CoupDeGrace,
    CrewVehicle,
    DecideFate,
    DisposeOfCaptive,
    DisputeRoll,
    EndActions,
    EndRescue,
    EnlistFighter,
    EnlistGang,
    Explore,
    Fight,
    FitBionic,
    FleeBattlefield,
    GainBlessingMarkers,
    GainTerritory,
    HireFighter,
    LearnSkill,
    LoseTerritory,
    MedicalEscort,
    MoveCredits,
    MoveItem,
    MoveRollingVehicle,
    NameLeader,
    NegotiateRepairs,
    OpenBattle,
    OpenCampaign,
    PromoteFighter,
    PutCaptiveToWork,
    RaiseThreshold,
    RecordRating,
    Reload,
    RemoveUpgrade,
    RenameFighter,
    RepealPolicy,
    ResolveFall,
    ResolveHit,
    ResolveVehicleHit,
    RestartVehicle,
    RetireFighter,
    ReturnCaptive,
    RollAdvancement,
    RollCapture,
    RollEscape,
    RollInjuryChart,
    RollInjuryDice,
    RollPraise,
    RollPromotions,
    RollShellShock,
    RuleOnDispute,
    ScrapVehicle,
    SeekRare,
    SellCaptive,
    SellItem,
    SettleRansom,
    Shoot,
    SpendBlessingMarkers,
    SpendBloodMarkers,
    StandUp,
    StateAlignment,
    StateCorruption,
    StateOutcome,
    TakeEquipment,
    TakeFleeingTests,
    TakeFlight,
    TakeIncome,
    TakeNerveTest,
    TakePatronage,
    TakeRallyTest,
    TakeRecoveryTest,
    TakeRecruit,
    TakeReward,
    TakeVehicleNerveTest,
    ThrowClear,
    Trade,
    TradeCaptive,
    Unpin,
    WithdrawDispute,
)
from tracker.campaign.decide import (
    ammo,
    awards,
    battles,
    blood_markers,
    campaigns,
    disputes,
    end_phase,
    fates,
    fighting,
    flight,
    gang_affairs,
    gangs,
    hits,
    mutating,
    nerve,
    post_battle,
    recovery_tests,
    shooting,
    trench_crusade,
    vehicle_damage,
    vehicle_end_phase,
    vehicle_nerve,
    warband_affairs,
)
from tracker.campaign.decide.decision import Decided, Decision
from tracker.campaign.decide.other_games import refuse_other_games
from tracker.campaign.events import DecisionTaken, Sent
from tracker.campaign.refusals import CampaignNotOpen
from tracker.campaign.state import CampaignState, PolicyInForce
from tracker.dice import DiceTray
from tracker.records import dataclass, maker, remembered
from tracker.rules.rulebook import Rulebook

Library: TypeAlias = Callable[[str, Sequence[tuple[str, Mapping[str, str]]]], Rulebook]
"""Gives the rulebook for a book's name and the patches in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One decided entry: its events (header first), the rulebook it was decided under, the state after."""

    events: tuple[Decided, ...]
    rulebook: Rulebook
    state: CampaignState


_decision_taken, _judgement = maker(DecisionTaken), maker(Judgement)


def decide(
    state: CampaignState, command: Command, tray: DiceTray, library: Library, *, entry: int
) -> Judgement:
    """Decide one command. Raises a Refusal, DiceNeeded or DiceLeftOver; then nothing has happened.

    `entry` is the number the entry will have: a dispute is known by it.
    """
    judgement = attempt(state, command, tray, library, entry=entry)
    tray.finish()
    return judgement


def attempt(
    state: CampaignState,
    command: Command,
    tray: DiceTray,
    library: Library,
    *,
    entry: int,
    note: str | None = None,
    sent: Sent | None = None,
) -> Judgement:
    """As `decide`, but dice may be left over: they stay in the header as spare, for rulings to come."""
    rulebook = rulebook_for(state, command, library)
    decision = Decision(state, rulebook, tray)
    command = carry_out(decision, command, entry=entry)
    header = _decision_taken(command=command, dice=tray.handed_out, spare=tray.waiting, note=note, sent=sent)
    return _judgement(
        events=(Decided(event=header, cause=0), *decision.events), rulebook=rulebook, state=decision.state
    )


def rulebook_for(state: CampaignState, command: Command, library: Library) -> Rulebook:
    """The rulebook that governs a command: the campaign's book with the policies that hold for its battle."""
    if isinstance(command, OpenCampaign):
        return library(command.book, ())
    if isinstance(command, OpenBattle) and (command.adopting or command.repealing):
        ahead = Decision(state, rulebook_in_force(state, library), DiceTray())
        campaigns.policies_of_a_battle(ahead, command)
        state = ahead.state
    return rulebook_in_force(state, library, battle=post_battle.battle_followed(state, command))


def rulebook_in_force(state: CampaignState, library: Library, *, battle: int | None = None) -> Rulebook:
    """The rulebook of that battle, else of the one under way, else of the next. Raises CampaignNotOpen."""
    if not state.is_open:
        raise CampaignNotOpen
    number = state.battle_number if battle is None else battle
    return _rulebook_with(state.policies, number, state.book, library)


@remembered
def _rulebook_with(policies: tuple[PolicyInForce, ...], number: int, book: str, library: Library) -> Rulebook:
    in_force = [policy for policy in policies if policy.holds_for(number)]
    return library(book, [(f"{policy.policy}@{policy.version}", policy.patch) for policy in in_force])


def carry_out(decision: Decision, command: Command, *, entry: int) -> Command:
    """Decide, and give the command as the header keeps it: what was settled on the day stays settled."""
    refuse_other_games(decision.rulebook.book, command)
    match command:
        case OpenCampaign():
            campaigns.open_campaign(decision, command)
        case AdoptPolicy():
            campaigns.adopt_policy(decision, command)
        case RepealPolicy():
            campaigns.repeal_policy(decision, command)
        case EnlistGang():
            gangs.enlist_gang(decision, command)
        case EnlistFighter():
            gangs.enlist_fighter(decision, command)
        case RetireFighter():
            gangs.retire_fighter(decision, command)
        case RenameFighter():
            gangs.rename_fighter(decision, command)
        case OpenBattle():
            return battles.open_battle(decision, command)
        case CloseBattle():
            battles.close_battle(decision, command)
        case TakeNerveTest():
            nerve.take_nerve_test(decision, command)
        case CheckBottle():
            end_phase.check_bottle(decision, command)
        case TakeFleeingTests():
            end_phase.take_fleeing_tests(decision, command)
        case FleeBattlefield():
            end_phase.flee_battlefield(decision, command)
        case TakeRecoveryTest():
            recovery_tests.take_recovery_test(decision, command)
        case TakeRallyTest():
            nerve.take_rally_test(decision, command)
        case TakeFlight():
            flight.take_flight(decision, command)
        case StateCorruption():
            mutating.state_corruption(decision, command)
        case ChooseMutation():
            mutating.choose_mutation(decision, command)
        case AwardExperience():
            awards.award_experience(decision, command)
        case ResolveHit():
            hits.resolve_hit(decision, command)
        case RollInjuryDice():
            hits.roll_injury_dice(decision, command)
        case StateOutcome():
            hits.state_outcome(decision, command)
        case ResolveFall():
            hits.resolve_fall(decision, command)
        case RollInjuryChart():
            trench_crusade.roll_injury_chart(decision, command)
        case SpendBloodMarkers():
            blood_markers.spend_blood_markers(decision, command)
        case StandUp():
            trench_crusade.stand_up(decision, command)
        case DecideFate():
            fates.decide_fate(decision, command)
        case Shoot():
            shooting.shoot(decision, command)
        case Reload():
            ammo.reload(decision, command)
        case Fight():
            fighting.fight(decision, command)
        case CoupDeGrace():
            fighting.coup_de_grace(decision, command)
        case Unpin():
            fighting.unpin(decision, command)
        case ResolveVehicleHit():
            vehicle_damage.resolve_vehicle_hit(decision, command)
        case CheckControl():
            vehicle_damage.check_control(decision, command)
        case ThrowClear():
            vehicle_damage.throw_clear(decision, command)
        case RestartVehicle():
            vehicle_end_phase.restart_vehicle(decision, command)
        case CheckDriver():
            vehicle_end_phase.check_driver(decision, command)
        case MoveRollingVehicle():
            vehicle_end_phase.move_rolling_vehicle(decision, command)
        case TakeVehicleNerveTest():
            vehicle_nerve.take_vehicle_nerve_test(decision, command)
        case (
            RollEscape()
            | RollCapture()
            | ClaimScrap()
            | TakeReward()
            | ChangeReputation()
            | StateAlignment()
            | TradeCaptive()
            | EndRescue()
            | ReturnCaptive()
            | PutCaptiveToWork()
            | SellCaptive()
            | ClaimBounty()
            | DisposeOfCaptive()
            | MedicalEscort()
            | EndActions()
            | NegotiateRepairs()
            | Trade()
            | SeekRare()
            | GainTerritory()
            | LoseTerritory()
            | TakeIncome()
            | BeginCycle()
            | AwardSeveral()
            | AwardTakingPart()
            | RollPraise()
            | TakeRecruit()
            | TakeEquipment()
            | TakePatronage()
        ):
            post_battle.carry_out_after_battle(decision, command)
        case DisputeRoll():
            disputes.dispute_roll(decision, command, entry)
        case WithdrawDispute():
            disputes.withdraw_dispute(decision, command)
        case ConfirmRoll():
            disputes.confirm_roll(decision, command)
        case (
            MoveCredits()
            | BuyItem()
            | SellItem()
            | MoveItem()
            | HireFighter()
            | BuyVehicle()
            | CrewVehicle()
            | ScrapVehicle()
            | RemoveUpgrade()
            | BuyAdvancement()
            | RollAdvancement()
            | PromoteFighter()
            | NameLeader()
            | FitBionic()
            | CleanHouse()
            | RecordRating()
        ):
            gang_affairs.carry_out_affair(decision, command)
        case (
            AwardBattleExperience()
            | AwardLatecomer()
            | CallReinforcements()
            | ChangeGlory()
            | CheckMorale()
            | Explore()
            | GainBlessingMarkers()
            | LearnSkill()
            | RaiseThreshold()
            | RollPromotions()
            | RollShellShock()
            | SettleRansom()
            | SpendBlessingMarkers()
        ):
            warband_affairs.carry_out_warband_affair(decision, command)
        case RuleOnDispute():
            raise AssertionError("a ruling is decided by campaign/rulings.py, which sees the slots")
        case _:
            assert_never(command)
    return command

"""Asked: a command in the words of the table, as it heads an entry ("hit: Krug's autogun on Mags")."""

from __future__ import annotations

from typing import assert_never

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
from tracker.reports.cards import counted, plain
from tracker.reports.dispute_words import dispute_asked
from tracker.reports.flight_words import flight_command_words
from tracker.reports.holdings_asked import holdings_asked
from tracker.reports.mutation_words import mutation_command_words
from tracker.reports.names import Names
from tracker.reports.nerve_words import nerve_command_words
from tracker.reports.paper import safe
from tracker.reports.post_battle_words import post_battle_asked
from tracker.reports.shooting_words import shooting_command_words
from tracker.reports.vehicle_asked import vehicle_asked
from tracker.reports.warband_words import warband_asked

_OUTCOMES = {
    "flesh_wound": "has a Flesh Wound",
    "serious_injury": "is Seriously Injured",
    "out_of_action": "is Out of Action",
}


def command_words(command: Command, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case ResolveHit():
            return _hit(command, names)
        case RollInjuryDice():
            dice = counted(command.injury_dice, "Injury die", "Injury dice")
            attacker = _by(command.attacker, names)
            return f"{dice} for {names.fighter(command.target)}{attacker}: {plain(command.why)}"
        case StateOutcome():
            how = ", Coup de Grace" if command.coup_de_grace else ""
            outcome = f"{names.fighter(command.target)} {_OUTCOMES[command.outcome]}"
            return f"stated: {outcome}{_by(command.attacker, names)}{how}"
        case ResolveFall():
            return f'fall: {names.fighter(command.target)}, {_inches(command.distance_hundredths)}"'
        case RollInjuryChart():
            told = f": {plain(command.result)}, as stated" if command.result is not None else ""
            bloodbath = ", Bloodbath" if command.bloodbath else ""
            attacker = _by(command.attacker, names)
            return f"Injury Chart for {names.fighter(command.target)}{attacker}{bloodbath}{told}"
        case SpendBloodMarkers():
            on = "an ACTION" if command.use == "action" else "an attack"
            markers = counted(command.count, "Blood Marker")
            return f"{markers} of {names.fighter(command.fighter)} on {on}{_by(command.attacker, names)}"
        case StandUp():
            how = ", RISKY ACTION" if command.risky else ""
            return f"stand up: {names.fighter(command.fighter)}{how}"
        case DecideFate():
            ransom = f", ransom {command.ransom}" if command.ransom is not None else ""
            return f"fate of {names.fighter(command.fighter)}{ransom}"
        case Fight():
            return _fight(command, names)
        case CoupDeGrace():
            return f"Coup de Grace: {names.fighter(command.attacker)} on {names.fighter(command.target)}"
        case Unpin():
            return f"{names.fighter(command.fighter)} stands up"
        case (
            TakeNerveTest()
            | CheckBottle()
            | TakeFleeingTests()
            | FleeBattlefield()
            | TakeRecoveryTest()
            | TakeRallyTest()
        ):
            return nerve_command_words(command, names)
        case TakeFlight():
            return flight_command_words(command, names)
        case StateCorruption() | ChooseMutation():
            return mutation_command_words(command, names)
        case AwardExperience():
            return f"award: {command.amount} XP for {names.fighter(command.fighter)}: {plain(command.reason)}"
        case (
            ResolveVehicleHit()
            | CheckControl()
            | ThrowClear()
            | TakeVehicleNerveTest()
            | RestartVehicle()
            | CheckDriver()
            | MoveRollingVehicle()
        ):
            return vehicle_asked(command, names)
        case OpenBattle():
            gangs = " against ".join(names.gang(gang) for gang in command.crews)
            battle = f"{names.battle(command.battle)}: {safe(command.scenario)}, {safe(command.date)}"
            return f"open {battle}, {gangs}"
        case Shoot() | Reload():
            return shooting_command_words(command, names)
        case CloseBattle():
            return f"close the battle: {_result(command, names)}"
        case EnlistGang():
            fighters = counted(len(command.fighters), "fighter")
            return f"enlist gang {safe(command.name)} with {fighters}"
        case EnlistFighter():
            return f"enlist fighter {safe(command.card.name)} for {names.gang(command.gang)}"
        case RetireFighter():
            return f"retire {names.fighter(command.fighter)}: {plain(command.reason)}"
        case RenameFighter():
            return f"rename {names.fighter(command.fighter)} to {safe(command.name)}"
        case OpenCampaign():
            policies = "".join(f", {safe(text.policy)}@{text.version}" for text in command.policies)
            return f"open campaign {safe(command.name)} under {safe(command.book)}{policies}"
        case AdoptPolicy():
            adopted = f"{safe(command.text.policy)}@{command.text.version}"
            return f"adopt {adopted} from battle {command.from_battle} on: {safe(command.reason)}"
        case RepealPolicy():
            repealed = safe(command.policy)
            return f"repeal {repealed} from battle {command.from_battle} on: {safe(command.reason)}"
        case DisputeRoll() | WithdrawDispute() | ConfirmRoll() | RuleOnDispute():
            return dispute_asked(command)
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
            return holdings_asked(command, names)
        case (
            ChangeReputation()
            | ClaimBounty()
            | ClaimScrap()
            | DisposeOfCaptive()
            | EndActions()
            | EndRescue()
            | MedicalEscort()
            | NegotiateRepairs()
            | PutCaptiveToWork()
            | ReturnCaptive()
            | RollCapture()
            | RollEscape()
            | SeekRare()
            | SellCaptive()
            | StateAlignment()
            | TakeReward()
            | Trade()
            | TradeCaptive()
            | BeginCycle()
            | AwardSeveral()
            | AwardTakingPart()
            | RollPraise()
            | TakeRecruit()
            | TakeEquipment()
            | TakePatronage()
            | GainTerritory()
            | LoseTerritory()
            | TakeIncome()
        ):
            return post_battle_asked(command, names)
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
            return warband_asked(command, names)
        case _:
            assert_never(command)


def _hit(command: ResolveHit, names: Names) -> str:
    weapon = safe(command.weapon) if command.weapon is not None else ""
    if not weapon and command.profile is not None:
        weapon = safe(command.profile.name)
    if command.profile_name:
        weapon = f"{weapon} ({safe(command.profile_name)})" if weapon else safe(command.profile_name)
    attacker = names.fighter(command.attacker) if command.attacker is not None else ""
    whose = f"{attacker}'s {weapon}" if attacker and weapon else attacker or weapon
    on = f"on {names.fighter(command.target)}"
    return f"hit: {whose} {on}" if whose else f"hit {on}"


def _fight(command: Fight, names: Names) -> str:
    what = "reaction" if command.reaction else "charge" if command.charging else "fight"
    weapons = " and ".join(safe(one.weapon) for one in command.weapons) or "unarmed"
    targets = " and ".join(names.fighter(target.model) for target in command.targets)
    return f"{what}: {names.fighter(command.attacker)} with {weapons} on {targets}".replace(
        "with unarmed", "unarmed"
    )


def _by(fighter: str | None, names: Names) -> str:
    return f" by {names.fighter(fighter)}" if fighter is not None else ""


def _inches(hundredths: int) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".")


def _result(command: CloseBattle, names: Names) -> str:
    if command.winner is not None:
        return f"won by {names.gang(command.winner)}"
    return "a draw" if command.drawn else "no winner"

"""Commands: what may be asked of a campaign. Imperative; each may be refused, none rolls a die.

Knows what a person states. Situation that only eyes at the table know (cover, who made the attack, how
far somebody fell) is stated here and never guessed. A command is kept whole in its entry's header, so
that a ruling can decide it again.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.advancement import (
    BuyAdvancement,
    FitBionic,
    NameLeader,
    PromoteFighter,
    RollAdvancement,
    SkillAccess,
    SkillSet,
)
from tracker.campaign.commands.awards import AwardSeveral, AwardTakingPart, Praise, RollPraise
from tracker.campaign.commands.battles import AwardExperience, CloseBattle, OpenBattle
from tracker.campaign.commands.boons import TakeEquipment, TakePatronage, TakeRecruit
from tracker.campaign.commands.campaigns import (
    AdoptPolicy,
    EnlistFighter,
    EnlistGang,
    FighterCard,
    OpenCampaign,
    PolicyText,
    RenameFighter,
    RepealPolicy,
    RetireFighter,
)
from tracker.campaign.commands.end_phase import (
    CheckBottle,
    FleeBattlefield,
    TakeFleeingTests,
    TakeRecoveryTest,
)
from tracker.campaign.commands.fighting import (
    Across,
    CoupDeGrace,
    ExtraModifier,
    Fight,
    FightTarget,
    FightWeapon,
    Unpin,
)
from tracker.campaign.commands.flight import InitiativeModifier, TakeFlight
from tracker.campaign.commands.hits import (
    Cover,
    ResolveFall,
    ResolveHit,
    RollInjuryDice,
    SaveWith,
    StateOutcome,
)
from tracker.campaign.commands.morale import (
    CheckMorale,
    GainBlessingMarkers,
    SpendBlessingMarkers,
)
from tracker.campaign.commands.mutations import ChooseMutation, StateCorruption
from tracker.campaign.commands.nerve import TakeNerveTest, TakeRallyTest
from tracker.campaign.commands.post_battle import (
    ChangeReputation,
    ClaimBounty,
    ClaimScrap,
    DisposeOfCaptive,
    EndActions,
    EndRescue,
    MedicalEscort,
    NegotiateRepairs,
    PutCaptiveToWork,
    ReturnCaptive,
    RollCapture,
    RollEscape,
    SeekRare,
    SellCaptive,
    StateAlignment,
    TakeReward,
    Trade,
    TradeCaptive,
)
from tracker.campaign.commands.rulings import (
    ConfirmRoll,
    DisputeRoll,
    HouseRules,
    RuleOnDispute,
    Strategy,
    WithdrawDispute,
)
from tracker.campaign.commands.shooting import (
    FreeSkip,
    ModelThere,
    NearerEnemy,
    RangeBand,
    Reload,
    ReloadAction,
    SecondSidearm,
    Shoot,
    ShootAction,
    ShootingSkill,
    ShotModifier,
    Unseen,
)
from tracker.campaign.commands.territories import (
    BeginCycle,
    GainTerritory,
    LoseTerritory,
    TakeIncome,
)
from tracker.campaign.commands.trading import (
    BuyItem,
    BuyVehicle,
    CleanHouse,
    CrewVehicle,
    HireFighter,
    Market,
    MoveCredits,
    MoveItem,
    RecordRating,
    RemoveUpgrade,
    ScrapVehicle,
    SellItem,
)
from tracker.campaign.commands.trench_crusade import (
    ArmourWorn,
    ChartResult,
    DecideFate,
    RollInjuryChart,
    SpendBloodMarkers,
    StandUp,
    StatedModifier,
)
from tracker.campaign.commands.vehicles import (
    CheckControl,
    CheckDriver,
    FacingHit,
    MoveRollingVehicle,
    ResolveVehicleHit,
    RestartVehicle,
    TakeVehicleNerveTest,
    ThrowClear,
    VehicleAttacked,
    VehicleCard,
)
from tracker.campaign.commands.warbands import (
    AwardBattleExperience,
    AwardLatecomer,
    CallReinforcements,
    ChangeGlory,
    Explore,
    LearnSkill,
    PromotionDice,
    RaiseThreshold,
    RollPromotions,
    RollShellShock,
    SettleRansom,
)

Command: TypeAlias = (
    OpenCampaign
    | AdoptPolicy
    | RepealPolicy
    | EnlistGang
    | EnlistFighter
    | RetireFighter
    | RenameFighter
    | OpenBattle
    | ResolveHit
    | RollInjuryDice
    | StateOutcome
    | ResolveFall
    | RollInjuryChart
    | SpendBloodMarkers
    | StandUp
    | DecideFate
    | Fight
    | CoupDeGrace
    | Unpin
    | TakeNerveTest
    | CheckBottle
    | TakeFleeingTests
    | FleeBattlefield
    | TakeRecoveryTest
    | TakeRallyTest
    | TakeFlight
    | StateCorruption
    | ChooseMutation
    | Shoot
    | Reload
    | AwardExperience
    | CloseBattle
    | DisputeRoll
    | RuleOnDispute
    | WithdrawDispute
    | ConfirmRoll
    | CheckControl
    | ResolveVehicleHit
    | RestartVehicle
    | CheckDriver
    | MoveRollingVehicle
    | ThrowClear
    | TakeVehicleNerveTest
    | ChangeReputation
    | ClaimBounty
    | ClaimScrap
    | DisposeOfCaptive
    | EndActions
    | EndRescue
    | MedicalEscort
    | NegotiateRepairs
    | PutCaptiveToWork
    | ReturnCaptive
    | RollCapture
    | RollEscape
    | SeekRare
    | SellCaptive
    | StateAlignment
    | TakeReward
    | Trade
    | TradeCaptive
    | BeginCycle
    | AwardSeveral
    | AwardTakingPart
    | RollPraise
    | TakeRecruit
    | TakeEquipment
    | TakePatronage
    | GainTerritory
    | LoseTerritory
    | TakeIncome
    | MoveCredits
    | BuyItem
    | SellItem
    | MoveItem
    | HireFighter
    | BuyVehicle
    | CrewVehicle
    | ScrapVehicle
    | RemoveUpgrade
    | BuyAdvancement
    | RollAdvancement
    | PromoteFighter
    | NameLeader
    | FitBionic
    | CleanHouse
    | RecordRating
    | GainBlessingMarkers
    | SpendBlessingMarkers
    | CheckMorale
    | AwardBattleExperience
    | AwardLatecomer
    | CallReinforcements
    | ChangeGlory
    | Explore
    | LearnSkill
    | RaiseThreshold
    | RollPromotions
    | SettleRansom
    | RollShellShock
)

__all__ = [
    "Across",
    "AdoptPolicy",
    "ArmourWorn",
    "AwardBattleExperience",
    "AwardExperience",
    "AwardLatecomer",
    "AwardSeveral",
    "AwardTakingPart",
    "BeginCycle",
    "BuyAdvancement",
    "BuyItem",
    "BuyVehicle",
    "CallReinforcements",
    "ChangeGlory",
    "ChangeReputation",
    "ChartResult",
    "CheckBottle",
    "CheckControl",
    "CheckDriver",
    "CheckMorale",
    "ChooseMutation",
    "ClaimBounty",
    "ClaimScrap",
    "CleanHouse",
    "CloseBattle",
    "Command",
    "ConfirmRoll",
    "CoupDeGrace",
    "Cover",
    "CrewVehicle",
    "DecideFate",
    "DisposeOfCaptive",
    "DisputeRoll",
    "EndActions",
    "EndRescue",
    "EnlistFighter",
    "EnlistGang",
    "Explore",
    "ExtraModifier",
    "FacingHit",
    "Fight",
    "FightTarget",
    "FightWeapon",
    "FighterCard",
    "FitBionic",
    "FleeBattlefield",
    "FreeSkip",
    "GainBlessingMarkers",
    "GainTerritory",
    "HireFighter",
    "HouseRules",
    "InitiativeModifier",
    "LearnSkill",
    "LoseTerritory",
    "Market",
    "MedicalEscort",
    "ModelThere",
    "MoveCredits",
    "MoveItem",
    "MoveRollingVehicle",
    "NameLeader",
    "NearerEnemy",
    "NegotiateRepairs",
    "OpenBattle",
    "OpenCampaign",
    "PolicyText",
    "Praise",
    "PromoteFighter",
    "PromotionDice",
    "PutCaptiveToWork",
    "RaiseThreshold",
    "RangeBand",
    "RecordRating",
    "Reload",
    "ReloadAction",
    "RemoveUpgrade",
    "RenameFighter",
    "RepealPolicy",
    "ResolveFall",
    "ResolveHit",
    "ResolveVehicleHit",
    "RestartVehicle",
    "RetireFighter",
    "ReturnCaptive",
    "RollAdvancement",
    "RollCapture",
    "RollEscape",
    "RollInjuryChart",
    "RollInjuryDice",
    "RollPraise",
    "RollPromotions",
    "RollShellShock",
    "RuleOnDispute",
    "SaveWith",
    "ScrapVehicle",
    "SecondSidearm",
    "SeekRare",
    "SellCaptive",
    "SellItem",
    "SettleRansom",
    "Shoot",
    "ShootAction",
    "ShootingSkill",
    "ShotModifier",
    "SkillAccess",
    "SkillSet",
    "SpendBlessingMarkers",
    "SpendBloodMarkers",
    "StandUp",
    "StateAlignment",
    "StateCorruption",
    "StateOutcome",
    "StatedModifier",
    "Strategy",
    "TakeEquipment",
    "TakeFleeingTests",
    "TakeFlight",
    "TakeIncome",
    "TakeNerveTest",
    "TakePatronage",
    "TakeRallyTest",
    "TakeRecoveryTest",
    "TakeRecruit",
    "TakeReward",
    "TakeVehicleNerveTest",
    "ThrowClear",
    "Trade",
    "TradeCaptive",
    "Unpin",
    "Unseen",
    "VehicleAttacked",
    "VehicleCard",
    "WithdrawDispute",
]

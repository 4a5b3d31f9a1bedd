"""Commands: what may be asked of a campaign. Imperative; each may be refused, none rolls a die.

Knows what a person states. Situation that only eyes at the table know (cover, who made the attack, how
far somebody fell) is stated here and never guessed. A command is kept whole in its entry's header, so
that a ruling can decide it again.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.advancement import (
    AdvancementCommand,
    BuyAdvancement,
    FitBionic,
    NameLeader,
    PromoteFighter,
    RollAdvancement,
    SkillAccess,
    SkillSet,
)
from tracker.campaign.commands.awards import AwardCommand, AwardSeveral, AwardTakingPart, Praise, RollPraise
from tracker.campaign.commands.battles import AwardExperience, BattleCommand, CloseBattle, OpenBattle
from tracker.campaign.commands.boons import BoonCommand, TakeEquipment, TakePatronage, TakeRecruit
from tracker.campaign.commands.campaigns import (
    AdoptPolicy,
    CampaignCommand,
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
    EndPhaseCommand,
    FleeBattlefield,
    TakeFleeingTests,
    TakeRecoveryTest,
)
from tracker.campaign.commands.fighting import (
    Across,
    CoupDeGrace,
    ExtraModifier,
    Fight,
    FightingCommand,
    FightTarget,
    FightWeapon,
    Unpin,
)
from tracker.campaign.commands.flight import InitiativeModifier, TakeFlight
from tracker.campaign.commands.hits import (
    Cover,
    HitCommand,
    ResolveFall,
    ResolveHit,
    RollInjuryDice,
    SaveWith,
    StateOutcome,
)
from tracker.campaign.commands.morale import (
    CheckMorale,
    GainBlessingMarkers,
    MoraleCommand,
    SpendBlessingMarkers,
)
from tracker.campaign.commands.mutations import ChooseMutation, MutationCommand, StateCorruption
from tracker.campaign.commands.nerve import NerveCommand, TakeNerveTest, TakeRallyTest
from tracker.campaign.commands.post_battle import (
    ChangeReputation,
    ClaimBounty,
    ClaimScrap,
    DisposeOfCaptive,
    EndActions,
    EndRescue,
    MedicalEscort,
    NegotiateRepairs,
    PostBattleCommand,
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
    DisputeCommand,
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
    ShootingCommand,
    ShootingSkill,
    ShotModifier,
    Unseen,
)
from tracker.campaign.commands.territories import (
    BeginCycle,
    GainTerritory,
    LoseTerritory,
    TakeIncome,
    TerritoryCommand,
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
    TradingCommand,
)
from tracker.campaign.commands.trench_crusade import (
    ArmourWorn,
    ChartResult,
    DecideFate,
    InjuryChartCommand,
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
    VehicleCommand,
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
    WarbandCommand,
)

Command: TypeAlias = (
    CampaignCommand
    | BattleCommand
    | HitCommand
    | InjuryChartCommand
    | FightingCommand
    | NerveCommand
    | EndPhaseCommand
    | TakeFlight
    | MutationCommand
    | ShootingCommand
    | DisputeCommand
    | VehicleCommand
    | PostBattleCommand
    | TerritoryCommand
    | AwardCommand
    | BoonCommand
    | TradingCommand
    | AdvancementCommand
    | MoraleCommand
    | WarbandCommand
)

__all__ = [
    "Across",
    "AdoptPolicy",
    "AdvancementCommand",
    "ArmourWorn",
    "AwardBattleExperience",
    "AwardCommand",
    "AwardExperience",
    "AwardLatecomer",
    "AwardSeveral",
    "AwardTakingPart",
    "BattleCommand",
    "BeginCycle",
    "BoonCommand",
    "BuyAdvancement",
    "BuyItem",
    "BuyVehicle",
    "CallReinforcements",
    "CampaignCommand",
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
    "DisputeCommand",
    "DisputeRoll",
    "EndActions",
    "EndPhaseCommand",
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
    "FightingCommand",
    "FitBionic",
    "FleeBattlefield",
    "FreeSkip",
    "GainBlessingMarkers",
    "GainTerritory",
    "HireFighter",
    "HitCommand",
    "HouseRules",
    "InitiativeModifier",
    "InjuryChartCommand",
    "LearnSkill",
    "LoseTerritory",
    "Market",
    "MedicalEscort",
    "ModelThere",
    "MoraleCommand",
    "MoveCredits",
    "MoveItem",
    "MoveRollingVehicle",
    "MutationCommand",
    "NameLeader",
    "NearerEnemy",
    "NegotiateRepairs",
    "NerveCommand",
    "OpenBattle",
    "OpenCampaign",
    "PolicyText",
    "PostBattleCommand",
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
    "ShootingCommand",
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
    "TerritoryCommand",
    "ThrowClear",
    "Trade",
    "TradeCaptive",
    "TradingCommand",
    "Unpin",
    "Unseen",
    "VehicleAttacked",
    "VehicleCard",
    "VehicleCommand",
    "WarbandCommand",
    "WithdrawDispute",
]

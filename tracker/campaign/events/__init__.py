"""Events: what has happened. Past tense, outcome included, never changed.

Knows the vocabulary of the log. Knows no table: an event says what a roll meant, so that it can be
read when the book it was decided under is long gone. The names below stand in logs for ever (see
`log/names.py`); a new meaning is a new shape or a new event.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.events.advancement import (
    AdvancementTaken,
    BionicFitted,
    BionicRuined,
    ExperienceSpent,
    FighterPromoted,
)
from tracker.campaign.events.battles import (
    BattleClosed,
    BattleOpened,
    FighterPinned,
    FighterWebbed,
    FighterWentOutOfAction,
    FleshWoundsSuffered,
    OutOfActionReason,
    RuleNoted,
    SeriousInjurySuffered,
    WoundsLost,
)
from tracker.campaign.events.boons import BoonTaken, ModelPainted
from tracker.campaign.events.campaigns import (
    CampaignOpened,
    FighterEnlisted,
    FighterRenamed,
    FighterRetired,
    GangEnlisted,
    KnobValue,
    PolicyAdopted,
    PolicyRepealed,
)
from tracker.campaign.events.end_phase import (
    FighterFled,
    GangBottled,
    RecoveryAssisted,
    SeriousInjuryOvercome,
    WebShed,
)
from tracker.campaign.events.entries import DecisionTaken, Modifier, RollMade, Sent
from tracker.campaign.events.fighting import (
    AttackDiceOfWeapon,
    AttackDiceShared,
    FighterConsolidated,
    FighterUnpinned,
    FightResolved,
    HelpNotCounted,
)
from tracker.campaign.events.flight import FlightMade, RetreatTried
from tracker.campaign.events.holdings import (
    CreditsMoved,
    FighterCostChanged,
    ItemMoved,
    RatingRecorded,
    VehicleCostChanged,
    VehicleCrewChanged,
    VehicleGone,
)
from tracker.campaign.events.injuries import (
    CapturePending,
    CharacteristicChanged,
    CharacteristicKept,
    ConvalescenceEnded,
    CriticalInjuryPending,
    ExperienceGained,
    FighterDied,
    LastingInjurySuffered,
    RecoveryEnded,
    SkillGained,
    WentIntoConvalescence,
    WentIntoRecovery,
)
from tracker.campaign.events.mutations import (
    BecameChaosSpawn,
    GangCorruptionStated,
    MutationCameAgain,
    MutationGained,
)
from tracker.campaign.events.nerve import FighterBroke, FighterRallied, NerveTested, RallyTestTaken
from tracker.campaign.events.post_battle import (
    AlignmentStated,
    CaptiveFreed,
    CaptivePassedOn,
    CaptivePutToWork,
    CaptiveSold,
    CriticalTreated,
    FighterCaptured,
    FighterEscaped,
    FighterMissesBattle,
    PostBattleActionTaken,
    PostBattleDone,
    RareItemsSought,
    ReputationChanged,
    RescueEnded,
    StepReached,
    VehicleRepaired,
)
from tracker.campaign.events.rulings import (
    DisputeReopened,
    DisputeSettledAgain,
    DisputeWithdrawn,
    RollConfirmed,
    RollDisputed,
    RulingMade,
    SlotKept,
    SlotReleased,
    SlotVoided,
    Verdict,
)
from tracker.campaign.events.shooting import (
    AmmoSpent,
    LimitedAmmoDeleted,
    ShotFired,
    ShotResult,
    WeaponJammed,
    WeaponRanOutOfAmmo,
    WeaponReloaded,
)
from tracker.campaign.events.territories import (
    CycleBegan,
    SpendingGranted,
    TerritoryGained,
    TerritoryLost,
)
from tracker.campaign.events.trench_crusade import (
    BattleScarTaken,
    BloodMarkersGained,
    BloodMarkersSpent,
    ChartRead,
    FateDecided,
    FighterStoodUp,
    FighterWentDown,
    GearForfeited,
    HeldForRansom,
    RankChanged,
    ToughnessSpent,
)
from tracker.campaign.events.vehicles import (
    DriverBlackedOut,
    DriverRecovered,
    DriverWokeUp,
    DriverWounded,
    LastingDamageSuffered,
    VehicleDamaged,
    VehicleDidNotStart,
    VehicleEnlisted,
    VehicleHandlingHindered,
    VehicleHitPointsLost,
    VehicleLostControl,
    VehicleMoved,
    VehicleMovementCapped,
    VehicleRestarted,
    VehicleRolledOn,
    VehicleShaken,
    VehicleStalled,
    VehicleWeaponDestroyed,
    VehicleWrecked,
)
from tracker.campaign.events.warbands import (
    BlessingMarkersGained,
    BlessingMarkersSpent,
    GloryChanged,
    LocationFound,
    MoraleTested,
    PromotionDieSpent,
    RansomSettled,
    ReinforcementsCalled,
    ShellShockTested,
    ThresholdRaised,
    WarbandExplored,
)

Event: TypeAlias = (
    DecisionTaken
    | CampaignOpened
    | PolicyAdopted
    | PolicyRepealed
    | GangEnlisted
    | FighterEnlisted
    | FighterRetired
    | FighterRenamed
    | BattleOpened
    | BattleClosed
    | RollMade
    | RuleNoted
    | WoundsLost
    | FleshWoundsSuffered
    | SeriousInjurySuffered
    | FighterWebbed
    | FighterPinned
    | FighterWentOutOfAction
    | NerveTested
    | FighterBroke
    | RallyTestTaken
    | FighterRallied
    | RetreatTried
    | FlightMade
    | GangBottled
    | FighterFled
    | RecoveryAssisted
    | SeriousInjuryOvercome
    | WebShed
    | LastingInjurySuffered
    | GangCorruptionStated
    | MutationGained
    | MutationCameAgain
    | BecameChaosSpawn
    | WentIntoConvalescence
    | ConvalescenceEnded
    | WentIntoRecovery
    | RecoveryEnded
    | CharacteristicChanged
    | CharacteristicKept
    | SkillGained
    | CapturePending
    | CriticalInjuryPending
    | FighterDied
    | ExperienceGained
    | AmmoSpent
    | LimitedAmmoDeleted
    | ShotFired
    | WeaponJammed
    | WeaponRanOutOfAmmo
    | WeaponReloaded
    | BattleScarTaken
    | BloodMarkersGained
    | BloodMarkersSpent
    | ChartRead
    | FateDecided
    | FighterStoodUp
    | FighterWentDown
    | GearForfeited
    | HeldForRansom
    | RankChanged
    | ToughnessSpent
    | AttackDiceShared
    | FighterConsolidated
    | FighterUnpinned
    | FightResolved
    | HelpNotCounted
    | RollDisputed
    | RulingMade
    | SlotVoided
    | SlotKept
    | SlotReleased
    | DisputeWithdrawn
    | DisputeReopened
    | DisputeSettledAgain
    | RollConfirmed
    | VehicleEnlisted
    | VehicleDamaged
    | VehicleHitPointsLost
    | VehicleShaken
    | VehicleStalled
    | VehicleMoved
    | VehicleMovementCapped
    | VehicleHandlingHindered
    | VehicleWeaponDestroyed
    | VehicleLostControl
    | DriverWounded
    | DriverBlackedOut
    | VehicleWrecked
    | LastingDamageSuffered
    | VehicleDidNotStart
    | VehicleRestarted
    | DriverRecovered
    | DriverWokeUp
    | VehicleRolledOn
    | CreditsMoved
    | ItemMoved
    | FighterCostChanged
    | VehicleCostChanged
    | VehicleCrewChanged
    | VehicleGone
    | RatingRecorded
    | ExperienceSpent
    | AdvancementTaken
    | FighterPromoted
    | BionicFitted
    | BionicRuined
    | AlignmentStated
    | CaptiveFreed
    | CaptivePassedOn
    | CaptivePutToWork
    | CaptiveSold
    | CriticalTreated
    | FighterCaptured
    | FighterEscaped
    | FighterMissesBattle
    | PostBattleActionTaken
    | PostBattleDone
    | RareItemsSought
    | ReputationChanged
    | RescueEnded
    | StepReached
    | VehicleRepaired
    | CycleBegan
    | BoonTaken
    | ModelPainted
    | SpendingGranted
    | TerritoryGained
    | TerritoryLost
    | BlessingMarkersGained
    | BlessingMarkersSpent
    | GloryChanged
    | LocationFound
    | MoraleTested
    | PromotionDieSpent
    | RansomSettled
    | ReinforcementsCalled
    | ShellShockTested
    | ThresholdRaised
    | WarbandExplored
)

__all__ = [
    "AdvancementTaken",
    "AlignmentStated",
    "AmmoSpent",
    "AttackDiceOfWeapon",
    "AttackDiceShared",
    "BattleClosed",
    "BattleOpened",
    "BattleScarTaken",
    "BecameChaosSpawn",
    "BionicFitted",
    "BionicRuined",
    "BlessingMarkersGained",
    "BlessingMarkersSpent",
    "BloodMarkersGained",
    "BloodMarkersSpent",
    "BoonTaken",
    "CampaignOpened",
    "CaptiveFreed",
    "CaptivePassedOn",
    "CaptivePutToWork",
    "CaptiveSold",
    "CapturePending",
    "CharacteristicChanged",
    "CharacteristicKept",
    "ChartRead",
    "ConvalescenceEnded",
    "CreditsMoved",
    "CriticalInjuryPending",
    "CriticalTreated",
    "CycleBegan",
    "DecisionTaken",
    "DisputeReopened",
    "DisputeSettledAgain",
    "DisputeWithdrawn",
    "DriverBlackedOut",
    "DriverRecovered",
    "DriverWokeUp",
    "DriverWounded",
    "Event",
    "ExperienceGained",
    "ExperienceSpent",
    "FateDecided",
    "FightResolved",
    "FighterBroke",
    "FighterCaptured",
    "FighterConsolidated",
    "FighterCostChanged",
    "FighterDied",
    "FighterEnlisted",
    "FighterEscaped",
    "FighterFled",
    "FighterMissesBattle",
    "FighterPinned",
    "FighterPromoted",
    "FighterRallied",
    "FighterRenamed",
    "FighterRetired",
    "FighterStoodUp",
    "FighterUnpinned",
    "FighterWebbed",
    "FighterWentDown",
    "FighterWentOutOfAction",
    "FleshWoundsSuffered",
    "FlightMade",
    "GangBottled",
    "GangCorruptionStated",
    "GangEnlisted",
    "GearForfeited",
    "GloryChanged",
    "HeldForRansom",
    "HelpNotCounted",
    "ItemMoved",
    "KnobValue",
    "LastingDamageSuffered",
    "LastingInjurySuffered",
    "LimitedAmmoDeleted",
    "LocationFound",
    "ModelPainted",
    "Modifier",
    "MoraleTested",
    "MutationCameAgain",
    "MutationGained",
    "NerveTested",
    "OutOfActionReason",
    "PolicyAdopted",
    "PolicyRepealed",
    "PostBattleActionTaken",
    "PostBattleDone",
    "PromotionDieSpent",
    "RallyTestTaken",
    "RankChanged",
    "RansomSettled",
    "RareItemsSought",
    "RatingRecorded",
    "RecoveryAssisted",
    "RecoveryEnded",
    "ReinforcementsCalled",
    "ReputationChanged",
    "RescueEnded",
    "RetreatTried",
    "RollConfirmed",
    "RollDisputed",
    "RollMade",
    "RuleNoted",
    "RulingMade",
    "Sent",
    "SeriousInjuryOvercome",
    "SeriousInjurySuffered",
    "ShellShockTested",
    "ShotFired",
    "ShotResult",
    "SkillGained",
    "SlotKept",
    "SlotReleased",
    "SlotVoided",
    "SpendingGranted",
    "StepReached",
    "TerritoryGained",
    "TerritoryLost",
    "ThresholdRaised",
    "ToughnessSpent",
    "VehicleCostChanged",
    "VehicleCrewChanged",
    "VehicleDamaged",
    "VehicleDidNotStart",
    "VehicleEnlisted",
    "VehicleGone",
    "VehicleHandlingHindered",
    "VehicleHitPointsLost",
    "VehicleLostControl",
    "VehicleMoved",
    "VehicleMovementCapped",
    "VehicleRepaired",
    "VehicleRestarted",
    "VehicleRolledOn",
    "VehicleShaken",
    "VehicleStalled",
    "VehicleWeaponDestroyed",
    "VehicleWrecked",
    "Verdict",
    "WarbandExplored",
    "WeaponJammed",
    "WeaponRanOutOfAmmo",
    "WeaponReloaded",
    "WebShed",
    "WentIntoConvalescence",
    "WentIntoRecovery",
    "WoundsLost",
]

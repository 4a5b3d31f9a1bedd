"""Events: what has happened. Past tense, outcome included, never changed.

Knows the vocabulary of the log. Knows no table: an event says what a roll meant, so that it can be
read when the book it was decided under is long gone. The names below stand in logs for ever (see
`log/codec.py`); a new meaning is a new shape or a new event.
"""

from __future__ import annotations

from typing import TypeAlias

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
from tracker.campaign.events.entries import DecisionTaken, Modifier, RollMade
from tracker.campaign.events.fighting import (
    AttackDiceOfWeapon,
    AttackDiceShared,
    FighterConsolidated,
    FighterUnpinned,
    FightResolved,
    HelpNotCounted,
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
from tracker.campaign.events.nerve import FighterBroke, FighterRallied, NerveTested
from tracker.campaign.events.rulings import RollDisputed, RulingMade, SlotKept, SlotVoided, Verdict
from tracker.campaign.events.shooting import (
    AmmoSpent,
    LimitedAmmoDeleted,
    ShotFired,
    ShotResult,
    WeaponJammed,
    WeaponRanOutOfAmmo,
    WeaponReloaded,
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
    DriverWounded,
    LastingDamageSuffered,
    VehicleDamaged,
    VehicleEnlisted,
    VehicleHandlingHindered,
    VehicleHitPointsLost,
    VehicleLostControl,
    VehicleMoved,
    VehicleMovementCapped,
    VehicleShaken,
    VehicleStalled,
    VehicleWeaponDestroyed,
    VehicleWrecked,
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
    | FighterRallied
    | GangBottled
    | FighterFled
    | RecoveryAssisted
    | SeriousInjuryOvercome
    | WebShed
    | LastingInjurySuffered
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
)

__all__ = [
    "AmmoSpent",
    "AttackDiceOfWeapon",
    "AttackDiceShared",
    "BattleClosed",
    "BattleOpened",
    "BattleScarTaken",
    "BloodMarkersGained",
    "BloodMarkersSpent",
    "CampaignOpened",
    "CapturePending",
    "CharacteristicChanged",
    "CharacteristicKept",
    "ChartRead",
    "ConvalescenceEnded",
    "CriticalInjuryPending",
    "DecisionTaken",
    "DriverBlackedOut",
    "DriverWounded",
    "Event",
    "ExperienceGained",
    "FateDecided",
    "FightResolved",
    "FighterBroke",
    "FighterConsolidated",
    "FighterDied",
    "FighterEnlisted",
    "FighterFled",
    "FighterPinned",
    "FighterRallied",
    "FighterRenamed",
    "FighterRetired",
    "FighterStoodUp",
    "FighterUnpinned",
    "FighterWebbed",
    "FighterWentDown",
    "FighterWentOutOfAction",
    "FleshWoundsSuffered",
    "GangBottled",
    "GangEnlisted",
    "GearForfeited",
    "HeldForRansom",
    "HelpNotCounted",
    "KnobValue",
    "LastingDamageSuffered",
    "LastingInjurySuffered",
    "LimitedAmmoDeleted",
    "Modifier",
    "NerveTested",
    "OutOfActionReason",
    "PolicyAdopted",
    "PolicyRepealed",
    "RankChanged",
    "RecoveryAssisted",
    "RecoveryEnded",
    "RollDisputed",
    "RollMade",
    "RuleNoted",
    "RulingMade",
    "SeriousInjuryOvercome",
    "SeriousInjurySuffered",
    "ShotFired",
    "ShotResult",
    "SkillGained",
    "SlotKept",
    "SlotVoided",
    "ToughnessSpent",
    "VehicleDamaged",
    "VehicleEnlisted",
    "VehicleHandlingHindered",
    "VehicleHitPointsLost",
    "VehicleLostControl",
    "VehicleMoved",
    "VehicleMovementCapped",
    "VehicleShaken",
    "VehicleStalled",
    "VehicleWeaponDestroyed",
    "VehicleWrecked",
    "Verdict",
    "WeaponJammed",
    "WeaponRanOutOfAmmo",
    "WeaponReloaded",
    "WebShed",
    "WentIntoConvalescence",
    "WentIntoRecovery",
    "WoundsLost",
]

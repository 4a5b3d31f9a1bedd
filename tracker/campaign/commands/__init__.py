"""Commands: what may be asked of a campaign. Imperative; each may be refused, none rolls a die.

Knows what a person states. Situation that only eyes at the table know (cover, who made the attack, how
far somebody fell) is stated here and never guessed. A command is kept whole in its entry's header, so
that a ruling can decide it again.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.battles import AwardExperience, CloseBattle, OpenBattle
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
    VehicleAttacked,
)
from tracker.campaign.commands.hits import (
    Cover,
    ResolveFall,
    ResolveHit,
    RollInjuryDice,
    SaveWith,
    StateOutcome,
)
from tracker.campaign.commands.nerve import TakeNerveTest, TakeRallyTest
from tracker.campaign.commands.rulings import DisputeRoll, RuleOnDispute
from tracker.campaign.commands.shooting import (
    FreeSkip,
    ModelThere,
    NearerEnemy,
    RangeBand,
    Reload,
    SecondSidearm,
    Shoot,
    ShootAction,
    ShootingSkill,
    ShotModifier,
    Unseen,
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
    FacingHit,
    ResolveVehicleHit,
    TakeVehicleNerveTest,
    ThrowClear,
    VehicleCard,
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
    | Shoot
    | Reload
    | AwardExperience
    | CloseBattle
    | DisputeRoll
    | RuleOnDispute
    | CheckControl
    | ResolveVehicleHit
    | ThrowClear
    | TakeVehicleNerveTest
)

__all__ = [
    "Across",
    "AdoptPolicy",
    "ArmourWorn",
    "AwardExperience",
    "ChartResult",
    "CheckBottle",
    "CheckControl",
    "CloseBattle",
    "Command",
    "CoupDeGrace",
    "Cover",
    "DecideFate",
    "DisputeRoll",
    "EnlistFighter",
    "EnlistGang",
    "ExtraModifier",
    "FacingHit",
    "Fight",
    "FightTarget",
    "FightWeapon",
    "FighterCard",
    "FleeBattlefield",
    "FreeSkip",
    "ModelThere",
    "NearerEnemy",
    "OpenBattle",
    "OpenCampaign",
    "PolicyText",
    "RangeBand",
    "Reload",
    "RenameFighter",
    "RepealPolicy",
    "ResolveFall",
    "ResolveHit",
    "ResolveVehicleHit",
    "RetireFighter",
    "RollInjuryChart",
    "RollInjuryDice",
    "RuleOnDispute",
    "SaveWith",
    "SecondSidearm",
    "Shoot",
    "ShootAction",
    "ShootingSkill",
    "ShotModifier",
    "SpendBloodMarkers",
    "StandUp",
    "StateOutcome",
    "StatedModifier",
    "TakeFleeingTests",
    "TakeNerveTest",
    "TakeRallyTest",
    "TakeRecoveryTest",
    "TakeVehicleNerveTest",
    "ThrowClear",
    "Unpin",
    "Unseen",
    "VehicleAttacked",
    "VehicleCard",
]

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
from tracker.campaign.commands.hits import (
    Cover,
    ResolveFall,
    ResolveHit,
    RollInjuryDice,
    SaveWith,
    StateOutcome,
)
from tracker.campaign.commands.rulings import DisputeRoll, RuleOnDispute

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
    | AwardExperience
    | CloseBattle
    | DisputeRoll
    | RuleOnDispute
)

__all__ = [
    "AdoptPolicy",
    "AwardExperience",
    "CloseBattle",
    "Command",
    "Cover",
    "DisputeRoll",
    "EnlistFighter",
    "EnlistGang",
    "FighterCard",
    "OpenBattle",
    "OpenCampaign",
    "PolicyText",
    "RenameFighter",
    "RepealPolicy",
    "ResolveFall",
    "ResolveHit",
    "RetireFighter",
    "RollInjuryDice",
    "RuleOnDispute",
    "SaveWith",
    "StateOutcome",
]

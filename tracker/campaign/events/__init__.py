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
from tracker.campaign.events.entries import DecisionTaken, Modifier, RollMade
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
from tracker.campaign.events.rulings import RollDisputed, RulingMade, SlotKept, SlotVoided, Verdict

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
    | RollDisputed
    | RulingMade
    | SlotVoided
    | SlotKept
)

__all__ = [
    "BattleClosed",
    "BattleOpened",
    "CampaignOpened",
    "CapturePending",
    "CharacteristicChanged",
    "CharacteristicKept",
    "ConvalescenceEnded",
    "CriticalInjuryPending",
    "DecisionTaken",
    "Event",
    "ExperienceGained",
    "FighterDied",
    "FighterEnlisted",
    "FighterPinned",
    "FighterRenamed",
    "FighterRetired",
    "FighterWebbed",
    "FighterWentOutOfAction",
    "FleshWoundsSuffered",
    "GangEnlisted",
    "KnobValue",
    "LastingInjurySuffered",
    "Modifier",
    "OutOfActionReason",
    "PolicyAdopted",
    "PolicyRepealed",
    "RecoveryEnded",
    "RollDisputed",
    "RollMade",
    "RuleNoted",
    "RulingMade",
    "SeriousInjurySuffered",
    "SkillGained",
    "SlotKept",
    "SlotVoided",
    "Verdict",
    "WentIntoConvalescence",
    "WentIntoRecovery",
    "WoundsLost",
]

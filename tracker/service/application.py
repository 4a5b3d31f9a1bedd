"""The hall: play, rule, ask. The one storey that knows the clock, makes ids and rolls dice.

`records` opens and reads, `play` decides and appends, `arbitration` rules, `audits` checks.
"""

from tracker.service.audit import Audit, Audits
from tracker.service.command_handler import Plan, Planned, Played
from tracker.service.explanations import Explanations, NobodyCalled
from tracker.service.pending import Pending, PendingOutcomes
from tracker.service.policies import PolicyRulings, WhatIf
from tracker.service.post_battle import PostBattle
from tracker.service.refusals import (
    CampaignNameTaken,
    DryRunRollsNothing,
    EntryRefused,
    NoFacesGiven,
    NoSuchBattle,
    NoSuchEvent,
    PreviewStale,
    UnknownCampaign,
    UnknownPurpose,
)
from tracker.service.rulings import Answer, Preview
from tracker.service.witnesses import Witnesses


class Tracker(PolicyRulings, PostBattle, Audits, PendingOutcomes, Explanations, Witnesses):
    """One database, and all that can be done with the campaigns in it."""


__all__ = [
    "Answer",
    "Audit",
    "CampaignNameTaken",
    "DryRunRollsNothing",
    "EntryRefused",
    "NoFacesGiven",
    "NoSuchBattle",
    "NoSuchEvent",
    "NobodyCalled",
    "Pending",
    "Plan",
    "Planned",
    "Played",
    "Preview",
    "PreviewStale",
    "Tracker",
    "UnknownCampaign",
    "UnknownPurpose",
    "WhatIf",
]

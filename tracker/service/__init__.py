"""The hall: play, rule, ask. The one storey that knows the clock, makes ids and rolls dice.

`records` opens and reads, `play` decides and appends, `arbitration` rules, `audits` checks. The doors use
`Tracker` and nothing else of it.
"""

from tracker.service.arbitration import Answer, Arbitration, Preview
from tracker.service.audits import Audit, Audits
from tracker.service.play import Plan, Planned, Played
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


class Tracker(Arbitration, Audits):
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
    "Plan",
    "Planned",
    "Played",
    "Preview",
    "PreviewStale",
    "Tracker",
    "UnknownCampaign",
    "UnknownPurpose",
]

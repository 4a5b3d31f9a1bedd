"""Tells damage (exit code 4) from faults of the program.

Readable rows may still contradict each other or the log, in more ways than a reader can check for. Looks only
after a fault or a refusal. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tracker.campaign.records import CampaignNotOpen
from tracker.errors import LogDamaged, Refusal, Stale
from tracker.service.application import Tracker
from tracker.service.audit import Audit
from tracker.service.fences import CampaignMoved
from tracker.service.refusals import UnknownCampaign

FAULTS: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""The exceptions that contradictory rows lead to."""


class DamageMet(LogDamaged):
    """This cannot be done, because {what} of campaign {campaign} {found}. {advice} 'arbitrator --campaign
    {campaign} audit verify' reports all that is wrong.
    """

    campaign: str
    what: str
    found: str
    advice: str


def damage_behind(tracker: Tracker, campaigns: Mapping[str, str]) -> Refusal | None:
    """The damage in these campaigns (ids by name); None if there is none, or if it cannot be checked."""
    try:
        for name, campaign in campaigns.items():
            damage = _wrong(tracker, name, campaign)
            if damage is not None:
                return damage
    except LogDamaged as damage:
        return damage
    except (Refusal, OSError):  # it cannot be looked at: then it stays the fault that it was
        return None
    return None


def damage_that_hides(tracker: Tracker, name: str, campaign: str | None, refusal: Refusal) -> Refusal | None:
    """The damage that explains why something was not found, or None. Checks a few rows before the refusal is
    shown; without a campaign, the directory.
    """
    if isinstance(refusal, Stale) and not isinstance(refusal, CampaignMoved):
        return None
    try:
        if isinstance(refusal, (UnknownCampaign, CampaignMoved)):
            tracker.audit.refuse_damage_that_hides(None)
        elif campaign is not None and isinstance(
            refusal, CampaignNotOpen
        ):  # it is listed: then it was opened
            return damage_behind(tracker, {name: campaign})
        elif campaign is not None:
            tracker.audit.refuse_damage_that_hides(campaign, refusal)
    except LogDamaged as damage:
        return damage
    except (Refusal, OSError):
        return None
    return None


def _wrong(tracker: Tracker, name: str, campaign: str) -> Refusal | None:
    """The result of `audit verify`; if that cannot finish, the faults that the database finds itself."""
    try:
        return _refusal_of(name, tracker.audit.verify(campaign))
    except FAULTS:
        pages = tracker.audit.pages_wrong()
        return _held_wrongly(name, pages[0]) if pages else None


def _held_wrongly(name: str, finding: str) -> Refusal:
    mend = f"'arbitrator --campaign {name} boards rebuild' rebuilds the boards"
    advice = f"{mend}; if that does not help, restore a backup."
    found = f"holds invalid values ({finding})"
    return DamageMet(campaign=name, what="a table", found=found, advice=advice)


def _refusal_of(name: str, audit: Audit) -> Refusal | None:
    restore = "First make a copy of the database, then restore a backup that verifies."
    for wrong in (audit.log.fault, audit.unreadable, *audit.drifted[:1], *audit.commands[:1]):
        if wrong:
            return DamageMet(campaign=name, what="the log", found=f"is damaged ({wrong})", advice=restore)
    if audit.pages:
        return _held_wrongly(name, audit.pages[0])
    for wrong in (*audit.boards[:1], *audit.snapshots[:1]):
        return DamageMet(
            campaign=name,
            what="the boards",
            found=f"do not match its log ({wrong})",
            advice=f"'arbitrator --campaign {name} boards rebuild' rebuilds them from it.",
        )
    return None

"""Whose fault it is: before the program takes a fault upon itself, it looks whether what it read is whole.

Rows that can be read may still contradict each other or the log, in more ways than any reader could ask for.
Looks only after a fault. Writes nothing.
"""

from __future__ import annotations

from tracker.campaign.records import CampaignNotOpen
from tracker.cli.session import NoCampaignChosen, Session
from tracker.errors import LogDamaged, Refusal
from tracker.service.application import Tracker
from tracker.service.audit import Audit
from tracker.service.refusals import UnknownCampaign


class DamageMet(LogDamaged):
    """This cannot be done, for {what} of campaign {campaign} {found}. {advice} 'arbitrator --campaign
    {campaign} audit verify' reports all that is wrong.
    """

    campaign: str
    what: str
    found: str
    advice: str


def damage_behind(session: Session | None) -> Refusal | None:
    """What is damaged in the database of a session; None where all is whole, or cannot be looked at."""
    try:
        return None if session is None else _damage(session)
    except (Refusal, OSError):  # it cannot be looked at: then it stays the fault that it was
        return None


def damage_that_hides(session: Session, refusal: Refusal) -> Refusal | None:
    """What is damaged so that something was not found: looked for before somebody is told that it is not
    there, in a few rows. None where nothing of the kind is.
    """
    try:
        if isinstance(refusal, UnknownCampaign):
            session.tracker.audit.refuse_damage_that_hides(None)
        elif isinstance(refusal, CampaignNotOpen):  # it is listed: then it was opened
            return _damage(session)
        else:
            session.tracker.audit.refuse_damage_that_hides(session.campaign, refusal)
    except LogDamaged as damage:
        return damage
    except (Refusal, OSError):
        return None
    return None


def _damage(session: Session) -> Refusal | None:
    try:
        tracker = session.tracker
        known = tracker.directory.campaigns_logged()
        try:
            wanted = {session.slug: session.campaign}
        except (NoCampaignChosen, UnknownCampaign):
            wanted = known
        for name, campaign in wanted.items():
            damage = _wrong(tracker, name, campaign)
            if damage is not None:
                return damage
    except LogDamaged as damage:
        return damage
    return None


def _wrong(tracker: Tracker, name: str, campaign: str) -> Refusal | None:
    """What `audit verify` finds; where it comes to no end, what the database finds by itself."""
    try:
        return _refusal_of(name, tracker.audit.verify(campaign))
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        pages = tracker.audit.pages_wrong()
        if not pages:
            raise
        return _held_wrongly(name, pages[0])


def _held_wrongly(name: str, finding: str) -> Refusal:
    advice = f"'arbitrator --campaign {name} boards rebuild' makes boards anew; else restore a backup."
    found = f"holds what it may not hold ({finding})"
    return DamageMet(campaign=name, what="a table", found=found, advice=advice)


def _refusal_of(name: str, audit: Audit) -> Refusal | None:
    restore = "Make a copy of the database before anything else, then restore a backup that verifies."
    for wrong in (audit.log.fault, audit.unreadable, *audit.drifted[:1], *audit.commands[:1]):
        if wrong:
            return DamageMet(campaign=name, what="the log", found=f"is damaged ({wrong})", advice=restore)
    if audit.pages:
        return _held_wrongly(name, audit.pages[0])
    for wrong in (*audit.boards[:1], *audit.snapshots[:1]):
        return DamageMet(
            campaign=name,
            what="the boards",
            found=f"are not what its log adds up to ({wrong})",
            advice=f"'arbitrator --campaign {name} boards rebuild' makes them anew from it.",
        )
    return None

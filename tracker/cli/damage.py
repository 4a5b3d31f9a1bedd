"""Damage that explains why a command failed, looked for in the campaign of its session."""

from __future__ import annotations

from tracker.campaign.records import CampaignNotOpen
from tracker.cli.session import NoCampaignChosen, Session
from tracker.errors import LogDamaged, Refusal, Stale
from tracker.service import damage
from tracker.service.fences import CampaignMoved
from tracker.service.refusals import UnknownCampaign


def damage_behind(session: Session | None) -> Refusal | None:
    """What is damaged in the database of a session; None where all is whole, or cannot be looked at."""
    if session is None:
        return None
    try:
        return damage.damage_behind(session.tracker, _looked_at(session))
    except LogDamaged as wrong:
        return wrong
    except (Refusal, OSError):
        return None


def damage_that_hides(session: Session, refusal: Refusal) -> Refusal | None:
    """What is damaged so that something was not found; None where nothing of the kind is."""
    if isinstance(refusal, CampaignNotOpen):
        return damage_behind(session)
    try:
        of_none = isinstance(refusal, (Stale, UnknownCampaign, CampaignMoved))
        campaign = None if of_none else session.campaign
        return damage.damage_that_hides(session.tracker, "", campaign, refusal)
    except LogDamaged as wrong:
        return wrong
    except (Refusal, OSError):
        return None


def _looked_at(session: Session) -> dict[str, str]:
    known = session.tracker.directory.campaigns_logged()
    try:
        return {session.slug: session.campaign}
    except (NoCampaignChosen, UnknownCampaign):
        return known

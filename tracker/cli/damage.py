"""Looks for damage in the session's campaign that explains why a command failed."""

from __future__ import annotations

from tracker.campaign.records import CampaignNotOpen
from tracker.cli.session import NoCampaignChosen, Session
from tracker.errors import LogDamaged, Refusal, Stale
from tracker.service import damage
from tracker.service.fences import CampaignMoved
from tracker.service.refusals import UnknownCampaign


def damage_behind(session: Session | None) -> Refusal | None:
    """The damage in the session's database; None if there is none, or if it cannot be checked."""
    if session is None:
        return None
    try:
        return damage.damage_behind(session.tracker, _looked_at(session))
    except LogDamaged as wrong:
        return wrong
    except (Refusal, OSError):
        return None


def damage_that_hides(session: Session, refusal: Refusal) -> Refusal | None:
    """The damage that explains why something was not found, or None."""
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

"""After a battle: which battle's policies govern a command of its sequence."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import CampaignState


def battle_followed(state: CampaignState, command: records.Command) -> int | None:
    """The number of the battle whose sequence a command belongs to, and whose policies govern it; or None."""
    whose = records.DECLARATIONS[type(command)].whose
    if state.under_way is not None or whose is None:
        return None
    named: str = getattr(command, whose)
    if whose == "gang":
        gang = named
    elif whose == "territory":
        territory = state.territories.get(named)
        gang = (territory.holder or "") if territory is not None else ""
    else:
        gang = state.gang_of.get(named, "")
    after = state.after_battle.get(gang)
    return after.number if after is not None else None

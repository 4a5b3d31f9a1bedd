"""After a battle: which battle's policies govern a command of its sequence."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import CampaignState


def battle_followed(state: CampaignState, command: records.Command) -> int | None:
    """The number of the battle whose sequence a command belongs to, and whose policies govern it; or None."""
    if state.under_way is not None:
        return None
    match command:
        case (
            records.RollCapture()
            | records.ClaimScrap()
            | records.TakeReward()
            | records.ChangeReputation()
            | records.EndActions()
            | records.SeekRare()
            | records.GainTerritory()
            | records.AwardTakingPart()
        ):
            gang = command.gang
        case records.RollEscape() | records.RollPraise():
            gang = state.gang_of.get(command.fighter, "")
        case (
            records.SellCaptive()
            | records.ClaimBounty()
            | records.DisposeOfCaptive()
            | records.MedicalEscort()
            | records.NegotiateRepairs()
            | records.Trade()
        ):
            gang = state.gang_of.get(command.by, "")
        case records.TakeIncome() | records.TakeRecruit() | records.TakeEquipment():
            territory = state.territories.get(command.territory)
            gang = (territory.holder or "") if territory is not None else ""
        case _:
            return None
    after = state.after_battle.get(gang)
    return after.number if after is not None else None

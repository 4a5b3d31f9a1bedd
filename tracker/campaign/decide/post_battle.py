"""After a battle: which battle's policies govern a command of its sequence."""

from __future__ import annotations

from tracker.campaign.commands import (
    AwardTakingPart,
    ChangeReputation,
    ClaimBounty,
    ClaimScrap,
    Command,
    DisposeOfCaptive,
    EndActions,
    GainTerritory,
    MedicalEscort,
    NegotiateRepairs,
    RollCapture,
    RollEscape,
    RollPraise,
    SeekRare,
    SellCaptive,
    TakeEquipment,
    TakeIncome,
    TakeRecruit,
    TakeReward,
    Trade,
)
from tracker.campaign.state import CampaignState


def battle_followed(state: CampaignState, command: Command) -> int | None:
    """The number of the battle whose sequence a command belongs to, and whose policies govern it; or None."""
    if state.under_way is not None:
        return None
    match command:
        case (
            RollCapture()
            | ClaimScrap()
            | TakeReward()
            | ChangeReputation()
            | EndActions()
            | SeekRare()
            | GainTerritory()
            | AwardTakingPart()
        ):
            gang = command.gang
        case RollEscape() | RollPraise():
            gang = state.gang_of.get(command.fighter, "")
        case (
            SellCaptive()
            | ClaimBounty()
            | DisposeOfCaptive()
            | MedicalEscort()
            | NegotiateRepairs()
            | Trade()
        ):
            gang = state.gang_of.get(command.by, "")
        case TakeIncome() | TakeRecruit() | TakeEquipment():
            territory = state.territories.get(command.territory)
            gang = (territory.holder or "") if territory is not None else ""
        case _:
            return None
    after = state.after_battle.get(gang)
    return after.number if after is not None else None

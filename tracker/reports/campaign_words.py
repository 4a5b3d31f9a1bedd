"""Campaigns, who joins and leaves, one line for each event."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.reports.cards import counted, plain, titled
from tracker.reports.names import Names
from tracker.reports.paper import safe

CampaignEvent: TypeAlias = (
    records.GangEnlisted
    | records.FighterEnlisted
    | records.FighterRetired
    | records.FighterRenamed
    | records.CampaignOpened
    | records.PolicyAdopted
    | records.PolicyRepealed
)


def campaign_sentence(event: CampaignEvent, names: Names) -> str:
    """One line for one event about who and what there is in a campaign."""
    match event:
        case records.GangEnlisted():
            gang = f"{safe(event.name)} ({titled(event.house)}, player {safe(event.player)})"
            return f"gang {gang} enlists: {names.money(event.credits)}, Reputation {event.reputation}"
        case records.FighterEnlisted():
            rank = plain(event.category)
            fighter = f"{safe(event.name)} ({rank}, {plain(event.kind)})"
            return f"{fighter} joins {names.gang(event.gang)} for {names.money(event.cost_credits)}"
        case records.FighterRetired():
            return f"{names.fighter(event.fighter)} retires: {plain(event.reason)}"
        case records.FighterRenamed():
            return f"{safe(event.before)} is called {safe(event.after)} from now on"
        case records.CampaignOpened():
            return f"campaign {safe(event.name)} opens under {safe(event.book)}"
        case records.PolicyAdopted():
            policy = f"{safe(event.title)} ({safe(event.policy)}@{event.version})"
            return f"house rule {policy} holds from battle {event.from_battle} on: {safe(event.reason)}"
        case records.PolicyRepealed():
            policy = f"{safe(event.policy)}@{event.version}"
            return (
                f"house rule {policy} holds no more from battle {event.from_battle} on: {safe(event.reason)}"
            )
        case _:
            assert_never(event)


def campaign_asked(command: records.CampaignCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.OpenCampaign():
            policies = "".join(f", {safe(text.policy)}@{text.version}" for text in command.policies)
            return f"open campaign {safe(command.name)} under {safe(command.book)}{policies}"
        case records.AdoptPolicy():
            adopted = f"{safe(command.text.policy)}@{command.text.version}"
            return f"adopt {adopted} from battle {command.from_battle} on: {safe(command.reason)}"
        case records.RepealPolicy():
            repealed = safe(command.policy)
            return f"repeal {repealed} from battle {command.from_battle} on: {safe(command.reason)}"
        case records.EnlistGang():
            fighters = counted(len(command.fighters), "fighter")
            return f"enlist gang {safe(command.name)} with {fighters}"
        case records.EnlistFighter():
            return f"enlist fighter {safe(command.card.name)} for {names.gang(command.gang)}"
        case records.RetireFighter():
            return f"retire {names.fighter(command.fighter)}: {plain(command.reason)}"
        case records.RenameFighter():
            return f"rename {names.fighter(command.fighter)} to {safe(command.name)}"
        case _:
            assert_never(command)

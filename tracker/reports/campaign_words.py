"""Campaigns, battles, who joins and leaves, one line for each event."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign.events.battles import BattleClosed, BattleOpened
from tracker.campaign.events.campaigns import (
    CampaignOpened,
    FighterEnlisted,
    FighterRenamed,
    FighterRetired,
    GangEnlisted,
    PolicyAdopted,
    PolicyRepealed,
)
from tracker.reports.cards import counted, plain, titled
from tracker.reports.names import Names
from tracker.reports.paper import safe

CampaignEvent: TypeAlias = (
    BattleOpened
    | BattleClosed
    | GangEnlisted
    | FighterEnlisted
    | FighterRetired
    | FighterRenamed
    | CampaignOpened
    | PolicyAdopted
    | PolicyRepealed
)


def campaign_sentence(event: CampaignEvent, names: Names) -> str:
    """One line for one event about who and what there is in a campaign."""
    match event:
        case BattleOpened():
            crews = ", ".join(
                f"{names.gang(gang)} ({counted(len(crew), 'fighter')})" for gang, crew in event.crews.items()
            )
            opened = f"battle {event.number} ({safe(event.battle)}) opens"
            return f"{opened}: {safe(event.scenario)}, {safe(event.date)}: {crews}"
        case BattleClosed():
            result = "no winner"
            if event.winner is not None:
                result = f"won by {names.gang(event.winner)}"
            elif event.drawn:
                result = "a draw"
            return f"{names.battle(event.battle)} closes: {result}"
        case GangEnlisted():
            gang = f"{safe(event.name)} ({titled(event.house)}, player {safe(event.player)})"
            return f"gang {gang} enlists: {counted(event.credits, 'credit')}, Reputation {event.reputation}"
        case FighterEnlisted():
            rank = plain(event.category)
            fighter = f"{safe(event.name)} ({rank}, {plain(event.kind)})"
            return f"{fighter} joins {names.gang(event.gang)} for {counted(event.cost_credits, 'credit')}"
        case FighterRetired():
            return f"{names.fighter(event.fighter)} retires: {plain(event.reason)}"
        case FighterRenamed():
            return f"{safe(event.before)} is called {safe(event.after)} from now on"
        case CampaignOpened():
            return f"campaign {safe(event.name)} opens under {safe(event.book)}"
        case PolicyAdopted():
            policy = f"{safe(event.title)} ({safe(event.policy)}@{event.version})"
            return f"house rule {policy} holds from battle {event.from_battle} on: {safe(event.reason)}"
        case PolicyRepealed():
            policy = f"{safe(event.policy)}@{event.version}"
            return (
                f"house rule {policy} holds no more from battle {event.from_battle} on: {safe(event.reason)}"
            )
        case _:
            assert_never(event)

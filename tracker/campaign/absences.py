"""Absences: who was missing from a battle though by now they could have fought, and who fought though not.

A ruling moves nobody onto a table where they did not stand: it only says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign.decide import Library, rulebook_in_force
from tracker.campaign.decide.battles import why_not_available
from tracker.campaign.events import BattleOpened, Event
from tracker.campaign.state import CampaignState
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """`fought`: they stood on the table, and by now could not have; else they missed it, and could have.

    `why` is what kept them away: then (missed), or by now (fought).
    """

    fighter: str
    gang: str
    battle: str
    number: int
    fought: bool
    why: str


def absences(
    events: Sequence[Event], was: CampaignState, now: CampaignState, *, void: bool, library: Library
) -> list[Absence]:
    """Those of a battle that opens with these events, by the states before it as it was and as it is."""
    opened = next((event for event in events if isinstance(event, BattleOpened)), None)
    if opened is None or void or not (was.is_open and now.is_open):
        return []
    then_rules, now_rules = rulebook_in_force(was, library), rulebook_in_force(now, library)
    found = []
    for gang, crew in opened.crews.items():
        fighters = now.gangs[gang].fighters if gang in now.gangs else {}
        for name, fighter in fighters.items():
            old = was.fighter(name)
            if old is None or old is fighter:
                continue
            kept_away, keeps_away = why_not_available(old, then_rules), why_not_available(fighter, now_rules)
            fought = name in crew
            why = keeps_away if fought else kept_away
            if (keeps_away is None) == fought or (kept_away is None) != fought or why is None:
                continue
            found.append(
                Absence(
                    fighter=name,
                    gang=gang,
                    battle=opened.battle,
                    number=opened.number,
                    fought=fought,
                    why=why[0],
                )
            )
    return found

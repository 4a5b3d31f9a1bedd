"""The rating history of a campaign: each gang's rating and earned XP at the end of every battle.

Knows the order of play and the totals of a state. Keeps a few numbers for each battle and no event, so that
one pass over a log of any length is enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.holdings import rating
from tracker.campaign.state import CampaignState


class GangRating(TypedDict):
    """A gang at one point. `experience_earned` is all XP that its fighters ever gained, spent or not."""

    rating_credits: int
    experience_earned: int


class RatingRow(TypedDict):
    """The ratings at a battle's end. `number` is 0 before the first battle, None for the present."""

    battle: str | None
    number: int | None
    gangs: dict[str, GangRating]


def rating_history(events: Iterable[records.Event]) -> list[RatingRow]:
    """The history from events in the order of play; empty before the first battle.

    A battle whose closing was voided ends where the next one opens.
    """
    state = CampaignState()
    rows: list[RatingRow] = []
    for event in events:
        under_way = state.under_way
        if isinstance(event, records.BattleOpened):
            if under_way is not None:
                rows.append(_row(state, under_way.battle, under_way.number))
            elif not rows:
                rows.append(_row(state, None, 0))
        state = evolve(state, event)
        if isinstance(event, records.BattleClosed) and under_way is not None:
            rows.append(_row(state, under_way.battle, under_way.number))
    if rows:
        last = _row(state, None, None)
        if last["gangs"] != rows[-1]["gangs"]:
            rows.append(last)
    return rows


def _row(state: CampaignState, battle: str | None, number: int | None) -> RatingRow:
    return RatingRow(
        battle=battle,
        number=number,
        gangs={
            gang.gang: GangRating(
                rating_credits=rating(gang),
                experience_earned=gang.members.tally.experience
                + gang.members.tally.experience_spent
                + sum(fighter.experience + fighter.experience_spent for fighter in gang.enlisted.values()),
            )
            for gang in state.gangs.values()
        },
    )

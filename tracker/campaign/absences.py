"""Absences: which battles the rules keep somebody from, before a ruling and after it, and who stood there.

A ruling moves nobody onto a table where they did not stand: it only says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tracker.campaign.decide import Library, rulebook_in_force
from tracker.campaign.decide.battles import why_not_available
from tracker.campaign.events import BattleOpened, Event
from tracker.campaign.state import CampaignState
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A battle of a fighter's gang that the rules kept them from (`before` says why), or do by now (`after`).

    `fought`: they stood on the table all the same. `counted` and `counts`: whether the battle itself counts.
    """

    fighter: str
    gang: str
    battle: str
    number: int
    fought: bool
    before: str | None
    after: str | None
    counted: bool = True
    counts: bool = True

    @property
    def moved(self) -> bool:
        """Whether they fought it and by now could not have, or missed it and could have come."""
        return self.counted and self.counts and (self.before is None) == self.fought != (self.after is None)


def absences(
    events: Sequence[Event],
    by_now: Sequence[Event],
    was: CampaignState,
    now: CampaignState,
    *,
    library: Library,
) -> list[Absence]:
    """Those of a battle that a slot opens, as played or by now, by the states before it as it was and is."""
    old, new = _opening(events), _opening(by_now)
    opened = old or new
    if opened is None or not (was.is_open and now.is_open):
        return []
    then_rules, now_rules = rulebook_in_force(was, library), rulebook_in_force(now, library)
    found = []
    for gang, crew in opened.crews.items():
        for name in _members(was, now, gang):
            then, by_then = was.fighter(name), now.fighter(name)
            if old is not None and new is not None and then is by_then:
                continue
            kept_away = why_not_available(then, then_rules) if old is not None and then is not None else None
            keeps = why_not_available(by_then, now_rules) if new is not None and by_then is not None else None
            if kept_away is None and keeps is None:
                continue
            found.append(
                Absence(
                    fighter=name,
                    gang=gang,
                    battle=opened.battle,
                    number=opened.number,
                    fought=name in crew,
                    before=kept_away[0] if kept_away is not None else None,
                    after=keeps[0] if keeps is not None else None,
                    counted=old is not None,
                    counts=new is not None,
                )
            )
    return found


def _opening(events: Iterable[Event]) -> BattleOpened | None:
    return next((event for event in events if isinstance(event, BattleOpened)), None)


def _members(was: CampaignState, now: CampaignState, gang: str) -> list[str]:
    gangs = (state.gangs[gang] for state in (was, now) if gang in state.gangs)
    return list(dict.fromkeys(name for one in gangs for name in one.fighters))

"""Absences: the battles that the rules keep a fighter out of, before a ruling and after it, and who fought
them.

A ruling never changes who fought: it only reports the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import Members, differing
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, rulebook_in_force
from tracker.campaign.steps.recovery_and_convalescence import why_not_available
from tracker.records import Record


class Absence(Record):
    """A battle of their gang that the rules keep a fighter out of: `before` the ruling, `after` it, or both,
    each with the reason.

    `fought`: the fighter was on the table all the same. `counted` and `counts`: whether the battle itself
    counted and counts.
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
        """Whether the fighter fought and could not have, or missed the battle and could have come."""
        return self.counted and self.counts and (self.before is None) == self.fought != (self.after is None)


class AbsenceCollector:
    """Collects absences battle by battle, in the order of play, of fighters who may miss other battles now
    than before. Of the gone only from the first such battle on: a long campaign has many.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._absences: list[Absence] = []
        self._changed: set[str] = set()

    @property
    def changed(self) -> AbstractSet[str]:
        """The fighters with a new absence, or with one that is gone."""
        return self._changed

    def absences(self) -> tuple[Absence, ...]:
        """The absences of these fighters, in the order of play."""
        return tuple(absence for absence in self._absences if absence.fighter in self._changed)

    def add_battle(
        self,
        events: Sequence[records.Event],
        now_events: Sequence[records.Event],
        was: CampaignState,
        now: CampaignState,
    ) -> None:
        """Add the absences of a battle that a slot opens, `events` as played and `now_events` by the ruling,
        from the states before it.
        """
        old = _opening(events)
        new = old if now_events is events else _opening(now_events)
        opened = old or new
        if opened is None or not (was.is_open and now.is_open):
            return
        then_rules, now_rules = rulebook_in_force(was, self._library), rulebook_in_force(now, self._library)
        in_both, same_rules = old is not None and new is not None, then_rules.digest == now_rules.digest
        for gang, crew in opened.crews.items():
            for name in self._candidates(was, now, gang, is_in_both=in_both):
                then, by_then = was.fighter(name), now.fighter(name)
                if in_both and name not in self._changed:
                    if then is by_then or (same_rules and then == by_then):
                        continue
                    if _is_gone(then) and _is_gone(by_then):
                        continue
                kept_away = (
                    why_not_available(then, then_rules) if old is not None and then is not None else None
                )
                keeps = (
                    why_not_available(by_then, now_rules) if new is not None and by_then is not None else None
                )
                if kept_away is None and keeps is None:
                    continue
                if (kept_away is None) != (keeps is None):
                    self._changed.add(name)
                self._absences.append(
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

    def _candidates(
        self, was: CampaignState, now: CampaignState, gang: str, *, is_in_both: bool
    ) -> list[str]:
        """The fighters of a gang who may have an absence. If the battle is in both: those whose record
        differs, and those who changed already.
        """
        then, by_now = (
            state.gangs[gang].members if gang in state.gangs else Members.nobody() for state in (was, now)
        )
        if not is_in_both:
            return list(dict.fromkeys((*then, *by_now)))
        found = {name for name, _, _ in differing(then, by_now)}
        found |= {name for name in self._changed if name in then or name in by_now}
        return sorted(found, key=lambda name: (by_now if name in by_now else then).place_of(name))


def _is_gone(fighter: Fighter | None) -> bool:
    return fighter is not None and fighter.standing != "enlisted"


def _opening(events: Iterable[records.Event]) -> records.BattleOpened | None:
    for event in events:
        if isinstance(event, records.BattleOpened):
            return event
    return None

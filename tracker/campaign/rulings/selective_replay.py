"""Selective replay: decides only the entries that a ruling's change can affect, and skips the others.

A skipped entry stays as recorded, because it reads and writes nothing in which the two replays differ. So its
events are folded once, and the new state is the old one plus the difference. If the difference is more than
fields of fighters, both states are folded. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.evolve import fold, fold_in_place
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings import state_components
from tracker.campaign.rulings.absences import AbsenceCollector
from tracker.campaign.rulings.access_index import AccessIndex
from tracker.campaign.rulings.state_components import HOME, WHOLE, ComponentSet
from tracker.campaign.rulings.state_diff import state_diff
from tracker.campaign.state import CampaignState
from tracker.records import Record, replace

WORTH_A_SNAPSHOT = 1_000
"""The number of slots from which reading a snapshot is faster than folding."""
WORTH_FOLDING_IN_PLACE = 200
"""The number of events from which copying the containers first pays off."""


Moving: TypeAlias = tuple[int, Iterable[records.Event]]
"""A slot, and those of its events that change the state."""


class LogTail(Record):
    """Access to a log by slot: which slots accessed what; the content of a slot (with a hint which are likely
    next); the state-changing events from a slot on; the state before a slot.
    """

    accesses: AccessIndex
    slot: Callable[[int, Sequence[int]], Sequence[RecordedEvent]]
    moving: Callable[[int], Iterator[Moving]]
    before: Callable[[int], CampaignState]


class ResumePoint(Record):
    """Where to go on: the states `was` and `now` before `next_slot`. None at the end of the log, where only
    `now` is known.
    """

    was: CampaignState
    now: CampaignState
    next_slot: int | None


class SelectiveReplay:
    """Replays the tail of one ruling. `treated` are the slots with an instruction, `last` the last slot of
    the log, and `end` the recorded state after it.
    """

    def __init__(
        self,
        tail: LogTail,
        *,
        treated: Collection[int],
        missed: AbsenceCollector,
        last: int,
        end: CampaignState,
    ) -> None:
        self._accesses = tail.accesses
        self._tail = tail
        self._treated = sorted(treated, reverse=True)
        self._missed = missed
        self._last = last
        self._end = end
        self._moving: Iterator[Moving] | None = None
        self._held: Moving | None = None
        self._diff: ComponentSet | None = None

    def resume_after(self, slot: int, was: CampaignState, now: CampaignState) -> ResumePoint | None:
        """The next slot to decide, from the states after `slot`; None if it is the very next one."""
        while self._treated and self._treated[-1] <= slot:
            self._treated.pop()
        if slot + 1 > self._last or (self._treated and self._treated[-1] == slot + 1):
            return None
        if (
            self._diff is not None
            and was.under_way is not None
            and self._accesses.next_affected(slot, self._diff) == slot + 1
        ):
            return None  # affected by the last diff, which mostly still holds until the battle is over
        self._diff = state_diff(was, now)
        affected = self._accesses.next_affected(slot, self._diff)
        if affected == slot + 1:
            return None
        stop = min(affected, *self._treated[-1:], self._last + 1)
        return self._over(slot, stop if stop <= self._last else None, was, now, self._diff)

    def _over(
        self, slot: int, stop: int | None, was: CampaignState, now: CampaignState, diff: ComponentSet
    ) -> ResumePoint:
        patch, behind = _Patch.of(diff, now), self._behind(slot, stop)
        gap: list[records.Event] = []
        watched = self._watched(was, now, diff)
        far = stop is None or stop - slot > WORTH_A_SNAPSHOT
        while not far or self._goes_on(was, now, watched, patch):
            slot, moving = next(behind, (self._last, None))
            if moving is None:
                was, now = _gone_on(was, now, gap, patch)
                break
            events = tuple(moving)
            openings = [event for event in events if isinstance(event, records.BattleOpened)]
            if any(_is_watched(opening, watched) for opening in openings):
                was, now = _gone_on(was, now, gap, patch)
                gap = []
                self._missed.add_battle(events, events, was, now)
                watched = self._watched(was, now, diff)
            gap += events
        else:
            # All watched fighters are gone for good: the openings alone tell which battles they miss.
            for opened in self._accesses.openings_between(slot, stop):
                if _is_watched(opened, watched):
                    self._missed.add_battle((opened,), (opened,), was, now)
            if stop is not None:
                was = self._tail.before(stop)
                self._moving = self._held = None
                if patch is not None:
                    now = patch.on(was)
        if stop is not None:
            return ResumePoint(was=was, now=now, next_slot=stop)
        return ResumePoint(was=was, now=now if patch is None else patch.on(self._end), next_slot=None)

    def _goes_on(
        self, was: CampaignState, now: CampaignState, watched: Mapping[str, str], patch: _Patch | None
    ) -> bool:
        """Whether the states in between are needed, to list the battles that the living miss."""
        return patch is None or not all(_is_gone(name, was, now) for name in watched)

    def _watched(self, was: CampaignState, now: CampaignState, diff: ComponentSet) -> dict[str, str]:
        """The fighters whose missed battles are listed, with their gangs: those who differ and live in either
        state, and those who missed other battles than before.
        """
        living = [name for name in diff.fighters if not _is_gone(name, was, now)]
        names = dict.fromkeys((*living, *sorted(self._missed.changed)))
        return {name: home for name in names if (home := was.gang_of.get(name) or now.gang_of.get(name))}

    def _behind(self, slot: int, stop: int | None) -> Iterator[Moving]:
        """The state-changing events after `slot` and before `stop`."""
        if self._moving is None:
            self._moving = self._tail.moving(slot)
        while True:
            held, self._held = self._held or next(self._moving, None), None
            if held is None:
                return
            if stop is not None and held[0] >= stop:
                self._held = held
                return
            if held[0] > slot:
                yield held


class _Patch:
    """The difference of two replays, if it consists of fields of fighters."""

    def __init__(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        self._changes = changes

    @classmethod
    def of(cls, diff: ComponentSet, now: CampaignState) -> _Patch | None:
        """The difference; None if it holds anything but fields of fighters."""
        if not all(map(state_components.follows_from_fighters, diff.components)):
            return None
        if not all(names.isdisjoint(_MAKES_A_MEMBER) for names in diff.fighters.values()):
            return None
        changes = {}
        for fighter, names in diff.fighters.items():
            card = now.fighter(fighter)
            assert card is not None, "there in both"
            changes[fighter] = {name: getattr(card, name) for name in names}
        return cls(changes)

    def on(self, state: CampaignState) -> CampaignState:
        """The state of the first replay with the difference applied: that of the second."""
        cards = []
        for fighter, changes in self._changes.items():
            card = state.fighter(fighter)
            assert card is not None, "there in both"
            cards.append(replace(card, **changes))
        return state.with_fighters(cards) if cards else state


_MAKES_A_MEMBER = frozenset({WHOLE, HOME, "fighter", "gang", "standing"})


def _gone_on(
    was: CampaignState, now: CampaignState, gap: Sequence[records.Event], patch: _Patch | None
) -> tuple[CampaignState, CampaignState]:
    folded = fold_in_place if len(gap) >= WORTH_FOLDING_IN_PLACE else fold
    now = folded(now, gap) if patch is None else now
    was = folded(was, gap)
    return was, now if patch is None else patch.on(was)


def _is_gone(name: str, *states: CampaignState) -> bool:
    cards = [state.fighter(name) for state in states]
    return all(card is not None and card.standing != "enlisted" for card in cards)


def _is_watched(opened: records.BattleOpened, watched: Mapping[str, str]) -> bool:
    """Whether a watched fighter's gang is in the battle."""
    return not opened.crews.keys().isdisjoint(watched.values())

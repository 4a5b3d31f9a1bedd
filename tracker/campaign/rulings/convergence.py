"""Convergence: detects that two replays have reached equal states; everything after that is the same in both.

A corrected die often matters for one battle, or not at all. Nothing after the point of equality has to be
decided again. Knows states as wholes, and no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from tracker.campaign.members import BattleNumbers, Homes, Members
from tracker.campaign.state import CampaignState, Gang
from tracker.records import Record, names_of_fields

Differs: TypeAlias = Callable[[CampaignState, CampaignState], bool]
"""Whether two states differ in one place."""

_OF_STATES = tuple(name for name in names_of_fields(CampaignState) if name != "gangs")
_OF_GANGS = tuple(name for name in names_of_fields(Gang) if name != "fighters")


class StateComparison:
    """Compares two replays again and again, first where they differed last: mostly they still do."""

    def __init__(self) -> None:
        self._differs: Differs | None = None

    def equal(self, was: CampaignState, now: CampaignState) -> bool:
        """Whether the states are equal, with everything in the same order."""
        if was is now:
            return True
        if self._differs is None or not self._differs(was, now):
            self._differs = _difference(was, now)
        return self._differs is None


def _difference(was: CampaignState, now: CampaignState) -> Differs | None:
    """A place where the states differ, or None."""
    for name in _OF_STATES:
        if _differ(getattr(was, name), getattr(now, name)):
            return lambda was, now: _differ(getattr(was, name), getattr(now, name))
    if [*was.gangs] != [*now.gangs]:
        return lambda was, now: [*was.gangs] != [*now.gangs]
    for gang in was.gangs:
        if found := _gang_difference(gang, was, now):
            return found
    # Equal in another order, which reports show. Too rare to search for the place: they differ from here on.
    return None if _same_order(was, now) else lambda _was, _now: True


def _gang_difference(gang: str, was: CampaignState, now: CampaignState) -> Differs | None:
    mine, theirs = was.gangs[gang], now.gangs[gang]
    if mine is theirs:
        return None
    for name in _OF_GANGS:
        if _differ(getattr(mine, name), getattr(theirs, name)):
            return lambda was, now: _differ(_of_gang(was, gang, name), _of_gang(now, gang, name))
    if not mine.members.in_one_order(theirs.members):
        return lambda was, now: not _members(was, gang).in_one_order(_members(now, gang))
    for fighter in mine.enlisted:
        if _differ(mine.enlisted[fighter], theirs.enlisted[fighter]):
            return lambda was, now: _differ(
                _members(was, gang).enlisted.get(fighter), _members(now, gang).enlisted.get(fighter)
            )
    return None


def equal_in_order(mine: Any, theirs: Any) -> bool:
    """Whether both are equal, with everything in the same order."""
    if mine is theirs:
        return True
    if isinstance(mine, (Homes, Members, BattleNumbers)):
        return bool(mine == theirs) and _same_order(mine, theirs)
    # Encoding shows the order, and is faster than a search.
    return bool(mine == theirs) and msgspec.msgpack.encode(mine) == msgspec.msgpack.encode(theirs)


def _same_order(mine: Any, theirs: Any) -> bool:
    """Whether equal values hold everything in the same order, all the way down."""
    if mine is theirs:
        return True
    if isinstance(mine, dict):
        return list(mine) == list(theirs) and all(_same_order(mine[name], theirs[name]) for name in mine)
    if isinstance(mine, Members):
        theirs = Members.of(theirs)
        parts = zip(mine.gone.parts, theirs.gone.parts, strict=False)
        return (
            mine.in_one_order(theirs)
            and _same_order(mine.enlisted, theirs.enlisted)
            and all(
                part is other or part.is_named_as(other) or _same_order(part.items, other.items)
                for part, other in parts
            )
        )
    if isinstance(mine, Homes):
        return mine.in_one_order(Homes.of(theirs))
    if isinstance(mine, BattleNumbers):
        return mine.in_one_order(BattleNumbers.of(theirs))
    if isinstance(mine, tuple):
        return all(map(_same_order, mine, theirs))
    assert not isinstance(mine, (list, set, frozenset)), "records hold tuples and dictionaries"
    if isinstance(mine, Record):
        return all(_same_order(getattr(mine, name), getattr(theirs, name)) for name in names_of_fields(mine))
    return True


def _differ(mine: Any, theirs: Any) -> bool:
    return mine is not theirs and mine != theirs


def _of_gang(state: CampaignState, gang: str, name: str) -> Any:
    return getattr(state.gangs.get(gang), name, None)


def _members(state: CampaignState, gang: str) -> Members:
    found = state.gangs.get(gang)
    return found.members if found is not None else Members.nobody()

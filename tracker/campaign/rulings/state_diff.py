"""The diff of two states of a campaign: the parts in which they differ.

An entry that reads and writes none of them comes out the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

from tracker.campaign.fighters import Fighter
from tracker.campaign.members import Members, differing
from tracker.campaign.rulings import state_components as components
from tracker.campaign.rulings.convergence import equal_in_order
from tracker.campaign.rulings.state_components import ComponentSet
from tracker.campaign.state import CampaignState, Gang
from tracker.records import names_of_fields

_OF_STATES = tuple(
    name for name in names_of_fields(CampaignState) if name not in ("gangs", "gang_of", "after_battle")
)
_OF_GANGS = tuple(name for name in names_of_fields(Gang) if name != "fighters")
_OF_FIGHTERS = names_of_fields(Fighter)
_READ = {names: attrgetter(*names) for names in (_OF_STATES, _OF_GANGS, _OF_FIGHTERS)}


def state_diff(was: CampaignState, now: CampaignState) -> ComponentSet:
    """The parts that differ. With none, the states are equal and everything is in the same order."""
    found = ComponentSet()
    if was is now:
        return found
    for name in _differing(_OF_STATES, was, now):
        found.add(components.of_state(name))
    _by_key(was.after_battle, now.after_battle, found, components.of_state("after_battle"))
    if list(was.gangs) != list(now.gangs):
        found.add(components.of_state("gangs"))
        found.add(components.EVERYTHING)
        return found
    if was.gang_of is not now.gang_of and not equal_in_order(was.gang_of, now.gang_of):
        found.add(components.HOMES)
    for gang in was.gangs:
        _of_gang(gang, was.gangs[gang], now.gangs[gang], found)
    return found


def _differing(names: tuple[str, ...], was: Any, now: Any) -> Iterator[str]:
    """The fields in which two records differ. Identical objects, which most are, are not compared."""
    read = _READ[names]
    for name, then, by_now in zip(names, read(was), read(now), strict=True):
        if then is not by_now and not equal_in_order(then, by_now):
            yield name


def _by_key(was: Mapping[str, Any], now: Mapping[str, Any], found: ComponentSet, whole: str) -> None:
    if was is now:
        return
    moved = [key for key in {**was, **now} if not equal_in_order(was.get(key), now.get(key))]
    found.components.update(map(components.after_battle_of, moved))
    if moved or list(was) != list(now):
        found.add(whole)


def _of_gang(gang: str, was: Gang, now: Gang, found: ComponentSet) -> None:
    if was is now:
        return
    for name in _differing(_OF_GANGS, was, now):
        found.add(components.of_gang(gang, name))
    _of_members(gang, was.members, now.members, found)


def _of_members(gang: str, was: Members, now: Members, all_found: ComponentSet) -> None:
    if was is now:
        return
    found = ComponentSet()
    if list(was.enlisted) != list(now.enlisted):
        found.add(components.enlisted_of(gang))
    if was.tally is not now.tally and not equal_in_order(was.tally, now.tally):
        found.add(components.tally_of(gang))
        fields = {**was.tally.fields, **now.tally.fields}
        found.components.update(
            components.tally_of(gang, name)
            for name in fields
            if was.tally.fields.get(name) != now.tally.fields.get(name)
        )
    for name, then, by_now in differing(was, now):
        if then is None or by_now is None or then[0] != by_now[0]:
            found.add_fighter(name)
        elif not equal_in_order(then[1], by_now[1]):
            for of_fighter in _differing(_OF_FIGHTERS, then[1], by_now[1]):
                found.add_fighter(name, of_fighter)
    if found or was.count != now.count or not was.in_one_order(now):
        found.add(components.members_of(gang))
    all_found.update(found)

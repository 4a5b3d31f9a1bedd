"""Keeps a slot as it was played: the resulting state, or the reason why it cannot be kept.

Knows the states that the rules cannot reach: XP or credits below zero, a battle fought twice or closed before
it began, fighters, gangs and vehicles that nobody enlisted, a gang that enlists again without its former
members. Values are never clamped: the Arbitrator has to decide such an entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.holdings import is_outside
from tracker.campaign.members import Members, differing
from tracker.campaign.state import CampaignState
from tracker.records import names_of_fields


def replay_recorded(state: CampaignState, events: Sequence[records.Event]) -> CampaignState | str:
    """The state after these events, taken as recorded; or the reason why that is impossible."""
    why = _speaks_of_nobody(state, events)
    if why:
        return why
    for event in events:
        if isinstance(event, records.BattleOpened) and event.battle in state.battles:
            return f"battle {event.battle} would be fought twice"
        if isinstance(event, records.BattleClosed) and (
            state.under_way is None or state.under_way.battle != event.battle
        ):
            return f"battle {event.battle}, which it closes, is not under way"
    try:
        after = fold(state, events)
    except (KeyError, AssertionError):
        return "it depends on what no longer happened"
    return next(_below_nothing(state, after), None) or after


def _speaks_of_nobody(state: CampaignState, events: Iterable[records.Event]) -> str:
    fighters: set[str] = set()
    gangs: set[str] = set(state.gangs)
    vehicles: set[str] = set(state.vehicle_of)
    for event in events:
        if isinstance(event, records.GangEnlisted):
            gangs.add(event.gang)
        elif isinstance(event, records.FighterEnlisted):
            fighters.add(event.fighter)
        elif isinstance(event, records.VehicleEnlisted):
            vehicles.add(event.vehicle)
        crews = event.crews if isinstance(event, records.BattleOpened) else {}
        for known, named, word in (
            (
                # A die or an award may be about a vehicle.
                (vehicles, fighters, state.gang_of),
                (*_named(event, "fighter", "by"), *(name for crew in crews.values() for name in crew)),
                "",
            ),
            ((gangs,), (*_named(event, "gang", "holder", *_SIDES), *_accounts(event), *crews), ""),
            ((vehicles,), _named(event, "vehicle"), "the vehicle "),
        ):
            stranger = next((name for name in named if not any(name in those for those in known)), None)
            if stranger is not None:
                return f"it speaks of {word}{stranger}, who is not enlisted any more"
    return ""


_SIDES = ("source_gang", "target_gang")


def _accounts(event: records.Event) -> tuple[str, ...]:
    if not isinstance(event, records.CreditsMoved):
        return ()
    return tuple(account for account in (event.source, event.target) if not is_outside(account))


def _named(event: records.Event, *names: str) -> tuple[str, ...]:
    has = set(names_of_fields(event))
    found = (getattr(event, name) for name in names if name in has)
    return tuple(name for name in found if isinstance(name, str))


def _below_nothing(before: CampaignState, after: CampaignState) -> Iterator[str]:
    for name, gang in after.gangs.items():
        was = before.gangs.get(name)
        if was is gang:
            continue
        if gang.credits < 0 and (was is None or gang.credits < was.credits):
            yield f"the stash of {gang.name} would be {gang.credits}, below 0"
        for _, old, now in differing(was.members if was is not None else Members.nobody(), gang.members):
            if now is None:
                assert old is not None, "in one of both"
                yield f"{gang.name} would enlist a second time, without {old[1].name}"
                return
            fighter = now[1]
            if fighter.experience < min(0, old[1].experience if old is not None else 0):
                yield f"{fighter.name} would have {fighter.experience} XP, below 0"
        for vehicle in was.vehicles.values() if was is not None else ():
            if vehicle.vehicle not in gang.vehicles:
                yield f"{gang.name} would enlist a second time, without {vehicle.name}"

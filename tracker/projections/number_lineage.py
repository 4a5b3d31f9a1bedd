"""The lineage of a number: the events that led to a number on a board, including those struck out.

Knows the slots about one fighter or gang, and how to fold them apart from the rest of the campaign. It
derives an event's effect by folding it and comparing the board's row before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.fighters import Fighter
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState, Gang
from tracker.projections.roster import fighter_row
from tracker.projections.standings import gang_row
from tracker.records import Record, names_of_fields, replace

Kind: TypeAlias = Literal["fighter", "gang"]
Numbers: TypeAlias = Mapping[str, Any]
"""The numbers that a board shows of one fighter or gang, with the characteristics."""

BATTLE_COUNTS = frozenset({"battles_fought", "battles", "won", "drawn", "lost"})
"""Numbers that change with a battle, whose events name crews and not each fighter."""


class SlotFilling(Record):
    """An entry's events in one slot. `struck_by` is the entry of the ruling that superseded them."""

    slot: int
    entry: int
    events: tuple[RecordedEvent, ...]
    struck_by: int | None = None


class Move(Record):
    """An event's change of one number. `before` is None if the number did not exist."""

    event: RecordedEvent
    before: Any
    after: Any


class EntryEffect(Record):
    """A filling with the numbers that it changed, or would have changed if it still counted."""

    filling: SlotFilling
    moves: Mapping[str, tuple[Move, ...]]


class NumberLineage(Record):
    """The changes in the order of play, and the final numbers."""

    contributions: tuple[EntryEffect, ...]
    numbers: Numbers


class CannotFoldApart(Exception):
    """These fillings depend on something that is not among them."""


def numbers_of(state: CampaignState, kind: Kind, known: str) -> Numbers:
    """Every number that the boards show of a fighter or gang; empty before they enlisted."""
    if kind == "gang":
        gang = state.gangs.get(known)
        return {} if gang is None else dict(gang_row(gang))
    fighter = state.fighter(known)
    if fighter is None:
        return {}
    row = dict(fighter_row(fighter))
    characteristics = row.pop("characteristics")
    assert isinstance(characteristics, dict), "a card has numbers by name"
    return {**row, **characteristics}


def lineage_of(
    fillings: Iterable[SlotFilling], kind: Kind, known: str, *, people: CampaignState | None = None
) -> NumberLineage:
    """Fold the fillings, in the order of play and within a slot as written, and note what changes.

    With `people`, `fillings` may be only those about the fighter or gang; others that they name are taken
    from that state. Raises CannotFoldApart if that is not enough.
    """
    state = CampaignState()
    contributions = []
    for filling in fillings:
        try:
            after, moves = _moved(state, filling, kind, known, people)
        except (AssertionError, KeyError) as error:
            if filling.struck_by is not None:
                continue  # what it depends on was struck out as well
            raise CannotFoldApart from error
        if moves:
            contributions.append(EntryEffect(filling=filling, moves=moves))
        if filling.struck_by is None:
            state = after
    return NumberLineage(contributions=tuple(contributions), numbers=numbers_of(state, kind, known))


def _moved(
    state: CampaignState, filling: SlotFilling, kind: Kind, known: str, people: CampaignState | None
) -> tuple[CampaignState, dict[str, tuple[Move, ...]]]:
    moves: dict[str, list[Move]] = {}
    row = numbers_of(state, kind, known)
    for event in filling.events:
        if people is not None:
            state = _with_strangers(state, event.event, people)
        after = evolve(state, event.event)
        if _record(after, kind, known) is not _record(state, kind, known):
            now = numbers_of(after, kind, known)
            for name in now:
                if row.get(name) != now[name]:
                    move = Move(event=event, before=row.get(name), after=now[name])
                    moves.setdefault(name, []).append(move)
            row = now
        state = after
    return state, {name: tuple(made) for name, made in moves.items()}


def _record(state: CampaignState, kind: Kind, known: str) -> object:
    return state.gangs.get(known) if kind == "gang" else state.fighter(known)


def _with_strangers(state: CampaignState, event: records.Event, people: CampaignState) -> CampaignState:
    """The state with every person and place that the event names, as far as the campaign knows them."""
    for name in names_in(event):
        if name in people.gangs and name not in state.gangs:
            state = state.with_gang(_bare(people.gangs[name]))
        fighter = people.fighter(name)
        if fighter is not None and name not in state.gang_of and not _enlists(event, name):
            if fighter.gang not in state.gangs:
                state = state.with_gang(_bare(people.gangs[fighter.gang]))
            state = state.joined_by(_anybody(fighter))
        vehicle = people.vehicle(name)
        if (
            vehicle is not None
            and name not in state.vehicle_of
            and not isinstance(event, records.VehicleEnlisted)
        ):
            if vehicle.gang not in state.gangs:
                state = state.with_gang(_bare(people.gangs[vehicle.gang]))
            state = replace(state, vehicle_of={**state.vehicle_of, name: vehicle.gang})
            state = state.with_vehicle(replace(vehicle, cost_credits=0, fitted=()))
        if name in people.territories and name not in state.territories:
            nobodys = replace(people.territories[name], holder=None, recruits=(), equipment=())
            state = replace(state, territories={**state.territories, name: nobodys})
    return state


def _bare(gang: Gang) -> Gang:
    return Gang(gang=gang.gang, name=gang.name, house=gang.house, player=gang.player, credits=0, reputation=0)


def _anybody(fighter: Fighter) -> Fighter:
    # Free of cost, so that a stranger does not change a gang's totals.
    return Fighter(
        fighter=fighter.fighter,
        gang=fighter.gang,
        name=fighter.name,
        category=fighter.category,
        kind=fighter.kind,
        cost_credits=0,
        characteristics=fighter.characteristics,
    )


def _enlists(event: records.Event, name: str) -> bool:
    return isinstance(event, records.FighterEnlisted) and event.fighter == name


def names_in(event: records.Event) -> Sequence[str]:
    """Every text in an event that might be the id of a fighter, gang, vehicle or territory; places are split
    into their ids.
    """
    if isinstance(event, records.BattleOpened):
        return [*(name for gang, crew in event.crews.items() for name in (gang, *crew)), *event.vehicles]
    values = [value for name in names_of_fields(event) if isinstance(value := getattr(event, name), str)]
    return [*values, *(value.partition(":")[2] for value in values if ":" in value)]


def events_naming(events: Iterable[type], *names: str) -> frozenset[str]:
    """The types of event that have one of these fields."""
    return frozenset(event.__name__ for event in events if not set(names).isdisjoint(names_of_fields(event)))

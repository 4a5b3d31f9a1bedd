"""The gangs that a command names, directly or through their fighters and vehicles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tracker.campaign import records
from tracker.campaign.holdings import split_place
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.records import Record
from tracker.service.log_view import LogView


def named_gangs(commands: Iterable[Record], state: CampaignState) -> frozenset[str]:
    """Every gang that these commands name. A new fighter has the gang that the command states."""
    return frozenset(gang for command in commands for gang in _named(command, state))


def changed_gangs(commands: Iterable[records.Command], state: CampaignState) -> frozenset[str]:
    """The gangs that these commands change, without enemies that are only named. Includes both sides of a
    movement of things or credits. A dispute changes the gangs that it concerns, as `named_gangs` has them.
    """
    return frozenset(gang for command in commands for gang in _changed(command, state))


def gangs_named_in_dispute(view: LogView, dispute: OpenDispute) -> tuple[str, ...]:
    """The gangs that the disputed entry named, as of the dispute."""
    header = view.slot(dispute.target_slot).header
    return () if header is None else tuple(sorted(named_gangs([header.command], view.state)))


def _named(record: Record, state: CampaignState, *, but: Collection[str] = ()) -> Iterator[str]:
    kinds = records.kinds_of_fields(type(record))
    for name in record.__struct_fields__:
        if name in but:
            continue
        value = getattr(record, name)
        match kinds.get(name):
            case "gang":
                yield from (gang for gang in _words(value) if gang)
            case "fighter":
                yield from (state.gang_of[fighter] for fighter in _words(value) if fighter in state.gang_of)
                if isinstance(value, Mapping):  # crews: the fighters of each gang
                    yield from (gang for gang in value if gang in state.gangs)
            case "vehicle":
                yield from (state.vehicle_of[id_] for id_ in _words(value) if id_ in state.vehicle_of)
            case _:
                for part in _parts(value):
                    yield from _named(part, state)


def _changed(command: records.Command, state: CampaignState) -> Iterator[str]:
    declared = records.DECLARATIONS.get(type(command))  # commands outside the log have no declaration
    yield from _named(command, state, but=declared.only_names if declared is not None else ())
    match command:
        case records.MoveItem(source=source, target=target):
            for kind, whose in map(split_place, (source, target)):
                known = {"stash": {whose: whose}, "fighter": state.gang_of, "vehicle": state.vehicle_of}
                if whose in known.get(kind, {}):
                    yield known[kind][whose]
        case records.MoveCredits(source=source, target=target):
            yield from (gang for gang in (source, target) if gang in state.gangs)
        case _:
            pass


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (key for key in value if isinstance(key, str))
    elif isinstance(value, tuple | list | frozenset):
        yield from (part for part in value if isinstance(part, str))


def _parts(value: Any) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, tuple | list):
        yield from (part for part in value if isinstance(part, Record))
    elif isinstance(value, Mapping):
        yield from (part for part in value.values() if isinstance(part, Record))

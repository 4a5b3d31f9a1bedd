"""Access tracking: a proxy of the state records what deciding an entry reads and writes.

Knows the structure of a state, and no rule, so no list of a rule's reads is kept by hand. An unknown kind of
access counts as a read of all of a gang's fighters, or of everything. So does an entry that is decided
differently from its record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from tracker.campaign.fighters import Fighter
from tracker.campaign.members import MaySet
from tracker.campaign.rulings import state_components as components
from tracker.campaign.rulings.keep_as_recorded import replay_recorded
from tracker.campaign.rulings.redecision import LOG_COMMANDS, Slot
from tracker.campaign.rulings.state_components import EVERYTHING, Component, ComponentSet
from tracker.campaign.state import CampaignState, Combatant, CombatVehicle, Gang, Vehicle
from tracker.campaign.steps import Library, decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray
from tracker.errors import Refusal
from tracker.records import names_of_fields, replace

_OF_STATES = frozenset(names_of_fields(CampaignState))
_OF_GANGS = frozenset(names_of_fields(Gang))
_OF_FIGHTERS = frozenset(names_of_fields(Fighter))

ASTRAY = (AssertionError, AttributeError, KeyError, TypeError, ValueError)
"""What a proxy raises when it is used in a way it does not support."""


def accesses_of(state: CampaignState, slot: Slot, library: Library) -> ComponentSet:
    """What deciding a slot reads and writes, from the state before it."""
    accesses = ComponentSet()
    header = slot.header
    proxy = tracked(state, accesses)
    try:
        if header is None or isinstance(header.command, LOG_COMMANDS):
            follows = not isinstance(replay_recorded(proxy, slot.domain_events), str)
        else:
            judgement = decide_keeping_spare_dice(
                proxy,
                header.command,
                DiceTray((*header.dice, *header.spare)),
                library,
                entry=slot.slot,
                note=header.note,
                sent=header.sent,
            )
            follows = slot.domain_events == tuple(decided.event for decided in judgement.events)
    except (Refusal, DiceNeeded, *ASTRAY):
        follows = False
    if not follows:
        accesses.add(EVERYTHING)
    return accesses


def tracked(state: CampaignState, accesses: ComponentSet) -> CampaignState:
    """A proxy of the state that notes its reads and writes in `accesses`, as do all states made from it."""
    return _StateProxy(state, _AccessTracker(accesses, state))  # type: ignore[return-value]  # it stands in for one


class _AccessTracker:
    """Shared by the proxies of one state: the notes, and the proxy of each record."""

    def __init__(self, accesses: ComponentSet, first: CampaignState) -> None:
        self.accesses = accesses
        self._first = first
        self._known: dict[int, tuple[Any, Any]] = {}

    def proxy_of(self, record: Any, kind: Callable[[Any, _AccessTracker], Any]) -> Any:
        """The proxy of a record. The same record gets the same proxy, because callers compare by identity."""
        known = self._known.get(id(record))
        if known is None:
            known = self._known[id(record)] = (record, kind(record, self))
        return known[1]

    def enlisted_at_first(self, gang: str) -> Collection[str]:
        """The fighters who were enlisted before the entry; some may be gone by now."""
        return self._first.gangs[gang].enlisted if gang in self._first.gangs else ()

    def fighter(self, fighter: Fighter) -> Fighter:
        return self.proxy_of(fighter, _FighterProxy)  # type: ignore[no-any-return]

    def gang(self, gang: Gang) -> Gang:
        return self.proxy_of(gang, _GangProxy)  # type: ignore[no-any-return]


class _Proxy:
    """Stands for a record, and notes every field that is read."""

    __slots__ = ("_record", "_tracker")
    _kind: type
    _fields: Collection[str]

    def __init__(self, record: Any, tracker: _AccessTracker) -> None:
        self._record = record
        self._tracker = tracker

    @property
    def __struct_fields__(self) -> tuple[str, ...]:
        return names_of_fields(self._record)

    def __getattr__(self, name: str) -> Any:
        if name in self._fields:
            return self._field(name)
        # A method or property: it runs with this in place of the record, and reads what it reads.
        found = getattr(self._kind, name)
        if isinstance(found, property):
            assert found.fget is not None, "properties are read"
            return found.fget(self)
        return found.__get__(self, self._kind)

    def _field(self, name: str) -> Any:
        raise NotImplementedError

    def unwrap(self) -> Any:
        """The record itself."""
        return self._record

    def _note_all(self) -> None:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        self._note_all()
        if isinstance(other, _Proxy):
            other._note_all()
        return bool(self._record == unwrapped(other))

    __hash__ = None  # type: ignore[assignment]  # as of what it stands for

    def __repr__(self) -> str:
        self._note_all()
        return repr(self._record)


def unwrapped(value: Any) -> Any:
    """The record of a proxy; any other value unchanged."""
    return value.unwrap() if isinstance(value, _Proxy) else value


class _FighterProxy(_Proxy):
    __slots__ = ()
    _kind = Fighter
    _fields = _OF_FIGHTERS

    def _field(self, name: str) -> Any:
        record = self._record
        self._tracker.accesses.add_fighter(record.fighter, name)
        return getattr(record, name)

    def _note_all(self) -> None:
        self._tracker.accesses.add_fighter(self._record.fighter)

    def __replace__(self, **changes: Any) -> Any:
        for name in changes:
            self._tracker.accesses.add_fighter(self._record.fighter, name)
        return self._tracker.fighter(replace(self._record, **changes))


class _GangProxy(_Proxy):
    __slots__ = ()
    _kind = Gang
    _fields = _OF_GANGS

    def _field(self, name: str) -> Any:
        if name == "fighters":
            return _MembersProxy(self._record, self._tracker)
        self._tracker.accesses.add(components.of_gang(self._record.gang, name))
        return getattr(self._record, name)

    @property
    def members(self) -> _MembersProxy:
        return _MembersProxy(self._record, self._tracker)

    def _note_all(self) -> None:
        for name in _OF_GANGS:
            self._tracker.accesses.add(components.of_gang(self._record.gang, name))
        self._tracker.accesses.add(components.members_of(self._record.gang))

    def __replace__(self, **changes: Any) -> Any:
        for name in changes:
            if name == "fighters":
                self._tracker.accesses.add(EVERYTHING)
            self._tracker.accesses.add(components.of_gang(self._record.gang, name))
        return self._tracker.gang(
            replace(self._record, **{name: unwrapped(new) for name, new in changes.items()})
        )


class _FightersProxy(Mapping[str, Fighter]):
    """Fighters of a gang, noted field by field. Listing them notes the whole."""

    __slots__ = ("_gang", "_held", "_tracker", "_whole")

    def __init__(
        self, gang: Gang, held: Mapping[str, Fighter], whole: Component, tracker: _AccessTracker
    ) -> None:
        self._gang = gang
        self._held = held
        self._whole = whole
        self._tracker = tracker

    def __getitem__(self, fighter: str) -> Fighter:
        self._tracker.accesses.add_fighter(fighter, "standing")
        return self._tracker.fighter(self._held[fighter])

    def __contains__(self, fighter: object) -> bool:
        self._tracker.accesses.add_fighter(str(fighter), "standing")
        return fighter in self._held

    def __iter__(self) -> Iterator[str]:
        self._tracker.accesses.add(self._whole)
        return iter(self._held)

    def __len__(self) -> int:
        self._tracker.accesses.add(self._whole)
        return len(self._held)


class _MembersProxy(_FightersProxy):
    """All fighters of a gang."""

    __slots__ = ()

    def __init__(self, gang: Gang, tracker: _AccessTracker) -> None:
        super().__init__(gang, gang.members, components.members_of(gang.gang), tracker)

    @property
    def enlisted(self) -> Mapping[str, Fighter]:
        return _EnlistedProxy(self._gang, self._tracker)

    def having(self, name: MaySet) -> list[Fighter]:
        gang, accesses = self._gang.gang, self._tracker.accesses
        accesses.add(components.enlisted_of(gang))
        accesses.add(components.tally_of(gang, name))
        for fighter in {*self._gang.enlisted, *self._tracker.enlisted_at_first(gang)}:
            accesses.add_fighter(fighter, name)
        members = self._gang.members
        if members.tally.fields.get(name):
            accesses.add(components.members_of(gang))
        return [self._tracker.fighter(fighter) for fighter in members.having(name)]

    def __getattr__(self, name: str) -> Any:
        accesses, gang = self._tracker.accesses, self._gang.gang
        accesses.add(components.tally_of(gang) if name == "tally" else components.members_of(gang))
        return getattr(self._gang.members, name)


class _EnlistedProxy(_FightersProxy):
    """Those of a gang who are enlisted."""

    __slots__ = ()

    def __init__(self, gang: Gang, tracker: _AccessTracker) -> None:
        super().__init__(gang, gang.enlisted, components.enlisted_of(gang.gang), tracker)


class _GangsProxy(Mapping[str, Gang]):
    __slots__ = ("_gangs", "_tracker")

    def __init__(self, gangs: Mapping[str, Gang], tracker: _AccessTracker) -> None:
        tracker.accesses.add(components.of_state("gangs"))
        self._gangs = gangs
        self._tracker = tracker

    def __getitem__(self, gang: str) -> Gang:
        return self._tracker.gang(self._gangs[gang])

    def __iter__(self) -> Iterator[str]:
        return iter(self._gangs)

    def __len__(self) -> int:
        return len(self._gangs)


class _MappingProxy(Mapping[str, Any]):
    """A mapping, noted key by key. Listing its keys notes the whole."""

    __slots__ = ("_held", "_note", "_note_whole")

    def __init__(
        self, held: Mapping[str, Any], note: Callable[[str], None], note_whole: Callable[[], None]
    ) -> None:
        self._held = held
        self._note = note
        self._note_whole = note_whole

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return self._held[key]

    def __contains__(self, key: object) -> bool:
        self._note(str(key))
        return key in self._held

    def __iter__(self) -> Iterator[str]:
        self._note_whole()
        return iter(self._held)

    def __len__(self) -> int:
        self._note_whole()
        return len(self._held)


class _StateProxy(_Proxy):
    __slots__ = ()
    _kind = CampaignState
    _fields = _OF_STATES
    _record: CampaignState

    def _field(self, name: str) -> Any:
        tracker, accesses = self._tracker, self._tracker.accesses
        if name == "gangs":
            return _GangsProxy(self._record.gangs, tracker)
        if name == "gang_of":
            return _MappingProxy(
                self._record.gang_of,
                lambda fighter: accesses.add_fighter(fighter, components.HOME),
                lambda: accesses.add(components.HOMES),
            )
        if name == "after_battle":
            return _MappingProxy(
                self._record.after_battle,
                lambda gang: accesses.add(components.after_battle_of(gang)),
                lambda: accesses.add(components.of_state(name)),
            )
        accesses.add(components.of_state(name))
        return getattr(self._record, name)

    def _note_all(self) -> None:
        self._tracker.accesses.add(EVERYTHING)

    def _as(self, state: CampaignState) -> CampaignState:
        return self if state is self._record else _StateProxy(state, self._tracker)  # type: ignore[return-value]

    def __replace__(self, **changes: Any) -> Any:
        accesses = self._tracker.accesses
        was = {name: getattr(self._record, name) for name in changes}
        for name, value in changes.items():
            if name in ("gangs", "gang_of"):
                accesses.add(EVERYTHING)
            elif name == "after_battle":
                moved = {key for key in {**was[name], **value} if was[name].get(key) is not value.get(key)}
                accesses.components.update(map(components.after_battle_of, moved))
            else:
                accesses.add(components.of_state(name))
        return self._as(replace(self._record, **{name: unwrapped(new) for name, new in changes.items()}))

    def fighter(self, fighter: str) -> Fighter | None:
        self._tracker.accesses.add_fighter(fighter, components.HOME)
        found = self._record.fighter(fighter)
        return None if found is None else self._tracker.fighter(found)

    def vehicle(self, vehicle: str) -> Vehicle | None:
        self._tracker.accesses.add(components.of_state("vehicle_of"))
        found = self._record.vehicle(vehicle)
        if found is not None:
            self._tracker.accesses.add(components.of_gang(self._record.vehicle_of[vehicle], "vehicles"))
        return found

    def with_fighter(self, fighter: Fighter) -> CampaignState:
        return self.with_fighters((fighter,))

    def with_fighters(self, fighters: Iterable[Fighter]) -> CampaignState:
        records = []
        for fighter in fighters:
            record: Fighter = unwrapped(fighter)
            if record is fighter:  # made by hand: nobody noted of what
                self._tracker.accesses.add_fighter(record.fighter)
            self._tracker.accesses.add_fighter(record.fighter, "standing")
            records.append(record)
        return self._as(self._record.with_fighters(records))

    def joined_by(self, fighter: Fighter) -> CampaignState:
        record: Fighter = unwrapped(fighter)
        self._tracker.accesses.add_fighter(record.fighter)
        return self._as(self._record.joined_by(record))

    def with_gang(self, gang: Gang) -> CampaignState:
        record: Gang = unwrapped(gang)
        if record is gang:
            self._tracker.accesses.add(components.of_state("gangs"))
            for name in _OF_GANGS:
                self._tracker.accesses.add(components.of_gang(record.gang, name))
            self._tracker.accesses.add(components.members_of(record.gang))
        return self._as(self._record.with_gang(record))

    def with_vehicle(self, vehicle: Vehicle) -> CampaignState:
        self._tracker.accesses.add(components.of_gang(vehicle.gang, "vehicles"))
        return self._as(self._record.with_vehicle(vehicle))

    def with_combatant(self, fighter: str, combatant: Combatant) -> CampaignState:
        self._tracker.accesses.add(components.of_state("under_way"))
        return self._as(self._record.with_combatant(fighter, combatant))

    def with_combat_vehicle(self, vehicle: str, condition: CombatVehicle) -> CampaignState:
        self._tracker.accesses.add(components.of_state("under_way"))
        return self._as(self._record.with_combat_vehicle(vehicle, condition))

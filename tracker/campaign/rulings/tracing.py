"""Tracing: a state that notes what is read of it and what is written, as something runs on it.

Knows who holds what in a state, and no rule: nobody keeps a list of what a rule reads. Whatever is asked for
in a way that is not known here counts as all of a gang's fighters, or as everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from tracker.campaign.fighters import Fighter
from tracker.campaign.members import MaySet
from tracker.campaign.state import CampaignState, Combatant, CombatVehicle, Gang, Vehicle
from tracker.records import names_of_fields, replace

Component: TypeAlias = str
"""A part of a state that is not a fighter's: 'state.policies', 'gang.rats.credits', 'home.vex'."""
WHOLE = "*"
"""In place of a field: all of a fighter."""
HOME = "home"
"""Beside the fields of a fighter: whose fighter somebody is, if anybody's."""
EVERYTHING: Component = "everything"

_OF_STATES = frozenset(names_of_fields(CampaignState))
_OF_GANGS = frozenset(names_of_fields(Gang))
_OF_FIGHTERS = frozenset(names_of_fields(Fighter))


def of_state(name: str) -> Component:
    """A field of the campaign; of `gangs`, which there are and in which order."""
    return f"state.{name}"


def after_battle_of(gang: str) -> Component:
    """A gang's post-battle sequence."""
    return f"after.{gang}"


def of_gang(gang: str, name: str) -> Component:
    """A field of a gang but for its fighters."""
    return f"gang.{gang}.{name}"


def enlisted_of(gang: str) -> Component:
    """Who of a gang is enlisted, and in which order."""
    return f"enlisted.{gang}"


def members_of(gang: str) -> Component:
    """Anything about the fighters of a gang, the gone too."""
    return f"members.{gang}"


def tally_of(gang: str, name: str = "") -> Component:
    """What those who are gone add up to; by name, how many of them have a field set."""
    return f"tally.{gang}.{name}"


def follows_from_fighters(component: Component) -> bool:
    """Whether a component is but what the fighters of a gang add up to."""
    return component.startswith(("members.", "tally."))


HOMES: Component = "homes"
"""Who has a home at all, and in which order."""


class Reads:
    """What was read or written: fields by fighter, and all else by its component."""

    def __init__(self) -> None:
        self.fighters: dict[str, set[str]] = {}
        self.components: set[Component] = set()

    def note(self, component: Component) -> None:
        self.components.add(component)

    def note_fighter(self, fighter: str, name: str = WHOLE) -> None:
        self.fighters.setdefault(fighter, set()).add(name)

    def add(self, other: Reads) -> None:
        """These too."""
        self.components |= other.components
        for fighter, names in other.fighters.items():
            self.fighters.setdefault(fighter, set()).update(names)

    def __bool__(self) -> bool:
        return bool(self.components or self.fighters)


def traced(state: CampaignState, reads: Reads) -> CampaignState:
    """The state, which notes in `reads` what is done with it and with every state made of it."""
    return _State(state, _Trace(reads))  # type: ignore[return-value]  # it stands in for one


class _Trace:
    """What the stand-ins of one state share: where they note, and which of them stands for which record."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._known: dict[int, tuple[Any, Any]] = {}

    def standing_for(self, record: Any, stand_in: Callable[[Any, _Trace], Any]) -> Any:
        """Always the same for the same record, for people ask whether a record is still the one it was."""
        known = self._known.get(id(record))
        if known is None:
            known = self._known[id(record)] = (record, stand_in(record, self))
        return known[1]

    def fighter(self, fighter: Fighter) -> Fighter:
        return self.standing_for(fighter, _Fighter)  # type: ignore[no-any-return]

    def gang(self, gang: Gang) -> Gang:
        return self.standing_for(gang, _Gang)  # type: ignore[no-any-return]


class _StandIn:
    """Stands in for a record. It is none itself, so that nothing reads its fields past it."""

    __slots__ = ("_record", "_trace")
    _kind: type
    _fields: Collection[str]

    def __init__(self, record: Any, trace: _Trace) -> None:
        self._record = record
        self._trace = trace

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

    def stands_for(self) -> Any:
        """The record itself, for whoever notes what becomes of it."""
        return self._record

    def _note_all(self) -> None:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        self._note_all()
        if isinstance(other, _StandIn):
            other._note_all()
        return bool(self._record == plain(other))

    __hash__ = None  # type: ignore[assignment]  # as of what it stands for

    def __repr__(self) -> str:
        self._note_all()
        return repr(self._record)


def plain(value: Any) -> Any:
    """What a value stands for."""
    return value.stands_for() if isinstance(value, _StandIn) else value


class _Fighter(_StandIn):
    __slots__ = ()
    _kind = Fighter
    _fields = _OF_FIGHTERS

    def _field(self, name: str) -> Any:
        record = self._record
        self._trace.reads.note_fighter(record.fighter, name)
        return getattr(record, name)

    def _note_all(self) -> None:
        self._trace.reads.note_fighter(self._record.fighter)

    def __replace__(self, **changes: Any) -> Any:
        for name in changes:
            self._trace.reads.note_fighter(self._record.fighter, name)
        return self._trace.fighter(replace(self._record, **changes))


class _Gang(_StandIn):
    __slots__ = ()
    _kind = Gang
    _fields = _OF_GANGS

    def _field(self, name: str) -> Any:
        if name == "fighters":
            return _Members(self._record, self._trace)
        self._trace.reads.note(of_gang(self._record.gang, name))
        return getattr(self._record, name)

    @property
    def members(self) -> _Members:
        return _Members(self._record, self._trace)

    def _note_all(self) -> None:
        for name in _OF_GANGS:
            self._trace.reads.note(of_gang(self._record.gang, name))
        self._trace.reads.note(members_of(self._record.gang))

    def __replace__(self, **changes: Any) -> Any:
        for name in changes:
            if name == "fighters":
                self._trace.reads.note(EVERYTHING)
            self._trace.reads.note(of_gang(self._record.gang, name))
        return self._trace.gang(replace(self._record, **{name: plain(new) for name, new in changes.items()}))


class _Fighters(Mapping[str, Fighter]):
    """Fighters of a gang, by their fields; who looks which there are notes the whole."""

    __slots__ = ("_gang", "_held", "_trace", "_whole")

    def __init__(self, gang: Gang, held: Mapping[str, Fighter], whole: Component, trace: _Trace) -> None:
        self._gang = gang
        self._held = held
        self._whole = whole
        self._trace = trace

    def __getitem__(self, fighter: str) -> Fighter:
        self._trace.reads.note_fighter(fighter, "standing")
        return self._trace.fighter(self._held[fighter])

    def __contains__(self, fighter: object) -> bool:
        self._trace.reads.note_fighter(str(fighter), "standing")
        return fighter in self._held

    def __iter__(self) -> Iterator[str]:
        self._trace.reads.note(self._whole)
        return iter(self._held)

    def __len__(self) -> int:
        self._trace.reads.note(self._whole)
        return len(self._held)


class _Members(_Fighters):
    """All fighters of a gang."""

    __slots__ = ()

    def __init__(self, gang: Gang, trace: _Trace) -> None:
        super().__init__(gang, gang.members, members_of(gang.gang), trace)

    @property
    def enlisted(self) -> Mapping[str, Fighter]:
        return _Enlisted(self._gang, self._trace)

    def having(self, name: MaySet) -> list[Fighter]:
        gang, reads = self._gang.gang, self._trace.reads
        reads.note(enlisted_of(gang))
        reads.note(tally_of(gang, name))
        for fighter in self._gang.enlisted:
            reads.note_fighter(fighter, name)
        members = self._gang.members
        if members.tally.fields.get(name):
            reads.note(members_of(gang))
        return [self._trace.fighter(fighter) for fighter in members.having(name)]

    def __getattr__(self, name: str) -> Any:
        reads, gang = self._trace.reads, self._gang.gang
        reads.note(tally_of(gang) if name == "tally" else members_of(gang))
        return getattr(self._gang.members, name)

    def __eq__(self, other: object) -> bool:
        self._trace.reads.note(members_of(self._gang.gang))
        return self._gang.members == (other._gang.members if isinstance(other, _Members) else other)

    __hash__ = None  # type: ignore[assignment]  # as of any mapping


class _Enlisted(_Fighters):
    """Those of a gang who are enlisted."""

    __slots__ = ()

    def __init__(self, gang: Gang, trace: _Trace) -> None:
        super().__init__(gang, gang.enlisted, enlisted_of(gang.gang), trace)


class _Gangs(Mapping[str, Gang]):
    __slots__ = ("_gangs", "_trace")

    def __init__(self, gangs: Mapping[str, Gang], trace: _Trace) -> None:
        trace.reads.note(of_state("gangs"))
        self._gangs = gangs
        self._trace = trace

    def __getitem__(self, gang: str) -> Gang:
        return self._trace.gang(self._gangs[gang])

    def __iter__(self) -> Iterator[str]:
        return iter(self._gangs)

    def __len__(self) -> int:
        return len(self._gangs)


class _ByKey(Mapping[str, Any]):
    """A mapping that is read by its keys, or as a whole where somebody looks which there are."""

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


class _State(_StandIn):
    __slots__ = ()
    _kind = CampaignState
    _fields = _OF_STATES
    _record: CampaignState

    def _field(self, name: str) -> Any:
        trace, reads = self._trace, self._trace.reads
        if name == "gangs":
            return _Gangs(self._record.gangs, trace)
        if name == "gang_of":
            return _ByKey(
                self._record.gang_of,
                lambda fighter: reads.note_fighter(fighter, HOME),
                lambda: reads.note(HOMES),
            )
        if name == "after_battle":
            return _ByKey(
                self._record.after_battle,
                lambda gang: reads.note(after_battle_of(gang)),
                lambda: reads.note(of_state(name)),
            )
        reads.note(of_state(name))
        return getattr(self._record, name)

    def _note_all(self) -> None:
        self._trace.reads.note(EVERYTHING)

    @property
    def homes(self) -> Mapping[str, str]:
        return self.gang_of  # type: ignore[no-any-return]

    def _as(self, state: CampaignState) -> CampaignState:
        return self if state is self._record else _State(state, self._trace)  # type: ignore[return-value]

    def __replace__(self, **changes: Any) -> Any:
        reads = self._trace.reads
        was = {name: getattr(self._record, name) for name in changes}
        for name, value in changes.items():
            if name in ("gangs", "gang_of"):
                reads.note(EVERYTHING)
            elif name == "after_battle":
                moved = {key for key in {**was[name], **value} if was[name].get(key) is not value.get(key)}
                reads.components.update(map(after_battle_of, moved))
            else:
                reads.note(of_state(name))
        return self._as(replace(self._record, **{name: plain(new) for name, new in changes.items()}))

    def fighter(self, fighter: str) -> Fighter | None:
        self._trace.reads.note_fighter(fighter, HOME)
        found = self._record.fighter(fighter)
        return None if found is None else self._trace.fighter(found)

    def vehicle(self, vehicle: str) -> Vehicle | None:
        self._trace.reads.note(of_state("vehicle_of"))
        found = self._record.vehicle(vehicle)
        if found is not None:
            self._trace.reads.note(of_gang(self._record.vehicle_of[vehicle], "vehicles"))
        return found

    def with_fighter(self, fighter: Fighter) -> CampaignState:
        return self.with_fighters((fighter,))

    def with_fighters(self, fighters: Iterable[Fighter]) -> CampaignState:
        records = []
        for fighter in fighters:
            record: Fighter = plain(fighter)
            if record is fighter:  # made by hand: nobody noted of what
                self._trace.reads.note_fighter(record.fighter)
            self._trace.reads.note_fighter(record.fighter, "standing")
            records.append(record)
        return self._as(self._record.with_fighters(records))

    def joined_by(self, fighter: Fighter) -> CampaignState:
        record: Fighter = plain(fighter)
        self._trace.reads.note_fighter(record.fighter)
        return self._as(self._record.joined_by(record))

    def with_gang(self, gang: Gang) -> CampaignState:
        record: Gang = plain(gang)
        if record is gang:
            self._trace.reads.note(of_state("gangs"))
            for name in _OF_GANGS:
                self._trace.reads.note(of_gang(record.gang, name))
            self._trace.reads.note(members_of(record.gang))
        return self._as(self._record.with_gang(record))

    def with_vehicle(self, vehicle: Vehicle) -> CampaignState:
        self._trace.reads.note(of_gang(vehicle.gang, "vehicles"))
        return self._as(self._record.with_vehicle(vehicle))

    def with_combatant(self, fighter: str, combatant: Combatant) -> CampaignState:
        self._trace.reads.note(of_state("under_way"))
        return self._as(self._record.with_combatant(fighter, combatant))

    def with_combat_vehicle(self, vehicle: str, condition: CombatVehicle) -> CampaignState:
        self._trace.reads.note(of_state("under_way"))
        return self._as(self._record.with_combat_vehicle(vehicle, condition))

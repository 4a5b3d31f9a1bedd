"""The index of entries, the log's table of contents: a row for each slot that an entry wrote or ruled on.

Knows headers, rulings, voided and kept slots, and which types of event, fighters and gangs an entry touched.
Knows no wording: the reports make text for people from the events.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.entry_rows import EntryRow, Kind, kind_of
from tracker.projections.ledger import MOVEMENTS, gangs_moving
from tracker.records import names_of_fields


class RulingOnSlot(TypedDict):
    """What a ruling did to one slot, who ruled, and the reason given for that slot."""

    entry: int
    slot: int
    at: str
    actor: str
    kind: Kind
    reason: str | None


SLOT_MARKS = frozenset({records.SlotVoided, records.SlotKept})
"""The events of a ruling about another slot."""


def slot_of(recorded: RecordedEvent) -> int:
    """The slot that an event is about. A ruling's event about a slot belongs to that slot, not to its own."""
    event = recorded.event
    if isinstance(event, records.SlotVoided):
        return event.voided_slot
    if isinstance(event, records.SlotKept) and not event.restored:
        return event.kept_slot
    return recorded.slot


def groups(recorded: Iterable[RecordedEvent]) -> Iterator[list[RecordedEvent]]:
    """Runs of events of one entry about one slot, in their order."""
    group: list[RecordedEvent] = []
    entry = slot = -1
    for place in recorded:
        kind = type(place.event)
        about = slot_of(place) if kind in SLOT_MARKS else place.slot
        if about != slot or place.entry != entry:
            if group:
                yield group
            group, entry, slot = [], place.entry, about
        group.append(place)
    if group:
        yield group


def replaces(first: RecordedEvent) -> bool:
    """Whether a group, known by its first event, replaced the earlier events of its slot."""
    if isinstance(first.event, records.SlotKept):
        return False
    return first.slot != first.entry or isinstance(first.event, records.SlotVoided)


def entry_row(group: Sequence[RecordedEvent]) -> EntryRow:
    """The row of one group that is not struck."""
    first = group[0]
    slot = slot_of(first)
    command: str | None = None
    types: dict[str, None] = {}
    fighters: dict[str, None] = {}
    gangs: dict[str, None] = {}
    for place in group:
        event = place.event
        kind = type(event)
        if isinstance(event, records.DecisionTaken):
            command = type(event.command).__name__
            continue
        types[kind.__name__] = None
        for name in _FIGHTERS_IN[kind]:
            fighter = getattr(event, name)
            if isinstance(fighter, str):  # `by` may be an amount
                fighters[fighter] = None
        if kind in MOVEMENTS:
            for gang in gangs_moving(event):
                gangs[gang] = None
    events = list(types)
    return EntryRow(
        entry=first.entry,
        slot=slot,
        battle=None,
        kind=kind_of(first.entry, slot, command, events),
        struck_by=None,
        command=command,
        events=events,
        fighters=list(fighters),
        gangs=list(gangs),
    )


def ruling_on_slot(group: Sequence[RecordedEvent]) -> RulingOnSlot:
    """What a ruling did to a slot, from its group of events."""
    first = group[0]
    rulings = (place.event for place in group if isinstance(place.event, records.RulingMade))
    said = (
        first.event
        if isinstance(first.event, (records.SlotVoided, records.SlotKept))
        else next(rulings, None)
    )
    return RulingOnSlot(
        entry=first.entry,
        slot=slot_of(first),
        at=first.at,
        actor=first.actor,
        kind=entry_row(group)["kind"],
        reason=said.reason if said is not None else None,
    )


_FIGHTERS_IN: dict[type, tuple[str, ...]] = {
    event: tuple(name for name in names_of_fields(event) if name in {"fighter", "by", "victim"})
    for event in records.EVENTS.values()
}

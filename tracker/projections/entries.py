"""The entry board: one row for each thing that an entry said of a slot, struck or not; the log's table of
contents.

Knows headers, rulings, voided and kept slots, and which types of event and which fighters an entry touched.
Knows no wording: the reports make text for people from the events.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.records import names_of_fields

Kind: TypeAlias = Literal["played", "ruling", "decided_again", "slot_voided", "slot_kept"]


class EntryRow(TypedDict):
    """What one entry put into one slot, or said of it.

    `entry`, `position` and `seq` are those of its first event. `events` names the types, header apart, in
    order and once each; `fighters` those they are about. `struck_by` is the entry of the ruling that
    decided the slot again or voided it later. A ruling's row also tells its dispute,
    verdict and reason; that of a slot voided or kept, the reason.
    """

    entry: int
    position: int
    seq: int
    slot: int
    at: str
    actor: str
    policy_version: str
    policy_digest: str
    battle: str | None
    kind: Kind
    command: str | None
    events: list[str]
    events_count: int
    fighters: list[str | int]  # an amount, too, where an event calls it `by`: who looks asks for a name
    dispute: int | None
    verdict: records.Verdict | None
    reason: str | None
    struck_by: int | None


def slot_of(recorded: RecordedEvent) -> int:
    """The slot that an event is about. Words on a slot are about that one, wherever they are stamped."""
    event = recorded.event
    if isinstance(event, records.SlotVoided):
        return event.voided_slot
    if isinstance(event, records.SlotKept) and not event.restored:
        return event.kept_slot
    return recorded.slot


def groups(recorded: Iterable[RecordedEvent]) -> Iterator[list[RecordedEvent]]:
    """Runs of events of one entry about one slot, as they come."""
    group: list[RecordedEvent] = []
    entry = slot = -1
    for place in recorded:
        kind = type(place.event)
        about = slot_of(place) if kind is records.SlotVoided or kind is records.SlotKept else place.slot
        if about != slot or place.entry != entry:
            if group:
                yield group
            group, entry, slot = [], place.entry, about
        group.append(place)
    if group:
        yield group


def replaces(first: RecordedEvent) -> bool:
    """Whether a group, known by its first event, took the place of what its slot held before."""
    if isinstance(first.event, records.SlotKept):
        return False
    return first.slot != first.entry or isinstance(first.event, records.SlotVoided)


def entry_row(group: list[RecordedEvent], battle: str | None) -> EntryRow:
    """The row of one group, not struck."""
    first = group[0]
    command: str | None = None
    ruling: records.RulingMade | None = None
    touched: dict[str, None] = {}
    types: dict[str, None] = {}
    for place in group:
        event = place.event
        kind = type(event)
        if isinstance(event, records.DecisionTaken):
            command = type(event.command).__name__
            continue
        types[kind.__name__] = None
        for name in _FIGHTERS_IN[kind]:
            fighter = getattr(event, name)
            if fighter is not None:
                touched[fighter] = None
        if isinstance(event, records.RulingMade):
            ruling = event
    word = first.event if isinstance(first.event, (records.SlotVoided, records.SlotKept)) else ruling
    return EntryRow(
        entry=first.entry,
        position=first.position,
        seq=first.seq,
        slot=slot_of(first),
        at=first.at,
        actor=first.actor,
        policy_version=first.policy_version,
        policy_digest=first.policy_digest,
        battle=battle,
        kind=_kind(first, ruling),
        command=command,
        events=list(types),
        events_count=len(group),
        fighters=list(touched),
        dispute=ruling.dispute if ruling else None,
        verdict=ruling.verdict if ruling else None,
        reason=word.reason if word else None,
        struck_by=None,
    )


def _kind(first: RecordedEvent, ruling: records.RulingMade | None) -> Kind:
    if isinstance(first.event, records.SlotVoided):
        return "slot_voided"
    if isinstance(first.event, records.SlotKept):
        return "slot_kept"
    if first.slot != first.entry:
        return "decided_again"
    return "ruling" if ruling is not None else "played"


_FIGHTERS_IN: dict[type, tuple[str, ...]] = {
    event: tuple(name for name in names_of_fields(event) if name in {"fighter", "by", "victim"})
    for event in records.EVENTS.values()
}

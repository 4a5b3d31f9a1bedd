"""Plain data: recorded events as dictionaries and lists, for the JSON that programs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.records import Record, names_of_fields
from tracker.reports import people
from tracker.reports.names import Names
from tracker.reports.sentences import section_of, sentence


def plain_data(value: object) -> Any:
    """Records as dictionaries, tuples as lists; everything else as it is."""
    if isinstance(value, records.Command):  # it may be one of many
        fields = names_of_fields(value)
        return {"type": type(value).__name__, **{name: plain_data(getattr(value, name)) for name in fields}}
    if isinstance(value, Die):
        named = (name for name in names_of_fields(value) if getattr(value, name) is not UNSET)
        return {name: plain_data(getattr(value, name)) for name in named}
    if isinstance(value, Record):
        return {name: plain_data(getattr(value, name)) for name in names_of_fields(value)}
    if isinstance(value, dict):
        return {str(key): plain_data(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_data(inner) for inner in value]
    return value


def event_data(event: records.Event) -> dict[str, Any]:
    """The event's fields."""
    data: dict[str, Any] = plain_data(event)
    return data


def recorded_data(recorded: RecordedEvent, names: Names) -> dict[str, Any]:
    """An event with its place, its sentence and its section."""
    return {
        "address": recorded.address,
        "seq": recorded.seq,
        "entry": recorded.entry,
        "slot": recorded.slot,
        "type": type(recorded.event).__name__,
        "sentence": people.in_text(sentence(recorded.event, names, whose=True), recorded.at),
        "section": section_of(recorded.event),
        "causation": recorded.causation,
        "data": event_data(recorded.event),
    }


def entry_data(entry: Sequence[RecordedEvent], names: Names) -> dict[str, Any]:
    """An entry: the header's facts once, then its events."""
    header = entry[0]
    return {
        "entry": header.entry,
        "slot": header.slot,
        "at": header.at,
        **people.actor_data(header.actor, header.at),
        "policy_version": header.policy_version,
        "policy_digest": header.policy_digest,
        "asked": people.in_text(sentence(header.event, names), header.at),
        "events": [recorded_data(recorded, names) for recorded in entry],
    }

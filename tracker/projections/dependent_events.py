"""Events that depend on a disputed one, and the board numbers that they changed.

Knows the causes that events name, and the boards' rows before and after an event. Stores nothing: worked out
for each read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.members import Members, differing
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.projections.number_lineage import Numbers, numbers_of
from tracker.records import Record


class MovedNumber(Record):
    """A number of a fighter, or of a gang if `fighter` is None, that an event changed.

    'vehicles/ID' stands for all numbers of one vehicle of the gang.
    """

    gang: str
    fighter: str | None
    number: str


class DependentEvent(Record):
    """An event that depends on a dispute, by the dispute's number, and the numbers it changed."""

    dispute: int
    event: RecordedEvent
    moved: tuple[MovedNumber, ...]


def consequences_of(events: Sequence[RecordedEvent], seq: int) -> frozenset[int]:
    """The seqs of a roll and of everything it led to among `events`; for any other event, all of them.

    An event other than a roll is superseded by a ruling together with its whole entry.
    """
    seqs = {seq}
    for event in events:
        if event.seq == seq and not isinstance(event.event, records.RollMade):
            return frozenset(other.seq for other in events)
        if event.causation in seqs:
            seqs.add(event.seq)
    return frozenset(seqs)


def numbers_moved(
    before: CampaignState, event: records.Event
) -> tuple[CampaignState, tuple[MovedNumber, ...]]:
    """The state after an event, and the board numbers that it changed."""
    after = evolve(before, event)
    return after, tuple(_moved(before, after))


def _moved(before: CampaignState, after: CampaignState) -> Iterator[MovedNumber]:
    for name, gang in after.gangs.items():
        was = before.gangs.get(name)
        if was is gang:
            continue
        for number in _differing(numbers_of(before, "gang", name), numbers_of(after, "gang", name)):
            yield MovedNumber(gang=name, fighter=None, number=number)
        for vehicle, card in gang.vehicles.items():
            if was is not None and was.vehicles.get(vehicle) is not card:
                yield MovedNumber(gang=name, fighter=None, number=f"vehicles/{vehicle}")
        for fighter, _, record in differing(
            was.members if was is not None else Members.nobody(), gang.members
        ):
            if record is None:
                continue
            then, now = numbers_of(before, "fighter", fighter), numbers_of(after, "fighter", fighter)
            for number in _differing(then, now):
                yield MovedNumber(gang=name, fighter=fighter, number=number)


def _differing(before: Numbers, after: Numbers) -> Iterator[str]:
    return (name for name in after if before.get(name) != after[name])

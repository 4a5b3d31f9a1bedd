"""Replays: the seasons of files of events played again, one campaign at a time.

A campaign is one row group and its events lie in order, so each is folded where it lies, by any number of
processes, and nothing moves between them. Knows no database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import msgspec

from tracker.analytics.event_files import EventFilesDamaged, event_files
from tracker.campaign.evolve import fold
from tracker.campaign.members import plainly
from tracker.campaign.state import CampaignState
from tracker.log.codec import Codec
from tracker.log.store import StoredEvent
from tracker.records import Record


class Replayed(Record):
    """What a campaign's events add up to. `state` is the SHA-256 of all of it, to be compared elsewhere."""

    campaign: str
    name: str
    ruleset: str
    events: int
    entries: int
    battles: int
    gangs: int
    fighters: int
    dead: int
    state: str


def replayed(place: Path) -> Iterator[Replayed]:
    """Every campaign in a folder's files. Raises NoEventFiles, EventFilesDamaged, EventUnreadable."""
    codec = Codec()
    for file in event_files(place):
        for rows in _row_groups(file):
            yield replay(rows, codec)


def replay(rows: Iterable[StoredEvent], codec: Codec) -> Replayed:
    """One campaign's events, in the order of the log. Raises EventUnreadable."""
    events = list(rows)
    state = fold(CampaignState(), map(codec.event, live(events)))
    fighters = [fighter for gang in state.gangs.values() for fighter in gang.fighters.values()]
    return Replayed(
        campaign=msgspec.json.decode(events[0].body)["campaign"],
        name=state.name,
        ruleset=state.book,
        events=len(events),
        entries=events[-1].entry,
        battles=len(state.battles),
        gangs=len(state.gangs),
        fighters=len(fighters),
        dead=sum(fighter.standing == "dead" for fighter in fighters),
        state=hashlib.sha256(msgspec.json.encode(state, enc_hook=plainly, order="sorted")).hexdigest(),
    )


def live(events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
    """What counts, in the order of play: each slot's latest filling."""
    for _, filled in groupby(sorted(events, key=attrgetter("slot", "seq")), key=attrgetter("slot")):
        of_slot = list(filled)
        yield from (event for event in of_slot if event.entry == of_slot[-1].entry)


def _row_groups(file: Path) -> Iterator[Iterator[StoredEvent]]:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    try:
        with parquet.ParquetFile(file) as opened:
            for group in range(opened.num_row_groups):
                columns = opened.read_row_group(group, columns=["seq", "entry", "slot", "type", "body"])
                rows = zip(*columns.to_pydict().values(), strict=True)
                yield (StoredEvent._make((*row, b"")) for row in rows)
    except (pyarrow.ArrowException, OSError) as wrong:
        raise EventFilesDamaged(place=str(file), why=str(wrong).partition("\n")[0][:200]) from wrong

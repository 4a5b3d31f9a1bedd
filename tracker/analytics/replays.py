"""Replays: folds the seasons in event files again, one campaign at a time. Knows no database."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from pathlib import Path

import msgspec

from tracker.analytics import jobs
from tracker.analytics.exported_log import ExportedLog
from tracker.analytics.faces import faces_shown
from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.members import as_dict
from tracker.campaign.state import CampaignState
from tracker.log.codec import Codec
from tracker.log.reader import LogReader
from tracker.records import Record


class ReplayResult(Record):
    """The totals of a campaign's events. `state` is the SHA-256 of the final state, for comparison.

    `injuries` counts lasting injuries suffered, `faces` the faces of dice that fell.
    """

    campaign: str
    name: str
    ruleset: str
    events: int
    entries: int
    battles: int
    gangs: int
    fighters: int
    dead: int
    retired: int
    injuries: int
    faces: int
    state: str


def replayed(place: Path, *, master: str | None, tell: jobs.Tell) -> list[ReplayResult]:
    """Replay every campaign in a folder's files. Raises what `jobs.run_job` raises."""
    return jobs.run_job(place, replay, ReplayResult, master=master, tell=tell)


def replay(exported: jobs.Campaign) -> ReplayResult:
    """Replay one campaign's events. Raises EventUnreadable."""
    state, counts = CampaignState(), Counter[str]()
    log = ExportedLog(exported.events)
    for recorded in LogReader(log, codec()).live(exported.campaign):
        event = recorded.event
        state = evolve(state, event)
        if isinstance(event, records.LastingInjurySuffered):
            counts["injuries"] += 1
        elif isinstance(event, records.RollMade) and event.source != "ruling":
            counts["faces"] += len(
                faces_shown(state.book, event.purpose, event.die, event.symbol, event.faces)[1]
            )
    fighters = [fighter for gang in state.gangs.values() for fighter in gang.fighters.values()]
    standing = Counter(fighter.standing for fighter in fighters)
    return ReplayResult(
        campaign=exported.campaign,
        name=state.name,
        ruleset=state.book,
        events=len(exported.events),
        entries=log.entries,
        battles=len(state.battles),
        gangs=len(state.gangs),
        fighters=len(fighters),
        dead=standing["dead"],
        retired=standing["retired"],
        injuries=counts["injuries"],
        faces=counts["faces"],
        state=hashlib.sha256(msgspec.json.encode(state, enc_hook=as_dict, order="sorted")).hexdigest(),
    )


@lru_cache(maxsize=1)
def codec() -> Codec:
    """The codec of this process; it caches a decoder for each type of event."""
    return Codec()

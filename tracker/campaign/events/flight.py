"""How the Broken flee. All of it is gone when the battle ends."""

from __future__ import annotations

from tracker.campaign.events.nerve import FlightTaken
from tracker.records import Record


class RetreatTried(Record):
    """A Broken fighter tried to get away from those engaged; `may_react` are who may make Reaction attacks
    first. Not `away`: the action ends."""

    fighter: str
    engaged: tuple[str, ...]
    away: bool
    may_react: tuple[str, ...]


class FlightMade(Record):
    """A Broken model fled, up to so many hundredths of an inch, or placed so many Smoke markers."""

    fighter: str
    flight: FlightTaken
    up_to_hundredths: int
    smoke_markers: int = 0

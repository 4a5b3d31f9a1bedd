"""Commands of how the Broken flee: Running for Cover, Break For Air, Burn Out. Who is engaged is stated."""

from __future__ import annotations

from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.nerve import FlightTaken
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record


class InitiativeModifier(Record):
    """What a skill or a condition adds to the Initiative test of who retreats."""

    why: str
    by: int


@command("TakeFlight")
class TakeFlight(Command):
    """A Broken model is activated and does what the Broken do. A vehicle is named by its crew's id.

    `engaged` are the enemies engaged with a fighter, who retreats; `reacting` are those of them who try to
    make Reaction attacks, None for all. `mobile` is for vehicles.
    Archived rules · Resolve Hits · Broken.
    """

    fighter: str
    engaged: tuple[str, ...] = ()
    reacting: tuple[str, ...] | None = None
    modifiers: tuple[InitiativeModifier, ...] = ()
    mobile: bool | None = None


@event("RetreatTried")
class RetreatTried(Event):
    """A Broken fighter tried to get away from those engaged; `may_react` are who may make Reaction attacks
    first. Not `away`: the action ends."""

    fighter: str
    engaged: tuple[str, ...]
    away: bool
    may_react: tuple[str, ...]


@event("FlightMade")
class FlightMade(Event):
    """A Broken model fled, up to so many hundredths of an inch, or placed so many Smoke markers."""

    fighter: str
    flight: FlightTaken
    up_to_hundredths: int
    smoke_markers: int = 0


class NothingToFleeFrom(RulesRefuse):
    """{fighter} is not Broken and acts as ever. Record the Nerve test first that broke them, or take this
    entry out.
    """

    fighter: str


class RetreatUnclear(BadInput):
    """The flight of {fighter} does not add up: {why}."""

    fighter: str
    why: str

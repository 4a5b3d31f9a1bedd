"""The flight of the Broken: Running for Cover, Break For Air, Burn Out. Who is engaged is stated."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from tracker.campaign.cards import in_battle
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FighterId, Name, Size, TestModifier
from tracker.campaign.records.nerve import FlightTaken
from tracker.campaign.state import CampaignState, LastFight
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record

_Enemies: TypeAlias = Annotated[tuple[FighterId, ...], Size(lowest=0, highest=100)]


class InitiativeModifier(Record):
    """What a skill or a condition adds to the Initiative test."""

    why: Name
    """What it is."""
    by: TestModifier
    """How much."""


@command(
    "TakeFlight",
    part="flight of the Broken",
    instead=("CheckMorale", "morale in a battle report"),
    exchange="flight",
    asks="fighter mobile",
    action=("fighter", "nerve_tests"),
)
class TakeFlight(Command):
    """A Broken model flees when activated. Dice: retreat, retreat_reaction, then
    running_for_cover, break_for_air or burn_out.
    """

    fighter: FighterId
    """Who is Broken; a vehicle by its crew's id."""
    engaged: _Enemies = ()
    """Enemies engaged with the fighter: an Initiative test first, and they may react."""
    reacting: _Enemies | None = None
    """Who of them tries to make Reaction attacks; else all."""
    modifiers: Annotated[tuple[InitiativeModifier, ...], Size(lowest=0, highest=10)] = ()
    """What is added to the fighter's own Initiative test."""
    mobile: bool | None = None
    """For vehicles: whether it is Mobile."""

    def contradiction(self, written: frozenset[str]) -> str | None:
        if not self.engaged and {"reacting", "modifiers"} & written:
            return "`reacting` and `modifiers` are for a fighter who is `engaged`."
        return None

    def in_words(self, wording: Wording) -> str:
        engaged = ", ".join(map(wording.fighter, self.engaged))
        return f"Broken: {wording.fighter(self.fighter)}" + (f", engaged with {engaged}" if engaged else "")


@event("RetreatTried")
class RetreatTried(Event):
    """A Broken fighter tried to get away from the enemies engaged with them. `may_react` may make Reaction
    attacks first. Not `away`: the action ends.
    """

    fighter: FighterId
    engaged: tuple[FighterId, ...]
    away: bool
    may_react: tuple[FighterId, ...]

    def in_words(self, wording: Wording) -> str:
        who = wording.fighter(self.fighter)
        if not self.away:
            return f"{who} does not get away, and the action ends"
        reactors = " and ".join(map(wording.fighter, self.may_react))
        return f"{who} retreats; {reactors or 'nobody'} may react first"

    def apply(self, state: CampaignState) -> CampaignState:
        if not self.may_react:
            return state
        # They react to it as to a Fight.
        last = LastFight(
            fighter=self.fighter,
            may_react=self.may_react,
            count_as_turned=(),
            charging=False,
            activation=None,
            fights=1,
        )
        return in_battle(state, last_fight=last)


@event("FlightMade")
class FlightMade(Event):
    """A Broken model fled, up to a distance in hundredths of an inch, or placed Smoke markers."""

    fighter: FighterId
    flight: FlightTaken
    up_to_hundredths: int
    smoke_markers: int = 0

    def in_words(self, wording: Wording) -> str:
        who = wording.fighter(self.fighter)
        if self.flight == "burn_out":
            markers = wording.counted(self.smoke_markers, "Smoke marker")
            return f'{who} burns out and places {markers} within 1": each hinders the Restart test'
        how = "breaks for air" if self.flight == "break_for_air" else "runs for cover"
        return f'{who} {how}, up to {wording.inches(self.up_to_hundredths)}"'


class NothingToFleeFrom(RulesRefuse):
    """{fighter} is not Broken and acts normally. Record the Nerve test first that broke them, or take this
    entry out.
    """

    fighter: str


class RetreatUnclear(BadInput):
    """The flight of {fighter} does not add up: {why}."""

    fighter: str
    why: str

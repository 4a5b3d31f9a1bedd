"""Commands that open and close a battle, and awards."""

from __future__ import annotations

from tracker.campaign.records.campaigns import AdoptPolicy, RepealPolicy
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.kinds import ExperienceAward, FighterId, Note
from tracker.errors import BadInput, RulesRefuse


@command("OpenBattle", game="every")
class OpenBattle(Command):
    """`crews` gives the fighters of each gang; an empty crew means everybody who is available.

    `number` is filled in when the battle is first recorded, so that a battle keeps it when an earlier one
    is voided; None takes the next. `vehicles` None brings every vehicle whose crew fights and that runs;
    of those `unreliable` had to be started by dice, and may not have come after all.
    `adopting` and `repealing` are house rules that a ruling made hold, or hold no more, from here on.
    """

    battle: str
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    number: int | None = None
    vehicles: tuple[str, ...] | None = None
    unreliable: tuple[str, ...] | None = None
    adopting: tuple[AdoptPolicy, ...] | None = None
    repealing: tuple[RepealPolicy, ...] | None = None


@command("AwardExperience", game="every", entry="experience", exchange="experience")
class AwardExperience(Command):
    """Experience that the scenario or the Arbitrator gives; what the rules give is counted anyway."""

    sentence = "award: {amount} XP for {fighter}: {reason}"

    fighter: FighterId
    """Who gets it."""
    amount: ExperienceAward
    """How much."""
    reason: Note
    """What for."""


@command("CloseBattle", game="every")
class CloseBattle(Command):
    """The end of a battle and its Wrap-up."""

    winner: str | None = None
    drawn: bool = False


@event("BattleOpened")
class BattleOpened(Event):
    """A battle starts: the campaign's `number`th, with the fighters of each gang that take part."""

    battle: str
    number: int
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    vehicles: tuple[str, ...] = ()


@event("BattleClosed")
class BattleClosed(Event):
    """The Wrap-up is done. `winner` is a gang, or None for a draw or no result."""

    battle: str
    winner: str | None
    drawn: bool = False


@event("RuleNoted")
class RuleNoted(Event):
    """A rule made itself felt without a die: no save against this, too short a fall. `why` says it."""

    sentence = "no roll for {fighter}: {why}"

    fighter: FighterId
    why: Note
    section: str


class BattleFoughtAlready(RulesRefuse):
    """Battle {battle!r} is recorded already, as battle {number}. Give this report another id; a wrong entry
    is put right with 'arbitrator dispute open'.
    """

    battle: str
    number: int


class TooFewGangs(BadInput):
    """A battle needs two gangs or more; this one names {gangs}."""

    gangs: int


class FighterCannotTakePart(RulesRefuse):
    """{fighter} cannot take part: {why}. {next_step}"""

    fighter: str
    why: str
    next_step: str


class NobodyComes(RulesRefuse):
    gang: str
    why: tuple[str, ...]

    def message(self) -> str:
        reasons = "; ".join(self.why) or "it has no fighters"
        return (
            f"{self.gang} have nobody who can take part: {reasons}. A battle needs somebody of every gang:"
            " hire first, or leave the gang out of this battle."
        )


class WinnerTookNoPart(BadInput):
    """{winner} is given as the winner of {battle!r} but took no part in it."""

    winner: str
    battle: str


class WonAndDrawn(BadInput):
    """{battle} cannot be both won by {winner} and a draw: say one of them."""

    winner: str
    battle: str

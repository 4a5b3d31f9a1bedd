"""Warbands between battles: Threshold, Reinforcements, exploration, Glory, ransoms, shell shock.

Source: Trench Crusade (1.6) · Campaign.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from tracker.campaign.cards import on_fighter
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import Credits, FieldKind, FighterId, GangId, Note, Signed
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

GameNumber: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=99)]


# --- commands --------------------------------------------------------------------------------------------


@command("RaiseThreshold", part="Threshold", game="warbands", entry="threshold", activity="threshold")
class RaiseThreshold(Command):
    """The Threshold and Field Strength of the next game."""

    gang: GangId
    """The warband."""
    game: GameNumber | None = None
    """Which game of the campaign comes, where that is not one more than the warband has fought."""

    def in_words(self, wording: Wording) -> str:
        game = f" for game {self.game}" if self.game is not None else ""
        return f"Threshold of {wording.gang(self.gang)}{game}"


@command(
    "CallReinforcements",
    part="Reinforcements of warbands",
    instead=("HireFighter", "hire in a post-battle file"),
    game="warbands",
    entry="reinforcements",
    activity="reinforcements",
)
class CallReinforcements(Command):
    """A warband gives up its ducats and its stash and buys up to its Threshold; the rest vanishes."""

    sentence = "Reinforcements for {gang}"

    gang: GangId
    """The warband."""
    worth: Credits | None = None
    """What its models count for, where the cards do not tell."""
    less: Credits = 0
    """What its list takes off the Threshold."""


@command(
    "Explore", part="exploration", instead=("TakeIncome", "income in a post-battle file"), game="warbands"
)
class Explore(Command):
    """A warband rolls for exploration. `rerolls` are dice rolled again, counted from 1. `location` is the
    table's location for `location_score`; `more_dice` are added by skills or items.
    """

    gang: GangId
    rerolls: tuple[int, ...] = ()
    more_dice: int = 0
    more_rerolls: int = 0
    location: str | None = None
    location_score: int | None = None
    location_kind: str | None = None

    def in_words(self, wording: Wording) -> str:
        looks = f", looking for {wording.text(self.location)}" if self.location is not None else ""
        return f"exploration of {wording.gang(self.gang)}{looks}"


@command(
    "ChangeGlory",
    part="Glory",
    instead=("ChangeReputation", "reputation in a post-battle file"),
    game="warbands",
    entry="glory",
    activity="glory",
)
class ChangeGlory(Command):
    """Glory gained, or spent."""

    sentence = "Glory of {gang} {by:+d}: {why}"

    gang: GangId
    """The warband."""
    by: Signed
    """How much: 2, or -1 where it is spent."""
    why: Note
    """What for."""


@command(
    "SettleRansom",
    part="ransom",
    instead=("TradeCaptive", "trade_captive in a post-battle file"),
    game="warbands",
)
class SettleRansom(Command):
    """The players agree on a captive: `ducats` are paid to `to`, or nobody pays (None)."""

    fighter: FighterId
    ducats: Credits | None
    to: GangId | None = None

    def in_words(self, wording: Wording) -> str:
        paid = "unpaid" if self.ducats is None else wording.money(self.ducats)
        return f"ransom for {wording.fighter(self.fighter)}: {paid}"


@command("RollShellShock", part="Shell Shock", game="warbands", entry="shell_shock")
class RollShellShock(Command):
    """The die of a Shell Shocked model before the next battle. Dice: shell_shock."""

    sentence = "shell shock of {fighter}"

    fighter: FighterId
    """The model."""


# --- events ----------------------------------------------------------------------------------------------


@event("ThresholdRaised")
class ThresholdRaised(Event):
    """The limits of a warband in a game: ducats, and models on the field."""

    sentence = "{gang}, game {game}: Threshold {ducats}, Field Strength {field_strength}"

    gang: GangId
    game: int
    ducats: Credits
    field_strength: int
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        gang = state.gangs[self.gang]
        return state.with_gang(
            replace(gang, threshold_ducats=self.ducats, field_strength=self.field_strength)
        )


@event("ReinforcementsCalled")
class ReinforcementsCalled(Event):
    """A warband of this worth may buy up to its Threshold, reduced by `less`."""

    gang: GangId
    threshold: int
    worth: int
    less: int
    ducats: Credits
    section: str

    def in_words(self, wording: Wording) -> str:
        less = f", less {self.less}" if self.less else ""
        of = f"Threshold {self.threshold}, less {self.worth} of the warband{less}"
        ducats = wording.money(self.ducats)
        return f"{wording.gang(self.gang)} call Reinforcements for {ducats}: {of}"


@event("WarbandExplored")
class WarbandExplored(Event):
    """The result of exploration; `faces` are the dice that count."""

    gang: GangId
    faces: tuple[int, ...]
    score: int
    ducats: Credits
    section: str

    def in_words(self, wording: Wording) -> str:
        shown = "+".join(str(face) for face in self.faces)
        loot = f"{shown} = {self.score}, loot of {wording.money(self.ducats)}"
        return f"{wording.gang(self.gang)} explore: {loot}"


@event("LocationFound")
class LocationFound(Event):
    """A location that nobody finds again in this campaign."""

    sentence = "{gang} find {location} on {score}"

    gang: GangId
    location: str
    kind: str | None
    score: int
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, locations_found=tuple(sorted({*state.locations_found, self.location})))


@event("GloryChanged")
class GloryChanged(Event):
    """Glory Points were gained or spent."""

    sentence = "{gang}: {before} -> {after} Glory: {why}"

    gang: GangId
    before: int
    after: int
    why: Note
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        return state.with_gang(replace(state.gangs[self.gang], glory=self.after))


@event("RansomSettled")
class RansomSettled(Event):
    """A captive is free: `ducats` were paid to `to`, or None."""

    fighter: FighterId
    to: GangId | None
    ducats: Credits | None
    section: str

    def in_words(self, wording: Wording) -> str:
        who = wording.fighter(self.fighter)
        if self.ducats is None:
            return f"nobody pays for {who}"
        to = f" to {wording.gang(self.to)}" if self.to is not None else ""
        return f"{who} comes home for a ransom of {wording.money(self.ducats)}{to}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, capture_pending=False, captor=None)


@event("ShellShockTested")
class ShellShockTested(Event):
    """Whether a model suffers its shell shock before the warband's nth battle."""

    fighter: FighterId
    battle: int
    bears: bool
    means: str
    section: str

    def in_words(self, wording: Wording) -> str:
        shocked = f"is Shell Shocked: {wording.text(self.means)}"
        return f"{wording.fighter(self.fighter)} {'passes the Shell Shock roll' if self.bears else shocked}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, shock_tested=self.battle)


# --- refusals --------------------------------------------------------------------------------------------


class CalledInstead(RulesRefuse):
    """{gang} called Reinforcements and so skips Looting and Exploration ({section})."""

    gang: str
    section: str


class ThresholdNotRaised(RulesRefuse):
    """The Threshold of {gang} has not been raised after this battle, and Reinforcements are bought up to it:
    write `threshold` first ({section}).
    """

    gang: str
    section: str


class TooManyRerolls(RulesRefuse):
    """{gang} may re-roll {allowed} of its dice, not {wanted} ({section})."""

    gang: str
    allowed: int
    wanted: int
    section: str


class NoSuchDie(BadInput):
    rerolls: tuple[int, ...]
    dice: int

    def message(self) -> str:
        named = ", ".join(str(reroll) for reroll in self.rerolls)
        return f"Dice {named} would be re-rolled, each once, but there are dice 1 to {self.dice}."


class LocationNotThere(RulesRefuse):
    """{location} is found on exactly {needed}, and the score is {score}: take the location out, the loot
    stays ({section}).
    """

    location: str
    score: int
    needed: int
    section: str


class LocationOfAnotherTable(RulesRefuse):
    location: str
    kind: str
    finds: tuple[str, ...]
    battles: int
    section: str

    def message(self) -> str:
        return (
            f"{self.location} is {self.kind}, and after {self.battles} battles a warband finds"
            f" {' or '.join(self.finds)} locations ({self.section})."
        )


class LocationFoundBefore(RulesRefuse):
    """{location} has been found already, and each location is found once in a campaign ({section})."""

    location: str
    section: str


class LocationIncomplete(BadInput):
    """Give a location with the score of its table: write `location` and `score` together."""


class NotEnoughGlory(RulesRefuse):
    """{gang} has {glory} Glory, and {needed} would be spent."""

    gang: str
    glory: int
    needed: int


class NotHeldForRansom(RulesRefuse):
    """{fighter} is not held for ransom."""

    fighter: str


class StaysCaptive(RulesRefuse):
    """{fighter} stays a captive as long as nobody pays: there is nothing to record ({section}). Write
    'retire' to give up the captive.
    """

    fighter: str
    section: str


class WhoIsPaid(BadInput):
    """Nobody is known to hold {fighter}: write the warband that is paid as `to`."""

    fighter: str


class PaysThemselves(BadInput):
    """{gang} cannot pay a ransom to itself: write the warband that is paid as `to`."""

    gang: str


class NotShellShocked(RulesRefuse):
    """{fighter} is not Shell Shocked, so no die is rolled before the battle."""

    fighter: str


class ShockTestedAlready(RulesRefuse):
    """{fighter} was tested already for the warband's battle {battle}: one die for each battle."""

    fighter: str
    battle: int

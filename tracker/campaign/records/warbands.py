"""Commands of warbands between battles: XP, skills, promotion, reinforcements, exploration, ransoms."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record


@command("AwardBattleExperience", game="warbands")
class AwardBattleExperience(Command):
    """The ELITE models of a warband get XP for the battle; `deeds` are those who did a Glorious Deed."""

    gang: str
    deeds: tuple[str, ...] = ()


@command("LearnSkill", game="warbands")
class LearnSkill(Command):
    """A model at a threshold rolls in two tables and keeps the skill of `choose`.

    `patron_skill` is what a 2 or 12 there brings, by the Patron's own list.
    """

    fighter: str
    tables: tuple[str, str]
    choose: str
    patron_skill: str | None = None


class PromotionDice(Record):
    """So many promotion dice for a troop."""

    fighter: str
    dice: int


@command("RollPromotions", game="warbands")
class RollPromotions(Command):
    """A warband rolls its promotion dice, troop by troop. `deeds` are all Glorious Deeds of the battle,
    `deeds_by` the troops who did one."""

    gang: str
    dice: tuple[PromotionDice, ...]
    deeds: int = 0
    deeds_by: tuple[str, ...] = ()


@command("RaiseThreshold", game="warbands")
class RaiseThreshold(Command):
    """What the warband may have in its next game. `game` None: the one after those it fought."""

    gang: str
    game: int | None = None


@command("CallReinforcements", game="warbands")
class CallReinforcements(Command):
    """A warband gives up ducats and stash to buy anew up to its Threshold.

    `worth` is what its models count for, where the cards do not tell; `less` what its list takes off.
    """

    gang: str
    worth: int | None = None
    less: int = 0


@command("Explore", game="warbands")
class Explore(Command):
    """A warband rolls for exploration. `rerolls` are dice rolled again, counted from 1.

    `location` is what the table has for `location_score`; `more_dice` what skills or things add.
    """

    gang: str
    rerolls: tuple[int, ...] = ()
    more_dice: int = 0
    more_rerolls: int = 0
    location: str | None = None
    location_score: int | None = None
    location_kind: str | None = None


@command("ChangeGlory", game="warbands")
class ChangeGlory(Command):
    """A warband gains Glory, or spends some (`by` below zero)."""

    gang: str
    by: int
    why: str


@command("SettleRansom", game="warbands")
class SettleRansom(Command):
    """The players agree on a captive: `ducats` are paid to `to`, or nobody pays (None)."""

    fighter: str
    ducats: int | None
    to: str | None = None


@command("RollShellShock", game="warbands")
class RollShellShock(Command):
    """Before a battle: whether a Shell Shocked model bears it."""

    fighter: str


@command("AwardLatecomer", game="warbands")
class AwardLatecomer(Command):
    """XP for who joined after so many battles."""

    fighter: str
    missed: int


WarbandCommand: TypeAlias = (
    AwardBattleExperience
    | AwardLatecomer
    | CallReinforcements
    | ChangeGlory
    | Explore
    | LearnSkill
    | RaiseThreshold
    | RollPromotions
    | SettleRansom
    | RollShellShock
)


@event("PromotionDieSpent")
class PromotionDieSpent(Event):
    """A promotion die of a troop. `failures` are those in a row after it; `automatic`: nothing was rolled."""

    gang: str
    fighter: str
    succeeded: bool
    automatic: bool
    failures: int
    section: str


@event("ThresholdRaised")
class ThresholdRaised(Event):
    """What a warband may have in a game: ducats, and models on the field."""

    gang: str
    game: int
    ducats: int
    field_strength: int
    section: str


@event("ReinforcementsCalled")
class ReinforcementsCalled(Event):
    """A warband worth so much may buy anew up to its Threshold, `less` taken off."""

    gang: str
    threshold: int
    worth: int
    less: int
    ducats: int
    section: str


@event("WarbandExplored")
class WarbandExplored(Event):
    """What the dice of exploration came to; `faces` are those that count."""

    gang: str
    faces: tuple[int, ...]
    score: int
    ducats: int
    section: str


@event("LocationFound")
class LocationFound(Event):
    """A location that nobody finds again in this campaign."""

    gang: str
    location: str
    kind: str | None
    score: int
    section: str


@event("GloryChanged")
class GloryChanged(Event):
    """Glory Points were gained or spent."""

    gang: str
    before: int
    after: int
    why: str
    section: str


@event("RansomSettled")
class RansomSettled(Event):
    """A captive is nobody's captive any more: `ducats` were paid to `to`, or None."""

    fighter: str
    to: str | None
    ducats: int | None
    section: str


@event("ShellShockTested")
class ShellShockTested(Event):
    """Before the warband's so-manieth battle."""

    fighter: str
    battle: int
    bears: bool
    means: str
    section: str


@event("BlessingMarkersGained")
class BlessingMarkersGained(Event):
    """`lost` are those over the most that a model can have; `markers` is what it has now."""

    fighter: str
    gained: int
    lost: int
    markers: int
    why: str


@event("BlessingMarkersSpent")
class BlessingMarkersSpent(Event):
    """The owner took markers off a model, so that `markers` are left. `use` is injury_roll or action."""

    fighter: str
    spent: int
    use: str
    markers: int


@event("MoraleTested")
class MoraleTested(Event):
    """What came of the success roll at the end of a turn. Who flees has lost."""

    gang: str
    turn: int
    models: int
    down_or_out: int
    result: Literal["holds", "shaken", "flees"]
    section: str


class NotInThatBattle(RulesRefuse):
    """{fighter} did not fight for {gang} in battle {battle!r}: take the model out."""

    fighter: str
    gang: str
    battle: str


class NotElite(RulesRefuse):
    """{fighter} is a {rank}, and {what} is for ELITE models ({section})."""

    fighter: str
    rank: str
    what: str
    section: str


class NoThresholdReached(RulesRefuse):
    fighter: str
    experience: int
    next_at: int | None
    section: str

    def message(self) -> str:
        if self.next_at is None:
            return f"{self.fighter} has learned all that their XP can bring ({self.section})."
        return (
            f"{self.fighter} has {self.experience} XP and learns the next skill at {self.next_at}"
            f" ({self.section})."
        )


class UnknownSkillTable(BadInput):
    """There is no skill table {table!r}.{table:nearest} Known: {known}."""

    table: str
    known: tuple[str, ...]


class TwoTables(BadInput):
    choose: str
    tables: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Two different tables are rolled in, and `choose` is one of them: {self.choose!r} out of"
            f" {' and '.join(self.tables)} cannot be."
        )


class PatronSkillMissing(BadInput):
    """{fighter} rolled {total} in {table}: that is a skill of the Patron. Write which as `patron_skill`."""

    fighter: str
    total: int
    table: str


class PatronSkillUncalled(BadInput):
    """{fighter} rolled {total} in {table}, and only a 2 or a 12 brings a skill of the Patron: take
    `patron_skill` out.
    """

    fighter: str
    total: int
    table: str


class SkillOfPatronKnown(RulesRefuse):
    """{fighter} has {skill} already: write another skill of the Patron."""

    fighter: str
    skill: str


class NothingLeftToLearn(RulesRefuse):
    """{fighter} knows every skill of {table}: choose the other table."""

    fighter: str
    table: str


class EliteFull(RulesRefuse):
    """{gang} has {most} ELITE models, and that is the most ({section})."""

    gang: str
    most: int
    section: str


class NotPromotable(RulesRefuse):
    """{fighter} rolls no promotion dice: {why} ({section})."""

    fighter: str
    why: str
    section: str


class TooManyPromotionDice(RulesRefuse):
    gang: str
    pool: int
    wanted: int
    section: str

    def message(self) -> str:
        return (
            f"{self.gang} has {self.pool} promotion {'die' if self.pool == 1 else 'dice'}, and"
            f" {self.wanted} are shared"
            f" out ({self.section})."
        )


class PromotionDiceUneven(RulesRefuse):
    """{fighter} may not have {dice} promotion dice: two each, a third by the rule for it, more only once all
    who are eligible have two, and then spread evenly ({section}).
    """

    fighter: str
    dice: int
    section: str


class FewerDeedsThanDoers(BadInput):
    """{doers} troops did Glorious Deeds, but `deeds` says {deeds}: it counts all of the battle."""

    deeds: int
    doers: int


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
        named = ", ".join(str(one) for one in self.rerolls)
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


class LocationHalfTold(BadInput):
    """A location is told with the score that its table prints: write `location` and `score` together."""


class NotEnoughGlory(RulesRefuse):
    """{gang} has {glory} Glory, and {needed} would be spent."""

    gang: str
    glory: int
    needed: int


class NotHeldForRansom(RulesRefuse):
    """{fighter} is not held for ransom."""

    fighter: str


class StaysCaptive(RulesRefuse):
    """{fighter} stays a captive as long as nobody pays: there is nothing to record ({section}). Who is given
    up is retired with 'retire'.
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


class NoBattleMissed(BadInput):
    """A latecomer missed between 1 and 50 battles, not {missed}."""

    missed: int

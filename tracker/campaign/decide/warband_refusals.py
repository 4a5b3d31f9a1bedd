"""Refusals of warbands between battles, each with what to do about it."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class NotInThatBattle(RulesRefuse):
    fighter: str
    gang: str
    battle: str

    def message(self) -> str:
        return f"{self.fighter} did not fight for {self.gang} in battle {self.battle!r}: take the model out."


@dataclass(eq=False)
class NotElite(RulesRefuse):
    fighter: str
    rank: str
    what: str
    section: str

    def message(self) -> str:
        return f"{self.fighter} is a {self.rank}, and {self.what} is for ELITE models ({self.section})."


@dataclass(eq=False)
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


@dataclass(eq=False)
class UnknownSkillTable(BadInput):
    table: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no skill table {self.table!r}.{nearest(self.table, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


@dataclass(eq=False)
class TwoTables(BadInput):
    choose: str
    tables: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Two different tables are rolled in, and `choose` is one of them: {self.choose!r} out of"
            f" {' and '.join(self.tables)} cannot be."
        )


@dataclass(eq=False)
class PatronSkillMissing(BadInput):
    fighter: str
    total: int
    table: str

    def message(self) -> str:
        return (
            f"{self.fighter} rolled {self.total} in {self.table}: that is a skill of the Patron. Write"
            " which as"
            " `patron_skill`."
        )


@dataclass(eq=False)
class PatronSkillUncalled(BadInput):
    fighter: str
    total: int
    table: str

    def message(self) -> str:
        return (
            f"{self.fighter} rolled {self.total} in {self.table}, and only a 2 or a 12 brings a skill"
            " of the Patron:"
            " take `patron_skill` out."
        )


@dataclass(eq=False)
class SkillOfPatronKnown(RulesRefuse):
    fighter: str
    skill: str

    def message(self) -> str:
        return f"{self.fighter} has {self.skill} already: write another skill of the Patron."


@dataclass(eq=False)
class NothingLeftToLearn(RulesRefuse):
    fighter: str
    table: str

    def message(self) -> str:
        return f"{self.fighter} knows every skill of {self.table}: choose the other table."


@dataclass(eq=False)
class EliteFull(RulesRefuse):
    gang: str
    most: int
    section: str

    def message(self) -> str:
        return f"{self.gang} has {self.most} ELITE models, and that is the most ({self.section})."


@dataclass(eq=False)
class NotPromotable(RulesRefuse):
    fighter: str
    why: str
    section: str

    def message(self) -> str:
        return f"{self.fighter} rolls no promotion dice: {self.why} ({self.section})."


@dataclass(eq=False)
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


@dataclass(eq=False)
class PromotionDiceUneven(RulesRefuse):
    fighter: str
    dice: int
    section: str

    def message(self) -> str:
        return (
            f"{self.fighter} may not have {self.dice} promotion dice: two each, a third by the rule"
            " for it, more only"
            f" once all who are eligible have two, and then spread evenly ({self.section})."
        )


@dataclass(eq=False)
class FewerDeedsThanDoers(BadInput):
    deeds: int
    doers: int

    def message(self) -> str:
        return (
            f"{self.doers} troops did Glorious Deeds, but `deeds` says {self.deeds}: it counts all of"
            " the battle."
        )


@dataclass(eq=False)
class CalledInstead(RulesRefuse):
    gang: str
    section: str

    def message(self) -> str:
        return f"{self.gang} called Reinforcements and so skips Looting and Exploration ({self.section})."


@dataclass(eq=False)
class ThresholdNotRaised(RulesRefuse):
    gang: str
    section: str

    def message(self) -> str:
        return (
            f"The Threshold of {self.gang} has not been raised after this battle, and Reinforcements"
            " are bought up to"
            f" it: write `threshold` first ({self.section})."
        )


@dataclass(eq=False)
class TooManyRerolls(RulesRefuse):
    gang: str
    allowed: int
    wanted: int
    section: str

    def message(self) -> str:
        return f"{self.gang} may re-roll {self.allowed} of its dice, not {self.wanted} ({self.section})."


@dataclass(eq=False)
class NoSuchDie(BadInput):
    rerolls: tuple[int, ...]
    dice: int

    def message(self) -> str:
        named = ", ".join(str(one) for one in self.rerolls)
        return f"Dice {named} would be re-rolled, each once, but there are dice 1 to {self.dice}."


@dataclass(eq=False)
class LocationNotThere(RulesRefuse):
    location: str
    score: int
    needed: int
    section: str

    def message(self) -> str:
        return (
            f"{self.location} is found on exactly {self.needed}, and the score is {self.score}: take"
            " the location out,"
            f" the loot stays ({self.section})."
        )


@dataclass(eq=False)
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


@dataclass(eq=False)
class LocationFoundBefore(RulesRefuse):
    location: str
    section: str

    def message(self) -> str:
        return (
            f"{self.location} has been found already, and each location is found once in a campaign"
            f" ({self.section})."
        )


@dataclass(eq=False)
class LocationHalfTold(BadInput):
    def message(self) -> str:
        return (
            "A location is told with the score that its table prints: write `location` and `score` together."
        )


@dataclass(eq=False)
class NotEnoughGlory(RulesRefuse):
    gang: str
    glory: int
    needed: int

    def message(self) -> str:
        return f"{self.gang} has {self.glory} Glory, and {self.needed} would be spent."


@dataclass(eq=False)
class NotHeldForRansom(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is not held for ransom."


@dataclass(eq=False)
class StaysCaptive(RulesRefuse):
    fighter: str
    section: str

    def message(self) -> str:
        return (
            f"{self.fighter} stays a captive as long as nobody pays: there is nothing to record"
            f" ({self.section})."
            " Who is given up is retired with 'retire'."
        )


@dataclass(eq=False)
class WhoIsPaid(BadInput):
    fighter: str

    def message(self) -> str:
        return f"Nobody is known to hold {self.fighter}: write the warband that is paid as `to`."


@dataclass(eq=False)
class PaysThemselves(BadInput):
    gang: str

    def message(self) -> str:
        return f"{self.gang} cannot pay a ransom to itself: write the warband that is paid as `to`."


@dataclass(eq=False)
class NotShellShocked(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is not Shell Shocked, so no die is rolled before the battle."


@dataclass(eq=False)
class ShockTestedAlready(RulesRefuse):
    fighter: str
    battle: int

    def message(self) -> str:
        return (
            f"{self.fighter} was tested already for the warband's battle {self.battle}: one die for"
            " each battle."
        )


@dataclass(eq=False)
class NoBattleMissed(BadInput):
    missed: int

    def message(self) -> str:
        return f"A latecomer missed between 1 and 50 battles, not {self.missed}."

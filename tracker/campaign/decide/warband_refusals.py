"""Refusals of warbands between battles, each with what to do about it."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


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

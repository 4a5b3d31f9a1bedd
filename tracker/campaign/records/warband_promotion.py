"""Growth of a warband's models between battles: XP, skills, promotion. Source: Trench Crusade (1.6) ·
Campaign.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from tracker.campaign.cards import on_fighter
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FieldKind, FighterId, GangId, Name, Size
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record, replace

BattlesMissed: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=50)]


# --- commands --------------------------------------------------------------------------------------------


@command(
    "AwardBattleExperience",
    part="XP for battles of ELITE models",
    instead=("AwardTakingPart", "took_part in a post-battle file"),
    game="warbands",
    entry="battle_experience",
    activity="battle_experience",
    asks="gang deeds?",
)
class AwardBattleExperience(Command):
    """XP of the battle for the ELITE models of a warband: one for being there, one for a Glorious Deed."""

    gang: GangId
    """The warband."""
    deeds: Annotated[tuple[FighterId, ...], Size(lowest=0, highest=20)] = ()
    """The ELITE models that did at least one Glorious Deed."""

    def in_words(self, wording: Wording) -> str:
        deeds = ", ".join(map(wording.fighter, self.deeds))
        of_whom = f", Glorious Deeds of {deeds}" if deeds else ""
        return f"XP of the battle for {wording.gang(self.gang)}{of_whom}"


@command(
    "AwardLatecomer",
    part="XP for ELITE models that join late",
    instead=("AwardExperience", "experience in a post-battle file"),
    game="warbands",
    entry="latecomer",
)
class AwardLatecomer(Command):
    """XP for an ELITE model that joined a warband late."""

    fighter: FighterId
    """The model."""
    missed: BattlesMissed
    """How many battles were missed."""

    def in_words(self, wording: Wording) -> str:
        missed = wording.counted(self.missed, "battle")
        return f"XP of a latecomer for {wording.fighter(self.fighter)}: {missed} missed"


@command(
    "LearnSkill",
    part="skills by battles fought",
    instead=("BuyAdvancement", "advance in a post-battle file"),
    game="warbands",
    entry="learn",
    activity="advancements",
    asks="fighter tables choose patron_skill?@skill_roll",
)
class LearnSkill(Command):
    """A skill for a model that reached a threshold of XP. Dice: skill_roll, once in each table."""

    fighter: FighterId
    """Who learns."""
    tables: Annotated[tuple[Name, Name], Size(lowest=2, highest=2)]
    """The two tables rolled in, such as [melee, stealth]."""
    choose: Name
    """The one whose skill is kept."""
    patron_skill: Name | None = None
    """The skill of the Patron, where a 2 or a 12 is kept."""

    def in_words(self, wording: Wording) -> str:
        tables = " and ".join(map(wording.text, self.tables))
        who = wording.fighter(self.fighter)
        return f"skill for {who} out of {tables}, {wording.text(self.choose)} chosen"


class PromotionDice(Record):
    """The number of promotion dice for a troop."""

    fighter: FighterId
    dice: int


@command(
    "RollPromotions",
    part="promotion of troops",
    instead=("PromoteFighter", "promote in a post-battle file"),
    game="warbands",
)
class RollPromotions(Command):
    """A warband rolls its promotion dice, troop by troop. `deeds` is the number of Glorious Deeds of the
    battle, `deeds_by` the troops who did one.
    """

    gang: GangId
    dice: tuple[PromotionDice, ...]
    deeds: int = 0
    deeds_by: tuple[FighterId, ...] = ()

    def in_words(self, wording: Wording) -> str:
        shares = ", ".join(f"{wording.fighter(dice.fighter)} {dice.dice}" for dice in self.dice)
        return f"promotion dice of {wording.gang(self.gang)}: {shares or 'none'}"


# --- events ----------------------------------------------------------------------------------------------


@event("PromotionDieSpent")
class PromotionDieSpent(Event):
    """A promotion die of a troop. `failures` counts those in a row after it; `automatic`: nothing was rolled.
    `earns_again`: it gave an ELITE model back the XP that an injury had stopped.
    """

    gang: GangId
    fighter: FighterId
    succeeded: bool
    automatic: bool
    failures: int
    section: str
    earns_again: bool = False

    def in_words(self, wording: Wording) -> str:
        who = wording.fighter(self.fighter)
        if self.earns_again:
            return f"{who} earns XP again{': the die after 5 failed ones' if self.automatic else ''}"
        if self.succeeded:
            return f"{who} is promoted{': the die after 5 failed ones' if self.automatic else ''}"
        failed = wording.counted(self.failures, "failed die", "failed dice")
        return f"{who} is not promoted: {failed} in a row"

    def apply(self, state: CampaignState) -> CampaignState:
        state = state.with_gang(replace(state.gangs[self.gang], promotion_failures=self.failures))
        return on_fighter(state, self.fighter, earns_again=True) if self.earns_again else state


# --- refusals --------------------------------------------------------------------------------------------


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

    lacks = "patron_skill"
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


class NoBattleMissed(BadInput):
    """A latecomer missed between 1 and 50 battles, not {missed}."""

    missed: int

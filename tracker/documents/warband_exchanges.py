"""What reports and post-battle files can tell of warbands: Blessing Markers, morale, and all between battles.

Knows how each is written. Knows no rule: what may be is for `decide` to say.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import Credits, Written
from tracker.documents.checking import Strict, fault
from tracker.documents.text import Name, Note, Slug
from tracker.documents.trench_crusade_exchanges import DiceReasons, MarkerCount

Deeds = Annotated[int, Written(lowest=0, highest=50)]
DiceShare = Annotated[int, Written(lowest=1, highest=50)]
Turn = Annotated[int, Written(lowest=1, highest=20)]
Game = Annotated[int, Written(lowest=1, highest=99)]
Missed = Annotated[int, Written(lowest=1, highest=50)]
Score = Annotated[int, Written(lowest=1, highest=120)]
MoreDice = Annotated[int, Written(lowest=0, highest=10)]
DieNumber = Annotated[int, Written(lowest=1, highest=20)]
GloryBy = Annotated[
    int, Written(lowest=-100, highest=100, pattern="([-+]?[0-9]{1,3})", example="such as 2 or -1")
]


# --- in a battle -----------------------------------------------------------------------------------------


class Blessing(Strict):
    """Blessing Markers that a model gains, six at most."""

    fighter: Slug
    """The model."""
    count: MarkerCount = 1
    """How many."""
    why: Note
    """What for."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.GainBlessingMarkers(fighter=self.fighter, count=self.count, why=self.why)


class BlessingSpent(Strict):
    """Blessing Markers that the owner spends on an ACTION of the model, which the table rolls."""

    fighter: Slug
    """The model."""
    count: MarkerCount = 1
    """How many: +1 DICE each."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.SpendBlessingMarkers(fighter=self.fighter, count=self.count)


class Morale(Strict):
    """The success roll of a warband with half its models Down or Out of Action. What is rolled: morale."""

    gang: Slug
    """The warband."""
    turn: Turn
    """The turn that ends."""
    plus_dice: DiceReasons = Field(default=[])
    """Reasons for +1 DICE each, or how many."""
    minus_dice: DiceReasons = Field(default=[])
    """Reasons for -1 DICE each, or how many."""
    held: bool | None = None
    """What the notes say of it, when nobody kept the dice."""
    shaken_instead: bool = False
    """true where the players let who fails be Shaken for a turn first."""

    @model_validator(mode="after")
    def _rolled_or_told(self) -> Self:
        if self.held is not None and {"plus_dice", "minus_dice"} & self.model_fields_set:
            raise fault("`held` says what came of it: take plus_dice and minus_dice out.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.CheckMorale(
            gang=self.gang,
            turn=self.turn,
            plus_dice=tuple(self.plus_dice),
            minus_dice=tuple(self.minus_dice),
            held=self.held,
            shaken_instead=self.shaken_instead,
        )


# --- after a battle --------------------------------------------------------------------------------------


class BattleExperience(Strict):
    """XP of the battle for the ELITE models of a warband: one for being there, one for a Glorious Deed."""

    gang: Slug
    """The warband."""
    deeds: list[Slug] = Field(default=[], max_length=20)
    """The ELITE models that did at least one Glorious Deed."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.AwardBattleExperience(gang=self.gang, deeds=tuple(self.deeds))


class Latecomer(Strict):
    """XP for an ELITE model of a warband that joined late."""

    fighter: Slug
    """The model."""
    missed: Missed
    """How many battles were missed."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.AwardLatecomer(fighter=self.fighter, missed=self.missed)


class Learning(Strict):
    """A skill for a model that reached a threshold of XP. What is rolled: skill_roll, once in each table."""

    fighter: Slug
    """Who learns."""
    tables: Annotated[list[Name], Field(min_length=2, max_length=2)]
    """The two tables rolled in, such as [melee, stealth]."""
    choose: Name
    """The one whose skill is kept."""
    patron_skill: Name | None = None
    """The skill of the Patron, where a 2 or a 12 is kept."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        first, second = self.tables
        return records.LearnSkill(
            fighter=self.fighter, tables=(first, second), choose=self.choose, patron_skill=self.patron_skill
        )


class Promotions(Strict):
    """The promotion dice of a warband. What is rolled: promotion, troop by troop in this order."""

    gang: Slug
    """The warband."""
    troops: dict[Slug, DiceShare] = Field(min_length=1, max_length=50)
    """How many dice each troop has, such as {odo: 2}."""
    deeds: Deeds | None = None
    """All Glorious Deeds of the battle, by anybody; left out, one for each of `deeds_by`."""
    deeds_by: list[Slug] = Field(default=[], max_length=50)
    """The troops who did one."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RollPromotions(
            gang=self.gang,
            dice=tuple(
                records.PromotionDice(fighter=name, dice=count) for name, count in self.troops.items()
            ),
            deeds=len(set(self.deeds_by)) if self.deeds is None else self.deeds,
            deeds_by=tuple(self.deeds_by),
        )


class ThresholdWritten(Strict):
    """The Threshold and Field Strength of the next game."""

    gang: Slug
    """The warband."""
    game: Game | None = None
    """Which game of the campaign comes, where that is not one more than the warband has fought."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RaiseThreshold(gang=self.gang, game=self.game)


class Reinforcing(Strict):
    """A warband gives up its ducats and its stash and buys up to its Threshold; what is left vanishes."""

    gang: Slug
    """The warband."""
    worth: Credits | None = None
    """What its models count for, where the cards do not tell."""
    less: Credits = 0
    """What its list takes off the Threshold."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.CallReinforcements(gang=self.gang, worth=self.worth, less=self.less)


class LocationWritten(Strict):
    """A location of the players' own table."""

    name: Name
    """What it is called."""
    score: Score
    """The score that the table prints for it."""
    kind: Literal["common", "rare", "legendary"] | None = None
    """Which table it stands in."""


class Exploring(Strict):
    """Looting and exploration. What is rolled: exploration, and exploration_reroll for each of `rerolls`."""

    gang: Slug
    """The warband."""
    rerolls: list[DieNumber] = Field(default=[], max_length=20)
    """Which dice are rolled again, counted from 1."""
    more_dice: MoreDice = 0
    """Dice that skills or things add."""
    more_rerolls: MoreDice = 0
    """Re-rolls that skills or things add."""
    location: LocationWritten | None = None
    """The location that is found on exactly this score."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        found = self.location
        return records.Explore(
            gang=self.gang,
            rerolls=tuple(self.rerolls),
            more_dice=self.more_dice,
            more_rerolls=self.more_rerolls,
            location=found.name if found is not None else None,
            location_score=found.score if found is not None else None,
            location_kind=found.kind if found is not None else None,
        )


class GloryWritten(Strict):
    """Glory gained, or spent."""

    gang: Slug
    """The warband."""
    by: GloryBy
    """How much: 2, or -1 where it is spent."""
    why: Note
    """What for."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.ChangeGlory(gang=self.gang, by=self.by, why=self.why)


class RansomWritten(Strict):
    """A ransom settled later than with the Trauma roll."""

    fighter: Slug
    """The captive."""
    ducats: Credits | None = None
    """What is paid."""
    unpaid: bool = False
    """true where nobody will pay."""
    to: Slug | None = None
    """The warband that is paid, where it is not the one that took the model out."""

    @model_validator(mode="after")
    def _paid_or_not(self) -> Self:
        if (self.ducats is None) != self.unpaid:
            raise fault("write either `ducats` or `unpaid: true`.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.SettleRansom(fighter=self.fighter, ducats=self.ducats, to=self.to)


class ShellShock(Strict):
    """The die of a Shell Shocked model before the next battle. What is rolled: shell_shock."""

    fighter: Slug
    """The model."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RollShellShock(fighter=self.fighter)

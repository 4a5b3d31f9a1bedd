"""Commands of warbands between battles: XP, skills, promotion, reinforcements, exploration, ransoms."""

from __future__ import annotations

from typing import TypeAlias

from tracker.records import Record


class AwardBattleExperience(Record):
    """The ELITE models of a warband get XP for the battle; `deeds` are those who did a Glorious Deed."""

    gang: str
    deeds: tuple[str, ...] = ()


class LearnSkill(Record):
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


class RollPromotions(Record):
    """A warband rolls its promotion dice, troop by troop. `deeds` are all Glorious Deeds of the battle,
    `deeds_by` the troops who did one."""

    gang: str
    dice: tuple[PromotionDice, ...]
    deeds: int = 0
    deeds_by: tuple[str, ...] = ()


class RaiseThreshold(Record):
    """What the warband may have in its next game. `game` None: the one after those it fought."""

    gang: str
    game: int | None = None


class CallReinforcements(Record):
    """A warband gives up ducats and stash to buy anew up to its Threshold.

    `worth` is what its models count for, where the cards do not tell; `less` what its list takes off.
    """

    gang: str
    worth: int | None = None
    less: int = 0


class Explore(Record):
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


class ChangeGlory(Record):
    """A warband gains Glory, or spends some (`by` below zero)."""

    gang: str
    by: int
    why: str


class SettleRansom(Record):
    """The players agree on a captive: `ducats` are paid to `to`, or nobody pays (None)."""

    fighter: str
    ducats: int | None
    to: str | None = None


class RollShellShock(Record):
    """Before a battle: whether a Shell Shocked model bears it."""

    fighter: str


class AwardLatecomer(Record):
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

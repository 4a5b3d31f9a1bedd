"""Commands of warbands between battles: XP, skills, promotion, reinforcements, exploration, ransoms."""

from __future__ import annotations

from typing import TypeAlias

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardBattleExperience:
    """The ELITE models of a warband get XP for the battle; `deeds` are those who did a Glorious Deed."""

    gang: str
    deeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSkill:
    """A model at a threshold rolls in two tables and keeps the skill of `choose`.

    `patron_skill` is what a 2 or 12 there brings, by the Patron's own list.
    """

    fighter: str
    tables: tuple[str, str]
    choose: str
    patron_skill: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionDice:
    """So many promotion dice for a troop."""

    fighter: str
    dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RollPromotions:
    """A warband rolls its promotion dice, troop by troop. `deeds` are all Glorious Deeds of the battle,
    `deeds_by` the troops who did one."""

    gang: str
    dice: tuple[PromotionDice, ...]
    deeds: int = 0
    deeds_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseThreshold:
    """What the warband may have in its next game. `game` None: the one after those it fought."""

    gang: str
    game: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReinforcements:
    """A warband gives up ducats and stash to buy anew up to its Threshold.

    `worth` is what its models count for, where the cards do not tell; `less` what its list takes off.
    """

    gang: str
    worth: int | None = None
    less: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Explore:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeGlory:
    """A warband gains Glory, or spends some (`by` below zero)."""

    gang: str
    by: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleRansom:
    """The players agree on a captive: `ducats` are paid to `to`, or nobody pays (None)."""

    fighter: str
    ducats: int | None
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollShellShock:
    """Before a battle: whether a Shell Shocked model bears it."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardLatecomer:
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

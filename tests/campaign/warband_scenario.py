"""Given, when, then for warbands between battles: Anselm and Odo of the Pilgrims, Vex and Rat of the Heretics."""

from collections.abc import Iterable
from typing import Any

from scenario import Table
from trench_scenario import ANSELM, CLOSING, HERETICS, ODO, PILGRIMS, RAT, VEX, given, model

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.rules import loader

BOOK = "trench_crusade"
WON, LOST = records.CloseBattle(winner=PILGRIMS), records.CloseBattle(winner=HERETICS)
XP = records.AwardBattleExperience(gang=PILGRIMS)
THRESHOLD = records.RaiseThreshold(gang=PILGRIMS)

__all__ = [
    "ANSELM",
    "CLOSING",
    "HERETICS",
    "LOST",
    "ODO",
    "PILGRIMS",
    "RAT",
    "THRESHOLD",
    "VEX",
    "WON",
    "XP",
    "given",
    "model",
]


def die(purpose: str, *faces: Any) -> tuple[Die, ...]:
    """Dice of one purpose, each as people write it."""
    return tuple(read_die(purpose, loader.book(BOOK).purposes[purpose].die, face) for face in faces)


def after(close: records.CloseBattle = CLOSING, **more: Any) -> Table:
    """The first battle is over, and nobody is the worse for it."""
    return given(**more).when(close)


def with_xp(table: Table, fighter: str, amount: int) -> Table:
    """The model has so many XP more."""
    return table.when(records.AwardExperience(fighter=fighter, amount=amount, reason="test"))


def with_ducats(table: Table, amount: int, gang: str = PILGRIMS) -> Table:
    """The warband has so many ducats more."""
    return table.when(records.MoveCredits(source="@campaign", target=gang, amount=amount, reason="test"))


def with_models(table: Table, names: Iterable[str], **card: Any) -> Table:
    """The Pilgrims have these models more."""
    for name in names:
        table = table.when(records.EnlistFighter(gang=PILGRIMS, card=model(name, **card)))
    return table


def learn(fighter: str = ANSELM, *, choose: str = "melee", **more: Any) -> records.LearnSkill:
    """A skill out of Melee or Ranged."""
    return records.LearnSkill(fighter=fighter, tables=("melee", "ranged"), choose=choose, **more)


def promotions(dice: dict[str, int], gang: str = PILGRIMS, **more: Any) -> records.RollPromotions:
    """So many dice for each troop."""
    shares = tuple(records.PromotionDice(fighter=name, dice=count) for name, count in dice.items())
    return records.RollPromotions(gang=gang, dice=shares, **more)


def explore(gang: str = PILGRIMS, **more: Any) -> records.Explore:
    """Looting and exploration."""
    return records.Explore(gang=gang, **more)

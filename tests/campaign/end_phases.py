"""Fighters down, out and fleeing, for the tests of the End phase."""

from typing import Any

from scenario import MAGS, SKULLS, VEX, Table, given, seriously_injured

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.rules import loader

INJURY_DIE = loader.book("necromunda_2023").injury_dice["two_three_one"]


SYMBOLS = {"flesh": "flesh_wound", "serious": "serious_injury", "ooa": "out_of_action"}


def d6(purpose: str, face: int) -> Die:
    return read_die(purpose, "D6", face)


def recovery(*shown: str) -> tuple[Die, ...]:
    return tuple(
        read_die("recovery", "injury", SYMBOLS.get(face, face), special=INJURY_DIE) for face in shown
    )


def out(reason: Any, *, dice: int, rolls: int = 1) -> records.FighterWentOutOfAction:
    return records.FighterWentOutOfAction(
        fighter=VEX, by=None, reason=reason, out_of_action_dice=dice, lasting_injury_rolls=rolls
    )


def down(*cards: Any, **more: Any) -> Table:
    return given(*cards, **more).when(seriously_injured(VEX, by=MAGS))


def flee(faces: str) -> Die:
    return read_die("flee", "2D6", faces)


def bottled(*cards: Any, knobs: dict[str, str] | None = None) -> Table:
    table = given(*cards, knobs=knobs).when(seriously_injured(VEX, by=MAGS))
    return table.when(records.CheckBottle(gang=SKULLS), d6("bottle", 6))


def fleeing(*fighters: str, **near: tuple[str, ...]) -> records.TakeFleeingTests:
    return records.TakeFleeingTests(gang=SKULLS, fighters=fighters, near=near)

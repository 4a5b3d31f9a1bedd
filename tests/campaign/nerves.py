"""Nerve tests and the Broken, for the tests of both."""

from typing import Any

from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, card, given, seriously_injured

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.records import replace


def cool(purpose: str, faces: str) -> Die:
    return read_die(purpose, "2D6", faces)


def nerve(fighter: str = KRUG, because_of: str | None = VEX, near: int | None = 0, **more: Any):
    return records.TakeNerveTest(fighter=fighter, because_of=because_of, friends_near_count=near, **more)


def vex_down(*cards: Any, **more: Any) -> Table:
    """Vex is Seriously Injured by Mags; Krug, with Cool 7, saw it."""
    return given(*cards, **more).when(seriously_injured(VEX, by=MAGS))


def gang_of(*cards: Any, fallen: records.StateOutcome | None = None, dice: tuple[Die, ...] = ()) -> Table:
    """The Skulls grown by more fighters, in their first battle, one of them fallen."""
    table = given(battle=False)
    for fighter in cards:
        table = table.when(records.EnlistFighter(gang=SKULLS, card=fighter))
    crews = {SKULLS: (KRUG, VEX, *(fighter.fighter for fighter in cards)), SAINTS: (MAGS, DOT)}
    table = table.when(records.OpenBattle(battle="b1", scenario="Ambush", date="2026-01-01", crews=crews))
    return table.when(fallen, *dice) if fallen else table


def friend(fighter: str, rank: str = "ganger", **numbers: Any):
    """One more of the Skulls."""
    return replace(card(VEX, **numbers), fighter=fighter, name=fighter.capitalize(), category=rank)


def broken(**knobs: str) -> Table:
    patch = {name.replace("__", "."): value for name, value in knobs.items()}
    return vex_down(knobs=patch).when(nerve(), cool("nerve", "1+2"))

"""Given, when, then for what comes after a battle: Vex and Krug of the Skulls, Mags and Dot of the Saints."""

from collections.abc import Iterable
from typing import Any

from rides import RIG, SLED, damage, handling, location, ram, riding, vehicle
from scenario import BOOK, DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, given, lasting, out_of_action, wound

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.dice import Die, read_die
from tracker.rules import loader

CAPTURED, CRITICAL = lasting(5, 5), lasting(6, 1)
LOST, DRAWN = records.CloseBattle(winner=SAINTS), records.CloseBattle(drawn=True)
WON = records.CloseBattle(winner=SKULLS)


def die(purpose: str, *faces: Any, book: str = BOOK) -> tuple[Die, ...]:
    """Dice of one purpose, each as people write it."""
    known = loader.book(book).purposes[purpose]
    return tuple(read_die(purpose, known.die, face, special=known.special) for face in faces)


def fallen(
    *hurt: tuple[str, Die], close: records.CloseBattle = LOST, table: Table | None = None, **more: Any
) -> Table:
    """A battle over in which these fighters went Out of Action with these Lasting Injury rolls."""
    table = table or given(**more)
    for fighter, injury in hurt:
        by = KRUG if fighter in (MAGS, DOT) else MAGS
        table = table.when(out_of_action(fighter, by=by), injury)
    return table.when(close)


def captive(**more: Any) -> Table:
    """Vex is a captive of the Saints."""
    return fallen((VEX, CAPTURED), **more).when(records.RollEscape(fighter=VEX), die("escape", 5))


def sides(table: Table, skulls: str = "outlaw", saints: str = "law_abiding") -> Table:
    """Both gangs say on which side of the law they stand."""
    for gang, side in ((SKULLS, skulls), (SAINTS, saints)):
        table = table.when(records.StateAlignment(gang=gang, alignment=side, why="test"))  # type: ignore[arg-type]
    return table


def with_credits(table: Table, more: int, gang: str = SKULLS) -> Table:
    """The gang has so many credits more."""
    return table.when(records.MoveCredits(source="@campaign", target=gang, amount=more, reason="test"))


def escort(patient: str = VEX, by: str = KRUG, **more: Any) -> records.MedicalEscort:
    """Krug takes Vex to the Doc."""
    return records.MedicalEscort(patient=patient, by=by, **more)


def after(table: Table, gang: str = SKULLS) -> AfterBattle:
    """The gang's sequence."""
    return table.state.after_battle[gang]


def names(events: Iterable[object]) -> list[str]:
    """What kinds of events there were."""
    return [type(event).__name__ for event in events]


def wreck(lasting_damage: int = 6, *, book: str = BOOK) -> Table:
    """The rig is wrecked by Mags, Vex its driver is Out Cold, the battle is lost."""
    table = riding(vehicle(RIG, hit_points=1), vehicle(SLED), book=book)
    struck: tuple[Die | tuple[Die, ...], ...] = (
        wound(6),
        location("engine"),
        damage("penetrating"),
        handling(6, 6),
        die("crew_injury", "1-2", book=book),
        die("lasting_damage", lasting_damage, book=book),
    )
    return fallen(table=table.when(ram(by=MAGS), *struck))

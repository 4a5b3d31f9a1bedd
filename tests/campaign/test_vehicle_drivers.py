"""Hurt drivers in the End phase: wounded, blacked out, awake again. Source: D7.3."""

from __future__ import annotations

from rides import (
    OUT_COLD,
    RIG,
    control,
    damage,
    handling,
    lasting_damage,
    location,
    lurch,
    now,
    ram,
    restart,
    riding,
)
from scenario import VEX, Table, wound
from tables import every

from tracker.campaign import records
from tracker.dice import Die, read_die


def driver(face: int) -> Die:
    return read_die("driver", "D6", face)


def wounded(times: int = 1) -> Table:
    table = riding()
    for _ in range(times):
        table = table.when(ram(), wound(6), location("crew"), damage("penetrating"))
    return table


@every("face", range(1, 7))
def test_a_wounded_driver_blacks_out_on_1_and_is_rid_of_a_flesh_wound_from_4_on(face: int) -> None:
    dice = (driver(face), control("jackknife", 5)) if face == 1 else (driver(face),)
    table = wounded(2).when(records.CheckDriver(vehicle=RIG), *dice)
    if face == 1:
        table.then(
            records.DriverBlackedOut(vehicle=RIG),
            records.VehicleLostControl(vehicle=RIG, result="jackknife", direction="right", mobile=True),
            records.VehicleStalled(vehicle=RIG),
        )
    elif face >= 4:
        table.then(records.DriverRecovered(vehicle=RIG, flesh_wounds=1))
    else:
        table.then()
    condition = now(table)
    assert condition.driver_flesh_wounds == (1 if face >= 4 else 2)
    assert (condition.driver_blacked_out, condition.stalled) == (face == 1, face == 1)


def test_a_driver_who_blacks_out_may_roll_the_vehicle_over() -> None:
    table = wounded().when(
        records.CheckDriver(vehicle=RIG), driver(1), control("roll"), OUT_COLD, lasting_damage(4)
    )
    wrecked = next(event for event in table.outcome if isinstance(event, records.VehicleWrecked))
    assert (wrecked.by, wrecked.causes, wrecked.mobile) == (None, ("roll",), True)
    assert table.combatant(VEX).out_of_action


@every("face", range(1, 7))
def test_an_unconscious_driver_wakes_from_4_on_with_a_flesh_wound(face: int) -> None:
    out = riding().when(ram(), wound(6), location("crew"), damage("catastrophic"), control("swerve"))
    table = out.when(records.CheckDriver(vehicle=RIG), driver(face))
    if face >= 4:
        table.then(records.DriverWokeUp(vehicle=RIG), records.DriverWounded(vehicle=RIG, flesh_wounds=1))
        table.when(records.RestartVehicle(vehicle=RIG), restart(4, 4)).then(
            records.VehicleRestarted(vehicle=RIG)
        )
    else:
        table.then()
    assert now(table).driver_blacked_out == (face < 4)
    assert now(table).stalled


def test_a_driver_who_is_unhurt_rolls_nothing() -> None:
    riding().when(records.CheckDriver(vehicle=RIG)).then_refused(records.DriverUnhurt, vehicle="Rig")
    healed = wounded().when(records.CheckDriver(vehicle=RIG), driver(6))
    healed.when(records.CheckDriver(vehicle=RIG)).then_refused(records.DriverUnhurt)
    healed.when(lurch(), handling(3, 4))
    assert now(healed).driver_flesh_wounds == 0

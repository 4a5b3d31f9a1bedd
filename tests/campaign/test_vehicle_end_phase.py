"""Vehicles before, between and after the shooting: who starts, Restart tests, a Roll that goes on."""

from __future__ import annotations

from rides import (
    HOLDS,
    OUT_COLD,
    RIG,
    SKIDS,
    SLED,
    control,
    damage,
    lasting_damage,
    location,
    lurch,
    now,
    on_card,
    ram,
    restart,
    riding,
)
from scenario import CLOSING, KRUG, SAINTS, SKULLS, VEX, Table, opening, seriously_injured, wound
from tables import every

from tracker.campaign import records
from tracker.campaign.rulings.redecision import redecide
from tracker.campaign.state import CampaignState
from tracker.dice import DiceNeeded, Die, read_die
from tracker.records import replace
from tracker.rules import loader

BOOKS = ["necromunda_2023", "necromunda_archive"]


def starts(*faces: int) -> tuple[Die, ...]:
    return tuple(read_die("unreliable", "D6", face) for face in faces)


def unreliable(times: int, *, book: str = BOOKS[0]) -> Table:
    """The rig became Unreliable in so many battles; no battle is under way."""
    table = riding(book=book)
    for nth in range(1, times + 1):
        table = table.when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(3)).when(CLOSING)
        if nth < times:
            table = table.when(opening(nth + 1), starts(*([6] * nth)))
    return table


# --- who starts ------------------------------------------------------------------------------------------


@every("book", BOOKS)
@every("face", range(1, 7))
def test_an_unreliable_vehicle_starts_on_2_or_more_and_else_takes_no_part(book: str, face: int) -> None:
    table = unreliable(1, book=book).when(opening(2), starts(face))
    assert table.state.under_way is not None
    assert (RIG in table.state.under_way.vehicles) == (face >= 2)
    assert SLED in table.state.under_way.vehicles
    assert (records.VehicleDidNotStart(vehicle=RIG) in table.outcome) == (face < 2)
    assert (table.rolls[0].target, table.rolls[0].rolled_by) == (2, SKULLS)
    if face < 2:
        table.when(ram()).then_refused(records.VehicleNotInBattle, vehicle="Rig")


@every(("faces", "comes"), [((2, 2), True), ((2, 1), False), ((1,), False)])
def test_an_unreliable_vehicle_rolls_for_each_time_it_became_so_until_a_die_fails(
    faces: tuple[int, ...], comes: bool
) -> None:
    table = unreliable(2)
    assert on_card(table).unreliable == 2
    opened = table.when(opening(3), starts(*faces))
    assert opened.state.under_way is not None
    assert (RIG in opened.state.under_way.vehicles) == comes


def test_the_dice_of_unreliable_vehicles_are_asked_for_by_name_and_once_in_a_battle() -> None:
    unreliable(1).when(opening(2)).then_refused(DiceNeeded, purpose="unreliable", fighter=RIG)
    assert on_card(unreliable(1).when(opening(2), starts(1)).when(CLOSING)).unreliable == 1


def test_which_vehicles_had_to_be_started_is_settled_in_the_header_and_decided_again_alike() -> None:
    table = unreliable(1).when(opening(2), starts(1))
    header = table.events[0]
    assert (header.command.vehicles, header.command.unreliable) == ((SLED, RIG), (RIG,))  # type: ignore[union-attr]
    again = redecide(CampaignState(), table.slots(), {}, loader.rulebook)
    assert [redecided.result for redecided in again.slots] == ["unchanged"] * len(again.slots)
    assert again.state == table.state


def test_an_opening_from_before_such_dice_were_rolled_asks_for_none() -> None:
    old = replace(opening(2), vehicles=(RIG, SLED))
    table = unreliable(1).when(old)
    assert table.rolls == ()
    assert table.state.under_way is not None
    assert tuple(table.state.under_way.vehicles) == (RIG, SLED)


# --- Restart tests ---------------------------------------------------------------------------------------

STUTTER = (wound(6), location("engine"), damage("glancing"))


@every("book", BOOKS)
def test_a_stalled_vehicle_restarts_on_its_handling_with_1_more(book: str) -> None:
    """Handling 7+, +1 with more than one point left: 6 is enough."""
    stalled = riding(book=book).when(ram(), *STUTTER)
    passed = stalled.when(records.RestartVehicle(vehicle=RIG), restart(3, 3))
    assert (passed.rolls[0].target, passed.rolls[0].passed) == (7, True)
    assert [(modifier.why, modifier.by) for modifier in passed.rolls[0].modifiers] == [("Restart test", 1)]
    passed.then(records.VehicleRestarted(vehicle=RIG))
    assert (now(passed).mobile, now(passed).stalled) == (True, False)
    failed = stalled.when(records.RestartVehicle(vehicle=RIG), restart(2, 3)).then()
    assert now(failed).stalled


def test_with_one_hit_point_left_the_restart_test_has_no_bonus() -> None:
    broken = (wound(6), location("body"), damage("penetrating"), HOLDS)
    table = riding().when(ram(), *broken).when(ram(), *broken).when(ram(), *STUTTER)
    assert now(table).hit_points_left == 1
    tested = table.when(records.RestartVehicle(vehicle=RIG), restart(3, 3)).then()
    assert tested.rolls[0].modifiers == ()


def test_a_modifier_of_every_handling_test_modifies_a_restart_test_too() -> None:
    """A wounded driver handles at 8+; a Blow Out is -1."""
    table = riding().when(ram(), wound(6), location("crew"), damage("penetrating"))
    table = table.when(ram(), wound(6), location("drive"), damage("penetrating"), HOLDS).when(ram(), *STUTTER)
    tested = table.when(records.RestartVehicle(vehicle=RIG), restart(4, 4))
    assert (tested.rolls[0].target, tested.rolls[0].passed) == (8, True)
    assert [(modifier.why, modifier.by) for modifier in tested.rolls[0].modifiers] == [
        ("Restart test", 1),
        ("damage in this battle", -1),
    ]


@every(("book", "moved"), [(BOOKS[0], []), (BOOKS[1], [("Smoke markers", -3)])])
def test_smoke_markers_hinder_a_restart_in_the_archived_book(book: str, moved: list[tuple[str, int]]) -> None:
    table = riding(book=book).when(ram(), *STUTTER)
    tested = table.when(records.RestartVehicle(vehicle=RIG, smoke_markers=3), restart(4, 4))
    assert [(modifier.why, modifier.by) for modifier in tested.rolls[0].modifiers] == [
        ("Restart test", 1),
        *moved,
    ]
    assert tested.rolls[0].passed == (not moved)  # 8 and 1 are 9, less 3 are 6 against 7


def test_a_running_wrecked_or_driverless_vehicle_takes_no_restart_test() -> None:
    riding().when(records.RestartVehicle(vehicle=RIG)).then_refused(records.NeedsNoRestart, vehicle="Rig")
    out = riding().when(ram(), wound(6), location("crew"), damage("catastrophic"), control("swerve"))
    out.when(records.RestartVehicle(vehicle=RIG)).then_refused(records.DriverUnconscious, vehicle="Rig")
    gone = riding().when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(4))
    gone.when(records.RestartVehicle(vehicle=RIG)).then_refused(records.VehicleWreckedAlready)


# --- a Roll that goes on ---------------------------------------------------------------------------------


@every("book", BOOKS)
@every("rolls", [1, 2, 3])
def test_a_vehicle_that_rolled_over_while_mobile_goes_on_d3_rolls_of_2_inches(book: str, rolls: int) -> None:
    wreck = riding(book=book).when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(4))
    dice = (
        read_die("rolling_scatter", "scatter", "hit", special=special_scatter(book)),
        read_die("rolling_distance", "D3", rolls),
    )
    moved = wreck.when(records.MoveRollingVehicle(vehicle=RIG), *dice)
    moved.then(records.VehicleRolledOn(vehicle=RIG, rolls=rolls, inches_each=2))
    assert [roll.outcome for roll in moved.rolls] == ["along the small arrow", f'{rolls} rolls of 2" each']
    moved.when(records.MoveRollingVehicle(vehicle=RIG)).then_refused(records.DoesNotRoll)


def special_scatter(book: str):  # type: ignore[no-untyped-def]
    return loader.rulebook(book, []).special_die("scatter")


def test_a_vehicle_that_stood_still_or_was_wrecked_otherwise_rolls_over_in_place() -> None:
    still = riding().when(lurch(mobile=False), SKIDS, control("roll"), OUT_COLD, lasting_damage(4))
    still.when(records.MoveRollingVehicle(vehicle=RIG)).then_refused(records.DoesNotRoll, vehicle="Rig")
    riding().when(records.MoveRollingVehicle(vehicle=RIG)).then_refused(records.DoesNotRoll)
    shot = riding()
    for _ in range(2):
        shot = shot.when(ram(), wound(6), location("body"), damage("penetrating"), HOLDS)
    shot = shot.when(
        ram(), wound(6), location("body"), damage("penetrating"), HOLDS, OUT_COLD, lasting_damage(4)
    )
    shot.when(records.MoveRollingVehicle(vehicle=RIG)).then_refused(records.DoesNotRoll)


# --- fleeing ---------------------------------------------------------------------------------------------


def test_a_crew_that_leaves_of_its_own_will_leaves_a_wreck_without_lasting_damage() -> None:
    table = riding().when(seriously_injured(KRUG)).when(records.CheckBottle(gang=SKULLS, voluntary=True))
    fled = table.when(records.FleeBattlefield(gang=SKULLS, fighters=(VEX,)))
    fled.then(
        records.FighterFled(fighter=VEX, voluntary=True),
        records.VehicleWrecked(
            vehicle=RIG, by=None, causes=("abandoned",), mobile=False, lasting_damage_rolls=0
        ),
    )
    assert (now(fled).wrecked, on_card(fled).lasting_damage, fled.rolls) == (True, (), ())
    assert fled.state.under_way is not None
    assert SAINTS in fled.state.under_way.crews

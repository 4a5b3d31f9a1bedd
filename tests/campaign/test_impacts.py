"""Vehicles that move by dice and what they run into: Ram, Heavy Foot, collisions, T-Bone, terrain, running over.

The numbers are those of the books' pages on vehicle actions, vehicle impacts, terrain and driving skills.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from rides import (
    BOOKS,
    HOLDS,
    OUT_COLD,
    RIG,
    SKIDS,
    SLED,
    control,
    damage,
    handling,
    location,
    now,
    ram,
    restart,
    riding,
    vehicle,
)
from scenario import DOT, KRUG, MAGS, VEX, Table, card, older, seriously_injured, wound
from special_rules import chance, dice, exactly, odds_ends, purposes
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Armour

MISS = wound(1)
ROWS = [(1, 3, 0, 1), (2, 3, 0, 1), (3, 3, 0, 1), (5, 3, 0, 1), (6, 5, -1, 1), (7, 5, -1, 1), (8, 7, -2, 2),
        (9, 7, -2, 2), (10, 9, -3, 3), (12, 9, -3, 3)]  # fmt: skip
"""Movement, and the Strength, AP and Damage of its impact."""


@dataclass(frozen=True)
class Hit:
    """The numbers that a hit was resolved with, as its dice tell them."""

    strength: int
    toughness: int
    armour_penetration: int
    damage: int


def hits(table: Table) -> dict[str, Hit]:
    """The hits of the last command, each wounding and unsaved, on vehicles with a save of 2+."""
    return dict(_hits(table))


def _hits(table: Table) -> Iterator[tuple[str, Hit]]:
    for rolled in table.rolls:
        if rolled.purpose != "wound":
            continue
        on = rolled.fighter or ""
        said = re.match(r"Strength (\d+) against Toughness (\d+)", rolled.outcome)
        assert said is not None, rolled.outcome
        (saved,) = [roll for roll in table.rolls if roll.purpose == "save" and roll.fighter == on]
        assert saved.target is not None
        damages = [roll for roll in table.rolls if roll.purpose == "vehicle_damage" and roll.fighter == on]
        pierced = 2 - (saved.target or 0)
        yield on, Hit(int(said[1]), int(said[2]), pierced, len(damages))


def struck(damage_dice: int) -> tuple[Any, ...]:
    """Dice of a hit that wounds, is not saved and damages the body, where the vehicle holds."""
    return (
        wound(6),
        *dice(save=1),
        *location("body"),
        *damage(*["glancing"] * damage_dice),
        HOLDS,
    )


def plated(name: str = RIG, **changes: Any) -> records.VehicleCard:
    """A vehicle with the best armour, so that its save tells the AP."""
    return vehicle(name, save=2, **changes)


def collide(**said: Any) -> records.CollideVehicles:
    """The rig runs head-on into the sled's front; both are Mobile."""
    usual = {
        "vehicle": RIG, "mobile": True, "contact": "front", "into": SLED, "facing": "front", "into_mobile": True,
    }  # fmt: skip
    return records.CollideVehicles(**{**usual, **said})


def crash(**said: Any) -> records.CrashVehicle:
    """The rig runs head-on into a wall."""
    return records.CrashVehicle(
        **{"vehicle": RIG, "mobile": True, "contact": "front", "terrain": "solid", **said}
    )


def run_over(fighter: str = MAGS, **said: Any) -> records.RunOverFighter:
    return records.RunOverFighter(**{"vehicle": RIG, "mobile": True, "fighter": fighter, **said})


def drive(action: str = "ram", **said: Any) -> records.DriveVehicle:
    return records.DriveVehicle(**{"vehicle": RIG, "action": action, **said})


def driven(
    *skills: str, knobs: dict[str, str] | None = None, book: str = "necromunda_2023", **rig: Any
) -> Table:
    """The rig, driven by somebody with these skills."""
    return riding(vehicle(RIG, **rig), fighters=(card(VEX, skills=skills),), knobs=knobs, book=book)


def collided(table: Table) -> records.VehiclesCollided:
    (found,) = [event for event in table.outcome if isinstance(event, records.VehiclesCollided)]
    return found


def drove(table: Table) -> records.VehicleDrove:
    (found,) = [event for event in table.outcome if isinstance(event, records.VehicleDrove)]
    return found


# --- Ram -------------------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_a_ram_goes_a_d6_further_than_the_movement(face: int) -> None:
    event = drove(riding().when(drive(), *dice(ram=face)))
    assert (event.action, event.inches, event.movement) == ("ram", 7 + face, 7)


@every(("movement", "strength", "armour_penetration", "harm"), ROWS)
def test_whoever_rams_is_hit_by_half_of_the_movement_and_the_other_by_all_of_it(
    movement: int, strength: int, armour_penetration: int, harm: int
) -> None:
    half = -(-movement // 2)
    own = next(row for row in reversed(ROWS) if half >= row[0])
    table = riding(plated(movement=movement), plated(SLED)).when(
        collide(ram=True), *struck(harm), *struck(own[3])
    )
    assert hits(table) == {
        SLED: Hit(strength, 5, armour_penetration, harm),
        RIG: Hit(own[1], 5, own[2], own[3]),
    }


def test_a_ram_counts_the_whole_movement_of_whoever_rams_where_it_is_not_head_on() -> None:
    side = collide(ram=True, contact="side", facing="side")
    table = riding(plated(movement=8), plated(SLED)).when(side, HOLDS, *struck(2), *struck(2))
    assert hits(table)[RIG] == Hit(7, 4, -2, 2)


def test_a_ram_into_terrain_is_halved_too_and_ends_the_activation() -> None:
    table = riding(plated(movement=8)).when(crash(ram=True, terrain="flimsy"), *struck(1))
    assert hits(table) == {RIG: Hit(3, 5, 0, 1)}
    assert [event.why for event in table.outcome if isinstance(event, records.RuleNoted)] == [
        "the Ram ends its activation"
    ]


def test_a_vehicle_that_lost_power_rams_no_further_than_its_movement() -> None:
    capped = riding().when(ram(damage=1), wound(6), *location("engine"), *damage("penetrating"), HOLDS)
    assert now(capped).movement_capped
    assert drove(capped.when(drive(), *dice(ram=6))).inches == 7


def test_only_a_mobile_vehicle_rams_and_only_a_stalled_one_turns_over() -> None:
    stalled = riding().when(ram(damage=1), wound(6), *location("engine"), *damage("glancing"))
    stalled.when(drive()).then_refused(records.CannotDriveSo, vehicle="Rig", status="Stationary and Stalled")
    riding().when(drive("turn_over")).then_refused(records.CannotDriveSo, status="Mobile")
    riding().when(drive("free_wheel")).then_refused(records.CannotDriveSo, status="Mobile")


def test_a_move_without_a_die_is_no_entry() -> None:
    driven("Heavy Foot").when(drive("move")).then_refused(records.MovesByNoDie, vehicle="Rig")
    riding().when(drive("move")).then_refused(records.MovesNoFurther, vehicle="Rig")


# --- Heavy Foot ------------------------------------------------------------------------------------------


@every(("face", "inches"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_heavy_foot_adds_a_d3_to_the_movement(face: int, inches: int) -> None:
    table = driven("Heavy Foot").when(drive("move", heavy_foot=True), *dice(moves_further=face))
    assert (drove(table).inches, drove(table).movement) == (7 + inches, 7 + inches)
    both = driven("Heavy Foot").when(drive(heavy_foot=True), *dice(moves_further=face, ram=5))
    assert (drove(both).inches, drove(both).movement) == (12 + inches, 7 + inches)


@pytest.mark.parametrize("book", BOOKS)
def test_heavy_foot_on_a_natural_1_stalls_the_engine_before_the_vehicle_moves(book: str) -> None:
    table = driven("Heavy Foot", book=book).when(drive(heavy_foot=True), *dice(book, moves_further=1))
    assert [type(event) for event in table.outcome] == [
        records.SpecialRuleUsed,
        records.VehicleDamaged,
        records.VehicleStalled,
        records.RuleNoted,
    ]
    assert now(table).stalled
    assert now(table).raised_movement is None


def test_a_table_may_take_1_inch_of_heavy_foot_for_its_natural_1() -> None:
    knobs = {"heavy_foot.natural_1": "of_the_d3"}
    move = drive("move", heavy_foot=True)
    assert now(driven("Heavy Foot", knobs=knobs).when(move, *dice(moves_further=2))).stalled
    assert drove(driven("Heavy Foot", knobs=knobs).when(move, *dice(moves_further=3))).inches == 9


def test_heavy_foot_works_once_a_round() -> None:
    move = drive("move", heavy_foot=True)
    used = driven("Heavy Foot").when(move, *dice(moves_further=4))
    used.when(move).then_refused(records.MovesNoFurther, vehicle="Rig")
    again = used.when(records.EndRound()).when(move, *dice(moves_further=6))
    assert drove(again).inches == 10


def test_nobody_moves_further_without_heavy_foot_or_by_another_action() -> None:
    move = drive("move", heavy_foot=True)
    driven().when(move).then_refused(records.MovesNoFurther, vehicle="Rig")
    older(driven("Heavy Foot"), 2).when(move).then_refused(records.MovesNoFurther, vehicle="Rig")


@every(("face", "strength"), [(2, 5), (3, 7), (5, 7)])
def test_the_movement_that_heavy_foot_raised_is_what_an_impact_goes_by(face: int, strength: int) -> None:
    """Movement 6: 7, 8 and 9 of it are two rows."""
    moved = driven("Heavy Foot", movement=6).when(drive(heavy_foot=True), *dice(moves_further=face, ram=1))
    table = moved.when(crash(heavy_foot=True, terrain="flimsy"), MISS)
    assert table.rolls[0].outcome.startswith(f"Strength {strength} against")
    plain = moved.when(crash(terrain="flimsy"), MISS)
    assert plain.rolls[0].outcome.startswith("Strength 5 against")


def test_a_raised_movement_is_gone_with_the_round() -> None:
    moved = driven("Heavy Foot").when(drive("move", heavy_foot=True), *dice(moves_further=4))
    moved.when(records.EndRound()).when(crash(heavy_foot=True)).then_refused(
        records.MovementNotRaised, vehicle="Rig"
    )
    driven("Heavy Foot").when(crash(heavy_foot=True)).then_refused(records.MovementNotRaised)


# --- Turn-over and Free Wheel ----------------------------------------------------------------------------


def stalled() -> Table:
    return riding().when(ram(damage=1), wound(6), *location("engine"), *damage("glancing"))


@every("face", range(1, 4))
def test_a_turn_over_goes_a_d3(face: int) -> None:
    assert drove(stalled().when(drive("turn_over"), *dice(turn_over=face))).inches == face


def test_a_turn_over_adds_1_to_the_next_restart_test_alone() -> None:
    """Handling 7: 5, and 1 for the Hull Points left, is 6; with the Turn-over 7."""
    turned = stalled().when(drive("turn_over"), *dice(turn_over=2))
    assert not now(stalled().when(records.RestartVehicle(vehicle=RIG), restart(2, 3))).mobile
    assert now(turned.when(records.RestartVehicle(vehicle=RIG), restart(2, 3))).mobile
    failed = turned.when(records.RestartVehicle(vehicle=RIG), restart(2, 2))
    assert not now(failed.when(records.RestartVehicle(vehicle=RIG), restart(2, 3))).mobile


@every(("face", "backwards"), [(1, False), (3, False), (4, True), (6, True)])
def test_a_free_wheel_goes_a_d6_and_backwards_on_a_4_or_more(face: int, backwards: bool) -> None:
    table = stalled().when(drive("free_wheel"), *dice(free_wheel=5, free_wheel_way=face))
    assert (drove(table).inches, drove(table).backwards) == (5, backwards)


@every("movement", [1, 7, 12])
def test_a_stalled_vehicle_hits_with_a_movement_of_3(movement: int) -> None:
    table = riding(plated(movement=movement)).when(crash(mobile=False, terrain="flimsy"), *struck(1))
    assert hits(table) == {RIG: Hit(3, 5, 0, 1)}


# --- collisions ------------------------------------------------------------------------------------------


@every(("movement", "strength", "armour_penetration", "harm"), ROWS)
def test_both_vehicles_are_hit_by_the_movement_of_the_one_that_moved(
    movement: int, strength: int, armour_penetration: int, harm: int
) -> None:
    table = riding(plated(movement=movement), plated(SLED, movement=1)).when(
        collide(), *struck(harm), *struck(harm)
    )
    same = Hit(strength, 5, armour_penetration, harm)
    assert hits(table) == {SLED: same, RIG: same}
    assert collided(table).movement == movement


@every(
    ("facing", "own", "other", "comes"),
    [
        ("side", Hit(5, 5, -1, 1), Hit(6, 4, -2, 2), "pushes"),
        ("rear", Hit(5, 5, -1, 1), Hit(6, 3, -2, 2), "pushes"),
        ("front", Hit(5, 5, -1, 1), Hit(5, 5, -1, 1), "pushes"),
        ("in_doubt", Hit(5, 5, -1, 1), Hit(5, 5, -1, 1), "pushes"),
    ],
)
def test_the_weaker_side_is_hit_1_harder_and_pushed(facing: str, own: Hit, other: Hit, comes: str) -> None:
    table = riding(plated(), plated(SLED)).when(
        collide(facing=facing), *struck(other.damage), *struck(own.damage)
    )
    assert hits(table) == {SLED: other, RIG: own}
    assert collided(table).comes_of_it == comes


def test_a_weaker_vehicle_that_moves_stops_at_once_and_is_hit_1_harder() -> None:
    table = riding(plated(toughness_front=4), plated(SLED)).when(collide(), *struck(1), *struck(2))
    assert hits(table) == {SLED: Hit(5, 5, -1, 1), RIG: Hit(6, 4, -2, 2)}
    assert collided(table).comes_of_it == "stops"


def test_what_was_run_into_is_hit_first_and_no_skill_wards_an_impact_off() -> None:
    """Jink is for attacks."""
    table = driven("Jink").when(collide(), wound(1), wound(1))
    assert [(roll.purpose, roll.fighter) for roll in table.rolls] == [("wound", SLED), ("wound", RIG)]


@every(
    ("total", "tougher", "passed"), [(6, False, False), (7, False, True), (6, True, True), (5, True, False)]
)
def test_side_on_a_handling_test_says_who_makes_way(total: int, tougher: bool, passed: bool) -> None:
    """Handling 7; the rig's side of 4 meets a side of 4, or a rear of 3, which adds 1."""
    side = collide(contact="side", facing="rear" if tougher else "side")
    table = driven("Expert Driver").when(side, handling(total - 3, 3), MISS, MISS)
    assert collided(table).comes_of_it == ("moves_aside" if passed else "turns")
    assert purposes(table) == ["handling", "wound", "wound"]


def test_a_collision_by_the_rear_pushes_or_stops_as_one_by_the_front() -> None:
    table = riding(plated(), plated(SLED)).when(collide(contact="rear", ram=True), *struck(1), *struck(2))
    assert hits(table)[RIG] == Hit(6, 3, -2, 2)  # not halved: that is for head-on
    assert collided(table).comes_of_it == "stops"


def test_in_a_chain_of_collisions_the_movement_of_the_first_counts() -> None:
    table = riding(plated(movement=9), plated(SLED, movement=3)).when(
        crash(vehicle=SLED, mobile=False, pushed_by=RIG, contact="rear"), *struck(3)
    )
    assert hits(table) == {SLED: Hit(8, 3, -3, 3)}


def test_a_table_may_spare_vehicles_that_collide_slowly() -> None:
    table = riding(vehicle(RIG, movement=4), knobs={"impacts.slow": "no_hit"}).when(
        crash(ram=True, terrain="flimsy")
    )
    assert table.rolls == ()
    assert riding(vehicle(RIG, movement=4)).when(crash(ram=True, terrain="flimsy"), MISS).rolls


def test_a_vehicle_cannot_collide_with_itself_nor_with_a_wreck() -> None:
    riding().when(collide(into=RIG)).then_refused(records.CollidesWithItself, vehicle="Rig")
    riding().when(collide(pushed_by=SLED)).then_refused(records.CollidesWithItself, vehicle="Sled")
    wrecked = riding(vehicle(SLED, hit_points=1)).when(
        ram(SLED, damage=1), wound(6), *location("body"), *damage("penetrating"), HOLDS, OUT_COLD,
        *dice(lasting_damage=1),
    )  # fmt: skip
    wrecked.when(collide()).then_refused(records.VehicleWreckedAlready, vehicle="Sled")


def test_who_wrecks_an_enemy_vehicle_by_a_collision_gains_its_experience() -> None:
    wreck = (wound(6), *location("body"), *damage("penetrating"), HOLDS, OUT_COLD, *dice(lasting_damage=1))
    frail = vehicle(SLED, hit_points=1)
    table = riding(frail).when(collide(), *wreck, MISS)
    (gained,) = [event for event in table.outcome if isinstance(event, records.ExperienceGained)]
    assert (gained.fighter, gained.amount, gained.reason) == (VEX, 2, "Sled wrecked")
    without = riding(frail, knobs={"impacts.experience": "none"}).when(collide(), *wreck, MISS)
    assert not [event for event in without.outcome if isinstance(event, records.ExperienceGained)]


def test_nobody_gains_experience_for_the_wreck_of_whoever_moved() -> None:
    wreck = (wound(6), *location("body"), *damage("penetrating"), HOLDS, OUT_COLD, *dice(lasting_damage=1))
    table = riding(vehicle(RIG, hit_points=1)).when(collide(), MISS, *wreck)
    assert now(table).wrecked
    assert not [event for event in table.outcome if isinstance(event, records.ExperienceGained)]


# --- T-Bone ----------------------------------------------------------------------------------------------


@every(
    ("face", "other_front", "comes", "more"), [(1, 6, "pushes", 0), (1, 7, "stops", 1), (3, 7, "pushes", 0)]
)
def test_t_bone_adds_a_d3_to_the_front_toughness_head_on(
    face: int, other_front: int, comes: str, more: int
) -> None:
    table = riding(
        plated(), plated(SLED, toughness_front=other_front), fighters=(card(VEX, skills=("T-Bone",)),)
    )
    weaker = 5 + face > other_front
    other = Hit(5 + weaker, other_front, -1 - weaker, 1 + weaker)
    table = table.when(collide(), *dice(front_toughness=face), *struck(other.damage), *struck(1 + more))
    assert hits(table) == {SLED: other, RIG: Hit(5 + more, 5 + face, -1 - more, 1 + more)}
    assert collided(table).comes_of_it == comes


def test_t_bone_counts_against_terrain_too_which_stays_the_tougher() -> None:
    table = riding(plated(), fighters=(card(VEX, skills=("T-Bone",)),))
    table = table.when(crash(), *dice(front_toughness=3), *struck(2))
    assert hits(table) == {RIG: Hit(6, 8, -2, 2)}


def test_t_bone_asks_for_no_die_side_on_nor_when_declined_nor_in_an_older_battle() -> None:
    table = driven("T-Bone")
    assert purposes(table.when(collide(contact="side"), HOLDS, MISS, MISS)) == ["handling", "wound", "wound"]
    assert purposes(table.when(collide(without=("T-Bone",)), MISS, MISS)) == ["wound", "wound"]
    assert purposes(older(table, 2).when(collide(), MISS, MISS)) == ["wound", "wound"]


def test_t_bone_is_for_whoever_moves_unless_the_table_lets_both_fronts_have_it() -> None:
    fighters = (card(DOT, skills=("T-Bone",)),)
    assert purposes(riding(fighters=fighters).when(collide(), MISS, MISS)) == ["wound", "wound"]
    both = riding(fighters=fighters, knobs={"t_bone.collides": "either_front"})
    table = both.when(collide(), *dice(front_toughness=2), MISS, MISS)
    assert (table.rolls[0].purpose, table.rolls[0].fighter) == ("front_toughness", SLED)
    assert collided(table).comes_of_it == "stops"
    assert purposes(both.when(collide(facing="side"), MISS, MISS)) == ["wound", "wound"]


@every("book", ["necromunda_2023", "necromunda_archive"])
def test_t_bone_works_each_time_by_the_archived_book_too(book: str) -> None:
    """An archived battle of stage 3 had it once a round."""
    front = dice(book, front_toughness=2)
    wall = crash(terrain="flimsy")
    twice = driven("T-Bone", book=book).when(wall, *front, MISS).when(wall, *front, MISS)
    assert purposes(twice) == ["front_toughness", "wound"]
    if book == "necromunda_archive":
        once = older(driven("T-Bone", book=book), stage=3).when(wall, *front, MISS)
        assert purposes(once.when(wall, MISS)) == ["wound"]


# --- terrain and falls -----------------------------------------------------------------------------------


@every(
    ("terrain", "own", "comes"),
    [("solid", Hit(6, 5, -2, 2), "stops"), ("flimsy", Hit(5, 5, -1, 1), "goes_on")],
)
def test_solid_terrain_is_the_tougher_and_flimsy_terrain_the_weaker(
    terrain: str, own: Hit, comes: str
) -> None:
    table = riding(plated()).when(crash(terrain=terrain), *struck(own.damage))
    assert hits(table) == {RIG: own}
    assert collided(table).comes_of_it == comes


@every(("hundredths", "modifier"), [(100, -1), (300, -1), (301, -2), (600, -2), (700, -3), (1000, -4)])
def test_a_vehicle_that_falls_tests_for_control_at_1_less_for_each_3_inches(
    hundredths: int, modifier: int
) -> None:
    fall = records.DropVehicle(vehicle=RIG, mobile=True, distance_hundredths=hundredths)
    table = riding().when(fall, HOLDS, *(() if hundredths < 300 else (MISS,)))
    assert [(one.by, one.why) for one in table.rolls[0].modifiers] == [(modifier, "the fall")]


def test_a_vehicle_that_falls_is_hit_on_the_rear_at_the_drive() -> None:
    """6 inches: Strength 5 against the rear of 3; no Location die."""
    fall = records.DropVehicle(vehicle=RIG, mobile=True, distance_hundredths=600)
    table = riding().when(fall, HOLDS, wound(6), *damage("penetrating"), HOLDS)
    assert table.rolls[1].outcome.startswith("Strength 5 against Toughness 3 of the rear")
    (damaged,) = [event for event in table.outcome if isinstance(event, records.VehicleDamaged)]
    assert (damaged.location, damaged.damage) == ("drive", "penetrating")


def test_a_vehicle_that_rolls_over_in_its_fall_is_a_wreck_and_takes_no_hit() -> None:
    fall = records.DropVehicle(vehicle=RIG, mobile=True, distance_hundredths=600)
    table = riding().when(fall, SKIDS, *control("roll"), OUT_COLD, *dice(lasting_damage=2))
    assert now(table).wrecked
    assert "wound" not in purposes(table)


# --- running over ----------------------------------------------------------------------------------------


@every(
    ("face", "pinned", "gets_away"), [(2, False, False), (3, False, True), (3, True, False), (4, True, True)]
)
def test_a_fighter_in_the_way_tests_initiative_with_1_more_standing(
    face: int, pinned: bool, gets_away: bool
) -> None:
    """Initiative 4+."""
    table = riding()
    if pinned:
        table = table.when(run_over(), *dice(run_over=1), MISS)
        assert table.combatant(MAGS).pinned
    ran = table.when(run_over(), *dice(run_over=face), *(() if gets_away else (MISS,)))
    assert purposes(ran) == (["run_over"] if gets_away else ["run_over", "wound"])
    assert ran.combatant(MAGS).pinned == (pinned or not gets_away)


@every("face", range(1, 7))
def test_the_seriously_injured_get_out_of_the_way_on_a_natural_6_alone(face: int) -> None:
    table = riding(fighters=(card(MAGS, initiative=2),)).when(seriously_injured(MAGS))
    ran = table.when(run_over(), *dice(run_over=face), *(() if face == 6 else (MISS,)))
    assert purposes(ran) == (["run_over"] if face == 6 else ["run_over", "wound"])


@every(("movement", "strength", "armour_penetration", "harm"), ROWS)
def test_who_is_run_over_is_hit_by_the_vehicles_movement(
    movement: int, strength: int, armour_penetration: int, harm: int
) -> None:
    """Toughness 5, Wounds 4, a save of 2+: Strength 3 to 9 need 5+, 4+, 3+ and 3+."""
    mags = card(MAGS, toughness=5, wounds=4, armour=Armour(name="Best", save=2))
    table = riding(vehicle(RIG, movement=movement), fighters=(mags,)).when(
        run_over(), *dice(run_over=1), wound(6), *dice(save=1)
    )
    needs = {3: 5, 5: 4, 7: 3, 9: 3}[strength]
    assert [roll.target for roll in table.rolls[1:]] == [needs, 2 - armour_penetration]
    assert table.combatant(MAGS).wounds_left == 4 - harm


@every(("book", "pins"), [("necromunda_2023", False), ("necromunda_archive", True)])
def test_the_engaged_are_pinned_by_the_archived_book_alone(book: str, pins: bool) -> None:
    ran = riding(book=book).when(run_over(engaged=True), *dice(book, run_over=1), MISS)
    assert ran.combatant(MAGS).pinned == pins


def test_true_grit_of_who_is_run_over_takes_an_injury_die_away_and_makes_two_of_one() -> None:
    """The skill is about Injury dice, whatever brought them about: Damage 3 with 1 Wound is 3 dice, less one."""
    tough = card(MAGS, skills=("True Grit",))
    fast = riding(vehicle(RIG, movement=14), fighters=(tough,))
    run = fast.when(run_over(), *dice(run_over=1, wound=6, injury=["flesh", "flesh"]))
    assert purposes(run) == ["run_over", "wound", "injury", "injury"]
    assert run.combatant(MAGS).flesh_wounds == 2
    slow = riding(vehicle(RIG, movement=4), fighters=(tough,))
    kept = slow.when(run_over(), *dice(run_over=1, wound=6, injury=["out", "flesh"]))
    assert (kept.combatant(MAGS).out_of_action, kept.combatant(MAGS).flesh_wounds) == (False, 1)
    two = dice(run_over=1, wound=6, injury=["serious", "flesh"])
    assert not slow.when(run_over(), *two).combatant(MAGS).seriously_injured
    assert slow.when(run_over(keeps="serious_injury"), *two).combatant(MAGS).seriously_injured


def test_friends_are_run_over_too_and_nobody_learns_from_it() -> None:
    table = riding().when(
        run_over(KRUG), *dice(run_over=1), wound(6), *dice(injury="out", lasting_injury="1-5")
    )
    assert table.combatant(KRUG).out_of_action
    assert not [event for event in table.outcome if isinstance(event, records.ExperienceGained)]


def test_a_driver_who_runs_an_enemy_over_gains_experience_as_for_an_own_action() -> None:
    dead = (*dice(run_over=1), wound(6), *dice(injury="out", lasting_injury="1-5"))
    table = riding().when(run_over(), *dead)
    (gained,) = [event for event in table.outcome if isinstance(event, records.ExperienceGained)]
    assert (gained.fighter, gained.amount) == (VEX, 3)  # 2, and 1 for a champion
    without = riding(knobs={"impacts.experience": "none"}).when(run_over(), *dead)
    assert not [event for event in without.outcome if isinstance(event, records.ExperienceGained)]


def test_nobody_runs_over_a_driver_and_nobody_prone_is_engaged() -> None:
    riding().when(run_over(DOT)).then_refused(records.RunsOverCrew, fighter="Dot", vehicle="Sled")
    riding().when(run_over(VEX)).then_refused(records.RunsOverCrew, fighter="Vex", vehicle="Rig")
    down = riding().when(seriously_injured(MAGS))
    down.when(run_over(engaged=True)).then_refused(records.MayNotActSo, condition="Prone")


# --- chances ---------------------------------------------------------------------------------------------


@every(
    ("movement", "to_wound"),
    [(3, Fraction(3, 6)), (6, Fraction(4, 6)), (8, Fraction(5, 6)), (10, Fraction(5, 6))],
)
def test_the_chances_of_who_is_run_over_are_those_of_every_die(movement: int, to_wound: Fraction) -> None:
    """Hit on a 1 or 2 by 4+ with 1 more; Toughness 3. Any of one, two or three Injury dice takes out on a 6, and
    three Flesh Wounds leave no Toughness.
    """
    table = riding(vehicle(RIG, movement=movement))
    injury_dice = {3: 1, 6: 1, 8: 2, 10: 3}[movement]
    out = 1 - Fraction(5, 6) ** injury_dice + (Fraction(2, 6) ** 3 if injury_dice == 3 else 0)
    ends = exactly(table, run_over(), MAGS)
    assert chance(ends, out_of_action=True) == Fraction(2, 6) * to_wound * out
    assert ends[()] == Fraction(4, 6)


def test_the_chances_of_t_bone_are_those_of_each_face_of_its_d3() -> None:
    """Strength 5 against 3 and a D3 wounds on 3+, 4+, 5+; one Damage die rolls a vehicle over by 245/1296/6."""
    table = driven("T-Bone", toughness_front=3)
    ends = odds_ends(table, crash(terrain="flimsy"), RIG)
    assert sum(ends.values()) == 1
    wounds = (Fraction(4, 6) + Fraction(3, 6) + Fraction(2, 6)) / 3
    assert chance(ends, wrecked=True) == wounds * Fraction(245, 1296) / 6


def test_the_chances_of_heavy_foot_are_those_of_every_die() -> None:
    ends = exactly(driven("Heavy Foot"), drive(heavy_foot=True), RIG)
    assert chance(ends, stalled=True) == Fraction(1, 6)
    for inches, part in ((8, Fraction(1, 6)), (9, Fraction(2, 6)), (10, Fraction(2, 6))):
        assert chance(ends, raised_movement=inches) == part


def test_the_chance_that_a_slow_collision_wrecks_either_vehicle() -> None:
    """Movement 3: Strength 3 against 5 wounds on 5+, each by itself."""
    table = riding(vehicle(RIG, movement=3))
    wrecks = Fraction(2, 6) * Fraction(245, 1296) / 6
    for model in (RIG, SLED):
        ends = odds_ends(table, collide(), model)
        assert chance(ends, wrecked=True) == wrecks

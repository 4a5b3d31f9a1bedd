"""Vehicles in numbers: the damage table, kept dice, facings, lasting damage, and who is thrown clear."""

from collections import Counter
from itertools import product

from tables import every

from tracker.rules import loader
from tracker.rules import vehicle_tables as fx
from tracker.rules.necromunda import vehicles as rules
from tracker.rules.necromunda.falls import fall_hit

BOOKS = ["necromunda_2023", "necromunda_archive"]
LOCATIONS, DAMAGES = ("body", "crew", "drive", "engine"), ("glancing", "penetrating", "catastrophic")
HULL = loader.book("necromunda_2023").vehicles

LOC = fx.LossOfControl
CELLS = {
    ("body", "glancing"): (fx.Shaken(), fx.HandlingOrStall()),
    ("body", "penetrating"): (fx.LoseHitPoints(by=1), fx.HandlingOrStall()),
    ("body", "catastrophic"): (fx.DestroyWeapon(with_weapon=1, without=2), LOC()),
    ("engine", "glancing"): (fx.Stall(),),
    ("engine", "penetrating"): (fx.LoseHitPoints(by=1), fx.CapMovement(), LOC()),
    ("engine", "catastrophic"): (fx.LoseHitPoints(by=2), fx.CapMovement(), LOC(modifier=-1)),
    ("crew", "glancing"): (fx.Shaken(), fx.HandlingOrStall()),
    ("crew", "penetrating"): (fx.WoundDriver(),),
    ("crew", "catastrophic"): (fx.BlackOutDriver(),),
    ("drive", "glancing"): (LOC(),),
    ("drive", "penetrating"): (fx.LoseHitPoints(by=1), fx.HinderHandling(by=-1), LOC()),
    ("drive", "catastrophic"): (fx.LoseHitPoints(by=2), fx.HinderHandling(by=-2), LOC()),
}


@every("book", BOOKS)
@every("cell", CELLS)
def test_each_vehicle_damage_does_to_each_location_what_the_table_prints(
    book: str, cell: tuple[str, str]
) -> None:
    location, damage = cell
    assert loader.book(book).vehicles.cell(location=location, damage=damage).effects == CELLS[cell]


def test_the_vehicle_damage_table_has_a_cell_for_every_location_and_damage() -> None:
    assert sorted(CELLS) == sorted(product(LOCATIONS, DAMAGES))


@every("book", BOOKS)
def test_the_faces_of_the_vehicle_dice_are_as_printed(book: str) -> None:
    dice = loader.rulebook(book, [])
    assert Counter(dice.special_die("location").symbols) == {"body": 3, "crew": 1, "drive": 1, "engine": 1}
    assert dice.special_die("vehicle_damage").symbols == (
        *["glancing"] * 3,
        *["penetrating"] * 2,
        "catastrophic",
    )
    assert dice.special_die("control").symbols == (*["swerve"] * 3, *["jackknife"] * 2, "roll")


@every("book", BOOKS)
@every(
    ("total", "name"),
    [
        (1, "Persistent Rattle"),
        (2, "Handling Glitch"),
        (3, "Unreliable"),
        (4, "Loss of Power"),
        (5, "Damaged Bodywork"),
        (6, "Damaged Frame"),
        *((total, "Write-off") for total in range(7, 12)),
    ],
)
def test_the_lasting_damage_chart_is_as_printed(book: str, total: int, name: str) -> None:
    assert loader.book(book).vehicles.lasting(total).name == name


@every("book", BOOKS)
def test_eleven_of_thirty_six_crews_are_out_cold(book: str) -> None:
    table = loader.book(book).table("crew_injuries")
    counts = [len(row.cells) for row in table.rows]
    assert counts == [1, 11, 12, 2, 2, 2, 5, 1]


def test_crews_convalesce_in_2023_where_the_archived_ones_recover() -> None:
    def kinds(book: str) -> dict[str, set[str]]:
        return {
            row.id: {type(effect).__name__ for effect in row.effects} & {"Convalescence", "Recovery"}
            for row in loader.book(book).table("crew_injuries").rows
        }

    newer, older = kinds("necromunda_2023"), kinds("necromunda_archive")
    assert {row for row, found in newer.items() if found == {"Convalescence"}} == {
        "lesson_learned",
        "convalescence",
        "humiliated",
    }
    assert {row for row, found in newer.items() if found == {"Recovery"}} == {"head_injury", "eye_injury"}
    assert {row for row, found in older.items() if found == {"Recovery"}} == {
        "lesson_learned",
        "grievous_injury",
        "humiliated",
        "head_injury",
        "eye_injury",
    }
    assert {"Convalescence"} not in older.values()


@every(("facing", "met"), [("front", 5), ("side", 4), ("rear", 3), ("in_doubt", 5)])
def test_a_hit_meets_the_toughness_of_its_facing_and_in_doubt_the_highest(
    facing: rules.Facing, met: int
) -> None:
    assert rules.toughness_of(facing, {"front": 5, "side": 4, "rear": 3}) == met


@every("book", BOOKS)
def test_close_combat_brings_one_more_location_die(book: str) -> None:
    vehicles = loader.book(book).vehicles
    assert [rules.location_dice(in_close_combat=close, rules=vehicles) for close in (False, True)] == [1, 2]


@every("first", LOCATIONS)
@every("second", LOCATIONS)
def test_of_two_location_dice_the_first_one_wanted_is_kept(first: str, second: str) -> None:
    wanted = ("engine", "drive", "crew", "body")
    assert rules.kept_location((first, second), wanted) == min((first, second), key=wanted.index)
    assert rules.kept_location((first, second), ()) == (first if first == second else None)


@every("rolled", list(product(DAMAGES, repeat=3)))
def test_the_attacker_keeps_the_gravest_damage_and_the_vehicle_the_mildest(rolled: tuple[str, ...]) -> None:
    order = DAMAGES.index
    assert rules.kept_damage(rolled, (), by="attacker", rules=HULL) == max(rolled, key=order)
    assert rules.kept_damage(rolled, (), by="vehicle", rules=HULL) == min(rolled, key=order)


def test_whoever_chooses_the_vehicle_damage_may_want_another() -> None:
    rolled = ("glancing", "catastrophic")
    assert rules.kept_damage(rolled, ("glancing",), by="attacker", rules=HULL) == "glancing"
    assert rules.kept_damage(rolled, ("penetrating",), by="attacker", rules=HULL) == "catastrophic"


def test_a_vehicle_turns_left_on_1_to_3_and_right_on_4_to_6() -> None:
    assert [rules.direction(face) for face in range(1, 7)] == ["left"] * 3 + ["right"] * 3


@every("count", range(1, 7))
def test_each_weapon_is_picked_as_often_as_any_other(count: int) -> None:
    picked = Counter(rules.weapon_at_random(face, count) for face in range(1, 7))
    again = picked.pop(None, 0)
    assert picked == dict.fromkeys(range(count), 6 // count)
    assert again == 6 % count


@every(
    ("hundredths", "still", "moving"),
    [
        (299, None, None),
        (300, (3, 0, 1), (4, -1, 2)),
        (600, (5, -1, 1), (6, -2, 2)),
        (900, (7, -2, 2), (8, -3, 3)),
        (1200, (9, -3, 3), (10, -4, 4)),
    ],
)
def test_thrown_clear_hits_as_a_fall_and_harder_by_1_from_a_mobile_vehicle(
    hundredths: int, still: tuple[int, int, int] | None, moving: tuple[int, int, int] | None
) -> None:
    fall = fall_hit(hundredths, rulebook=loader.rulebook("necromunda_2023", []))
    for mobile, expected in ((False, still), (True, moving)):
        band = rules.thrown_clear_hit(fall, mobile=mobile, rules=HULL)
        found = None if band is None else (band.strength, band.armour_penetration, band.damage)
        assert found == expected


@every("book", BOOKS)
def test_an_unreliable_vehicle_starts_on_2_or_more(book: str) -> None:
    numbers = loader.book(book).vehicles
    assert [face for face in range(1, 7) if rules.starts(face, numbers)] == [2, 3, 4, 5, 6]


@every(("book", "each"), [("necromunda_2023", 0), ("necromunda_archive", -1)])
@every("left", [1, 2, 3])
@every("markers", [0, 1, 3])
def test_a_restart_has_1_more_above_one_hit_point_and_less_for_smoke_in_the_archive(
    book: str, each: int, left: int, markers: int
) -> None:
    numbers = loader.book(book).vehicles
    found = rules.restart_modifiers(hit_points_left=left, smoke_markers=markers, rules=numbers)
    assert sum(by for _, by in found) == (1 if left > 1 else 0) + each * markers
    assert all(by for _, by in found)


@every("book", BOOKS)
def test_every_face_of_a_drivers_end_phase_die(book: str) -> None:
    numbers = loader.book(book).vehicles
    awake = [rules.driver_fate(face, unconscious=False, rules=numbers) for face in range(1, 7)]
    asleep = [rules.driver_fate(face, unconscious=True, rules=numbers) for face in range(1, 7)]
    assert awake == ["blacks_out", "nothing", "nothing", "recovers", "recovers", "recovers"]
    assert asleep == ["nothing", "nothing", "nothing", "wakes", "wakes", "wakes"]


@every("skill", [2, 3, 4, 5, 6])
@every("wounds", range(6))
def test_flesh_wounds_worsen_a_drivers_skill_to_the_worst_printed(skill: int, wounds: int) -> None:
    assert rules.skill_of_driver(skill, flesh_wounds=wounds, worst=6) == min(skill + wounds, 6)

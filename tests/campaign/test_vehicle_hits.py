"""Hits on vehicles: wound by facing, save, Location and Damage dice, and what each of the cells does."""

from rides import (
    HOLDS,
    OUT_COLD,
    RIG,
    SKIDS,
    SLED,
    control,
    damage,
    handling,
    lasting_damage,
    location,
    lurch,
    now,
    on_card,
    ram,
    riding,
    vehicle,
)
from scenario import KRUG, MAGS, SAINTS, SKULLS, VEX, card, older, opening, save, wound
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.dice import DiceLeftOver, DiceNeeded, Die, read_die
from tracker.records import replace

BOOKS = ["necromunda_2023", "necromunda_archive"]


@every(("facing", "needed"), [("front", 5), ("side", 4), ("rear", 3), ("in_doubt", 5)])
def test_the_wound_roll_meets_the_facing_that_was_hit(facing: str, needed: int) -> None:
    table = riding().when(ram(strength=4, facing=facing), wound(2))
    roll = table.rolls[0]
    assert (roll.target, roll.passed, roll.fighter, roll.rolled_by) == (needed, False, RIG, SAINTS)
    assert table.outcome == ()


def test_a_vehicle_without_armour_has_no_save_and_one_with_it_may_save() -> None:
    assert [roll.purpose for roll in riding().when(ram(), wound(2), location(6), damage(1)).rolls] == [
        "wound",
        "location",
        "vehicle_damage",
    ]
    saved = riding(vehicle(RIG, save=4)).when(ram(), wound(2), save(4))
    assert [(roll.purpose, roll.passed, roll.rolled_by) for roll in saved.rolls] == [
        ("wound", True, SAINTS),
        ("save", True, SKULLS),
    ]
    assert saved.outcome == ()


def test_armour_penetration_cancels_a_vehicles_save_as_it_does_a_fighters() -> None:
    table = riding(vehicle(RIG, save=4)).when(ram(ap=-3), wound(2), location("engine"), damage("glancing"))
    assert now(table).stalled


def test_a_damage_die_falls_for_every_point_of_damage_whatever_is_left_of_the_vehicle() -> None:
    table = riding(vehicle(RIG, hit_points=1)).when(
        ram(damage=3), wound(2), location("engine"), damage("glancing", "glancing", "glancing")
    )
    assert sum(roll.purpose == "vehicle_damage" for roll in table.rolls) == 3
    assert now(table).hit_points_left == 1


def test_a_damage_dash_weapon_brings_no_damage_dice() -> None:
    (noted,) = riding().when(ram(damage=None), wound(2)).outcome
    assert isinstance(noted, records.RuleNoted)


# --- every cell ------------------------------------------------------------------------------------------

# Location, damage, the dice that it asks for, and what is left: points lost, stalled, capped, hindered.
EVERY_CELL: list[tuple[str, str, tuple[Die, ...], int, dict[str, object]]] = [
    ("body", "glancing", (SKIDS,), 0, {"shaken": True, "stalled": True, "mobile": False}),
    ("body", "glancing", (HOLDS,), 0, {"shaken": True}),
    ("body", "penetrating", (SKIDS,), 1, {"stalled": True, "mobile": False}),
    ("body", "penetrating", (HOLDS,), 1, {}),
    ("body", "catastrophic", (HOLDS,), 2, {}),
    ("engine", "glancing", (), 0, {"stalled": True, "mobile": False}),
    ("engine", "penetrating", (HOLDS,), 1, {"movement_capped": True}),
    ("engine", "catastrophic", (HOLDS,), 2, {"movement_capped": True}),
    ("crew", "glancing", (HOLDS,), 0, {"shaken": True}),
    ("crew", "penetrating", (), 0, {"driver_flesh_wounds": 1}),
    (
        "crew",
        "catastrophic",
        control("swerve"),
        0,
        {"driver_blacked_out": True, "stalled": True, "mobile": False},
    ),
    ("drive", "glancing", (HOLDS,), 0, {}),
    ("drive", "penetrating", (HOLDS,), 1, {"handling_hindered": -1}),
    ("drive", "catastrophic", (HOLDS,), 2, {"handling_hindered": -2}),
]


@every("book", BOOKS)
@every(("where", "how", "more", "lost", "changed"), EVERY_CELL)
def test_each_location_and_damage_does_what_the_vehicle_table_prints(
    book: str, where: str, how: str, more: tuple[Die, ...], lost: int, changed: dict[str, object]
) -> None:
    handled = 7
    table = riding(vehicle(RIG, handling=handled), book=book)
    table = table.when(ram(by=MAGS), wound(2), location(where), damage(how), more)
    found = now(table)
    expected = {
        "shaken": False,
        "stalled": False,
        "mobile": True,
        "movement_capped": False,
        "handling_hindered": 0,
        "driver_flesh_wounds": 0,
        "driver_blacked_out": False,
        "wrecked": False,
        **changed,
    }
    assert {name: getattr(found, name) for name in expected} == expected
    assert found.hit_points_left == 3 - lost
    damaged = next(event for event in table.outcome if isinstance(event, records.VehicleDamaged))
    assert (damaged.location, damaged.damage, damaged.by) == (where, how, MAGS)


def test_a_destroyed_weapon_is_drawn_at_random_and_costs_one_hit_point() -> None:
    armed = vehicle(RIG, weapons=("ram", "mortar", "net", "horn"))
    table = riding(armed).when(
        ram(),
        wound(2),
        location("body"),
        damage("catastrophic"),
        read_die("weapon_at_random", "D6", 5),  # four weapons: 5 and 6 are rolled again
        read_die("weapon_at_random", "D6", 2),
        HOLDS,
    )
    assert (now(table).weapons_destroyed, now(table).hit_points_left) == (("mortar",), 2)


def test_the_last_weapon_needs_no_die_and_after_it_two_hit_points_go() -> None:
    armed = vehicle(RIG, weapons=("ram",))
    blow = (wound(2), location("body"), damage("catastrophic"), HOLDS)
    once = riding(armed, vehicle(SLED)).when(ram(), *blow)
    assert (now(once).weapons_destroyed, now(once).hit_points_left) == (("ram",), 2)
    twice = once.when(ram(), *blow, OUT_COLD, lasting_damage(1))
    assert now(twice).wrecked


@every(("first", "second", "passed"), [(3, 3, False), (3, 4, True)])
def test_a_handling_test_is_passed_on_the_handling_or_more(first: int, second: int, passed: bool) -> None:
    dice = (handling(first, second), *(() if passed else control("swerve")))
    table = riding().when(lurch(), *dice)
    roll = table.rolls[0]
    assert (roll.target, roll.passed, roll.rolled_by) == (7, passed, SKULLS)


def test_handling_tests_are_modified_by_damage_glitches_and_the_hit_itself() -> None:
    table = riding().when(ram(), wound(2), location("drive"), damage("penetrating"), handling(4, 4))
    assert [(modifier.why, modifier.by) for modifier in table.rolls[-1].modifiers] == [
        ("damage in this battle", -1)
    ]
    again = table.when(ram(), wound(2), location("engine"), damage("catastrophic"), handling(5, 4), OUT_COLD,
                       lasting_damage(1))  # fmt: skip
    roll = next(roll for roll in again.rolls if roll.purpose == "handling")
    assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == [
        ("this test", -1),
        ("damage in this battle", -1),
    ]
    assert roll.passed  # 9 - 2 is 7


def test_a_wounded_driver_handles_worse_by_one_for_each_flesh_wound() -> None:
    hurt = (wound(2), location("crew"), damage("penetrating"))
    table = riding().when(ram(), *hurt).when(ram(), *hurt).when(lurch(), handling(4, 4), control("swerve"))
    assert (now(table).driver_flesh_wounds, table.rolls[0].target, table.rolls[0].passed) == (2, 9, False)


def test_handling_lost_in_one_battle_adds_up() -> None:
    hurt = (wound(2), location("drive"), damage("penetrating"), HOLDS)
    table = riding().when(ram(), *hurt).when(ram(), *hurt)
    assert now(table).handling_hindered == -2
    assert records.VehicleHandlingHindered(vehicle=RIG, by=-1, total=-2) in table.outcome


def test_a_blacked_out_driver_loses_control_without_a_test() -> None:
    table = riding().when(
        ram(), wound(2), location("crew"), damage("catastrophic"), control("jackknife", turn=4)
    )
    assert (
        records.VehicleLostControl(vehicle=RIG, result="jackknife", direction="right", mobile=True)
        in table.outcome
    )
    again = table.when(lurch(mobile=False), control("swerve", turn=3))
    assert [roll.purpose for roll in again.rolls] == ["control", "control_direction"]


def test_a_driver_who_blacked_out_drives_nowhere() -> None:
    table = riding().when(ram(), wound(2), location("crew"), damage("catastrophic"), control("swerve"))
    table.when(lurch(mobile=True)).then_refused(records.MobileAndNot, vehicle="Rig")


def test_a_stalled_vehicle_is_mobile_again_when_it_is_said_to_be() -> None:
    table = riding().when(ram(), wound(2), location("engine"), damage("glancing"))
    assert (now(table).stalled, now(table).mobile) == (True, False)
    again = table.when(lurch(mobile=True), HOLDS)
    assert (now(again).stalled, now(again).mobile) == (False, True)


# --- which die is kept -----------------------------------------------------------------------------------


@every("book", BOOKS)
def test_close_combat_rolls_two_location_dice_and_keeps_the_one_wanted(book: str) -> None:
    blow = ram(by=MAGS, in_close_combat=True, keep_location=("engine", "drive"))
    table = riding(book=book).when(blow, wound(2), location("body", "engine"), damage("glancing"))
    assert table.outcome == (
        records.VehicleDamaged(
            vehicle=RIG,
            by=MAGS,
            location="engine",
            damage="glancing",
            name="Stutter",
            section=table.outcome[0].section,  # type: ignore[union-attr]
        ),
        records.VehicleStalled(vehicle=RIG),
    )


def test_two_different_locations_and_no_word_which_is_kept_are_refused() -> None:
    riding().when(
        ram(in_close_combat=True), wound(2), location("body", "engine"), damage("glancing")
    ).then_refused(records.DieNotChosen, rolled=("body", "engine"), chooser="attacker")


def test_two_equal_location_dice_need_no_choice() -> None:
    table = riding().when(
        ram(in_close_combat=True), wound(2), location("engine", "engine"), damage("glancing")
    )
    assert now(table).stalled


def test_the_gravest_damage_is_kept_unless_the_attacker_wants_another() -> None:
    blow = (wound(2), location("engine"), damage("glancing", "penetrating"))
    assert now(riding().when(ram(damage=2), *blow, HOLDS)).movement_capped
    assert now(riding().when(ram(damage=2, keep_damage=("glancing",)), *blow)).stalled
    assert now(riding().when(ram(damage=2, kept_by="vehicle"), *blow)).stalled


@every("book", BOOKS)
def test_where_nobody_chooses_every_vehicle_damage_is_applied(book: str) -> None:
    """The other way to read several dice: a Stall and a Loss of Power, in the order of the dice."""
    blow = (wound(2), location("engine"), damage("glancing", "penetrating"), HOLDS)
    after = now(riding(book=book).when(ram(damage=2, kept_by="nobody"), *blow))
    assert (after.stalled, after.movement_capped, after.hit_points_left) == (True, True, 2)


def test_where_nobody_chooses_in_close_combat_each_location_suffers() -> None:
    blow = (wound(2), location("engine", "crew"), damage("penetrating"), HOLDS)
    after = now(riding().when(ram(in_close_combat=True, kept_by="nobody"), *blow))
    assert (after.movement_capped, after.driver_flesh_wounds) == (True, 1)


def test_results_that_take_the_last_hull_point_twice_wreck_once() -> None:
    blow = (wound(2), location("engine"), damage("penetrating", "penetrating"), HOLDS, HOLDS)
    table = riding(vehicle(RIG, hit_points=1)).when(
        ram(damage=2, kept_by="nobody"), *blow, OUT_COLD, *lasting_damage(1)
    )
    assert now(table).wrecked
    assert [event.causes for event in table.events if isinstance(event, records.VehicleWrecked)] == [
        ("hit_points",)
    ]


def test_a_stated_choice_of_damage_contradicts_that_nobody_chooses() -> None:
    command = ram(damage=2, kept_by="nobody", keep_damage=("glancing",))
    riding().when(command).then_refused(records.ChoosesAndNot, vehicle="Rig")


def test_a_location_that_cannot_be_hit_is_rolled_again() -> None:
    table = riding().when(
        ram(cannot_be_hit=("crew", "body")), wound(2), location("crew", "body", "engine"), damage("glancing")
    )
    assert [roll.outcome for roll in table.rolls if roll.purpose == "location"] == [
        "Crew, which cannot be hit: rolled again",
        "Body, which cannot be hit: rolled again",
        "Engine",
    ]


def test_a_vehicle_on_which_nothing_can_be_hit_is_refused() -> None:
    riding().when(ram(cannot_be_hit=("body", "crew", "drive", "engine"))).then_refused(
        records.NothingCanBeHit
    )


@every("what", ["keep_location", "cannot_be_hit", "keep_damage"])
def test_a_choice_of_location_or_damage_that_no_die_shows_is_refused(what: str) -> None:
    riding().when(ram(**{what: ("roof",)})).then_refused(records.UnknownChoice, given="roof")


# --- who may be hit --------------------------------------------------------------------------------------


def test_a_fighter_where_a_vehicle_is_needed_is_refused() -> None:
    riding().when(ram(KRUG)).then_refused(records.FighterNotVehicle, fighter="Krug")


def test_an_unknown_vehicle_is_refused_with_those_that_are_known() -> None:
    riding().when(ram("tank")).then_refused(records.UnknownVehicle, known=(RIG, SLED))


def test_no_vehicle_is_hit_between_battles() -> None:
    riding(battle=False).when(ram()).then_refused(records.NoBattleUnderWay)


def test_a_driver_cannot_hit_the_own_vehicle() -> None:
    riding().when(ram(by=VEX)).then_refused(records.HitsOwnVehicle, fighter="Vex")


def test_web_is_not_guessed_for_a_vehicle() -> None:
    riding().when(ram(traits=("Web",))).then_refused(records.TraitMeansNothingToVehicles)


@every("trait", ["Gas", "Toxin", "Web"])
def test_gas_toxin_and_web_are_not_guessed_for_a_vehicle_in_older_battles(trait: str) -> None:
    older(riding(), stage=1).when(ram(traits=(trait,))).then_refused(records.TraitMeansNothingToVehicles)


def test_a_hit_on_a_vehicle_needs_a_weapon_and_a_strength() -> None:
    riding().when(replace(ram(), profile=None)).then_refused(records.WeaponMissing)
    riding().when(ram(strength=0)).then_refused(records.NoStrength)
    riding().when(ram(strength=None)).then_refused(records.StrengthMissing)  # type: ignore[arg-type]


def test_a_weapon_without_strength_hits_with_the_attackers() -> None:
    table = riding(fighters=(card(MAGS, strength=5),)).when(ram(by=MAGS, strength=None), wound(3))  # type: ignore[arg-type]
    assert table.rolls[0].target == 4
    drill = WeaponProfile(strength=None, strength_added=1)
    stronger = riding(fighters=(card(MAGS, strength=5),)).when(replace(ram(by=MAGS), profile=drill), wound(2))
    assert stronger.rolls[0].target == 3


def test_dice_are_asked_for_in_the_order_of_the_table_and_none_may_be_left() -> None:
    riding().when(ram(), wound(2)).then_refused(DiceNeeded, purpose="location", fighter=RIG)
    riding().when(ram(), wound(2), location("body")).then_refused(DiceNeeded, purpose="vehicle_damage")
    riding().when(ram(strength=1), wound(2), location("body")).then_refused(DiceLeftOver)


def test_a_wreck_is_hit_no_more_and_an_absent_vehicle_neither() -> None:
    table = riding().when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(1))
    table.when(ram()).then_refused(records.VehicleWreckedAlready)
    absent = riding(battle=False).when(opening(1, without=[VEX]))
    absent.when(ram()).then_refused(records.VehicleNotInBattle)
    assert on_card(absent).crew == VEX


def test_shaken_is_shown_as_concussion_and_points_by_the_name_the_book_gives_them() -> None:
    table = riding(book="necromunda_archive").when(
        ram(), wound(2), location("body"), damage("penetrating"), HOLDS
    )
    assert (
        records.VehicleHitPointsLost(vehicle=RIG, by=None, lost=1, left=2, called="Wounds") in table.outcome
    )
    shaken = riding().when(ram(), wound(2), location("crew"), damage("glancing"), HOLDS)
    assert records.VehicleShaken(vehicle=RIG) in shaken.outcome

"""Wrecks: what wrecks a vehicle, its crew, lasting damage, experience, and who is thrown clear of it."""

import pytest
from rides import (
    HOLDS,
    OUT_COLD,
    RIG,
    SKIDS,
    SLED,
    control,
    crew_injury,
    damage,
    lasting_damage,
    location,
    lurch,
    now,
    on_card,
    ram,
    riding,
    vehicle,
)
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    enlist,
    injury,
    lasting,
    opening,
    out_of_action,
    phrases,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.dice import Die, read_die
from tracker.projections.standings import gang_row
from tracker.records import replace
from tracker.reports.standings import triumphs_of
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo

BOOKS = ["necromunda_2023", "necromunda_archive"]
LAST_POINT = (wound(2), location("body"), damage("penetrating"), HOLDS)
FRAIL = vehicle(RIG, hit_points=1)


def clear(
    fighter: str = KRUG, *, height: int = 300, mobile: bool | None = None, wreck: str = RIG
) -> records.ThrowClear:
    return records.ThrowClear(fighter=fighter, vehicle=wreck, height_hundredths=height, mobile=mobile)


def initiative(face: int) -> Die:
    return read_die("thrown_clear", "D6", face)


def damages(table: Table) -> list[records.LastingDamageSuffered]:
    return [event for event in table.outcome if isinstance(event, records.LastingDamageSuffered)]


def wrecked(table: Table) -> records.VehicleWrecked:
    (event,) = (event for event in table.outcome if isinstance(event, records.VehicleWrecked))
    return event


# --- what wrecks -----------------------------------------------------------------------------------------


@every("book", BOOKS)
def test_the_last_hit_point_wrecks_with_one_lasting_damage_and_one_crew_injury(book: str) -> None:
    table = riding(FRAIL, book=book).when(ram(by=MAGS), *LAST_POINT, OUT_COLD, lasting_damage(4))
    assert (wrecked(table).causes, wrecked(table).lasting_damage_rolls) == (("hit_points",), 1)
    assert now(table).wrecked
    assert [roll.purpose for roll in table.rolls[-2:]] == ["crew_injury", "lasting_damage"]


@every("book", BOOKS)
def test_a_roll_wrecks_whatever_is_left_of_the_vehicle(book: str) -> None:
    table = riding(book=book).when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(4))
    assert (wrecked(table).causes, now(table).hit_points_left) == (("roll",), 0)


@every("book", BOOKS)
def test_the_last_point_and_a_roll_at_once_are_two_lasting_damages_and_one_crew_injury(book: str) -> None:
    blow = (wound(2), location("drive"), damage("penetrating"), SKIDS, control("roll"))
    table = riding(FRAIL, book=book).when(ram(by=MAGS), *blow, OUT_COLD, lasting_damage(4, 5))
    assert wrecked(table).causes == ("hit_points", "roll")
    assert [one.damage for one in damages(table)] == ["loss_of_power", "damaged_bodywork"]
    assert sum(roll.purpose == "crew_injury" for roll in table.rolls) == 1


@every("shown", ["swerve", "jackknife"])
def test_a_vehicle_that_swerves_or_jackknifes_is_no_wreck(shown: str) -> None:
    assert not now(riding().when(lurch(), SKIDS, control(shown))).wrecked


def test_a_modifier_on_a_loss_of_control_test_is_on_the_roll() -> None:
    table = riding().when(lurch(modifier=-6), HOLDS, control("swerve"))
    assert [(modifier.why, modifier.by) for modifier in table.rolls[0].modifiers] == [("this test", -6)]


# --- the crew --------------------------------------------------------------------------------------------

CREW_2023 = {
    "11": ("lesson_learned", "convalescence", "vex +2 XP"),
    "12": ("out_cold",),
    "26": ("out_cold",),
    "31": ("convalescence", "convalescence"),
    "46": ("convalescence", "convalescence"),
    "51": ("humiliated", "convalescence", "leadership 7 to 8", "cool 7 to 8"),
    "52": ("humiliated", "convalescence", "leadership 7 to 8", "cool 7 to 8"),
    "53": ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower 7 to 8"),
    "54": ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower 7 to 8"),
    "55": ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5"),
    "56": ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5"),
    "61": ("critical_injury", "critical"),
    "65": ("critical_injury", "critical"),
    "66": ("memorable_death", "vex dies", "mags +1 XP"),
}
CREW_ARCHIVE = CREW_2023 | {
    "11": ("lesson_learned", "recovery from battle 1", "vex +2 XP"),
    **dict.fromkeys(["31", "46"], ("grievous_injury", "recovery from battle 1")),
    **dict.fromkeys(
        ["51", "52"], ("humiliated", "recovery from battle 1", "leadership 7 to 8", "cool 7 to 8")
    ),
}
CREWS = [
    *(("necromunda_2023", cell, home) for cell, home in CREW_2023.items()),
    *(("necromunda_archive", cell, home) for cell, home in CREW_ARCHIVE.items()),
]


@every(("book", "cell", "home"), CREWS)
def test_the_crew_carries_home_what_its_own_table_prints(book: str, cell: str, home: tuple[str, ...]) -> None:
    lesson = (read_die("lesson_learned", "D3", 2),) if cell == "11" else ()
    table = riding(FRAIL, book=book).when(
        ram(by=MAGS), *LAST_POINT, crew_injury(cell), lesson, lasting_damage(1)
    )
    paid = "mags +2 XP" if book == "necromunda_2023" else "mags +1 XP"
    assert phrases(table.events) == (paid, *home)


def test_the_crew_goes_out_of_action_in_the_wreck_with_exactly_one_roll() -> None:
    table = riding(FRAIL).when(ram(by=MAGS), *LAST_POINT, OUT_COLD, lasting_damage(1))
    assert (
        records.FighterWentOutOfAction(
            fighter=VEX, by=MAGS, reason="vehicle_wrecked", out_of_action_dice=0, lasting_injury_rolls=1
        )
        in table.outcome
    )
    assert table.combatant(VEX).out_of_action
    assert (table.fighter(MAGS).enemies_taken_out, table.fighter(VEX).times_out_of_action) == (1, 1)


def test_the_slaughterer_counts_a_wreck_and_its_crew_out_of_action_as_two() -> None:
    """A vehicle Wrecked, and an enemy fighter taken Out of Action: the triumph counts both."""
    table = riding(FRAIL).when(ram(by=MAGS), *LAST_POINT, OUT_COLD, lasting_damage(1))
    rules = loader.book("necromunda_2023").post_battle
    slaughterer = [triumph for triumph in rules.triumphs if triumph.by == "out_of_action_and_wrecks"]
    rows = [dict(gang_row(gang)) for gang in table.state.gangs.values()]
    (triumph,) = triumphs_of(rows, slaughterer)
    assert (triumph["gangs"], triumph["most"]) == ([SAINTS], 2)


def test_a_crew_that_is_out_of_action_already_is_not_rolled_for_again() -> None:
    table = riding(FRAIL).when(out_of_action(VEX), lasting(2, 1))
    table = table.when(ram(by=MAGS), *LAST_POINT, lasting_damage(1))
    assert now(table).wrecked


# --- experience ------------------------------------------------------------------------------------------


@every(("book", "paid"), [("necromunda_2023", 2), ("necromunda_archive", 1)])
def test_wrecking_an_enemy_vehicle_pays_once(book: str, paid: int) -> None:
    blow = (*LAST_POINT, OUT_COLD, lasting_damage(1))

    def earned(by: str, **more: object) -> int:
        return riding(FRAIL, book=book).when(ram(by=by, **more), *blow).fighter(by).experience

    assert earned(MAGS) == paid
    assert earned(MAGS, attack=False) == 0
    assert earned(KRUG) == 0  # a friend's


def test_whoever_makes_it_lose_control_earns_the_wreck() -> None:
    table = riding().when(lurch(by=MAGS), SKIDS, control("roll"), OUT_COLD, lasting_damage(1))
    assert table.fighter(MAGS).experience == 2


# --- lasting damage --------------------------------------------------------------------------------------


@every("book", BOOKS)
@every(
    ("face", "changed"),
    [
        (1, {"rattles": 1}),
        (2, {"handling_modifier": -1}),
        (3, {"unreliable": 1}),
        (4, {"movement": 6}),
        (5, {"toughness_front": 4, "toughness_side": 3}),
        (6, {"hit_points": 1}),
    ],
)
def test_lasting_damage_stays_on_the_card(book: str, face: int, changed: dict[str, int]) -> None:
    fit = vehicle(RIG, hit_points=2)
    table = riding(fit, book=book).when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(face))
    before = on_card(riding(fit, book=book))
    expected = replace(before, lasting_damage=on_card(table).lasting_damage, times_wrecked=1, **changed)
    assert on_card(table) == expected
    assert len(on_card(table).lasting_damage) == 1


def test_a_rear_of_toughness_3_is_at_its_minimum_and_the_last_hit_point_is_kept() -> None:
    table = riding(FRAIL).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(5))
    assert on_card(table).toughness_rear == 3
    assert on_card(riding(FRAIL).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(6))).hit_points == 1


def test_a_handling_glitch_burdens_every_later_handling_test() -> None:
    table = riding().when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(2)).when(CLOSING)
    table = table.when(opening(2)).when(lurch(), HOLDS)
    assert [(modifier.why, modifier.by) for modifier in table.rolls[0].modifiers] == [("Handling Glitch", -1)]


def test_each_rattle_adds_1_to_later_lasting_damage_even_of_the_same_wreck() -> None:
    blow = (wound(2), location("drive"), damage("penetrating"), SKIDS, control("roll"))
    table = riding(FRAIL).when(ram(), *blow, OUT_COLD, lasting_damage(1, 1))
    assert [one.damage for one in damages(table)] == ["persistent_rattle", "handling_glitch"]
    second = table.when(CLOSING).when(opening(2)).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(6))
    assert [(modifier.why, modifier.by) for modifier in second.rolls[-1].modifiers] == [
        ("Persistent Rattle", 1)
    ]
    assert damages(second)[0].damage == "write_off"


def test_a_written_off_vehicle_is_in_repair_and_stays_at_home() -> None:
    table = riding(FRAIL).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(1)).when(CLOSING)
    table = table.when(opening(2)).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(6)).when(CLOSING)
    assert on_card(table).in_repair
    table = table.when(opening(3))
    assert table.state.under_way is not None
    assert tuple(table.state.under_way.vehicles) == (SLED,)
    table.when(ram()).then_refused(records.VehicleNotInBattle)


def test_a_vehicle_is_whole_again_in_its_next_battle() -> None:
    table = riding().when(ram(), wound(2), location("engine"), damage("penetrating"), HOLDS).when(CLOSING)
    again = now(table.when(opening(2)))
    assert (again.hit_points_left, again.movement_capped) == (3, False)


def test_a_vehicle_comes_to_the_battles_that_its_crew_fights_in() -> None:
    table = riding(battle=False).when(opening(1, without=[VEX]))
    assert table.state.under_way is not None
    assert tuple(table.state.under_way.vehicles) == (SLED,)


# --- thrown clear ----------------------------------------------------------------------------------------


def a_wreck(*, mobile: bool = True, book: str = "necromunda_2023") -> Table:
    return riding(book=book).when(lurch(mobile=mobile), SKIDS, control("roll"), OUT_COLD, lasting_damage(3))


@every("face", range(1, 7))
def test_an_initiative_test_decides_whether_a_fighter_lands_well(face: int) -> None:
    table = a_wreck().when(clear(), initiative(face), *([] if face >= 4 else [wound(1)]))
    assert table.rolls[0].target == 4
    assert table.combatant(KRUG).pinned == (face < 4)


@every("book", BOOKS)
@every(("mobile", "strength"), [(False, 3), (True, 4)])
def test_who_lands_badly_is_pinned_and_hit_as_by_a_fall_harder_from_a_mobile_wreck(
    book: str, mobile: bool, strength: int
) -> None:
    table = a_wreck(mobile=mobile, book=book).when(clear(), initiative(1), wound(1))
    assert records.FighterPinned(fighter=KRUG) in table.outcome
    assert f"Strength {strength} against Toughness 3" in table.rolls[1].outcome


def test_from_a_mobile_wreck_the_damage_is_1_higher_too() -> None:
    tough = riding(fighters=(card(KRUG, wounds=3),)).when(
        lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(3)
    )
    assert tough.when(clear(), initiative(1), wound(6)).combatant(KRUG).wounds_left == 1
    hurt = a_wreck().when(clear(), initiative(1), wound(6), injury("flesh", "flesh"))
    assert hurt.combatant(KRUG).flesh_wounds == 2


def test_thrown_clear_from_less_than_3_inches_pins_and_does_no_harm() -> None:
    table = a_wreck().when(clear(height=299), initiative(1))
    assert records.FighterPinned(fighter=KRUG) in table.outcome
    assert isinstance(table.outcome[-1], records.RuleNoted)


def test_nobody_is_thrown_clear_of_what_is_no_wreck_or_says_otherwise_how_it_moved() -> None:
    riding().when(clear()).then_refused(records.VehicleNotWrecked)
    a_wreck().when(clear(VEX)).then_refused(records.CrewIsNotThrownClear)
    a_wreck(mobile=False).when(clear(mobile=True)).then_refused(
        records.MobileAndNot, said="Mobile", known="it was Stationary when it was wrecked"
    )


# --- joining a gang --------------------------------------------------------------------------------------


def joining(**numbers: int) -> records.EnlistGang:
    crew = card("ned", category="leader")
    return enlist("third", crew, vehicles=(vehicle(RIG, vehicle="mule", crew="ned", **numbers),))


@every(
    ("number", "value"),
    [("movement", 13), ("toughness_front", 2), ("toughness_side", 11), ("hit_points", 9), ("handling", 2)],
)
def test_a_vehicles_number_that_the_book_does_not_print_is_kept_and_said(number: str, value: int) -> None:
    table = riding(battle=False).when(joining(**{number: value}))
    kept = table.state.vehicle("mule")
    assert kept is not None
    assert getattr(kept, number) == value
    (said,) = beyond_printed([joining(**{number: value})], loader.book("necromunda_2023"))
    assert f" {value}" in said
    assert "is kept as the card has it; the book prints" in said


@every(
    ("number", "value"),
    [("toughness_rear", 0), ("hit_points", 0), ("handling", 0), ("save", 1), ("save", 7)],
)
def test_a_vehicles_number_that_no_roll_can_use_is_refused(number: str, value: int) -> None:
    riding(battle=False).when(joining(**{number: value})).then_refused(
        records.VehicleNumberOutOfRange, value=value
    )


def third_gang(*vehicles: object, fighter: str = "ned") -> records.EnlistGang:
    crew = replace(card(KRUG), fighter=fighter, name="Ned")
    return enlist("third", crew, vehicles=vehicles)


def test_ids_of_fighters_and_vehicles_are_never_the_same() -> None:
    table = riding(battle=False)
    table.when(third_gang(vehicle(RIG, crew="ned"))).then_refused(
        records.VehicleEnlistedAlready, known_as="vehicle"
    )
    table.when(third_gang(vehicle(RIG, vehicle=VEX, crew="ned"))).then_refused(
        records.VehicleEnlistedAlready, known_as="fighter"
    )
    table.when(records.EnlistFighter(gang=SKULLS, card=replace(card(KRUG), fighter=RIG))).then_refused(
        records.VehicleEnlistedAlready, known_as="vehicle"
    )


def test_a_vehicle_is_driven_by_one_fighter_of_its_own_gang() -> None:
    table = riding(battle=False)
    table.when(third_gang(vehicle(RIG, vehicle="mule", crew=KRUG))).then_refused(
        records.CrewNotInGang, crew=KRUG
    )
    two = (vehicle(RIG, vehicle="mule", crew="ned"), vehicle(RIG, vehicle="cart", crew="ned"))
    table.when(third_gang(*two)).then_refused(records.CrewHasVehicle, other="Rig")


def test_a_book_without_vehicles_says_so() -> None:
    with pytest.raises(BookHasNo, match="no vehicles"):
        _ = loader.book("trench_crusade").vehicles


def test_archived_vehicles_keep_the_hull_points_of_their_card() -> None:
    for hit_points in (4, 6):
        table = riding(vehicle(RIG, hit_points=hit_points), battle=False, book="necromunda_archive")
        card_now = table.state.vehicle(RIG)
        assert card_now is not None
        assert card_now.hit_points == hit_points


# --- the laws --------------------------------------------------------------------------------------------


def test_a_state_played_is_the_state_folded() -> None:
    blow = (wound(2), location("drive"), damage("penetrating"), SKIDS, control("roll"))
    table = riding(FRAIL).when(ram(by=MAGS), *blow, OUT_COLD, lasting_damage(5, 6))
    table = table.when(clear(), initiative(1), wound(1)).when(CLOSING)
    events = [decided.event for judged in table.judgements for decided in judged.events]
    assert fold(CampaignState(), events) == table.state


def test_the_dice_of_a_wreck_say_who_rolled_them() -> None:
    blow = (wound(2), location("drive"), damage("penetrating"), SKIDS, control("roll"))
    table = riding(FRAIL).when(ram(by=MAGS), *blow, OUT_COLD, lasting_damage(5, 6))
    assert [(roll.purpose, roll.fighter, roll.rolled_by) for roll in table.rolls] == [
        ("wound", RIG, SAINTS),
        ("location", RIG, SAINTS),
        ("vehicle_damage", RIG, SAINTS),
        ("handling", RIG, SKULLS),
        ("control", RIG, SKULLS),
        ("control_direction", RIG, SKULLS),
        ("crew_injury", VEX, SAINTS),
        ("lasting_damage", RIG, SAINTS),
        ("lasting_damage", RIG, SAINTS),
    ]
    assert DOT not in {roll.fighter for roll in table.rolls}


# --- nerve -----------------------------------------------------------------------------------------------


def two_rides() -> Table:
    """The third gang brings two vehicles, Ned driving the mule and Pip the cart, and the mule is wrecked."""
    table = riding(battle=False)
    crews = {SKULLS: (), SAINTS: ()}
    gang = enlist(
        "third",
        card("ned", category="crew"),
        card("pip", category="crew"),
        vehicles=(vehicle(RIG, vehicle="mule", crew="ned"), vehicle(RIG, vehicle="cart", crew="pip")),
    )
    table = table.when(gang).when(opening(1, crews={"third": (), **crews}))
    return table.when(lurch("mule"), SKIDS, control("roll"), OUT_COLD, lasting_damage(3))


def nerve(first: int, second: int) -> Die:
    return read_die("nerve", "2D6", [first, second])


@every(("mobile", "flight"), [(True, "break_for_air"), (False, "burn_out")])
def test_a_vehicle_tests_for_a_friendly_wreck_by_its_crews_cool(mobile: bool, flight: str) -> None:
    asked = records.TakeVehicleNerveTest(vehicle="cart", wreck="mule", friends_near=0, mobile=mobile)
    assert two_rides().when(asked, nerve(3, 4)).rolls[0].passed  # Cool 7
    broken = two_rides().when(asked, nerve(3, 3))
    assert broken.outcome[-1] == records.FighterBroke(fighter="pip", flight=flight)  # type: ignore[arg-type]


def test_a_vehicle_tests_for_nothing_but_friendly_wrecks() -> None:
    table = two_rides()
    for wreck in (RIG, "cart"):
        asked = records.TakeVehicleNerveTest(vehicle="cart", wreck=wreck, friends_near=0, mobile=True)
        table = table.when(asked).then_refused(records.NoWreckToTestFor)

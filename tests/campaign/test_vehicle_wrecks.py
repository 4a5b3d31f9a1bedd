"""Wrecks: what wrecks a vehicle, experience for it, and the nerve of those who see it."""

import pytest
from rides import (
    BOOKS,
    FRAIL,
    HOLDS,
    LAST_POINT,
    OUT_COLD,
    RIG,
    SKIDS,
    clear,
    control,
    damage,
    damages,
    initiative,
    lasting_damage,
    location,
    lurch,
    now,
    ram,
    riding,
    vehicle,
)
from scenario import CLOSING, DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, card, enlist, opening, wound
from tables import every

from tracker.campaign import records
from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo


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
def test_a_vehicle_that_rolls_over_is_wrecked_whatever_is_left_of_it(book: str) -> None:
    table = riding(book=book).when(lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(4))
    assert (wrecked(table).causes, now(table).hit_points_left) == (("roll",), 0)


@every("book", BOOKS)
def test_the_last_hit_point_and_a_roll_at_once_are_two_lasting_damages_and_one_crew_injury(book: str) -> None:
    blow = (wound(2), location("drive"), damage("penetrating"), SKIDS, control("roll"))
    table = riding(FRAIL, book=book).when(ram(by=MAGS), *blow, OUT_COLD, lasting_damage(4, 5))
    assert wrecked(table).causes == ("hit_points", "roll")
    assert [suffered.damage for suffered in damages(table)] == ["loss_of_power", "damaged_bodywork"]
    assert sum(roll.purpose == "crew_injury" for roll in table.rolls) == 1


@every("shown", ["swerve", "jackknife"])
def test_a_vehicle_that_swerves_or_jackknifes_is_no_wreck(shown: str) -> None:
    assert not now(riding().when(lurch(), SKIDS, control(shown))).wrecked


def test_a_modifier_on_a_loss_of_control_test_is_on_the_roll() -> None:
    table = riding().when(lurch(modifier=-6), HOLDS, control("swerve"))
    assert [(modifier.why, modifier.by) for modifier in table.rolls[0].modifiers] == [("this test", -6)]


# --- experience ------------------------------------------------------------------------------------------


@every(("book", "paid"), [("necromunda_2023", 2), ("necromunda_archive", 1)])
def test_wrecking_an_enemy_vehicle_pays_once(book: str, paid: int) -> None:
    blow = (*LAST_POINT, OUT_COLD, lasting_damage(1))

    def earned(by: str, **more: object) -> int:
        return riding(FRAIL, book=book).when(ram(by=by, **more), *blow).fighter(by).experience

    assert earned(MAGS) == paid
    assert earned(MAGS, attack=False) == 0
    assert earned(KRUG) == 0  # a friend's


def test_whoever_makes_a_vehicle_lose_control_earns_the_wreck() -> None:
    table = riding().when(lurch(by=MAGS), SKIDS, control("roll"), OUT_COLD, lasting_damage(1))
    assert table.fighter(MAGS).experience == 2


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


def test_a_vehicle_tests_for_a_wreck_within_6_inches_and_not_where_a_rule_spares_it() -> None:
    asked = records.TakeVehicleNerveTest(vehicle="cart", wreck="mule", friends_near=0, mobile=True)
    near = two_rides().when(replace(asked, distance_hundredths=600), nerve(3, 4))
    assert near.rolls[0].passed
    far, spared = replace(asked, distance_hundredths=601), replace(asked, immune_by="Servitor crew")
    two_rides().when(far).then_refused(records.NoNerveTestFor, fighter="Pip")
    two_rides().when(spared).then_refused(records.NoNerveTestFor, fighter="Pip")

"""Lasting Damage: what a wreck leaves on a vehicle's card for good. Source: B6."""

import pytest
from rides import (
    BOOKS,
    FRAIL,
    HOLDS,
    LAST_POINT,
    OUT_COLD,
    RIG,
    SKIDS,
    SLED,
    control,
    damage,
    damages,
    lasting_damage,
    location,
    lurch,
    now,
    on_card,
    ram,
    riding,
    vehicle,
)
from scenario import CLOSING, VEX, opening, wound
from tables import every

from tracker.campaign import records
from tracker.records import replace


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
    assert [suffered.damage for suffered in damages(table)] == ["persistent_rattle", "handling_glitch"]
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


def test_two_rattles_from_before_add_2_and_a_5_writes_the_vehicle_off() -> None:
    rattling = vehicle(RIG, hit_points=1, damage_so_far=("Persistent Rattle", "persistent_rattle"))
    table = riding(rattling).when(ram(), *LAST_POINT, OUT_COLD, lasting_damage(5))
    assert [(modifier.why, modifier.by) for modifier in table.rolls[-1].modifiers] == [
        ("Persistent Rattle", 2)
    ]
    assert [suffered.damage for suffered in damages(table)] == ["write_off"]


def test_damage_from_before_changes_no_number_again() -> None:
    before = vehicle(RIG, damage_so_far=("Loss of Power", "Unreliable", "Handling Glitch"))
    card = on_card(riding(before, battle=False))
    assert (card.movement, card.handling, card.handling_modifier, card.unreliable) == (7, 7, 0, 1)
    assert [damage.name for damage in card.lasting_damage] == [
        "Loss of Power",
        "Unreliable",
        "Handling Glitch",
    ]


def test_a_vehicle_that_was_written_off_before_stays_at_home() -> None:
    table = riding(vehicle(RIG, damage_so_far=("Write-off",)), battle=False).when(opening(1))
    assert table.state.under_way is not None
    assert tuple(table.state.under_way.vehicles) == (SLED,)


def test_damage_that_the_book_does_not_know_is_refused_with_what_it_has() -> None:
    gangs = vehicle(RIG, damage_so_far=("Persistent Battle",))
    with pytest.raises(records.UnknownLastingDamage, match="Persistent Rattle"):
        riding(gangs, battle=False)

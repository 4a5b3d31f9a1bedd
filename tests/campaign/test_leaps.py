"""Leaps, jumps down and edges: an Initiative test by the books' page on terrain, and a fall for who fails it."""

from fractions import Fraction
from typing import Any

import pytest
from rides import BOOKS
from scenario import VEX, Table, card, given, seriously_injured, wound
from special_rules import chance, dice, exactly, purposes
from tables import every

from tracker.campaign import records

CATFALL, MIGHTY_LEAP = ("Catfall",), ("Mighty Leap",)
MISS = wound(1)


def leap(height: int = 400, gap: int | None = None) -> records.LeapGap:
    return records.LeapGap(fighter=VEX, height_hundredths=height, gap_hundredths=gap)


def jump(height: int) -> records.JumpDown:
    return records.JumpDown(fighter=VEX, height_hundredths=height)


def edge(height: int = 400, **more: Any) -> records.KeepBalance:
    return records.KeepBalance(fighter=VEX, height_hundredths=height, **more)


def of(*skills: str, **numbers: Any) -> Table:
    return given(card(VEX, skills=skills, **numbers))


@every("face", range(1, 7))
def test_a_leap_is_an_initiative_test_and_who_fails_it_falls(face: int) -> None:
    table = of().when(leap(), *dice(leap=face), *(() if face >= 4 else (MISS,)))
    assert purposes(table) == (["leap"] if face >= 4 else ["leap", "wound"])
    assert table.combatant(VEX).pinned == (face < 4)


def test_a_leap_that_fails_above_less_than_3_inches_does_no_harm() -> None:
    table = of().when(leap(height=250), *dice(leap=1))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]


@every(("gap", "tested"), [(None, True), (150, False), (200, False), (201, True)])
def test_mighty_leap_needs_no_test_for_a_gap_of_2_inches(gap: int | None, tested: bool) -> None:
    table = of(*MIGHTY_LEAP).when(leap(gap=gap), *(dice(leap=6) if tested else ()))
    assert purposes(table) == (["leap"] if tested else [])
    assert purposes(of().when(leap(gap=gap), *dice(leap=6))) == ["leap"]


# The archived page prints these by the inch: none for 1 and 2, then -1, -1, -2, -2, -3, -3, -4 and from 10 on -4.
@pytest.mark.parametrize("book", BOOKS)
def test_each_further_2_inches_of_a_jump_take_1_off_the_test(book: str) -> None:
    printed = {
        100: 0,
        200: 0,
        201: -1,
        300: -1,
        400: -1,
        450: -2,
        500: -2,
        600: -2,
        700: -3,
        800: -3,
        900: -4,
        1000: -4,
    }
    for height, modifier in printed.items():
        table = given(book=book).when(
            jump(height), *dice(book, jump=6), *_missed(height, passes=6 + modifier >= 4)
        )
        assert sum(one.by for one in table.rolls[0].modifiers) == modifier, height


def _missed(height: int, *, passes: bool) -> tuple[Any, ...]:
    return () if passes or height < 300 else (MISS,)


def test_a_jump_of_less_than_3_inches_that_fails_hurts_nobody() -> None:
    table = of().when(jump(250), *dice(jump=4))  # 4 less 1
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    assert not of().when(jump(200), *dice(jump=4)).outcome


def test_catfall_halves_a_jump_for_the_test_and_for_the_fall() -> None:
    """8 inches count as 4: 1 less, and Strength 3; then an Initiative test to land standing."""
    table = of(*CATFALL).when(jump(800), *dice(jump=4), MISS, *dice(catfall=4))
    assert [(one.why, one.by) for one in table.rolls[0].modifiers] == [("the height", -1)]
    assert purposes(table) == ["jump", "wound", "catfall"]
    assert not table.combatant(VEX).pinned


@every(("face", "railing", "stays"), [(4, False, True), (3, False, False), (3, True, True), (2, True, False)])
def test_at_an_edge_a_railing_adds_1_to_the_test(face: int, railing: bool, stays: bool) -> None:
    table = of().when(edge(railing=railing), *dice(edge=face), *(() if stays else (MISS,)))
    assert purposes(table) == (["edge"] if stays else ["edge", "wound"])


def test_at_an_edge_a_natural_1_always_fails_and_on_a_vehicle_it_need_not() -> None:
    """Initiative 2+ with a railing: a 1 would do."""
    nimble = of(initiative=2)
    assert purposes(nimble.when(edge(railing=True), *dice(edge=1), MISS)) == ["edge", "wound"]
    assert purposes(nimble.when(edge(railing=True, on_vehicle=True), *dice(edge=1))) == ["edge"]


def test_who_is_down_neither_leaps_nor_jumps_but_may_fall() -> None:
    down = of().when(seriously_injured(VEX))
    down.when(leap()).then_refused(records.MayNotActSo, condition="Seriously Injured", action="leap")
    down.when(jump(300)).then_refused(records.MayNotActSo, condition="Seriously Injured", action="jump")
    assert purposes(down.when(edge(), *dice(edge=1), MISS)) == ["edge", "wound"]


def test_the_chances_of_a_jump_are_those_of_every_die() -> None:
    """6 inches: 2 less of 4+ passes on a 6; Strength 5 against 3 wounds on 3+, one Injury die takes out on a 6."""
    ends = exactly(of(), jump(600), VEX)
    falls = Fraction(5, 6)
    assert ends[()] == 1 - falls
    assert chance(ends, out_of_action=True) == falls * Fraction(4, 6) / 6

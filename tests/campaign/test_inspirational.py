"""Inspirational: a friend's failed Cool test counts as passed by a Leadership test, whatever the test is for.

Nerve and Rally tests: `test_skill_actions.py`. Source: Core Rulebook (2023) · Skills · Inspirational.
"""

from collections.abc import Callable
from fractions import Fraction

import pytest
from fights import at, fight, weapon
from rides import RIG, riding, vehicle
from scenario import DOT, KRUG, MAGS, SKULLS, VEX, card, given, hit
from shots import armed, gun, shot, there
from special_rules import dice, exactly, purposes

from tracker.campaign import records

INSPIRES = card(VEX, skills=("Inspirational",))  # Leadership 7+
PASSED, FAILED = "3+4", "3+3"
ON_HIT = {"hit": 6, "firepower": "one_hole"}


def test_inspirational_makes_up_for_a_failed_test_of_target_priority() -> None:
    table = armed(others=(card(DOT, skills=("Inspirational",)),))
    far = shot(closest=False, inspired_by=DOT)
    made_up = table.when(far, *dice(priority_cool=FAILED, inspirational=PASSED, hit=1, firepower="one_hole"))
    assert purposes(made_up) == ["priority_cool", "inspirational", "hit", "firepower"]
    not_made = table.when(far, *dice(priority_cool=FAILED, inspirational=FAILED))
    assert purposes(not_made) == ["priority_cool", "inspirational"]
    passed = table.when(far, *dice(priority_cool=PASSED, hit=1, firepower="one_hole"))
    assert purposes(passed) == ["priority_cool", "hit", "firepower"]


@pytest.mark.parametrize("how", [
    lambda: shot(target_inspired_by=VEX),
    lambda: shot(hits_on=(there(KRUG, inspired_by=VEX),)),
])  # fmt: skip
def test_inspirational_makes_up_for_a_failed_test_of_nerves_of_steel(
    how: Callable[[], records.Shoot],
) -> None:
    steel = card(KRUG, skills=("Nerves of Steel",))
    table = armed(gun("gun", "Rapid Fire (1)"), others=(steel, INSPIRES))
    up = table.when(how(), *dice(**ON_HIT, nerves_of_steel=FAILED, inspirational=PASSED, wound=1))
    assert purposes(up)[2:] == ["nerves_of_steel", "inspirational", "wound"]
    assert not up.combatant(KRUG).pinned


def test_inspirational_makes_up_for_a_failed_nerve_test_of_fear() -> None:
    table = given(INSPIRES)
    fear = hit(KRUG, by=MAGS, traits=("Fear",), inspired_by=VEX)
    calm = table.when(fear, *dice(wound=4, fear=FAILED, inspirational=PASSED))
    assert not calm.combatant(KRUG).broken
    assert table.when(fear, *dice(wound=4, fear=FAILED, inspirational=FAILED)).combatant(KRUG).broken


def test_inspirational_in_a_fight_is_as_likely_as_every_die_says() -> None:
    dread = armed(weapon("dread", "Melee", "Fear"), others=(INSPIRES,), attacks=1)
    alone = exactly(dread, fight(MAGS, at(KRUG), using=("dread",)), KRUG)
    inspired = exactly(dread, fight(MAGS, at(KRUG, inspired_by=VEX), using=("dread",)), KRUG)
    breaks = {way: _breaks(ends) for way, ends in (("alone", alone), ("inspired", inspired))}
    assert breaks["inspired"] == breaks["alone"] * (1 - Fraction(21, 36))  # Leadership 7+ on two dice


def _breaks(ends: dict[tuple[tuple[str, object, object], ...], Fraction]) -> Fraction:
    return sum((part for changes, part in ends.items() if ("broken", False, True) in changes), Fraction(0))


def test_inspirational_keeps_who_would_flee_the_battlefield() -> None:
    table = given(INSPIRES).when(hit(VEX, by=MAGS), *dice(wound=6, injury="flesh"))
    table = table.when(hit(KRUG, by=MAGS), *dice(wound=6, injury="serious"))
    bottled = table.when(records.CheckBottle(gang=SKULLS, voluntary=True))
    flees = records.TakeFleeingTests(gang=SKULLS, fighters=(KRUG,), near={}, inspired_by={KRUG: VEX})
    stays = bottled.when(flees, *dice(flee=FAILED, inspirational=PASSED))
    assert not stays.combatant(KRUG).fled
    assert bottled.when(flees, *dice(flee=FAILED, inspirational=FAILED)).combatant(KRUG).fled


def test_inspirational_keeps_a_burning_vehicle_under_control() -> None:
    table = riding(vehicle(RIG), fighters=(card(KRUG, skills=("Inspirational",)),))
    burning = table.when(records.StateCondition(vehicle=RIG, condition="blaze"))
    activation = records.ActivateBurningVehicle(vehicle=RIG, mobile=True, inspired_by=KRUG)
    driven = burning.when(activation, *dice(wound=1, blaze_cool=FAILED, inspirational=PASSED, blaze_out=1))
    assert purposes(driven) == ["wound", "blaze_cool", "inspirational", "blaze_out"]


def test_only_a_friend_with_the_skill_inspires() -> None:
    for who, refusal in ((DOT, records.NotAFriend), (VEX, records.SkillNotHeld), (KRUG, records.ActsOnSelf)):
        refused = given().when(hit(KRUG, by=MAGS, inspired_by=who)).refusal
        assert isinstance(refused, refusal), who

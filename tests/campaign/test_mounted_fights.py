"""Mounted in close combat: one attack in passing, one weapon, nothing Unwieldy but a lance.

Source: Core Rulebook (2023) · Conditions · Mounted. The saddle and standing up: `test_skill_actions.py`.
"""

from fractions import Fraction

from fights import HAMMER, KNIFE, SWORD, fight, hit_rolls, weapon
from scenario import KRUG, MAGS, Table, card, given, older
from special_rules import dice, exactly

from tracker.campaign import records

LANCE = weapon("hunting lance", "Melee", "Unwieldy", strength=5)


def rider(*weapons: object, **more: object) -> Table:
    """Mags rides, with three Attacks; Krug stands with three of his own."""
    rides = card(MAGS, weapons=weapons or (KNIFE,), mounted=True, attacks=3, **more)
    return given(rides, card(KRUG, weapons=(KNIFE,), attacks=3))


def test_ride_by_is_one_attack_and_is_answered_by_one() -> None:
    passing = rider().when(fight(MAGS, KRUG, using=("knife",), ride_by=True), *dice(melee_hit=1))
    assert len(hit_rolls(passing)) == 1
    back = passing.when(fight(KRUG, MAGS, using=("knife",), reaction=True), *dice(melee_hit=1))
    assert len(hit_rolls(back)) == 1
    ordinary = rider().when(fight(MAGS, KRUG, using=("knife",)), *dice(melee_hit=[1, 1, 1]))
    answered = ordinary.when(fight(KRUG, MAGS, using=("knife",), reaction=True), *dice(melee_hit=[1, 1, 1]))
    assert [len(hit_rolls(table)) for table in (ordinary, answered)] == [3, 3]


def test_ride_by_is_as_likely_to_wound_as_every_die_says() -> None:
    ends = exactly(rider(), fight(MAGS, KRUG, using=("knife",), ride_by=True), KRUG)
    assert 1 - ends[()] == Fraction(1, 2) * Fraction(1, 2)  # Weapon Skill 4+, Strength 3 against Toughness 3


def test_ride_by_is_for_the_mounted_and_no_charge_or_reaction() -> None:
    on_foot = given(card(MAGS, weapons=(KNIFE,)))
    for table, more in ((on_foot, {}), (rider(), {"charging": True}), (rider(), {"reaction": True})):
        refused = table.when(fight(MAGS, KRUG, using=("knife",), ride_by=True, **more)).refusal
        assert isinstance(refused, records.ContradictoryStatement), more


def test_the_mounted_use_one_weapon_in_close_combat() -> None:
    both = fight(MAGS, KRUG, using=("knife", "sword"))
    table = rider(KNIFE, SWORD)
    assert isinstance(table.when(both).refusal, records.MountedFightsSo)
    assert not isinstance(older(table, 2).when(both).refusal, records.MountedFightsSo)


def test_the_mounted_use_no_unwieldy_weapon_but_a_lance() -> None:
    table = rider(HAMMER, LANCE)
    assert isinstance(table.when(fight(MAGS, KRUG, using=("hammer",))).refusal, records.MountedFightsSo)
    with_lance = table.when(fight(MAGS, KRUG, using=("hunting lance",)), *dice(melee_hit=[1, 1, 1]))
    assert len(hit_rolls(with_lance)) == 3


def test_the_mounted_use_an_unwieldy_weapon_with_the_trait_lance() -> None:
    spear = weapon("long spear", "Melee", "Unwieldy", "Lance", strength=5)
    with_it = rider(spear).when(fight(MAGS, KRUG, using=("long spear",)), *dice(melee_hit=[1, 1, 1]))
    assert len(hit_rolls(with_it)) == 3


def test_a_mounted_fighter_who_lies_pinned_is_told_to_stand_up_by_the_test() -> None:
    down = rider().when(records.ResolveFall(target=MAGS, distance_hundredths=300), *dice(wound=1))
    assert "stand_up: {fighter: mags}" in str(down.when(fight(MAGS, KRUG, using=("knife",))).refusal)

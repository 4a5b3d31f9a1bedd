"""Overwatch, Reckless and Hexagrammatic: shots that interrupt, that draw their target, that burn psykers.

Source: Core Rulebook (2023) · Skills · Overwatch; Weapon Traits · Reckless; Hexagrammatic.
"""

from fractions import Fraction

import pytest
from fights import at, fight, weapon
from scenario import DOT, KRUG, MAGS, VEX, card, given, hit, older
from shots import armed, gun, shot, there
from special_rules import chance, dice, exactly, purposes

from tracker.campaign import records

ON_HIT = {"hit": 6, "firepower": "one_hole"}
MISSED = {"hit": 1, "firepower": "one_hole"}
BOOKS = ("necromunda_2023", "necromunda_archive")


def notes(events: tuple[object, ...]) -> list[str]:
    return [event.why for event in events if isinstance(event, records.RuleNoted)]


# --- Overwatch -------------------------------------------------------------------------------------------


def overwatch(**more: object) -> records.Shoot:
    return shot(using=("overwatch",), closest=False, **more)


def test_overwatch_shoots_at_whoever_acts_without_a_test_of_target_priority() -> None:
    table = armed(skills=("Overwatch",))
    assert purposes(table.when(overwatch(), *dice(**MISSED))) == ["hit", "firepower"]
    tested = armed(skills=("Overwatch",), knobs={"overwatch.target_priority": "tested"})
    assert purposes(tested.when(overwatch(), *dice(priority_cool="1+1"))) == ["priority_cool"]


def test_overwatch_ends_the_activation_of_whom_it_pins() -> None:
    table = armed(skills=("Overwatch",))
    ends = "Overwatch: the action is not made, and the activation ends"
    assert ends in notes(table.when(overwatch(), *dice(**ON_HIT, wound=1)).outcome)
    assert ends not in notes(table.when(overwatch(), *dice(**MISSED)).outcome)


def test_overwatch_does_not_end_the_activation_of_who_was_prone_before() -> None:
    done = armed(skills=("Overwatch",)).when(overwatch(prone=True), *dice(**ON_HIT, wound=1))
    assert not [why for why in notes(done.outcome) if "activation ends" in why]


def test_overwatch_is_for_who_has_it_and_stands_with_a_weapon_for_a_basic_action() -> None:
    assert isinstance(armed().when(overwatch()).refusal, records.SkillNotHeld)
    down = armed(skills=("Overwatch",)).when(hit(MAGS, by=KRUG), *dice(wound=1))
    pinned = down.when(records.ResolveFall(target=MAGS, distance_hundredths=300), *dice(wound=1))
    assert isinstance(pinned.when(overwatch()).refusal, records.MayNotActSo)
    heavy = armed(gun("gun", "Unwieldy"), skills=("Overwatch",))
    assert isinstance(heavy.when(overwatch()).refusal, records.UnwieldyNeedsDouble)


def test_overwatch_is_as_likely_to_stop_an_action_as_every_die_says() -> None:
    ends = exactly(armed(skills=("Overwatch",)), overwatch(), KRUG)
    assert 1 - ends[()] == Fraction(4, 6)  # Ballistic Skill 4+ at +1: each hit pins at least


# --- Reckless --------------------------------------------------------------------------------------------


def among(*fighters: str, **more: object) -> records.Shoot:
    drawn = tuple(records.EligibleModel(fighter=fighter) for fighter in fighters)
    return shot(None, range_band="short", drawn_among=drawn, **more)


@pytest.mark.parametrize("book", BOOKS)
def test_reckless_draws_the_target_of_a_shot_among_all_eligible_friends_too(book: str) -> None:
    table = given(card(MAGS, weapons=(gun("gun", "Reckless"),)), book=book)
    for face, target in ((1, KRUG), (2, VEX), (3, DOT), (4, KRUG), (5, VEX), (6, DOT)):
        rolled = dice(book, random_fighter=face, hit=6, firepower="one_hole", wound=1)
        done = table.when(among(KRUG, VEX, DOT), *rolled)
        assert [name for name in (KRUG, VEX, DOT) if done.combatant(name).pinned] == [target]


def test_reckless_asks_for_no_die_where_one_is_eligible_or_the_table_drew() -> None:
    table = armed(gun("gun", "Reckless"))
    assert purposes(table.when(among(KRUG), *dice(**MISSED))) == ["hit", "firepower"]
    assert purposes(table.when(shot(closest=False), *dice(**MISSED))) == ["hit", "firepower"]


def test_reckless_shoots_at_each_as_far_and_as_covered_as_they_are() -> None:
    far = records.EligibleModel(fighter=VEX, range_band="long", cover="partial")
    drawn = shot(None, range_band="short", drawn_among=(records.EligibleModel(fighter=KRUG), far))
    table = armed(gun("gun", "Reckless"))
    needed = [
        next(roll.target for roll in table.when(drawn, *dice(random_fighter=face, **MISSED)).rolls
             if roll.purpose == "hit")
        for face in (1, 6)
    ]  # fmt: skip
    assert needed == [4 - 1, 4 + 1 + 1]


def test_reckless_hits_whom_the_die_draws_as_often_as_every_die_says() -> None:
    ends = exactly(armed(gun("gun", "Reckless")), among(KRUG, DOT), DOT)
    assert 1 - ends[()] == Fraction(1, 2) * Fraction(4, 6)


def test_only_a_weapon_that_draws_its_target_names_many() -> None:
    assert isinstance(armed().when(among(KRUG, VEX)).refusal, records.TargetIsDrawn)
    reckless = armed(gun("gun", "Reckless"))
    assert isinstance(older(reckless, 2).when(among(KRUG, VEX)).refusal, records.TargetIsDrawn)
    assert isinstance(reckless.when(among(KRUG, MAGS)).refusal, records.TargetsSelf)
    assert isinstance(reckless.when(among(KRUG, KRUG)).refusal, records.FighterListedTwice)


# --- Hexagrammatic ---------------------------------------------------------------------------------------


def test_hexagrammatic_doubles_the_damage_against_psykers() -> None:
    table = armed(gun("gun", "Hexagrammatic", damage=2), others=(card(KRUG, wounds=6),))
    rolled = dice(**ON_HIT, wound=4)
    assert table.when(shot(target_psyker=True), *rolled).combatant(KRUG).wounds_left == 2
    assert table.when(shot(), *rolled).combatant(KRUG).wounds_left == 4
    assert older(table, 2).when(shot(target_psyker=True), *rolled).combatant(KRUG).wounds_left == 4


def test_hexagrammatic_knows_each_psyker_under_a_template_in_a_fight_and_of_a_hit() -> None:
    tough = (card(KRUG, wounds=6), card(VEX, wounds=6))
    flames = armed(gun("gun", "Template", "Hexagrammatic"), others=tough)
    burned = shot(None, range_band=None, under_template=(there(KRUG, psyker=True), there(VEX)))
    done = flames.when(burned, *dice(firepower="one_hole", wound=[4, 4]))
    assert [done.combatant(name).wounds_left for name in (KRUG, VEX)] == [4, 5]
    rod = armed(weapon("rod", "Melee", "Hexagrammatic"), others=tough, attacks=1)
    struck = rod.when(fight(MAGS, at(KRUG, psyker=True), using=("rod",)), *dice(melee_hit=6, wound=4))
    assert struck.combatant(KRUG).wounds_left == 4
    single = hit(KRUG, by=MAGS, traits=("Hexagrammatic",), target_psyker=True)
    assert rod.when(single, *dice(wound=4)).combatant(KRUG).wounds_left == 4


def test_hexagrammatic_and_marksman_meet_both_double() -> None:
    """Each doubles the Damage, and what multiplies goes before what adds: Rending adds to four times."""
    marksman = gun("gun", "Hexagrammatic", "Rending")
    table = armed(marksman, skills=("Marksman",), others=(card(KRUG, wounds=9),))
    done = table.when(shot(target_psyker=True), *dice(**ON_HIT, wound=6))
    assert done.combatant(KRUG).wounds_left == 9 - (4 + 1)


def test_hexagrammatic_is_as_likely_as_every_die_says() -> None:
    table = armed(others=(card(KRUG, wounds=2),))
    ends = exactly(table, hit(KRUG, by=MAGS, traits=("Hexagrammatic",), target_psyker=True), KRUG)
    assert 1 - ends[()] == Fraction(4, 6)  # each wound takes both Wounds and rolls an Injury die
    assert chance(ends, wounds_left=0) + chance(ends, out_of_action=True) == Fraction(4, 6)

"""Stray shots, played: whom a miss passes, in which order, on which faces, and what a friend's wound brings."""

from scenario import DOT, KRUG, MAGS, OUT_COLD, VEX, injury, wound
from shots import armed, dice, fired, gun, shot, there
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver


@every("face", range(1, 7))
def test_a_miss_hits_whom_it_passes_on_1_to_3(face: int) -> None:
    table = armed().when(
        shot(at_risk=(there(VEX),)), *dice(hit=1, firepower=1, stray=face), *((wound(1),) if face < 4 else ())
    )
    struck = (records.FighterPinned(fighter=VEX),) if face < 4 else ()
    table.then(fired("missed"), *struck)
    assert (table.rolls[2].fighter, table.rolls[2].passed) == (VEX, face < 4)


@every("face", range(1, 7))
def test_under_the_house_rule_a_stray_hits_on_6_only(face: int) -> None:
    house = armed(knobs={"stray_shots.hits_on": "6"})
    table = house.when(
        shot(at_risk=(there(VEX),)),
        *dice(hit=1, firepower=1, stray=face),
        *((wound(1),) if face == 6 else ()),
    )
    assert table.rolls[2].passed is (face == 6)


def test_strays_go_from_the_nearest_on_and_stop_at_the_first_hit() -> None:
    row = shot(at_risk=(there(DOT), there(VEX, engaged=True)))
    armed().when(row, *dice(hit=1, firepower=1, stray=[4, 3]), wound(1)).then(fired("missed"))
    first = armed().when(row, *dice(hit=1, firepower=1, stray=1), wound(1))
    first.then(fired("missed"), records.FighterPinned(fighter=DOT))
    armed().when(row, *dice(hit=1, firepower=1, stray=[1, 1]), wound(1)).then_refused(DiceLeftOver)
    armed().when(row, *dice(hit=1, firepower=1, stray=[5, 6])).then(fired("missed"))


def test_a_friend_hit_by_a_stray_is_wounded_by_the_enemy_and_earns_nothing() -> None:
    table = armed().when(
        shot(at_risk=(there(DOT),)), *dice(hit=1, firepower=1, stray=1), wound(4), injury("serious")
    )
    assert not [event for event in table.outcome if isinstance(event, records.ExperienceGained)]
    assert table.rolls[3].rolled_by == "skulls"


def test_a_hit_puts_nobody_at_risk_of_stray_shots() -> None:
    armed().when(shot(at_risk=(there(VEX),)), *dice(hit=6, firepower=1, stray=1), wound(1)).then_refused(
        DiceLeftOver
    )


def test_every_hit_that_a_rapid_fire_miss_would_have_scored_goes_astray_by_itself() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    row = shot(at_risk=(there(DOT), there(VEX)))
    table = burst.when(row, *dice(hit=1, firepower=3, stray=1, ammo=6), wound(1))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "ammo", "stray", "wound"]
    three = burst.when(row, *dice(hit=1, firepower=6, stray=[4, 4, 4, 2, 1], wound=[1, 1]))
    assert [(roll.purpose, roll.fighter) for roll in three.rolls[2:]] == [
        ("stray", DOT), ("stray", VEX), ("stray", DOT), ("stray", VEX), ("wound", VEX), ("stray", DOT), ("wound", DOT),
    ]  # fmt: skip


def test_a_fighter_who_is_removed_by_one_stray_is_not_rolled_for_again() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    table = burst.when(
        shot(at_risk=(there(VEX),)), *dice(hit=1, firepower=4, stray=1), wound(4), injury("ooa"), OUT_COLD
    )
    assert [roll.purpose for roll in table.rolls].count("stray") == 1


def test_attacker_and_target_are_at_no_risk_of_stray_shots() -> None:
    for fighter in (MAGS, KRUG):
        armed().when(shot(at_risk=(there(fighter),))).then_refused(records.SituationContradicts)
    armed().when(shot(at_risk=(there(VEX), there(VEX)))).then_refused(records.ModelNamedTwice)
    armed().when(shot(at_risk=(there("nobody"),))).then_refused(records.UnknownFighter)

"""Succumbing in the Wrap-up: who ends the battle Seriously Injured. Source: D5.1."""

from end_phases import bottled, down, flee, fleeing, out, recovery
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    OUT_COLD,
    VEX,
    given,
    lasting,
    old_wound,
    opening,
    out_of_action,
    phrases,
    seriously_injured,
    succumb,
)
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded


@every("face", range(1, 7))
def test_a_fighter_who_ends_the_battle_seriously_injured_succumbs_on_1_and_2(face: int) -> None:
    succumbed = face <= 2
    table = down().when(CLOSING, succumb(face), *((lasting(4, 6),) if succumbed else ()))
    assert phrases(table.events) == (
        ("hobbled", "recovery from battle 1", "movement 5 to 4") if succumbed else ()
    )
    gone = [event for event in table.events if isinstance(event, records.FighterWentOutOfAction)]
    assert gone == ([out("succumbed", dice=0)] if succumbed else [])
    assert table.rolls[0].section == "Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up"


def test_each_seriously_injured_fighter_has_a_succumbing_die_in_the_order_of_the_crews() -> None:
    table = down().when(seriously_injured(DOT)).when(seriously_injured(KRUG))
    table = table.when(CLOSING, succumb(3), succumb(4), succumb(5))
    assert [(made.fighter, made.faces) for made in table.rolls] == [(DOT, (3,)), (KRUG, (4,)), (VEX, (5,))]


def test_a_fighter_who_recovered_or_is_out_of_action_does_not_succumb() -> None:
    up = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    up.when(CLOSING, succumb(3)).then_refused(DiceLeftOver)
    gone = down().when(out_of_action(VEX), OUT_COLD)
    gone.when(CLOSING, succumb(3)).then_refused(DiceLeftOver)
    down().when(CLOSING).then_refused(DiceNeeded, purpose="succumb", fighter=VEX)


def test_a_fighter_who_fled_while_seriously_injured_may_succumb_too() -> None:
    table = bottled().when(fleeing(VEX), flee("1+1")).when(CLOSING, succumb(1), lasting(6, 6))
    assert table.fighter(VEX).standing == "dead"


def test_recovery_that_succumbing_brings_outlasts_this_wrap_up() -> None:
    table = down().when(CLOSING, succumb(1), lasting(4, 6)).when(opening(2, without=[VEX])).when(CLOSING)
    carried = phrases(table.events)
    assert carried == ("vex recovery ended",)


def test_succumbing_comes_before_old_battle_wounds_and_before_recovery_is_cleared() -> None:
    table = given().when(out_of_action(VEX), lasting(4, 1)).when(CLOSING).when(opening(2))
    table = table.when(seriously_injured(VEX)).when(seriously_injured(KRUG))
    table = table.when(CLOSING, succumb(5), succumb(1), lasting(5, 1), old_wound(1))
    assert [made.purpose for made in table.rolls] == [
        "succumb",
        "succumb",
        "lasting_injury",
        "old_battle_wound",
    ]


def test_the_dead_have_no_old_battle_wound_tested() -> None:
    table = given().when(out_of_action(VEX), lasting(4, 1)).when(CLOSING).when(opening(2))
    table = table.when(seriously_injured(VEX)).when(CLOSING, succumb(2), lasting(6, 6))
    assert table.fighter(VEX).standing == "dead"


def test_by_policy_nobody_succumbs() -> None:
    down(knobs={"wrap_up.succumb": "not_rolled"}).when(CLOSING).then_phrases()

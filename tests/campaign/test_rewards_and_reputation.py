"""Rewards and Reputation: what a scenario brings; gains before losses, never below 1. Source: D5.5."""

from aftermaths import die, fallen
from scenario import SKULLS
from tables import every

from tracker.campaign import records


def test_a_reward_is_its_dice_times_10_and_what_is_fixed() -> None:
    table = fallen().when(
        records.TakeReward(gang=SKULLS, why="loot", dice=2, credits_fixed=5), die("reward", 3, 6)
    )
    assert table.state.gangs[SKULLS].credits == 100 + 95


def test_a_house_rule_rolls_four_d6_for_a_reward_at_most() -> None:
    six = records.TakeReward(gang=SKULLS, why="loot", dice=6)
    printed = fallen().when(six, die("reward", 1, 1, 1, 1, 1, 1))
    capped = fallen(knobs={"rewards.dice_max": "four"}).when(six, die("reward", 1, 1, 1, 1))
    assert printed.state.gangs[SKULLS].credits == 160
    assert capped.state.gangs[SKULLS].credits == 140


def test_a_reward_of_nothing_is_none() -> None:
    fallen().when(records.TakeReward(gang=SKULLS, why="loot")).then_refused(records.NoReward)


@every("changes", [(3, -2), (-2, 3)])
def test_reputation_gains_count_before_losses_in_whatever_order_they_are_shown(
    changes: tuple[int, int],
) -> None:
    table = fallen()
    for by in changes:
        table = table.when(records.ChangeReputation(gang=SKULLS, by=by, why="test"))
    assert table.state.gangs[SKULLS].reputation == 2


def test_reputation_never_falls_below_1() -> None:
    table = fallen().when(records.ChangeReputation(gang=SKULLS, by=-5, why="test"))
    assert table.state.gangs[SKULLS].reputation == 1
    again = table.when(records.ChangeReputation(gang=SKULLS, by=2, why="test"))
    assert again.state.gangs[SKULLS].reputation == 1  # 1 + 2 - 5, and the floor
    table.when(records.ChangeReputation(gang=SKULLS, by=0, why="test")).then_refused(records.NoReputation)

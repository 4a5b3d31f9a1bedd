"""The sequence itself: steps in their order, scrap, rewards, Reputation, trading, repairs."""

from aftermaths import WON, after, die, fallen, names, sides, with_credits
from scenario import BOOK, KRUG, SAINTS, SKULLS, VEX, card, given, house_rule, lasting, opening
from tables import every

from tracker.campaign import records
from tracker.rules import loader

REWARD = records.TakeReward(gang=SKULLS, why="loot", dice=2)


def steps(book: str) -> list[str]:
    return [step.name for step in loader.book(book).post_battle.steps]


def test_the_sequence_has_seven_steps_and_the_roster_is_updated_from_a_to_f() -> None:
    assert steps(BOOK) == [
        "1. The Wrap-up",
        "2. Territory",
        "3. Rewards",
        "4. Income",
        "5. Post-battle actions",
        "6A. Clean house",
        "6B. Trading Post",
        "6C. Boons",
        "6D. Distribute equipment",
        "6E. Advancements",
        "6F. Gang Rating",
        "7. Report",
    ]


def test_archived_the_sequence_has_seven_steps_of_its_own() -> None:
    assert steps("necromunda_archive") == [
        "Wrap Up",
        "Alignment checks",
        "Assign resource",
        "Rewards",
        "Income",
        "Actions",
        "Update Roster",
    ]


def test_a_gang_only_goes_forward_and_may_leave_steps_out() -> None:
    table = fallen((VEX, lasting(5, 5))).when(records.Trade(by=KRUG))
    assert after(table).step == "actions"
    table = table.when(REWARD, die("reward", 1, 1)).then_refused(
        records.StepOutOfOrder, step="3. Rewards", reached="5. Post-battle actions"
    )
    table.when(records.RollEscape(fighter=VEX), die("escape", 6)).then_refused(records.StepOutOfOrder)
    assert (
        table.when(records.RollEscape(fighter=VEX, late="forgotten"), die("escape", 6))
        .fighter(VEX)
        .convalescing
    )


def test_each_gang_goes_at_its_own_pace() -> None:
    table = (
        fallen()
        .when(records.Trade(by=KRUG))
        .when(records.TakeReward(gang=SAINTS, why="loot", dice=1), die("reward", 4))
    )
    assert (after(table).step, after(table, SAINTS).step) == ("actions", "rewards")


def test_a_sequence_ends_with_the_gangs_next_battle_and_begins_when_that_is_over() -> None:
    table = fallen().when(records.Trade(by=KRUG)).when(opening(2))
    assert table.state.after_battle == {}
    over = table.when(WON)
    assert (after(over).battle, after(over).step, after(over).acted) == ("battle-2", None, {})


def test_nothing_of_a_sequence_happens_before_the_first_battle() -> None:
    given(battle=False).when(REWARD, die("reward", 1, 1)).then_refused(records.NoSequenceOpen)


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


def test_a_policy_from_the_next_battle_on_does_not_govern_this_battles_sequence() -> None:
    capped = house_rule({"rewards.dice_max": "four"})
    six = records.TakeReward(gang=SKULLS, why="loot", dice=6)
    table = fallen().when(records.AdoptPolicy(text=capped, from_battle=2, reason="test"))
    table = table.when(six, die("reward", 1, 1, 1, 1, 1, 1))
    assert table.state.gangs[SKULLS].credits == 160
    table = table.when(opening(2)).when(WON).when(six, die("reward", 1, 1, 1, 1))
    assert table.state.gangs[SKULLS].credits == 200


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


def test_rare_things_are_sought_once_and_only_with_a_trade_action() -> None:
    seek = records.SeekRare(gang=SKULLS)
    table = sides(fallen()).when(seek, die("seek_rare", "3+4")).then_refused(records.NobodyTrades)
    table = table.when(records.Trade(by=KRUG)).when(seek, die("seek_rare", "3+4"))
    table.when(seek, die("seek_rare", "3+4")).then_refused(records.OncePerSequence)


def test_a_search_has_2_for_the_leader_1_for_each_champion_and_1_for_each_full_10_reputation() -> None:
    table = given(card(VEX, category="champion"))
    table = sides(fallen(table=table)).when(records.ChangeReputation(gang=SKULLS, by=18, why="test"))
    table = table.when(records.Trade(by=KRUG)).when(records.Trade(by=VEX))
    table = table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4"))
    (roll,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == [
        ("the Leader trades", 2),
        ("Champions trade", 1),
        ("Reputation 19", 1),
    ]
    rare = after(table).rare
    assert rare is not None
    assert (rare.rare_up_to, rare.illegal_up_to) == (11, 11)


def test_the_law_abiding_find_illegal_things_at_4_less() -> None:
    table = sides(fallen(), skulls="law_abiding").when(records.Trade(by=KRUG))
    rare = after(table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4"))).rare
    assert rare is not None
    assert (rare.rare_up_to, rare.illegal_up_to) == (9, 5)


def test_a_search_asks_on_which_side_of_the_law_a_gang_stands() -> None:
    table = fallen().when(records.Trade(by=KRUG))
    table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4")).then_refused(records.WrongSideOfTheLaw)


@every(
    ("side", "market", "rare", "illegal"),
    [
        ("outlaw", "trading_post", 7, 7),
        ("law_abiding", "trading_post", 9, 9),
        ("law_abiding", "black_market", 8, 7),
        ("outlaw", "black_market", 9, 9),
    ],
)
def test_archived_illegal_things_have_a_roll_of_their_own_and_each_market_its_penalties(
    side: str, market: str, rare: int, illegal: int
) -> None:
    archive = "necromunda_archive"
    table = sides(fallen(book=archive), skulls=side).when(records.Trade(by=KRUG))
    table = table.when(
        records.SeekRare(gang=SKULLS, market=market),  # type: ignore[arg-type]
        die("seek_rare", "3+4", book=archive),
        die("seek_illegal", "3+4", book=archive),
    )
    found = after(table).rare
    assert found is not None
    assert (found.rare_up_to, found.illegal_up_to) == (rare, illegal)


def test_leaving_the_actions_ends_them() -> None:
    table = sides(with_credits(fallen((VEX, lasting(6, 1))), 100)).when(records.Trade(by=KRUG))
    table = table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4"))
    assert table.fighter(VEX).standing == "dead"
    assert names(table.outcome)[0] == "PostBattleDone"
    table.when(records.EndActions(gang=SKULLS)).then_refused(records.OncePerSequence)


def test_a_stake_is_taken_in_step_2() -> None:
    table = fallen(close=WON).when(
        records.GainTerritory(gang=SKULLS, territory="ruin", kind="old_ruins", why="stake", staked=True)
    )
    assert after(table).step == "territory"

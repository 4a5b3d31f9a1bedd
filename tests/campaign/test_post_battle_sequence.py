"""The post-battle sequence: its steps in their order, each gang at its own pace. Source: D5."""

from aftermaths import WON, after, die, fallen, names, sides, with_credits
from scenario import BOOK, KRUG, SAINTS, SKULLS, VEX, given, house_rule, lasting, opening

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


def test_a_policy_from_the_next_battle_on_does_not_govern_this_battles_sequence() -> None:
    capped = house_rule({"rewards.dice_max": "four"})
    six = records.TakeReward(gang=SKULLS, why="loot", dice=6)
    table = fallen().when(records.AdoptPolicy(text=capped, from_battle=2, reason="test"))
    table = table.when(six, die("reward", 1, 1, 1, 1, 1, 1))
    assert table.state.gangs[SKULLS].credits == 160
    table = table.when(opening(2)).when(WON).when(six, die("reward", 1, 1, 1, 1))
    assert table.state.gangs[SKULLS].credits == 200


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

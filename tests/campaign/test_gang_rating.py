"""Gang Rating: worked out anew, once every Ganger has rolled and a Leader is named. Source: D5.7."""

from __future__ import annotations

from scenario import KRUG, SKULLS, VEX, card
from trading_scenario import STUB_ITEM, buy, fought, two

from tracker.campaign import records
from tracker.campaign.holdings import rating


def test_the_dead_count_in_no_rating() -> None:
    table = fought(dead=(VEX,))
    assert rating(table.state.gangs[SKULLS]) == 100


def test_the_old_rating_stands_until_the_new_one_is_worked_out() -> None:
    table = fought().when(records.MoveCredits(source="@rewards", target=SKULLS, amount=60, reason="scenario"))
    table = table.when(records.RecordRating(gang=SKULLS, reason="before the season"))
    assert table.state.gangs[SKULLS].rating_recorded == 200
    table = table.when(buy(STUB_ITEM, "own_list", fighter=VEX))
    assert (table.state.gangs[SKULLS].rating_recorded, rating(table.state.gangs[SKULLS])) == (200, 205)
    table = table.when(records.RecordRating(gang=SKULLS))
    recorded = table.outcome[-1]
    assert isinstance(recorded, records.RatingRecorded)
    # 100 and 60 credits less 5 for the gun are 155, and nothing else lies in the stash.
    assert (recorded.before, recorded.after, recorded.wealth) == (200, 205, 205 + 155)


def test_every_ganger_with_6_xp_rolls_before_the_rating_is_worked_out() -> None:
    table = fought(card(VEX, experience=6))
    table.when(records.RecordRating(gang=SKULLS)).then_refused(records.RollsLeft, fighters=("Vex",))
    rolled = records.RollAdvancement(fighter=VEX, choose=("cool",))
    table = table.when(rolled, two(4, 6)).when(records.RecordRating(gang=SKULLS))
    assert table.state.gangs[SKULLS].rating_recorded == 210


def test_no_rating_is_worked_out_for_a_gang_that_lost_its_leader_until_another_leads() -> None:
    table = (
        fought(dead=(KRUG,))
        .when(records.RecordRating(gang=SKULLS, reading=2))
        .then_refused(records.LeaderLost, leader="Krug")
    )
    assert (
        table.when(records.RecordRating(gang=SKULLS, reason="as agreed")).state.gangs[SKULLS].rating_recorded
        == 100
    )
    led = table.when(records.NameLeader(gang=SKULLS)).when(records.RecordRating(gang=SKULLS))
    assert led.state.gangs[SKULLS].rating_recorded == 100


def test_a_gang_with_nobody_left_to_lead_has_a_rating_all_the_same() -> None:
    dead = fought(dead=(KRUG, VEX)).when(records.RecordRating(gang=SKULLS))
    assert dead.state.gangs[SKULLS].rating_recorded == 0

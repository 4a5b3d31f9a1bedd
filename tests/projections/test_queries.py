"""Reading the boards: which rows, and in which order."""

import pytest
from board_history import (
    CAMPAIGN,
    CREATED_AT,
    HAWKS,
    KRUG,
    MAGS,
    RATS,
    SLUG,
    VEX,
    History,
    enlisted,
    gang_enlisted,
    injured,
    roll,
)
from scenario import ORDINARY
from sqlalchemy import event, update

from tracker import schema
from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.state import CampaignState
from tracker.projections import entry_queries, queries
from tracker.projections.number_lineage import numbers_of
from tracker.projections.rating_history import rating_history
from tracker.projections.row_json import BoardDamaged
from tracker.projections.standings import gone_from


@pytest.fixture
def season(history: History) -> History:
    """Two battles: the hits are entries 5 and 9, an award between battles is entry 7, a ruling 11."""
    history.first_battle(winner=RATS)
    history.award(VEX)
    history.open_battle("b2", {HAWKS: (KRUG,), RATS: (MAGS,)})
    history.hit(
        KRUG, roll(KRUG, 3, purpose="save"), roll(KRUG, 4, 6, purpose="lasting injury"), injured(KRUG)
    )
    history.dispute(5)
    history.rule(10, again={5: (roll(MAGS, 1),)})
    return history


def test_a_campaign_is_found_by_its_slug(season: History) -> None:
    row = {
        "campaign": CAMPAIGN,
        "slug": SLUG,
        "name": "Underhive",
        "ruleset": "necromunda_2023",
        "created_at": CREATED_AT,
        "shape": schema.BOARDS_SHAPE,
    }
    assert queries.campaigns(season.connection) == [row]
    assert queries.campaign_by_slug(season.connection, SLUG) == row
    assert queries.campaign_by_slug(season.connection, "elsewhere") is None
    assert queries.is_called(season.connection, SLUG, but="another")
    assert not queries.is_called(season.connection, SLUG, but=CAMPAIGN)
    assert not queries.is_called(season.connection, "elsewhere", but="another")


def test_the_roster_is_in_order_of_enlistment(season: History) -> None:
    assert [row["fighter"] for row in queries.roster(season.connection, CAMPAIGN)] == [VEX, KRUG, MAGS]
    assert [row["fighter"] for row in queries.roster(season.connection, CAMPAIGN, RATS)] == [MAGS]
    assert queries.roster(season.connection, "c2") == []


def test_one_fighter_gang_battle_or_dispute_is_found_or_none(season: History) -> None:
    connection = season.connection
    assert (queries.fighter(connection, CAMPAIGN, KRUG) or {})["name"] == "Krug"
    assert (queries.gang(connection, CAMPAIGN, RATS) or {})["won"] == 1
    assert (queries.battle(connection, CAMPAIGN, "b2") or {})["status"] == "under_way"
    assert (queries.dispute(connection, CAMPAIGN, 10) or {})["status"] == "corrected"
    assert queries.fighter(connection, CAMPAIGN, "nobody") is None
    assert queries.gang(connection, CAMPAIGN, "nobody") is None
    assert queries.battle(connection, CAMPAIGN, "b9") is None
    assert queries.dispute(connection, CAMPAIGN, 9) is None


def test_standings_begin_with_the_gang_that_won(season: History) -> None:
    assert [row["gang"] for row in queries.standings(season.connection, CAMPAIGN)] == [RATS, HAWKS]


def test_the_roster_can_leave_out_the_gone_or_show_them_alone(season: History) -> None:
    season.retire(VEX, records.FighterRetired(fighter=VEX, reason="moved away"))
    connection = season.connection
    for gang, there, gone in ((None, [KRUG, MAGS], [VEX]), (HAWKS, [KRUG], [VEX]), (RATS, [MAGS], [])):
        rows = queries.roster(connection, CAMPAIGN, gang, gone=False)
        assert [row["fighter"] for row in rows] == there
        assert [row["fighter"] for row in queries.roster(connection, CAMPAIGN, gang, gone=True)] == gone
    assert [row["fighter"] for row in queries.roster(connection, CAMPAIGN)] == [VEX, KRUG, MAGS]
    assert [row["fighter"] for row in queries.roster(connection, CAMPAIGN, HAWKS)] == [VEX, KRUG]


def test_a_row_of_another_shape_is_refused_as_damage_and_names_its_board(season: History) -> None:
    season.connection.execute(update(schema.board_fighters).values(row="{}"))
    with pytest.raises(BoardDamaged) as refused:
        queries.fighter(season.connection, CAMPAIGN, KRUG)
    assert refused.value.board == "fighters"


def test_a_battle_whose_closing_is_void_ends_for_the_ratings_where_the_next_one_opens(
    season: History,
) -> None:
    """Vex's XP, awarded between the two, is then of the first."""
    season.close_battle("b2")

    def rows() -> list[tuple[int | None, int]]:
        history = rating_history(recorded.event for recorded in season.live())
        return [(row["number"], row["gangs"][HAWKS]["experience_earned"]) for row in history]

    assert rows() == [(0, 0), (1, 0), (2, 1)]
    season.rule(season.dispute(6), void=[6])
    assert rows() == [(0, 0), (1, 1), (2, 1)]


def test_what_a_gang_came_to_after_the_last_battle_is_a_row_of_its_own(season: History) -> None:
    """And no row where nothing came of it."""

    def rows() -> list[tuple[str | None, int | None, int]]:
        history = rating_history(recorded.event for recorded in season.live())
        return [(row["battle"], row["number"], row["gangs"][HAWKS]["experience_earned"]) for row in history]

    season.close_battle("b2")
    assert rows()[-1] == ("b2", 2, 1)
    season.award(VEX, 3)
    assert rows()[-2:] == [("b2", 2, 1), (None, None, 4)]


def test_the_gone_are_those_who_retired_who_died_and_who_were_sold() -> None:
    counted = {"enlisted": 16, "captured": 8, "retired": 4, "dead": 2, "sold": 1}
    assert gone_from({"fighters": counted}) == 7


def test_the_numbers_of_a_fighter_are_those_of_the_row_and_of_the_card_and_nobody_has_any() -> None:
    state = evolve(evolve(CampaignState(), gang_enlisted(HAWKS)), enlisted(KRUG, HAWKS, cost_credits=65))
    numbers = numbers_of(state, "fighter", KRUG)
    assert (numbers["cost_credits"], numbers["toughness"]) == (65, ORDINARY["toughness"])
    assert "characteristics" not in numbers
    assert numbers_of(state, "fighter", VEX) == {}
    assert numbers_of(state, "gang", HAWKS)["credits"] == 100
    assert numbers_of(state, "gang", RATS) == {}


@pytest.mark.parametrize(
    ("asked", "entries"),
    [
        ({"battle": "b1"}, [(4, 4), (5, 5), (6, 6), (11, 5)]),
        ({"fighter": MAGS}, [(3, 3), (5, 5), (11, 5)]),
        ({"gang": RATS, "since": 4}, [(5, 5), (11, 5)]),
        ({"events": frozenset({"LastingInjurySuffered"})}, [(5, 5), (9, 9)]),
        ({"command": "AwardExperience"}, [(7, 7)]),
        ({"entry": 11}, [(11, 5), (11, 11)]),
        ({"slot": 5}, [(5, 5), (11, 5)]),
        ({"slot": 5, "battle": "b2"}, []),
        ({"battle": "b9"}, []),
        ({"first": 1, "since": 11}, [(11, 5), (11, 11)]),
        ({"events": frozenset({"RollMade"})}, [(5, 5), (9, 9), (11, 5)]),
        ({"struck": True}, [(5, 5)]),
        ({"limit": 2}, [(11, 5), (11, 11)]),
        ({"limit": 0}, []),
        ({"struck": False, "battle": "b1", "limit": 2}, [(6, 6), (11, 5)]),
    ],
)
def test_entries_are_shown_in_the_order_of_the_log_the_newest_when_limited(
    season: History, asked: dict[str, object], entries: list[tuple[int, int]]
) -> None:
    found = entry_queries.entries(season.connection, CAMPAIGN, **asked)  # type: ignore[arg-type]
    assert [(row["entry"], row["slot"]) for row in found] == entries


def test_the_index_says_in_which_battle_what_was_done_to_a_slot_and_of_whom(season: History) -> None:
    hit, *_, again, ruling = entry_queries.entries(season.connection, CAMPAIGN, since=5)
    assert hit == {
        "entry": 5,
        "slot": 5,
        "battle": "b1",
        "kind": "played",
        "struck_by": 11,
        "command": "RollInjuryDice",
        "events": ["RollMade", "FighterWentOutOfAction", "LastingInjurySuffered", "ExperienceGained"],
        "fighters": [MAGS, KRUG],
        "gangs": [],
    }
    assert (again["battle"], again["kind"], again["struck_by"]) == ("b1", "decided_again", None)
    assert (ruling["battle"], ruling["kind"], ruling["fighters"]) == ("b2", "ruling", [])


def test_the_index_names_for_whom_somebody_gained_xp(season: History) -> None:
    gained = season.hit(KRUG, records.ExperienceGained(fighter=VEX, amount=1, reason="test", victim=MAGS))
    (row,) = entry_queries.entries(season.connection, CAMPAIGN, entry=gained)
    assert row["fighters"] == [VEX, MAGS]


def test_entries_between_battles_come_in_the_order_of_play(season: History) -> None:
    found = entry_queries.entries_between_battles(season.connection, CAMPAIGN, after_slot=1, before_slot=9)
    assert [row["slot"] for row in found] == [2, 3, 7]
    found = entry_queries.entries_between_battles(season.connection, CAMPAIGN, after_slot=4, before_slot=None)
    assert [row["slot"] for row in found] == [7]


def test_the_index_names_the_gangs_whose_credits_or_things_moved_while_it_counts(season: History) -> None:
    moved = records.CreditsMoved(
        source=HAWKS, target=RATS, amount=30, why="ransom", section="Captured", fighter=None, item=None
    )
    paid = season.hit(KRUG, moved)
    connection = season.connection
    assert [row["entry"] for row in entry_queries.entries_moving(connection, CAMPAIGN, HAWKS)] == [2, paid]
    assert [row["entry"] for row in entry_queries.entries_moving(connection, CAMPAIGN, RATS)] == [3, paid]
    assert entry_queries.entries_moving(connection, CAMPAIGN, "hawk") == []
    season.rule(season.dispute(paid), void=[paid])
    assert [row["entry"] for row in entry_queries.entries_moving(connection, CAMPAIGN, HAWKS)] == [2]


def test_a_query_for_the_living_reads_no_row_of_the_gone(season: History) -> None:
    asked: list[tuple[str, object]] = []
    event.listen(
        season.connection, "before_cursor_execute", lambda *given: asked.append((given[2], given[3]))
    )
    for gang in (None, HAWKS):
        for gone in (False, True):
            queries.roster(season.connection, CAMPAIGN, gang, gone=gone)
    of_rosters = tuple(asked)  # what follows is asked too
    for statement, values in of_rosters:
        rows = season.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        plan = [str(row.detail) for row in rows]
        assert any("board_fighters_gang (campaign_id=? AND gone=?" in step for step in plan), plan

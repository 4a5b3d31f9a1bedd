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
    injured,
    out_of_action,
    roll,
    xp,
)

from tracker import schema
from tracker.projections import queries


@pytest.fixture
def season(history: History) -> History:
    """Two battles: the hits are entries 5 and 9, an award between battles is entry 7, a ruling 11."""
    history.open_campaign()
    history.enlist(HAWKS, VEX, KRUG)
    history.enlist(RATS, MAGS)
    history.open_battle("b1", {HAWKS: (KRUG, VEX), RATS: (MAGS,)})
    history.hit(MAGS, roll(MAGS, 5), out_of_action(MAGS, by=KRUG), injured(MAGS, by=KRUG), xp(KRUG, 2))
    history.close_battle("b1", winner=RATS)
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


def test_injuries_and_experience_are_shown_of_a_fighter_or_a_gang(season: History) -> None:
    connection = season.connection
    assert [row["fighter"] for row in queries.injuries(connection, CAMPAIGN)] == [KRUG]
    assert queries.injuries(connection, CAMPAIGN, gang=RATS) == []
    assert [row["amount"] for row in queries.experience(connection, CAMPAIGN, fighter=VEX)] == [1]
    assert [row["fighter"] for row in queries.experience(connection, CAMPAIGN, gang=HAWKS)] == [VEX]


@pytest.mark.parametrize(
    ("asked", "entries"),
    [
        ({}, [5, 9, 9, 11]),
        ({"fighter": KRUG}, [9, 9]),
        ({"gang": RATS}, [5, 11]),
        ({"battle": "b1"}, [5, 11]),
        ({"battle": "b2"}, [9, 9]),
        ({"battle": "b9"}, []),
        ({"purpose": "save"}, [9]),
        ({"since": 6}, [9, 9, 11]),
        ({"struck": True}, [5]),
        ({"struck": False, "battle": "b1"}, [11]),
    ],
)
def test_rolls_are_shown_by_whom_where_for_what_and_since_when(
    season: History, asked: dict[str, object], entries: list[int]
) -> None:
    found = queries.rolls(season.connection, CAMPAIGN, **asked)  # type: ignore[arg-type]
    assert [row["entry"] for row in found] == entries


@pytest.mark.parametrize(
    ("asked", "entries"),
    [
        ({"battle": "b1"}, [(4, 4), (5, 5), (6, 6), (11, 5)]),
        ({"fighter": MAGS}, [(3, 3), (5, 5), (11, 5)]),
        ({"gang": RATS, "since": 4}, [(5, 5), (11, 5)]),
        ({"event": "LastingInjurySuffered"}, [(5, 5), (9, 9)]),
        ({"command": "AwardExperience"}, [(7, 7)]),
        ({"entry": 11}, [(11, 5), (11, 11)]),
        ({"struck": True}, [(5, 5)]),
        ({"limit": 2}, [(11, 5), (11, 11)]),
        ({"limit": 0}, []),
        ({"struck": False, "battle": "b1", "limit": 2}, [(6, 6), (11, 5)]),
    ],
)
def test_entries_are_shown_in_the_order_of_the_log_the_newest_when_limited(
    season: History, asked: dict[str, object], entries: list[tuple[int, int]]
) -> None:
    found = queries.entries(season.connection, CAMPAIGN, **asked)  # type: ignore[arg-type]
    assert [(row["entry"], row["slot"]) for row in found] == entries

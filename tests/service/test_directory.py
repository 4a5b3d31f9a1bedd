"""The list of campaigns, on both engines: made anew from the logs, whole, while others begin campaigns."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker import schema
from tracker.log import database
from tracker.log.revisions import RevisionLost
from tracker.rules.loader import UnknownBook
from tracker.service.application import Tracker


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def tracker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tracker]:
    """Two campaigns, 'ash' and 'sump'."""
    url = club.sqlite(tmp_path / "club.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_at_head")
    tracker = club.open_tracker(url)
    for slug in ("ash", "sump"):
        club.begin(tracker, slug)
    yield tracker
    tracker.close()


def listed(tracker: Tracker) -> list[tuple[object, ...]]:
    query = select(schema.board_campaigns).order_by(schema.board_campaigns.c.campaign_id)
    with database.reading(tracker.engine) as connection:
        return [tuple(row) for row in connection.execute(query)]


def damaged(tracker: Tracker, *statements: str) -> None:
    with database.writing(tracker.engine) as connection:
        for statement in statements:
            connection.execute(text(statement))


@pytest.mark.parametrize(
    "damage",
    [
        ["DELETE FROM board_campaigns"],
        ["UPDATE board_campaigns SET slug = 'x' WHERE slug = 'ash'", "UPDATE board_campaigns SET slug = 'ash' WHERE slug = 'sump'"],
        ["UPDATE board_campaigns SET campaign_id = 'another' WHERE slug = 'ash'"],
        ["DROP TABLE board_campaigns"],
        ["UPDATE board_gangs SET campaign_id = 'another' WHERE gang_id = 'skulls' AND campaign_id = (SELECT min(campaign_id) FROM heads)"],
    ],
)  # fmt: skip
def test_the_list_is_made_anew_whole(tracker: Tracker, damage: list[str]) -> None:
    before, campaigns = listed(tracker), tracker.directory.campaigns()
    damaged(tracker, *damage)
    tracker.audit.rebuild_directory()
    assert [row[:-1] for row in listed(tracker)] == [row[:-1] for row in before], (
        "but for the shape of boards"
    )
    for campaign in campaigns.values():
        tracker.audit.rebuild_boards(campaign)
        club.everything_holds(tracker, campaign)
    assert listed(tracker) == before
    tracker.directory.rows()


def test_campaigns_that_begin_meanwhile_stay(tracker: Tracker) -> None:
    other = club.open_tracker(tracker.engine.url.render_as_string(hide_password=False))
    names = [f"rust-{number}" for number in range(5)]
    beginning = threading.Thread(target=lambda: [club.begin(other, name) for name in names])
    beginning.start()
    while beginning.is_alive():
        tracker.audit.rebuild_directory()
        beginning.join(0.005)  # or on SQLite they seldom get between two of these
    assert sorted(tracker.directory.campaigns()) == sorted(["ash", "sump", *names])
    tracker.directory.rows()
    for campaign in tracker.directory.campaigns().values():
        club.everything_holds(tracker, campaign)
    other.close()


def test_of_two_logs_that_were_opened_under_one_name_one_is_called_by_its_id(tracker: Tracker) -> None:
    """A lost row frees its name for another campaign, and both logs stay as they are."""
    first = tracker.directory.campaigns()["ash"]
    damaged(tracker, "UPDATE board_campaigns SET slug = 'lost' WHERE slug = 'ash'")
    club.begin(tracker, "ash")
    named, other = sorted((first, tracker.directory.campaigns()["ash"]))
    tracker.audit.rebuild_directory()
    expected = {"ash": named, other: other, "sump": tracker.directory.campaigns()["sump"]}
    assert tracker.directory.campaigns() == expected
    for campaign in (other, named):
        assert tracker.audit.board_differences(campaign) == []
        tracker.audit.rebuild_boards(campaign)
        assert tracker.audit.board_differences(campaign) == []
    assert tracker.directory.campaigns() == expected


def test_a_lost_revision_is_found_by_the_tables(tracker: Tracker) -> None:
    url = tracker.engine.url.render_as_string(hide_password=False)
    damaged(tracker, "DELETE FROM alembic_version")
    with pytest.raises(RevisionLost):
        database.current(url)
    database.find_revision(url)
    assert database.current(url) == (schema.HEAD_REVISION, schema.HEAD_REVISION)


def test_a_campaign_is_opened_under_a_book_that_there_is(tracker: Tracker) -> None:
    before = listed(tracker)
    with pytest.raises(UnknownBook):
        tracker.commands.open_campaign(name="Third", slug="third", book="necromunda_1923", preset=None)
    assert listed(tracker) == before

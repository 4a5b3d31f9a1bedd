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
from tracker.service.application import Tracker


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tracker]:
    """Two campaigns, 'ash' and 'sump'."""
    url = club.sqlite(tmp_path / "club.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_database")
        database.upgrade(url)
    hall = club.tracker(url)
    for slug in ("ash", "sump"):
        club.begin(hall, slug)
    yield hall
    hall.close()


def listed(hall: Tracker) -> list[tuple[object, ...]]:
    query = select(schema.board_campaigns).order_by(schema.board_campaigns.c.campaign_id)
    with database.reading(hall.engine) as connection:
        return [tuple(row) for row in connection.execute(query)]


def damaged(hall: Tracker, *statements: str) -> None:
    with database.writing(hall.engine) as connection:
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
def test_the_list_is_made_anew_whole(hall: Tracker, damage: list[str]) -> None:
    before, campaigns = listed(hall), hall.directory.campaigns()
    damaged(hall, *damage)
    hall.audit.rebuild_directory()
    assert [row[:-1] for row in listed(hall)] == [row[:-1] for row in before], "but for the shape of boards"
    for campaign in campaigns.values():
        hall.audit.rebuild_boards(campaign)
        club.everything_holds(hall, campaign)
    assert listed(hall) == before
    hall.directory.rows()


def test_campaigns_that_begin_meanwhile_stay(hall: Tracker) -> None:
    other = club.tracker(hall.engine.url.render_as_string(hide_password=False))
    names = [f"rust-{number}" for number in range(5)]
    beginning = threading.Thread(target=lambda: [club.begin(other, name) for name in names])
    beginning.start()
    while beginning.is_alive():
        hall.audit.rebuild_directory()
    assert sorted(hall.directory.campaigns()) == sorted(["ash", "sump", *names])
    hall.directory.rows()
    for campaign in hall.directory.campaigns().values():
        club.everything_holds(hall, campaign)
    other.close()


def test_a_lost_revision_is_found_by_the_tables(hall: Tracker) -> None:
    url = hall.engine.url.render_as_string(hide_password=False)
    damaged(hall, "DELETE FROM alembic_version")
    with pytest.raises(RevisionLost):
        database.current(url)
    database.find_revision(url)
    assert database.current(url) == (schema.HEAD_REVISION, schema.HEAD_REVISION)

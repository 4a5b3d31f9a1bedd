"""A club's database on SQLite and on PostgreSQL, and the clock that it is asked by."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clock_by_hand import Clock

from tracker.service.application import Tracker


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_at_head"))
    return f"sqlite:///{tmp_path / 'club.db'}"


@pytest.fixture
def tracker(url: str, clock: Clock) -> Iterator[Tracker]:
    tracker = Tracker(url, actor="arbitrator", clock=clock)
    yield tracker
    tracker.close()

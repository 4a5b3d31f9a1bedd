"""Who keeps a campaign in mind follows what others write to it, and is never wrong about it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.season import COPY_IDS_FROM, Season, gang_of_ten_events, open_tracker
from tracker.service.application import Tracker
from tracker.service.ruling_request import RulingRequest


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Season]:
    season = Season(open_tracker(tmp_path / "season.db"))
    season.grow(300)
    yield season
    season.tracker.close()


@pytest.fixture
def other(season: Season, tmp_path: Path) -> Iterator[Tracker]:
    """Somebody else at the same database."""
    other = open_tracker(tmp_path / "season.db", ids_from=COPY_IDS_FROM)
    yield other
    other.close()


def folded(season: Season, tmp_path: Path) -> object:
    """The state as somebody sees it who has only just come."""
    newcomer = open_tracker(tmp_path / "season.db")
    state = newcomer.repository.state(season.campaign)
    newcomer.close()
    return state


def test_what_others_wrote_is_folded_onto_what_is_kept(
    season: Season, other: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season.tracker.repository.state(season.campaign)
    other.commands.play(season.campaign, [gang_of_ten_events("newcomers")])
    monkeypatch.setattr(
        season.tracker.repository, "snapshot_before", lambda *_: pytest.fail("nothing has to be read again")
    )
    assert "newcomers" in season.tracker.repository.state(season.campaign).gangs
    assert season.tracker.repository.state(season.campaign) == folded(season, tmp_path)


def test_a_ruling_that_reached_behind_what_is_kept_counts(
    season: Season, other: Tracker, tmp_path: Path
) -> None:
    kept = season.tracker.repository.state(season.campaign)
    wound = next(
        recorded.address
        for recorded in other.repository.log.live(season.campaign)
        if getattr(recorded.event, "purpose", "") == "wound"
    )
    other.disputes.open(season.campaign, wound, raised_by="bench", reason="cocked")
    other.rulings.rule(season.campaign, wound, RulingRequest(verdict="voided", reason="never happened"))
    assert season.tracker.repository.state(season.campaign) == folded(season, tmp_path) != kept


def test_a_log_that_was_put_in_the_place_of_another_is_read_from_the_beginning(
    season: Season, other: Tracker, tmp_path: Path
) -> None:
    shutil.copy(tmp_path / "season.db", tmp_path / "backup.db")
    season.tracker.commands.play(season.campaign, [gang_of_ten_events("lost")])
    shutil.copy(tmp_path / "backup.db", tmp_path / "season.db")
    for name in ("other", "another"):
        other.commands.play(season.campaign, [gang_of_ten_events(name)])
    gangs = season.tracker.repository.state(season.campaign).gangs
    assert "another" in gangs
    assert "lost" not in gangs

"""The service seals the history of a campaign that is left alone, and of no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.season import Season, open_tracker
from tracker.log import segments
from tracker.log.sealed_history import whole_segments
from tracker.server import idle_sealing
from tracker.server.background import Stopped
from tracker.server.idle_sealing import IdleSealer


@pytest.fixture
def season(monkeypatch: pytest.MonkeyPatch) -> Iterator[Season]:
    monkeypatch.setattr(segments, "MOVING_EVENTS", 10)
    monkeypatch.setattr(idle_sealing, "PAUSE_SECONDS", 0)
    season = Season(open_tracker("sqlite://"))
    season.grow(200)
    yield season
    season.tracker.close()


def test_a_quiet_campaign_is_sealed_at_the_next_look(season: Season) -> None:
    sealer = IdleSealer(season.tracker)
    assert sealer.once() == 0

    made = sealer.once()

    assert made > 2
    assert len(whole_segments(season.tracker.engine, season.campaign)) == made
    assert sealer.once() == 0


def test_a_campaign_that_is_played_is_left_alone(season: Season) -> None:
    sealer = IdleSealer(season.tracker)
    for _ in range(3):
        season.grow(season.events + 1)
        assert sealer.once() == 0
    assert sealer.once() > 0


def test_what_cannot_be_sealed_is_tried_once(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def none(campaign: str, **_: object) -> int:
        tried.append(campaign)
        return 0

    monkeypatch.setattr(season.tracker.audit, "seal", none)
    sealer = IdleSealer(season.tracker)
    assert [sealer.once() for _ in range(4)] == [0, 0, 0, 0]
    assert tried == [season.campaign]


def test_a_read_only_database_is_not_changed(season: Season, tmp_path: Path) -> None:
    on_file = Season(open_tracker(tmp_path / "season.db"))
    on_file.grow(100)
    on_file.tracker.only_reads()
    sealer = IdleSealer(on_file.tracker)
    assert [sealer.once(), sealer.once()] == [0, 0]
    assert on_file.tracker.audit.worth_sealing()
    on_file.tracker.close()


def test_a_service_that_ends_waits_for_no_segment(season: Season) -> None:
    sealer = IdleSealer(season.tracker)
    sealer.once()
    sealer._stopping.set()
    assert sealer.once() == 0
    assert whole_segments(season.tracker.engine, season.campaign) == []
    with pytest.raises(Stopped):  # one under way ends with the page of rows that it is at
        season.tracker.audit.seal(season.campaign, progress=sealer._pause)

"""An index that leads astray while the log itself is whole: seen as damage, and not a fault of the program."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker.campaign import records
from tracker.service.command_handler import CommandWithDice


def test_a_log_whose_order_of_play_cannot_be_read_is_shown_as_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        campaign = club.begin(tracker)
        opening = records.OpenBattle(
            battle="b", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(club.GANGS, ())
        )
        tracker.commands.play(campaign, [CommandWithDice(command=opening)])
        live = type(tracker.repository.log).live

        def astray(log: object, *asked: object, **more: object) -> object:
            """As an index does in which the first entries are not to be found."""
            for one in live(log, *asked, **more):  # type: ignore[arg-type]  # as it came
                if one.slot != 2:
                    yield one

        monkeypatch.setattr(type(tracker.repository.log), "live", astray)
        audit = tracker.audit.verify(campaign)
        assert not audit.ok
        (finding,) = audit.boards
        assert "who never enlisted" in finding
        assert "index of the database is damaged" in finding


def test_a_log_that_is_read_twice_over_is_shown_as_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        campaign = club.begin(tracker)
        live = type(tracker.repository.log).live

        def twice(log: object, *asked: object, **more: object) -> object:
            """As an index does that leads to the same entries again."""
            yield from live(log, *asked, **more)  # type: ignore[arg-type]  # as it came
            yield from live(log, *asked, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(type(tracker.repository.log), "live", twice)
        (finding,) = tracker.audit.verify(campaign).boards
        assert "UNIQUE constraint failed" in finding
        assert "index of the database is damaged" in finding

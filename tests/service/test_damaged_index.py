"""An index that leads astray while the log itself is whole: seen as damage, and not a fault of the program."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker.campaign import records
from tracker.service.command_handler import CommandWithDice


def test_a_log_whose_order_of_play_cannot_be_read_is_told_as_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as hall:
        campaign = club.begin(hall)
        opening = records.OpenBattle(
            battle="b", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(club.GANGS, ())
        )
        hall.commands.play(campaign, [CommandWithDice(command=opening)])
        live = type(hall.repository.log).live

        def astray(log: object, *asked: object, **more: object) -> object:
            """As an index does in which the first entries are not to be found."""
            for one in live(log, *asked, **more):  # type: ignore[arg-type]  # as it came
                if one.slot != 2:
                    yield one

        monkeypatch.setattr(type(hall.repository.log), "live", astray)
        audit = hall.audit.verify(campaign)
        assert not audit.ok
        (told,) = audit.boards
        assert "who never enlisted" in told
        assert "index of the database is damaged" in told


def test_a_log_that_is_read_twice_over_is_told_as_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as hall:
        campaign = club.begin(hall)
        live = type(hall.repository.log).live

        def twice(log: object, *asked: object, **more: object) -> object:
            """As an index does that leads to the same entries again."""
            yield from live(log, *asked, **more)  # type: ignore[arg-type]  # as it came
            yield from live(log, *asked, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(type(hall.repository.log), "live", twice)
        (told,) = hall.audit.verify(campaign).boards
        assert "UNIQUE constraint failed" in told
        assert "index of the database is damaged" in told

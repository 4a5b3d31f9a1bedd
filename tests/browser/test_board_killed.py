"""`arbitrator serve` killed in the middle of a battle on the board. `make soak SOAK_ARGS=battles` does the same on
PostgreSQL too, at a desk and on a phone.
"""

from pathlib import Path

import pytest
from battle_killed import battle_survives, board_of, served_on
from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_a_service_killed_in_the_middle_of_a_battle_loses_nothing_and_doubles_nothing(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with (
        served_on(f"sqlite:///{tmp_path / 'club.db'}", tmp_path) as served,
        board_of(served, browser, on_a_phone=True) as board,
    ):
        battle_survives(served, board, tmp_path)

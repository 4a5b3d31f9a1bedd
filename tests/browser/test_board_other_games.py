"""The board with vehicles of the archived rules and with warbands of Trench Crusade."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ash_wastes
import pytest
from board_on_screen import BoardOnScreen
from browsing import PHONE
from cli_arbitrator import ROOT, Arbitrator, begin
from playwright.sync_api import Browser, expect
from restartable_service import Service


@contextmanager
def at_the_table(browser: Browser, folder: Path, ruleset: str, sheets: list[Path]) -> Iterator[BoardOnScreen]:
    """The Arbitrator's phone, on the board of a first battle."""
    table = Arbitrator(folder)
    begin(table, "--ruleset", ruleset, sheets=sheets)
    service = Service(table.file)
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)  # type: ignore[arg-type]
    service.sign_in(context, service.join("Mara", "arbitrator"))
    board = BoardOnScreen(context.new_page(), service.address)
    board.begin()
    yield board
    context.close()
    service.stop()


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.slow
def test_a_vehicle_of_the_archived_rules_is_tapped_like_a_fighter(browser: Browser, tmp_path: Path) -> None:
    sheets = []
    for gang in ash_wastes.GANGS:
        sheets.append(tmp_path / f"{gang}.yaml")
        sheets[-1].write_text(ash_wastes.sheet(gang), encoding="utf-8")
    with at_the_table(browser, tmp_path, "necromunda_archive", sheets) as board:
        board.act("rig", "control rig")
        board.tap('#pad button[value="y"]')
        board.page.fill("#answer", "ran into a wall")
        board.press('#pad form.question button:has-text("Go on")')
        board.settle("1")
        expect(board.page.locator(".happened > li").first).to_contain_text("Rig swerves")
        assert board.page.locator('#c-mags button[value^="order"]').count() == 0, "she has no such skill"


@pytest.mark.slow
def test_a_warband_of_trench_crusade_plays_on_the_board(browser: Browser, tmp_path: Path) -> None:
    warbands = ROOT / "fixtures" / "trench-season"
    sheets = [warbands / f"{name}.yaml" for name in ("iron-procession", "black-vigil")]
    with at_the_table(browser, tmp_path, "trench_crusade", sheets) as board:
        board.act("anselm", "injury_chart anselm")
        assert board.words == "Who is hit?"
        first = board.page.locator("#pad form.question button.pick, #pad .grid-rows button").first
        assert first.get_attribute("value") == "vex", "enemies come first"
        board.press('#pad button[value="vex"]')
        board.settle("6")
        assert board.marks("vex") == ["Out of Action"]

"""A battle with vehicles by the archived rules, and one of warbands: by taps on a phone, to what comes after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import convoy
import pytest
from board_on_screen import QUESTIONS_MAX, BoardOnScreen
from browsing import PHONE, Watch
from cli_arbitrator import ROOT, Arbitrator, begin
from playwright.sync_api import Browser, expect
from restartable_service import Service
from test_from_nothing import looked_at


@contextmanager
def at_the_table(browser: Browser, folder: Path, ruleset: str, sheets: list[Path]) -> Iterator[BoardOnScreen]:
    """The Arbitrator's phone, on the board of a first battle."""
    table = Arbitrator(folder)
    begin(table, "--ruleset", ruleset, sheets=sheets)
    service = Service(table.file)
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)  # type: ignore[arg-type]
    service.sign_in(context, service.join("Mara", "arbitrator"))
    board = BoardOnScreen(context.new_page(), service.address)
    try:
        board.begin()
        yield board
    finally:
        context.close()
        service.stop()


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def ends(board: BoardOnScreen, winner: str) -> None:
    """The battle is over, and recorded."""
    board.tap('button[value="end"]')
    board.tap(f'#pad button[value="{winner}"]')
    for _ in range(QUESTIONS_MAX):
        if not board.page.locator(".face").count():
            break
        board.dice(board.page.locator(".face").first.get_attribute("value") or "")
    board.page.get_by_role("button", name="Record the battle").click()
    expect(board.page).to_have_url(re.compile("/battles/1$"))
    looked_at(board.page)


def settles_what_comes_after(board: BoardOnScreen, gang: str, *steps: str) -> None:
    """Step by step: each of these is done in its step, and every other step is passed."""
    page, left = board.page, [*steps]
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{board.address}/campaigns/ash-wastes/record")
    page.locator(f'button[name="gang"][value="{gang}"], form:has(input[value="{gang}"]) button').first.click()
    page.wait_for_selector("#board")
    looked_at(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    for _ in range(QUESTIONS_MAX):
        if board.words == "That is all":
            break
        if board.words == "What is done in this step?":
            due = page.locator(f'#pad button[name="lines"][value="{left[0]}"]') if left else None
            if due is not None and due.count():
                board.press(f'#pad button[name="lines"][value="{left.pop(0)}"]')
            else:
                passes = page.locator('button[name="pass"]').count()
                board.press('button[name="pass"]' if passes else 'button[value="end"]')
        elif page.locator(".face").count():
            board.dice(page.locator(".face").first.get_attribute("value") or "")
        elif page.locator('button[name="pass"]').count():
            board.press('button[name="pass"]')
        elif page.locator("#pad .pick").count():
            board.press("#pad .pick")
        else:
            board.press('#pad form.question button[name="answer"]')
    assert (board.words, left) == ("That is all", [])
    page.get_by_role("button", name="Record it").click()
    expect(page).to_have_url(re.compile("/battles"))


@pytest.mark.slow
def test_two_cars_fight_by_the_archived_rules_from_the_first_shot_to_what_comes_after(
    browser: Browser, tmp_path: Path
) -> None:
    with at_the_table(browser, tmp_path, "necromunda_archive", convoy.sheets(tmp_path)) as board:
        watch = Watch(board.page, board.address)
        board.act("rig", "shoot joss\nrig\ncannon")
        board.tap('#pad button[value="sled"]')
        board.tap('#pad button[value="front"]')
        looked_at(board.page)
        board.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        board.tap('#pad button[value="y"]')
        board.tap('#pad button[value="long"]')
        board.dice("1", "one_hole")
        board.settle()
        board.act("sled", "control sled")
        board.tap('#pad button[value="y"]')
        board.page.fill("#answer", "ran into a wall")
        board.press('#pad form.question button:has-text("Go on")')
        board.dice("1+1")
        board.settle("swerve")
        expect(board.happened.first).to_contain_text("Sled")
        board.act("krug", "fight krug")
        board.tap('#pad button[value="sled"]')
        board.tap('#pad button[value="side"]')
        board.tap('#pad button[value="n"]')
        board.tap('#pad button.pick[value="sword"]')
        board.dice("6", "6", "1", "body", "crew", "glancing")
        assert board.words == "Which Location die counts? The attacker chooses."
        board.tap('#pad button[value="crew"]')
        board.dice("6+6")
        assert "Shaken" in board.marks("sled")
        board.act("vex", "shoot vex\nautogun")
        board.tap('#pad button[value="sled"]')
        board.tap('#pad button[value="rear"]')
        board.tap('#pad button[value="n"]')
        board.tap('#pad button[value="short"]')
        board.dice("6", "one_hole", "6", "1", "engine", "catastrophic")
        board.settle("6+6")
        assert board.marks("sled") == ["Wrecked"]
        looked_at(board.page)
        board.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        board.act("mags", "thrown_clear mags")
        board.tap('#pad button[value="3"]')
        board.dice("6")
        ends(board, "skulls")
        settles_what_comes_after(board, "saints", "repairs")
        settles_what_comes_after(board, "skulls", "scrap")
        assert (watch.elsewhere, watch.complaints) == ([], [])


@pytest.mark.slow
def test_two_warbands_fight_from_the_first_attack_to_what_comes_after(
    browser: Browser, tmp_path: Path
) -> None:
    warbands = ROOT / "fixtures" / "trench-season"
    sheets = [warbands / f"{name}.yaml" for name in ("iron-procession", "black-vigil")]
    with at_the_table(browser, tmp_path, "trench_crusade", sheets) as board:
        watch = Watch(board.page, board.address)
        board.act("anselm", "injury_chart anselm")
        assert board.words == "Who is hit?"
        first = board.page.locator("#pad .pick").first
        assert first.get_attribute("value") == "vex", "enemies come first"
        board.tap('#pad button[value="vex"]')
        looked_at(board.page)
        board.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        board.tap('#pad button[value=""]')
        board.tap('#pad button[value=""]')
        board.dice("4", "4")
        assert board.marks("vex") == ["Down", "1 Blood Marker"]
        board.act("vex", "stand vex")
        board.tap('#pad form.question button:has-text("No")')
        assert "Down" not in board.marks("vex")
        for target in ("vex", "rat"):
            board.act("maud", "injury_chart maud")
            board.tap(f'#pad button[value="{target}"]')
            board.tap('#pad button[value=""]')
            board.tap('#pad button[value=""]')
            if target == "vex":
                board.tap('#pad button[value="1"]')
            board.settle("6")
            assert board.marks(target) == ["Out of Action"]
        board.page.locator("summary", has_text="At the end of a turn").click()
        looked_at(board.page)
        board.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        board.tap('button[value^="morale"]')
        board.tap('#pad button[value="1"]')
        board.settle("6")
        ends(board, "iron-procession")
        settles_what_comes_after(board, "black-vigil", "battle_experience", "threshold")
        settles_what_comes_after(board, "iron-procession", "battle_experience", "threshold")
        assert (watch.elsewhere, watch.complaints) == ([], [])

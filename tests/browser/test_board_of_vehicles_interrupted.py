"""Two phones on the board of a vehicle battle, and no reception in the middle: with conditions, nothing lost or twice."""

from __future__ import annotations

from pathlib import Path

import convoy
import pytest
from board_on_screen import BoardOnScreen
from browsing import PHONE, Watch, violations
from playwright.sync_api import Browser, expect
from test_board_other_games import at_the_table

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def shoots_offline(phone: BoardOnScreen, card: str, lines: str, target: str, *dice: str) -> None:
    """A shot at the front of a vehicle that moves, written down without a network."""
    page = phone.page
    page.locator(f"#c-{card} summary").click()
    page.locator(f'#c-{card} button[value^="{lines}"]').first.click()
    page.select_option("select[name=target]", target)
    page.select_option("select[name=facing]", "front")
    page.select_option("select[name=mobile]", "true")
    page.select_option("select[name=range]", "short")
    assert violations(page) == []
    for face in dice:
        page.locator(f'.written .face[value="{face}"]').first.click()
    page.get_by_role("button", name="Keep it").click()


def test_two_phones_with_vehicles_and_conditions_come_together_after_one_was_away(
    browser: Browser, tmp_path: Path
) -> None:
    with at_the_table(browser, tmp_path, "necromunda_archive", convoy.sheets(tmp_path)) as phone:
        context = phone.page.context
        theirs = browser.new_context(storage_state=context.storage_state(), viewport=PHONE)  # type: ignore[arg-type]
        other = BoardOnScreen(theirs.new_page(), phone.address)
        watch = Watch(other.page, phone.address)
        other.page.goto(phone.page.url)
        for condition in ("blaze", "webbed"):
            other.act("vex", "condition vex")
            other.tap(f'#pad button[value="{condition}"]')
        expect(phone.happened).to_have_count(2)  # it comes by itself
        assert {"On fire", "Webbed"} <= {*phone.marks("vex")}

        context.set_offline(True)
        shoots_offline(phone, "rig", "shoot joss", "sled", "1", "one_hole")
        shoots_offline(phone, "krug", "shoot krug\\a autogun", "sled", "1", "one_hole")
        expect(phone.kept).to_have_count(2)
        phone.page.reload()
        expect(phone.kept).to_have_count(2)
        other.act("vex", "condition vex")
        other.tap('#pad button[value="blaze"]')
        other.tap('#pad button:has-text("Yes")')
        expect(other.happened).to_have_count(3)
        other.act("sled", "shoot ned")
        other.tap('#pad button[value="rig"]')  # and in the middle of this shot ...
        context.set_offline(False)
        expect(phone.page.get_by_role("alert")).to_contain_text("Where does yours go?")
        other.tap('#pad button[value="front"]')
        other.tap('#pad button[value="y"]')
        other.tap('#pad button[value="short"]')
        other.dice("1", "one_hole")
        other.settle()
        expect(phone.happened).to_have_count(4)  # before that it would be asked again
        phone.page.get_by_role("button", name="After it").click()
        expect(phone.kept).to_have_count(0)
        for board in (phone, other):
            board.page.reload()
            expect(board.happened).to_have_count(6)
            told = board.happened.locator(".did").all_inner_texts()
            assert [sum(words in one for one in told) for words in ("Joss's", "Krug's", "Ned's")] == [1, 1, 1]
            assert board.marks("vex") == ["Webbed"]
            assert board.marks("sled") == ["Unharmed"]
        assert (watch.elsewhere, watch.complaints) == ([], [])
        theirs.close()

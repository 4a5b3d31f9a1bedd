"""A board in a browser, as somebody taps it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

ASKS_WHO = "Tap who acts"
QUESTIONS_MAX = 40
"""More than any entry has."""


class BoardOnScreen:
    """A board, tapped; counts the taps that are no dice."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.taps = page, address, 0

    def begin(self, name: str = "Night Raid", *, played_on: str | None = None) -> None:
        """A battle of today, or of that day."""
        self.page.goto(f"{self.address}/campaigns/ash-wastes/record/battle")
        self.page.fill("#battle-name", name)
        self.page.fill("#scenario", "Sump Raid")
        if played_on is not None:
            self.page.fill("#played-on", played_on)
        self.page.get_by_role("button", name="To the table").click()
        expect(self.page.locator("#pad-words")).to_have_text(ASKS_WHO)

    @property
    def revision(self) -> int:
        return int(self.page.get_attribute("#board", "data-revision") or 0)

    def press(self, selector: str) -> None:
        """What changes the battle: until the board shows it."""
        before = self.revision
        button = self.page.locator(selector).first
        box = button.bounding_box()
        assert box is not None, selector
        assert min(box["width"], box["height"]) >= 24, (selector, box)
        button.click()
        self.page.wait_for_selector(f'#board:not([data-revision="{before}"]):not([aria-busy])')

    def tap(self, selector: str) -> None:
        self.press(selector)
        self.taps += 1

    def keep(self, who: str, lines: str, target: str, *dice: str) -> None:
        """An exchange that is written down on the phone, its dice as they fell."""
        page = self.page
        page.locator(f"#c-{who} summary").click()
        page.locator(f'#c-{who} button[value^="{lines}"]').click()
        page.select_option("select[name=target]", target)
        for face in dice:
            page.locator(f'.written .face[value="{face}"]').first.click()
        page.get_by_role("button", name="Keep it").click()

    @property
    def kept(self) -> Locator:
        """What waits on the phone."""
        return self.page.locator("#queue li")

    @property
    def happened(self) -> Locator:
        """What stands in the battle."""
        return self.page.locator(".happened > li")

    def act(self, who: str, lines: str) -> None:
        self.page.locator(f"#c-{who} summary").click()
        self.taps += 1
        written = lines.replace("\n", "\\a ")
        self.tap(f'#c-{who} button[value^="{written}"]')

    def dice(self, *faces: str) -> None:
        for face in faces:
            self.press(f'.face[value="{face}"]')

    def settle(self, face: str = "1") -> None:
        """Whatever is still asked for, at its lowest; what may be left out is."""
        for _ in range(QUESTIONS_MAX):
            if self.words == ASKS_WHO:
                return
            if self.page.locator(".face").count():
                some = self.page.locator(f'.face[value="{face}"]')
                value = face if some.count() else self.page.locator(".face").first.get_attribute("value")
                self.press(f'.face[value="{value}"]')
            elif self.page.locator('button[name="pass"]').count():
                self.tap('button[name="pass"]')
            else:
                self.tap('#pad form.question button[name="answer"]')
        raise AssertionError(f"it still asks: {self.words}")

    @property
    def words(self) -> str:
        return self.page.inner_text("#pad-words")

    def marks(self, who: str) -> list[str]:
        return self.page.locator(f"#c-{who} .badge").all_inner_texts()

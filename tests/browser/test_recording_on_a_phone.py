"""Recording on a phone: a battle answered with one thumb, two phones on one draft, without JavaScript, across a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from browsing import PHONE, violations
from playwright.sync_api import Browser, Page, expect
from restartable_service import Service

TAPS_MAX = 4


class Thumb:
    """Taps on a phone; counts those that are no dice."""

    def __init__(self, service: Service, page: Page) -> None:
        self.service, self.page = service, page
        self.taps = 0

    def go(self, path: str) -> None:
        self.page.goto(f"{self.service.address}{path}")

    def tap(self, selector: str, *, opens: bool = True) -> None:
        button = self.page.locator(selector).first
        box = button.bounding_box()
        assert box is not None, selector
        assert min(box["width"], box["height"]) >= 24, (selector, box)
        with self.page.expect_navigation() if opens else nullcontext():
            button.click()
        self.taps += 1

    def answer(self, *values: str) -> None:
        for value in values:
            self.tap(f'button[name=answer][value="{value}"]')

    def more(self, who: str, kind: str) -> None:
        """What a fighter does that is not among the first buttons: open their row, and tap it."""
        self.tap(f'li:has(button[value="{kind} {who}"]) summary', opens=False)
        self.answer(f"{kind} {who}")

    def dice(self, *faces: str) -> None:
        for face in faces:
            with self.page.expect_navigation():
                self.page.locator(f'.dice button[value="{face}"]').click()

    def text(self, typed: str) -> None:
        self.page.fill("#answer", typed)
        with self.page.expect_navigation():
            self.page.locator("#answer").press("Enter")

    def press(self, name: str) -> None:
        """A button by what it is called."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=name).click()

    @property
    def question(self) -> str:
        return self.page.inner_text("#question")


@pytest.fixture
def phone(browser: Browser, service: Service, mara: str) -> Iterator[Thumb]:
    """The Arbitrator's, 390 px wide, without JavaScript: recording needs none."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, java_script_enabled=False)
    service.sign_in(context, mara)
    yield Thumb(service, context.new_page())
    context.close()


def begun(thumb: Thumb) -> None:
    """A battle up to its first exchange."""
    thumb.go("/campaigns/ash-wastes/record")
    thumb.tap('details:has(button[value="battle"]) > summary', opens=False)
    thumb.tap('button[value="battle"]')
    thumb.answer("")
    thumb.text("Sump Raid")
    thumb.text("2025-03-07")
    thumb.answer("")
    assert thumb.question == "What happened? (end ends the battle)"


def test_an_exchange_of_each_kind_takes_four_taps_beyond_its_dice(phone: Thumb) -> None:
    """Each button large enough for a thumb. Of a whole battle: tests/server/test_server_table_pages.py."""
    begun(phone)
    counted = []

    def decided() -> None:
        assert phone.question == "What happened? (end ends the battle)"
        counted.append(phone.taps)
        phone.taps = 0

    phone.taps = 0
    phone.answer("shoot hob", "wren", "long, partial cover")
    while not phone.question.startswith("What happened?"):
        if phone.page.locator(".dice").count():
            phone.dice("1" if "hit roll" in phone.question else "one_hole")
        else:
            phone.answer("")  # whom the miss puts at risk: nobody
    decided()
    phone.more("tallow", "out_of_action")
    phone.answer("sable")
    while not phone.page.locator(".dice").count():
        phone.answer("")
    phone.dice("5-5")
    decided()
    phone.more("mags", "experience")
    phone.answer("1")
    phone.text("held the pump")
    phone.taps += 1
    decided()
    assert max(counted) <= TAPS_MAX, counted
    phone.answer("end", "iron-skulls")
    phone.press("Record it")
    campaign = phone.service.tracker.directory.campaign_id("ash-wastes")
    rows, _ = phone.service.tracker.boards.battles(campaign)
    assert [row["battle"] for row in rows] == ["battle-1"]
    assert phone.service.tracker.drafts.of(campaign) == ()


def test_a_restart_and_an_expired_session_in_the_middle_lose_nothing(phone: Thumb, mara: str) -> None:
    begun(phone)
    phone.answer("shoot krug", "wren")
    at = phone.page.url.removeprefix(phone.service.address)
    phone.service.stop()
    phone.service.start()
    phone.answer("short")
    assert "hit roll of autogun" in phone.question
    phone.service.tracker.people.sessions.end(mara)
    phone.dice("5")
    assert "Not signed in" in phone.page.inner_text("main")
    phone.service.sign_in(phone.page.context, mara)
    phone.go(at)
    assert "hit roll of autogun" in phone.question


def test_two_phones_fill_one_draft_and_none_writes_over_the_other(
    browser: Browser, service: Service, phone: Thumb
) -> None:
    dana = service.join("Dana", "player", "iron-skulls")
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    service.sign_in(context, dana)
    other = Thumb(service, context.new_page())
    begun(phone)
    other.go(phone.page.url.removeprefix(service.address))
    phone.answer("shoot krug")
    other.answer("shoot ivo")
    assert "by now" in other.page.inner_text(".refused")
    assert other.question == "Who is shot at?"
    other.answer("wren")
    phone.go(other.page.url.removeprefix(service.address))
    assert "Wren" in phone.page.inner_text(".answered")
    context.close()


def test_an_exchange_is_taken_out_and_an_answer_taken_back(phone: Thumb) -> None:
    begun(phone)
    phone.answer("shoot krug", "wren", "short")
    phone.press("Back one answer")
    phone.answer("long")
    phone.dice("1", "one_hole")
    while not phone.question.startswith("What happened?"):
        phone.answer("")
    assert "misses" in phone.page.inner_text(".notice")
    phone.press("Take it out")
    assert "misses" not in phone.page.inner_text("main")


def test_outcomes_take_a_line_each_until_somebody_goes_out(
    browser: Browser, service: Service, mara: str
) -> None:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    service.sign_in(context, mara)
    page = context.new_page()
    thumb = Thumb(service, page)
    thumb.go("/campaigns/ash-wastes/record/battle")
    page.get_by_label("Name", exact=True).fill("Night Raid")
    page.get_by_label("Scenario").fill("Ambush")
    thumb.press("To the table")
    thumb.go(page.url.removeprefix(service.address).replace("/board", "/outcomes"))
    row = page.get_by_role("group", name="Wren", exact=True)
    one_line = row.bounding_box()
    assert one_line is not None
    assert one_line["height"] < 2 * LINE
    expect(row.get_by_label("Lasting Injury")).to_be_hidden()
    row.get_by_label("Out of Action").check()
    row.get_by_label("by").select_option(label="Krug the Anvil")
    row.get_by_label("Lasting Injury").fill("21")
    two_lines = row.bounding_box()
    assert two_lines is not None
    assert two_lines["height"] < 3 * LINE
    assert violations(page) == []
    context.close()


LINE = 44
"""A row of fields that a thumb can meet, in pixels."""

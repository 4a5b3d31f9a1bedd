"""A battle on the board in a real browser: by taps, by keys alone, two phones, and no network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from board_on_screen import BoardOnScreen
from browsing import DESK, PHONE, violations
from cli_arbitrator import Arbitrator
from playwright.sync_api import expect
from restartable_service import Service

TAPS_MAX = 5
"""The card, what they do, at whom, at what range; and, after a miss, who was in the way."""


@pytest.mark.slow
def test_an_exchange_takes_five_taps_at_most_beyond_its_dice(phone: BoardOnScreen) -> None:
    phone.begin()
    counted = []
    for shooter, enemy in (("krug", "wren"), ("hob", "wren"), ("mags", "vex"), ("mags", "vex")):
        phone.taps = 0
        phone.act(shooter, f"shoot {shooter}")
        phone.tap(f'#pad button[value="{enemy}"]')
        phone.tap('#pad button[value="long, full cover"]')
        phone.settle()
        counted.append(phone.taps)
    assert phone.page.locator(".happened > li").count() == len(counted)
    assert max(counted) <= TAPS_MAX, counted
    phone.tap('button[value="end"]')
    phone.tap('#pad button[value="draw"]')
    phone.page.get_by_role("button", name="Record the battle").click()
    expect(phone.page).to_have_url(re.compile("/battles/1$"))


@pytest.mark.slow
def test_the_board_has_nothing_that_axe_finds_at_390_and_1280_light_and_dark(phone: BoardOnScreen) -> None:
    page = phone.page

    def nothing_is_found() -> None:
        for colours in ("light", "dark"):
            page.emulate_media(color_scheme=colours)
            assert violations(page, colours_only=colours == "dark") == [], colours

    page.goto(f"{phone.address}/campaigns/ash-wastes/record/battle")
    nothing_is_found()
    phone.begin()
    page.locator("#c-krug summary").click()
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        nothing_is_found()
    phone.tap('#c-krug button[value^="shoot krug"]')
    nothing_is_found()
    phone.tap('#pad button[value="wren"]')
    phone.tap('#pad button[value="short"]')
    nothing_is_found()


@pytest.mark.slow
def test_how_many_are_to_be_ticked_is_said_beside_the_boxes_and_nothing_is_sent(phone: BoardOnScreen) -> None:
    phone.begin()
    phone.act("krug", "fight krug")
    page, before = phone.page, phone.revision
    page.locator("#pad summary", has_text="Several").click()
    page.get_by_role("button", name="These").click()
    expect(page.locator("#pad [role=alert]")).to_have_text("Tick 1 at least: none so far.")
    assert phone.revision == before
    assert violations(page) == []
    page.locator('#pad input[value="mags"]').check()
    phone.press('#pad button:text-is("These")')
    assert phone.words.startswith("With which weapons"), phone.words


@pytest.mark.slow
def test_a_range_is_said_once_and_its_covers_beside_it(phone: BoardOnScreen) -> None:
    phone.begin()
    phone.act("krug", "shoot krug")
    phone.tap('#pad button[value="wren"]')
    row = phone.page.locator("#pad .grid-rows > li").first
    said = row.inner_text().split("\n")
    assert [one.lower() for one in said] == ["short", "in the open", "partial cover", "full cover"]
    expect(row.get_by_role("button", name="short, in the open", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_gang_that_is_not_ticked_shows_no_ticked_fighters(phone: BoardOnScreen) -> None:
    """Who sees ticks beside every fighter takes them for who fights, and goes on without a gang."""
    page = phone.page
    page.goto(f"{phone.address}/campaigns/ash-wastes/record/battle")
    crew = page.locator(".crew-to-tick").first
    fighters, gang = crew.locator("> label input"), crew.locator("legend input")
    gang.set_checked(False)
    expect(fighters.first).to_be_hidden()
    gang.set_checked(True)
    expect(fighters.first).to_be_visible()
    for box in page.locator(".crew-to-tick legend input").all():
        box.set_checked(False)
    page.get_by_label("Scenario").fill("Ambush")
    page.get_by_role("button", name="To the table").click()
    expect(page.get_by_role("alert")).to_contain_text("Tick the gangs that fight")


@pytest.mark.slow
def test_a_shot_is_made_with_keys_alone_and_the_question_has_the_focus(phone: BoardOnScreen) -> None:
    phone.begin()
    page = phone.page
    page.locator("#c-krug summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    before = phone.revision
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#board:not([data-revision="{before}"])')
    assert page.evaluate("document.activeElement.id") == "pad-words"
    assert " UTC" not in page.locator("#board").inner_text(), "times stay in the reader's own zone"
    phone.tap('#pad button[value="wren"]')
    phone.tap('#pad button[value="short"]')
    before = phone.revision
    page.keyboard.press("5")
    page.wait_for_selector(f'#board:not([data-revision="{before}"])')
    assert "Firepower die" in phone.words


@pytest.mark.slow
def test_what_one_phone_taps_arrives_on_the_other_and_a_late_tap_is_refused_kindly(
    phone: BoardOnScreen,
) -> None:
    phone.begin()
    other = BoardOnScreen(phone.page.context.new_page(), phone.address)
    other.page.goto(phone.page.url)
    phone.act("krug", "experience krug")
    expect(other.page.locator("#pad-words")).to_have_text(phone.words)
    other.page.route("**/drafts", lambda route: route.abort())
    phone.tap('button[value="1"]')
    other.page.locator('#pad button[value="2"]').first.click()
    expect(other.page.get_by_role("alert")).to_contain_text("Mara answered first")
    assert other.words == phone.words


@pytest.mark.slow
def test_without_a_network_an_exchange_is_kept_and_counts_once_when_it_is_back(phone: BoardOnScreen) -> None:
    phone.begin()
    page, context = phone.page, phone.page.context
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    context.set_offline(True)
    page.locator("#c-krug summary").click()
    page.locator('#c-krug button[value^="shoot krug"]').click()
    page.select_option("select[name=target]", "wren")
    page.locator('.written .face[value="5"]').click()
    page.locator('.written .face[value="one_hole"]').click()
    page.locator('.written .face[value="1"]').click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#queue li")).to_have_count(1)
    page.reload()  # the page opens without a network, and still has it
    expect(page.locator("#queue li")).to_have_count(1)
    context.set_offline(False)
    expect(page.locator(".happened > li")).to_have_count(1)
    expect(page.locator("#queue")).to_be_hidden()
    assert phone.marks("wren") == ["Pinned"]


@pytest.mark.slow
def test_an_exchange_whose_answer_was_lost_on_the_way_is_not_entered_twice(phone: BoardOnScreen) -> None:
    phone.begin()
    page, context = phone.page, phone.page.context
    context.set_offline(True)
    page.locator("#c-krug summary").click()
    page.locator('#c-krug button[value^="out_of_action krug"]').click()
    page.select_option("select[name=by]", "wren")
    for face in ("tens", "2", "1"):
        if face == "tens":
            page.get_by_label("The next two D6 are one D66").check()
        else:
            page.locator(f'.written .face[value="{face}"]').click()
    page.get_by_role("button", name="Keep it").click()
    lost = []

    def lose(route: object) -> None:
        if lost:
            route.continue_()  # type: ignore[attr-defined]
            return
        route.fetch()  # type: ignore[attr-defined]
        lost.append(1)
        route.abort()  # type: ignore[attr-defined]

    page.route("**/answer", lose)
    context.set_offline(False)
    expect(page.locator(".happened > li")).to_have_count(1)
    expect(page.locator("#queue")).to_be_hidden()
    assert lost == [1]
    assert page.locator(".happened > li").count() == 1


@pytest.mark.slow
def test_the_board_shows_by_itself_that_the_last_secret_words_are_revealed_and_then_rolls(
    phone: BoardOnScreen, service: Service, tmp_path: Path
) -> None:
    table, words = Arbitrator(tmp_path), ("--by", "Dana", "--words", "seven rusty kettles")
    table.done("dice", "use", "provable", "--reason", "club vote")
    table.done("dice", "open")
    table.done("dice", "contribute", *words)
    phone.begin()
    phone.act("krug", "shoot krug")
    phone.tap('#pad button[value="wren"]')
    phone.tap('#pad button[value="short"]')
    pad = phone.page.locator("#pad")
    expect(pad).to_contain_text("Dana still has to reveal the secret words.")
    rolls = phone.page.get_by_role("button", name="Roll it for me")
    expect(rolls).to_have_count(0)
    assert violations(phone.page) == []
    table.done("dice", "reveal", *words)
    expect(rolls).to_be_visible()
    expect(pad).to_contain_text("Revealed: Dana.")
    rolls.focus()
    before = phone.revision
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector(f'#board:not([data-revision="{before}"])')
    assert "Firepower die" in phone.words
    asked = table.read("dice", "show")["sessions"][0]["requests"]
    assert [one["what"] for one in asked] == ["entry 1 of night-raid: shoot krug"]

"""The board when something breaks in the middle: session, service, reception, another tab. Nothing lost, nothing twice."""

from __future__ import annotations

import re
import time

import pytest
from board_on_screen import BoardOnScreen
from browsing import violations
from playwright.sync_api import Route, expect
from restartable_service import Service

pytestmark = pytest.mark.slow
MISS = ("1", "one_hole")
LATE_SECONDS = 6


def test_a_session_that_expired_keeps_what_waits_until_somebody_signs_in_again(
    phone: BoardOnScreen, service: Service, mara: str
) -> None:
    phone.begin()
    context = phone.page.context
    context.set_offline(True)
    phone.keep("krug", "shoot krug", "wren", *MISS)
    service.tracker.people.sessions.end(mara)
    context.set_offline(False)
    expect(phone.page.get_by_role("alert")).to_contain_text("You are signed out. Nothing is lost")
    expect(phone.page.get_by_role("link", name="Sign in again")).to_have_attribute("href", "/sign-in")
    expect(phone.kept).to_have_count(1)
    service.sign_in(context, mara)
    expect(phone.kept).to_have_count(0)
    phone.page.reload()
    phone.settle()
    expect(phone.happened).to_have_count(1)


def test_a_tap_after_the_session_expired_is_sent_again_from_the_page_that_says_so(
    phone: BoardOnScreen, service: Service, mara: str
) -> None:
    phone.begin()
    phone.act("krug", "shoot krug")
    service.tracker.people.sessions.end(mara)
    phone.page.locator('#pad button[value="wren"]').click()
    expect(phone.page.get_by_role("heading", name="Not signed in any more")).to_be_visible()
    service.sign_in(phone.page.context, mara)
    phone.page.get_by_role("button", name="Send it again").click()
    expect(phone.page.locator("#pad-words")).to_have_text("At what range?")


def test_a_service_that_is_killed_and_started_again_loses_no_exchange_and_no_answer(
    phone: BoardOnScreen, service: Service
) -> None:
    phone.begin()
    phone.act("krug", "shoot krug")
    phone.tap('#pad button[value="wren"]')
    service.stop()
    phone.page.locator('#pad button[value="short"]').click()
    expect(phone.page.get_by_role("alert")).to_contain_text("No answer came")
    service.start()
    phone.page.get_by_role("button", name="All right").click()
    phone.tap('#pad button[value="short"]')
    phone.settle()
    service.stop()
    phone.keep("hob", "shoot hob", "mags", *MISS)
    expect(phone.kept).to_have_count(1)
    service.start()
    expect(phone.kept).to_have_count(0)
    phone.page.reload()
    phone.settle()
    expect(phone.happened).to_have_count(2)


def test_two_tabs_share_what_waits_and_send_it_once(phone: BoardOnScreen) -> None:
    phone.begin()
    context = phone.page.context
    other = BoardOnScreen(context.new_page(), phone.address)
    other.page.goto(phone.page.url)
    context.set_offline(True)
    phone.keep("krug", "shoot krug", "wren", *MISS)
    other.keep("hob", "shoot hob", "mags", *MISS)
    expect(phone.kept).to_have_count(2)
    context.set_offline(False)
    expect(phone.kept).to_have_count(0)
    expect(other.kept).to_have_count(0)
    expect(phone.happened).to_have_count(2)


def test_what_is_kept_while_another_exchange_is_on_its_way_is_not_lost(phone: BoardOnScreen) -> None:
    phone.begin()
    page, context = phone.page, phone.page.context
    context.set_offline(True)
    phone.keep("tallow", "shoot tallow", "wren", *MISS)
    waiting: list[object] = []
    page.route("**/answer", lambda route: waiting.append(route) or None)
    context.set_offline(False)
    page.wait_for_timeout(200)
    while not waiting:
        page.wait_for_timeout(200)
    page.evaluate(
        """() => { const key = `board:${document.getElementById('board').dataset.draft}`;
        const items = JSON.parse(localStorage.getItem(key));
        items.push({ ...items[0], id: 'later', number: 2, words: 'Later', lines: ['shoot: {attacker: vex, weapon: bore cannon, profile: frag shell, point: true, range: long}'] });
        localStorage.setItem(key, JSON.stringify(items)); }"""
    )
    for route in waiting:
        route.continue_()  # type: ignore[attr-defined]
    expect(phone.happened).to_have_count(1)
    assert "Later" in (page.evaluate("JSON.stringify({...localStorage})") or "")


def test_a_die_that_is_tapped_twice_falls_once(phone: BoardOnScreen) -> None:
    phone.begin()
    phone.act("krug", "shoot krug")
    phone.tap('#pad button[value="wren"]')
    phone.tap('#pad button[value="short"]')
    before = phone.revision
    phone.page.locator('.face[value="5"]').dblclick()
    phone.page.wait_for_selector(f'#board:not([data-revision="{before}"]):not([aria-busy])')
    phone.page.reload()
    assert "Firepower die" in phone.words
    assert phone.revision == before + 1


def test_the_back_button_leads_to_the_board_as_it_is_now(phone: BoardOnScreen) -> None:
    phone.begin()
    board = phone.page.url
    other = BoardOnScreen(phone.page.context.new_page(), phone.address)
    other.page.goto(board)
    phone.page.goto(f"{phone.address}/campaigns/ash-wastes/gangs")
    other.act("krug", "shoot krug")
    phone.page.go_back()
    assert phone.page.url == board
    expect(phone.page.locator("#pad-words")).to_have_text("Who is shot at?")


def test_an_exchange_kept_while_others_went_on_asks_where_it_goes(phone: BoardOnScreen) -> None:
    phone.begin()
    context = phone.page.context
    browser = context.browser
    assert browser is not None
    theirs = browser.new_context(storage_state=context.storage_state())
    other = BoardOnScreen(theirs.new_page(), phone.address)
    other.page.goto(phone.page.url)
    context.set_offline(True)
    phone.keep("krug", "shoot krug", "wren", *MISS)
    other.act("vex", "experience vex")
    other.tap('#pad button[value="1"]')
    other.page.fill("#answer", "held the gate")
    other.press('#pad form.question button:has-text("Go on")')
    expect(other.happened).to_have_count(1)
    context.set_offline(False)
    expect(phone.page.get_by_role("alert")).to_contain_text("Where does yours go?")
    phone.page.get_by_role("button", name="After it").click()
    expect(phone.kept).to_have_count(0)
    phone.page.reload()
    phone.settle()
    expect(phone.happened).to_have_count(2)
    expect(phone.happened.first).to_contain_text("Krug")
    theirs.close()


def test_what_waits_for_a_battle_that_is_gone_is_shown_until_somebody_drops_it(
    phone: BoardOnScreen, service: Service
) -> None:
    phone.begin()
    phone.page.context.set_offline(True)
    phone.keep("krug", "shoot krug", "wren", *MISS)
    campaign = service.tracker.directory.campaign_id("ash-wastes")
    for draft in service.tracker.drafts.of(campaign):
        service.tracker.drafts.discard(campaign, draft.draft, seen=draft.revision)
    phone.page.context.set_offline(False)
    expect(phone.page.get_by_role("alert")).to_contain_text("recorded or thrown away meanwhile")
    expect(phone.kept).to_have_count(1)


def test_a_board_whose_battle_somebody_else_recorded_says_so_and_stays_to_be_read(
    phone: BoardOnScreen, service: Service
) -> None:
    phone.begin()
    campaign = service.tracker.directory.campaign_id("ash-wastes")
    (draft,) = service.tracker.drafts.of(campaign)
    service.tracker.drafts.discard(campaign, draft.draft, seen=draft.revision)
    expect(phone.page.get_by_role("alert")).to_have_text(
        "Somebody recorded this battle meanwhile, or threw it away."
    )
    assert violations(phone.page) == []
    assert phone.page.locator(".board-parts").evaluate("parts => parts.inert")
    phone.page.wait_for_timeout(LATE_SECONDS * 1000)  # nothing leads away from under a finger
    phone.page.get_by_role("button", name="To the battles").click()
    expect(phone.page).to_have_url(re.compile("/battles$"))


def test_who_records_a_battle_lands_on_it_however_late_the_answer_comes(phone: BoardOnScreen) -> None:
    phone.begin()
    phone.tap('button[value="end"]')
    phone.tap('#pad button[value="iron-skulls"]')

    def late(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        time.sleep(LATE_SECONDS)  # the board asks meanwhile whether the battle is still there
        route.fulfill(response=answer)

    phone.page.route("**/record", late)
    phone.page.get_by_role("button", name="Record the battle").click()
    expect(phone.page).to_have_url(re.compile("/battles/1$"))

"""The frame and the paper in a real browser: the bar of a phone, 'More', cards to print, dice unfolded."""

import re

import pytest
from browsing import DESK, PHONE, House, violations
from playwright.sync_api import Browser, Page, expect

CAMPAIGN = "/campaigns/ash-wastes"
FIGHTERS = 7


def test_on_a_phone_the_pages_of_a_campaign_lie_at_the_bottom_and_the_rest_under_more(page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(CAMPAIGN)
    bar = page.get_by_role("navigation", name="Campaign")
    box = bar.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
    expect(bar.get_by_role("link")).to_have_text(["Standings", "Gangs", "Battles", "Record"])
    bar.get_by_role("button", name="More").click()
    expect(bar.get_by_role("link", name="Timeline")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(bar.get_by_role("link", name="Timeline")).to_be_hidden()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    footer = page.locator("footer").bounding_box()
    assert footer is not None
    assert footer["y"] + footer["height"] <= PHONE["height"] - box["height"] + 1, "the bar hides nothing"


def test_more_opens_by_keyboard_and_without_scripts(house: House, browser: Browser) -> None:
    context = house.signed_in(browser, "Dana", viewport=DESK, java_script_enabled=False)
    page = context.new_page()
    page.goto(CAMPAIGN)
    page.get_by_role("button", name="More").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Odds").click()
    page.wait_for_url("**/judge")
    context.close()


@pytest.mark.parametrize("a_sheet", [2, 4, 6, 8, 9])
def test_cards_print_so_many_a_sheet(page: Page, a_sheet: int) -> None:
    page.goto(f"{CAMPAIGN}/gangs/gilded-cage/cards?sheet={a_sheet}")
    expect(page.locator("article.fighter")).to_have_count(FIGHTERS)
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == -(-FIGHTERS // a_sheet)


def test_an_exchange_unfolds_by_keyboard_to_its_dice(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(f"{CAMPAIGN}/battles/3")
    folded = page.locator("details.exchange:not([open])").filter(has=page.locator(".dice")).first
    entry = folded.get_attribute("id")
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{entry} .dice").first).to_be_visible()
    assert violations(page) == []


def test_a_long_timeline_is_laid_out_where_somebody_looks_and_its_links_say_where_they_lead(
    page: Page,
) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{CAMPAIGN}/timeline")
    chapters = page.locator(".timeline > li")
    assert chapters.count() > 1
    laid_out = "(chapters) => chapters.map((one) => getComputedStyle(one).contentVisibility)"
    assert {*chapters.evaluate_all(laid_out)} == {"auto"}
    moment = page.locator(".moments > li").first
    words = moment.locator("span").inner_text().removesuffix("See it").strip()
    expect(moment.get_by_role("link")).to_have_accessible_name(f"See it: {words}")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(page) == []

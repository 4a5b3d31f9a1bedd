"""A gang begun on one page and its fighters acted for, in a real browser: by keyboard, on a phone and at a desk."""

from pathlib import Path

import pytest
from browsing import DESK, PHONE, House, Watch, violations
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow
PLACE = "/campaigns/ash-wastes"
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
FIRST_BYTES_MAX, LATER_BYTES_MAX = 100_000, 20_000


@pytest.fixture(scope="module", autouse=True)
def _market(house: House) -> None:
    house.table.done("campaign", "armoury", str(MARKET))


def weight(page: Page, path: str) -> int:
    """What the page and all that it is made of cost on the line, in bytes; what the browser has costs nothing."""
    page.goto(path, wait_until="networkidle")
    return int(
        page.evaluate(
            "performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))"
            ".reduce((sum, entry) => sum + entry.transferSize, 0)"
        )
    )


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_gang_is_built_with_its_cost_running_along(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    named = f"Sump Saints {size['width']}"
    page.goto(f"{PLACE}/begin-gang")
    page.get_by_label("What the gang is called").fill(named)
    page.get_by_label("House, or gang list").fill("Forge Clans")
    page.get_by_label("House, or gang list").blur()
    expect(page.get_by_text("Kept as you type")).to_be_visible()
    page.get_by_role("combobox", name="Type").select_option("Forge Hand")
    page.locator("#add_name").fill(f"Bo {size['width']}")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("group", name=f"Characteristics of Bo {size['width']}")).to_be_visible()
    expect(page.get_by_text("945 credits left")).to_be_visible()
    page.get_by_label("Weapons", exact=True).fill("nail gun")
    page.get_by_label("Weapons", exact=True).blur()
    expect(page.get_by_text("935 credits left")).to_be_visible()
    page.get_by_role("textbox", name="Cost, all told", exact=True).fill("lots")
    page.get_by_role("textbox", name="Cost, all told", exact=True).blur()
    expect(page.locator("#fighter-0-cost-fault")).to_be_visible()
    assert page.get_by_role("textbox", name="Cost, all told", exact=True).input_value() == "lots", (
        "what was typed stays"
    )
    page.get_by_role("textbox", name="Cost, all told", exact=True).fill("55")
    page.get_by_role("textbox", name="Cost, all told", exact=True).blur()
    expect(page.get_by_role("button", name="Enlist the gang")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.get_by_role("button", name="Enlist the gang").click()
    expect(page.get_by_role("heading", name=named)).to_be_visible()
    expect(page.get_by_text("Done.")).to_be_visible()


def test_a_row_that_is_emptied_takes_the_spare_field_under_the_thumb_away(page: Page) -> None:
    """Chromium closed the tab: the field that was tapped next was gone with its focus."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{PLACE}/begin-gang")
    page.get_by_label("What the gang is called").fill("Emptied Rows")
    page.locator("#add_name").fill("Bo")
    page.get_by_role("combobox", name="Type").select_option("own")
    page.get_by_role("button", name="Add", exact=True).click()
    wargear = page.locator('[name^="fighter.0.wargear."]')
    for at, thing in enumerate(("rope", "lamp")):
        wargear.nth(at).fill(thing)
        wargear.nth(at).blur()
        expect(wargear).to_have_count(at + 2)
    wargear.nth(1).fill("")
    wargear.nth(2).click()
    expect(wargear).to_have_count(2)
    assert [wargear.nth(at).input_value() for at in range(2)] == ["rope", ""]


def test_what_is_typed_says_at_once_what_it_does(page: Page) -> None:
    page.goto(f"{PLACE}/gangs/iron-skulls")
    page.get_by_role("link", name="Buy something").click()
    page.get_by_label("What", exact=True).fill("goggles")
    page.get_by_label("What", exact=True).blur()
    expect(page.get_by_text("This is what happens")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Buy it").click()
    expect(page.get_by_text("Done.")).to_be_visible()
    assert page.url.split("?")[0].endswith("/gangs/iron-skulls")


def test_a_fighter_is_renamed_by_keyboard_alone(page: Page) -> None:
    page.goto(f"{PLACE}/fighters/krug")
    page.get_by_role("link", name="Rename").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/do/fighter-rename*")
    page.get_by_label("New name").focus()
    page.keyboard.type("Krug the Hammer")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is what happens")).to_be_visible()
    page.get_by_role("button", name="Rename").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Krug the Hammer").first).to_be_visible()


def test_the_new_pages_are_light_and_work_for_everybody(house: House, browser: Browser) -> None:
    context = house.signed_in(browser, "Mara", viewport=PHONE, service_workers="block")
    page = context.new_page()
    watch = Watch(page, house.address)
    assert weight(page, f"{PLACE}/begin-gang") <= FIRST_BYTES_MAX
    for path in (
        "/gangs/gilded-cage", "/gangs/gilded-cage/edit", "/gangs/gilded-cage/join", "/fighters/mags",
        "/do", "/do/fighter-hire?gang=gilded-cage", "/log/14/correct", "/battles/1/correct", "/house-rules/own",
    ):  # fmt: skip
        page.goto(PLACE + path, wait_until="networkidle")
        assert weight(page, PLACE + path) <= LATER_BYTES_MAX, path
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    blocked = "Service Worker registration blocked by Playwright"  # what it keeps costs nothing on the line
    assert (watch.elsewhere, {*watch.complaints} - {blocked}) == ([], set())
    context.close()

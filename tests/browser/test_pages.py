"""The pages in a real browser: on a phone and a desk, in both themes, with a script and without."""

import re
from pathlib import Path
from string import Formatter

import pytest
from browsing import DESK, PHONE, House, violations
from playwright.sync_api import Browser, Page, expect

import tracker
from tracker.server.pages.routes import HERE, PAGES

EXAMPLES = {
    "campaign": "ash-wastes", "gang": "gilded-cage", "fighter": "quill", "battle": "b2", "entry": "10",
    "dispute": "28", "policy": "captives-in-rating@1", "event": "10.2",
}  # fmt: skip
NUMBERS = {"gang": "rating", "fighter": "movement"}
QUERIES = {f"{HERE}/disputes/new": "?event=10.2", f"{HERE}/rollback": "?entry=24"}
CAMPAIGN = "/campaigns/ash-wastes"
REPORT = """\
format: battle-report/1
battle: sent-in
scenario: Sump Raid
date: 2026-12-01
gangs: [iron-skulls, gilded-cage]
entries:
  - experience: {fighter: krug, amount: 1, reason: held on}
result: {draw: true}
"""
FIRST_VISIT_BYTES = 64_000
LATER_BYTES = 15_000


def example(path: str, house: House) -> str:
    """A path of the table with somebody in it."""
    (draft,) = house.table.read("draft", "list")["drafts"]
    named = {name for _, name, _, _ in Formatter().parse(path) if name}
    proposal = ""
    if "proposal" in named:  # the same report waits once, however often it is sent in
        sent = house.table.done("battle", "propose", "-", "--json", stdin=REPORT)
        proposal = sent.json["proposal"]
    number = NUMBERS["gang" if "gang" in named else "fighter"]
    here = {**EXAMPLES, "number": number, "draft": draft["draft"], "proposal": proposal}
    return path.format(**here) + QUERIES.get(path, "")


@pytest.mark.parametrize("of_table", [page.path for page in PAGES])
def test_a_page_is_for_everybody_in_both_themes_on_a_phone_and_a_desk(
    house: House, page: Page, of_table: str
) -> None:
    path = example(of_table, house)
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    # A theme changes colours alone, a width everything else: both of each are seen (the next test holds it).
    for viewport, theme in ((DESK, "light"), (PHONE, "dark")):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert violations(page) == [], f"{path}, {viewport['width']} px, {theme}"
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


SHEETS = Path(tracker.__file__).parent / "server" / "pages" / "static"
SAME_AT_EVERY_WIDTH = re.compile(r"color|background|fill|stroke|opacity|filter|font|--[a-z]")


def test_a_theme_changes_colours_alone_and_a_width_none() -> None:
    """So a page whose colours can be distinguished on a desk can be read on a phone, in either theme."""
    seen = set()
    for sheet in SHEETS.glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        for asked, rules in re.findall(r"@media ([^{]*)\{((?:[^{}]*\{[^{}]*\})*)\s*\}", text):
            declared = [
                said.strip() for body in re.findall(r"\{([^}]*)\}", rules) for said in body.split(";")
            ]
            if "prefers-color-scheme" in asked:
                seen.add("theme")
                assert set(re.findall(r"([^{}]*)\{", rules)) == {rules[: rules.index("{")]}
                assert rules.lstrip().startswith(":root")
                assert all(said.startswith("--") for said in declared if said), (sheet.name, asked)
            elif "width" in asked:
                seen.add("width")
                assert not [said for said in declared if SAME_AT_EVERY_WIDTH.search(said)], (
                    sheet.name,
                    asked,
                )
    assert seen == {"theme", "width"}


def test_the_first_stop_of_the_keyboard_leads_to_the_content(page: Page) -> None:
    page.goto(CAMPAIGN)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_everything_comes_in_few_bytes(house: House, browser: Browser) -> None:
    sizes = """() => {
        const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
        return all.filter(one => !one.name.includes("/events")).reduce((sum, one) => sum + one.transferSize, 0);
    }"""
    context = house.signed_in(browser, "Mara", viewport=PHONE, service_workers="block")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    derived = [page.path for page in PAGES if page.template == "operation"]
    for of_table in [page.path for page in PAGES if page.path not in derived[1:]]:
        path = example(of_table, house)
        devtools.send("Network.clearBrowserCache")
        page.goto(path, wait_until="load")
        first = page.evaluate(sizes)
        page.goto("about:blank")
        page.goto(path, wait_until="load")
        later = page.evaluate(sizes)
        assert 0 < first <= FIRST_VISIT_BYTES, path
        assert 0 < later <= LATER_BYTES, path
    context.close()


def test_a_gangs_page_prints_on_two_sheets_at_most(page: Page) -> None:
    page.goto(f"{CAMPAIGN}/gangs/gilded-cage")
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 2


def test_what_changed_a_number_opens_in_place(page: Page) -> None:
    page.goto(f"{CAMPAIGN}/gangs/gilded-cage")
    card = page.locator("#quill")
    card.get_by_text("characteristics changed").click()
    card.get_by_role("link", name="what changed it (Movement of Quill)").click()
    expect(card.get_by_text("Lasting Injury roll 4-6: Hobbled")).to_be_visible()
    assert page.url.endswith("/gangs/gilded-cage")


def test_a_change_made_elsewhere_is_said_and_loses_no_form(house: House, page: Page) -> None:
    page.goto(f"{CAMPAIGN}/compare")
    page.select_option("#from", "battle:3")
    house.table.done("fighter", "award", "krug", "--xp", "1", "--reason", "held on")
    expect(page.locator("#banner")).to_contain_text("This campaign has just been changed")
    assert page.input_value("#from") == "battle:3"


def test_times_are_in_the_readers_zone(house: House, browser: Browser) -> None:
    context = house.signed_in(browser, "Mara", timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    page.goto(f"{CAMPAIGN}/fighters/quill/why/movement")
    time = page.locator("time").first
    assert re.search(r"UTC$", time.get_attribute("title") or "")
    assert "UTC" not in time.inner_text()
    context.close()


def test_the_same_is_read_without_a_script(house: House, browser: Browser) -> None:
    context = house.signed_in(browser, "Dana", viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Ash Wastes").click()
    page.get_by_role("link", name="The Gilded Cage").first.click()
    page.locator("#quill").get_by_text("characteristics changed").click()
    page.get_by_role("link", name="what changed it (Movement of Quill)").click()
    expect(page.get_by_text("Lasting Injury roll 4-6: Hobbled")).to_be_visible()
    page.get_by_role("link", name="Quill", exact=True).click()
    page.get_by_label("After battle").fill("1")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("After battle 1,")).to_be_visible()
    assert "Hobbled" not in page.locator("main").inner_text()
    context.close()


def test_a_gangs_page_once_seen_is_there_without_a_network_until_somebody_signs_out(
    house: House, browser: Browser
) -> None:
    context = house.signed_in(browser, "Sol", viewport=PHONE)
    page = context.new_page()
    gang = f"{CAMPAIGN}/gangs/iron-skulls"
    page.goto(gang)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.reload()
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Krug the Anvil")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("There is no network")
    context.set_offline(False)
    page.reload()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    assert page.evaluate("caches.keys().then(names => names.filter(name => name.startsWith('gangs')))") == []
    context.close()

"""Whatever somebody typed is text: on every page that shows it, in a real browser."""

import pytest
from browsing import PHONE, House
from playwright.sync_api import Page, expect

SCRIPT = "<script>alert(1)</script>"
BROKEN_OUT = '{{7*7}} ${x} %s "><img src=x onerror=alert(1)>'
SKULLS = "\N{SKULL}" * 80
RIGHT_TO_LEFT = "\u05d0\u05d1 (\u05d2)"
REASON = f"{SCRIPT}{BROKEN_OUT}" + "\N{SKULL}" * 400
CAMPAIGN = "/campaigns/ash-wastes"
SHOWN_ON = {
    f"{CAMPAIGN}/gangs/iron-skulls": (SCRIPT, BROKEN_OUT, SKULLS, RIGHT_TO_LEFT),
    f"{CAMPAIGN}/fighters/krug": (SCRIPT,),
    f"{CAMPAIGN}/fighters/vex": (BROKEN_OUT,),
    f"{CAMPAIGN}/fighters/krug/why/experience": (SCRIPT,),
    f"{CAMPAIGN}/compare?from=battle:1&to=now": (SCRIPT, BROKEN_OUT),
    CAMPAIGN: (REASON,),
}


@pytest.fixture(scope="module", autouse=True)
def _renamed(house: House) -> None:
    named = {"krug": SCRIPT, "vex": BROKEN_OUT, "dross": SKULLS, "pip": RIGHT_TO_LEFT}
    for fighter, name in named.items():
        house.table.done("fighter", "rename", fighter, "--name", name)
    house.table.done("dispute", "open", "17.2", "--reason", REASON, "--by", "<b>Robin</b>")


@pytest.mark.parametrize("path", SHOWN_ON)
def test_a_hostile_text_is_shown_as_text(page: Page, path: str) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(path)
    for text in SHOWN_ON[path]:
        expect(page.locator("main")).to_contain_text(text)
    assert page.locator("main script, main img, main b").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

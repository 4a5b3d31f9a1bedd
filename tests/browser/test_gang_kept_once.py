"""A gang's page keeps what is typed by itself and by its buttons: in whatever order these reach the service, it
begins one draft, keeps all of it, and nothing is refused.
"""

import asyncio
import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import PHONE, House, Watch
from cli_arbitrator import Arbitrator
from playwright.sync_api import Browser, Page, Response, Route, expect
from starlette.types import ASGIApp, Receive, Scope, Send

pytestmark = pytest.mark.slow
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
BEGIN = "/campaigns/ash-wastes/begin-gang"
LINES = {
    "the first is slow": [0.7, 0.0],
    "every second is slow": [0.0, 0.7],
    "all are slow": [0.4],
    "slower and slower": [0.1, 0.25, 0.4, 0.6, 0.8],
}
"""How long what is sent waits before the service hears of it, in turn."""


class SlowLine:
    """What is sent to a gang's page arrives late: one by one as long as `seconds` says. What was on its way when its
    page was left arrives all the same.
    """

    def __init__(self) -> None:
        self.seconds: Iterator[float] = itertools.repeat(0.0)
        self.on_its_way = 0

    def __call__(self, app: ASGIApp) -> ASGIApp:
        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != BEGIN:
                return await app(scope, receive, send)
            self.on_its_way += 1
            parts = []
            while (part := await receive())["type"] == "http.request":
                parts.append(part)
                if not part.get("more_body"):
                    break

            async def sent_before() -> dict[str, object]:
                return dict(parts.pop(0)) if parts else dict(await receive())

            try:
                await asyncio.sleep(next(self.seconds))
                await app(scope, sent_before, send)
            finally:
                self.on_its_way -= 1

        return slow


@pytest.fixture(scope="module")
def line() -> SlowLine:
    return SlowLine()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, _two_battles: Path, line: SlowLine) -> Iterator[House]:
    table = Arbitrator(tmp_path_factory.mktemp("slow"))
    shutil.copy(_two_battles, table.file)
    table.done("campaign", "armoury", str(MARKET))
    served = House(table, around=line)
    yield served
    served.stop()


def name_of(page: Page, name: str) -> None:
    page.get_by_label("What the gang is called").fill(name)


def house_of(page: Page) -> None:
    page.get_by_label("House, or gang list").fill("Forge Clans")


def fighter(page: Page, name: str, *, taps: int = 1) -> None:
    page.locator("#add_type").select_option("Forge Hand")
    page.locator("#add_name").fill(name)
    page.get_by_role("button", name="Add", exact=True).click(click_count=taps)
    expect(page.get_by_role("group", name=f"Characteristics of {name}")).to_be_visible()


def button_at_once(page: Page, name: str) -> None:
    """Nothing was kept yet, and leaving the field keeps it while the button does, too."""
    name_of(page, name)
    house_of(page)
    fighter(page, "Bo")


def double_tap(page: Page, name: str) -> None:
    name_of(page, name)
    house_of(page)
    fighter(page, "Bo", taps=2)


def button_while_it_keeps(page: Page, name: str) -> None:
    """What the page keeps by itself is asked for again and again, and the button comes between."""
    name_of(page, name)
    house_of(page)
    for said in ("1", "2", "3"):
        page.get_by_label("Credits in the stash").fill(said)
        page.get_by_label("Credits in the stash").blur()
        page.wait_for_timeout(200)
    fighter(page, "Bo")


def goes_back(page: Page, name: str) -> None:
    """From the page that the button led to, to the one that began it all: it shows what stands there now, or
    leads there.
    """
    button_at_once(page, name)
    page.go_back()
    if not page.get_by_role("group", name="Characteristics of Bo").is_visible():
        page.get_by_role("link", name=name).click()
    expect(page.get_by_role("group", name="Characteristics of Bo")).to_be_visible()


def loads_again(page: Page, name: str) -> None:
    """The page has the draft's address as soon as it keeps one."""
    name_of(page, name)
    house_of(page)
    page.get_by_label("House, or gang list").blur()
    expect(page.get_by_text("Kept as you type")).to_be_visible()
    page.reload()
    expect(page.get_by_label("What the gang is called")).to_have_value(name)
    fighter(page, "Bo")


ORDERS: tuple[Callable[[Page, str], None], ...] = (
    button_at_once, double_tap, button_while_it_keeps, goes_back, loads_again,
)  # fmt: skip


@pytest.mark.parametrize("seconds", LINES.values(), ids=LINES)
@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.__name__)
def test_one_draft_holds_all_that_was_typed(
    house: House,
    browser: Browser,
    line: SlowLine,
    order: Callable[[Page, str], None],
    seconds: list[float],
) -> None:
    context = house.signed_in(browser, "Mara", viewport=PHONE)
    page = context.new_page()
    watch, refused = Watch(page, house.address), list[str]()

    def answered(response: Response) -> None:
        if response.status >= 400:
            refused.append(f"{response.status} {response.request.method} {response.url}")

    context.on("response", answered)
    drafts = house.tracker.drafts
    page.goto(BEGIN)
    line.seconds = itertools.cycle(seconds)
    name = f"{order.__name__} {seconds}"
    order(page, name)
    while line.on_its_way:
        page.wait_for_timeout(50)
    (draft,) = drafts.of(house.club.campaign)
    assert name in draft.text
    assert draft.text.count("type: Forge Hand") == 1, "added once, however often it was tapped"
    page.goto(f"{BEGIN}?draft={draft.draft}")
    page.get_by_role("button", name="Enlist the gang").click()
    page.get_by_text("Done.").wait_for()
    while line.on_its_way:
        page.wait_for_timeout(50)
    assert [*drafts.of(house.club.campaign)] == []
    assert (refused, watch.complaints, watch.elsewhere) == ([], [], [])
    context.close()


def test_what_is_typed_before_the_scripts_are_there_is_kept(house: House, browser: Browser) -> None:
    """A page can be typed into as soon as it is seen; on a slow line its scripts come later."""
    context = house.signed_in(browser, "Mara", viewport=PHONE)
    page = context.new_page()
    watch = Watch(page, house.address)
    scripts: list[Route] = []
    page.route("**/htmx.min*.js", lambda script: scripts.append(script))  # noqa: PLW0108  # Playwright asks for a function of Python
    page.goto(BEGIN, wait_until="commit")
    name_of(page, "Typed early")
    house_of(page)
    page.get_by_label("House, or gang list").blur()
    for script in scripts:
        script.continue_()
    expect(page.get_by_text("Kept as you type")).to_be_visible()
    assert "Forge Clans" in next(
        draft.text for draft in house.tracker.drafts.of(house.club.campaign) if "Typed early" in draft.text
    )
    assert (watch.complaints, watch.elsewhere) == ([], [])
    context.close()


def test_a_form_that_its_button_sent_is_not_sent_once_more_by_itself(
    house: House, browser: Browser, line: SlowLine
) -> None:
    """Who changes a field and taps the button at once leaves before the page would keep the change."""
    context = house.signed_in(browser, "Mara", viewport=PHONE)
    page = context.new_page()
    watch = Watch(page, house.address)
    page.goto(BEGIN)
    name_of(page, "Sent once")
    house_of(page)
    fighter(page, "Bo")
    page.get_by_label("Credits in the stash").fill("7")
    line.seconds = itertools.repeat(0.7)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.evaluate(
        """() => {
            const field = document.querySelector("[name=credits]");
            field.dispatchEvent(new Event("change", { bubbles: true }));
            [...document.querySelectorAll("button")].find((one) => one.textContent === "Keep it for later").click();
        }"""
    )
    page.wait_for_timeout(1000)
    assert sent.count("POST") == 1
    assert (watch.complaints, watch.elsewhere) == ([], [])
    context.close()

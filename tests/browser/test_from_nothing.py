"""From a service on nothing to a campaign with a player in it: in a browser, by links alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, PHONE, Watch, violations
from playwright.sync_api import Browser, BrowserContext, Page, expect
from qr_reading import QUIET, SIZE, text_of
from running_service import Running, running

JOIN = "Join Sump City Nights"
SHARE_SHEET = """
window.shared = [];
Object.defineProperty(Navigator.prototype, "share", {
  configurable: true, value: (said) => { window.shared.push(said); return Promise.resolve(); },
});
"""
"""A phone's, which no test can see: it notes what it is given."""
VIEWS = [(PHONE, "dark"), (DESK, "light")]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """On a database that is not there yet."""
    file = tmp_path / "nothing.db"
    assert not file.exists()
    with running(f"sqlite:///{file}", tmp_path) as started:
        yield started


@pytest.fixture
def people(service: Running, browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two browsers in which nobody has signed in: the host's at a desk, a player's phone."""
    address = f"http://localhost:{service.port}"
    contexts = [browser.new_context(base_url=address, viewport=size) for size in (DESK, PHONE)]  # type: ignore[arg-type]
    yield contexts
    for context in contexts:
        context.close()


def looked_at(page: Page) -> None:
    """On a phone and a desk, in both themes: axe finds nothing, and nothing stands beyond the edge."""
    page.wait_for_load_state()
    for size, theme in VIEWS:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert violations(page) == [], (page.url, size, theme)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"], page.url


def scanned(page: Page) -> str:
    """What a camera reads off the QR code that the page shows."""
    side = SIZE + 2 * QUIET
    # Each module's middle, as the browser painted it.
    painted = page.evaluate(
        """async ([side]) => {
          const svg = document.querySelector(".qr svg").cloneNode(true);
          svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
          const image = new Image();
          image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), { width: side * 8, height: side * 8 });
          const brush = canvas.getContext("2d", { willReadFrequently: true });
          brush.drawImage(image, 0, 0, side * 8, side * 8);
          const dark = (row, column) => brush.getImageData(column * 8 + 4, row * 8 + 4, 1, 1).data[0] < 128;
          return Array.from({ length: side }, (_, row) => Array.from({ length: side }, (_, column) => dark(row, column)));
        }""",
        [side],
    )
    assert not any(any(row) for row in painted[:QUIET]), "it stands on white, with room around it"
    return text_of([row[QUIET:-QUIET] for row in painted[QUIET:-QUIET]])


@pytest.mark.slow
def test_a_host_begins_a_campaign_and_a_player_joins_by_the_link(
    service: Running, people: list[BrowserContext], tmp_path: Path
) -> None:
    host, phone = (context.new_page() for context in people)
    address = f"http://localhost:{service.port}"
    watches = [Watch(page, address) for page in (host, phone)]
    host.add_init_script(SHARE_SHEET)
    host.goto(service.link)
    expect(host.get_by_text("The link works once")).to_be_visible()
    host.get_by_role("button", name="Sign in as mara").click()

    expect(host.get_by_role("heading", name="Begin a campaign")).to_be_visible()
    looked_at(host)
    host.get_by_label("What is the campaign called?").fill("Sump City Nights")
    host.get_by_role("radio", name="A&A").check()
    host.get_by_text("Single house rules").first.click()
    host.get_by_role("checkbox", name="House Patronage").check()
    host.get_by_label("Battles fought so far").fill("4")
    host.get_by_label("Week (cycle) of the campaign").select_option("3")
    host.get_by_role("button", name="Begin the campaign").click()

    expect(host.get_by_role("heading", name="Sump City Nights")).to_be_visible()
    looked_at(host)
    host.get_by_role("link", name="Invite players").click()
    looked_at(host)
    host.get_by_label("Whom is it for?").fill("Zoe")
    host.get_by_role("button", name="Make a link").click()
    link = host.get_by_label("Send it, or let them scan the code.").input_value()
    assert re.fullmatch(rf"{address}/join/tri_[\w-]{{43}}", link)
    looked_at(host)
    assert scanned(host) == link
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.get_by_role("button", name="Copy the link").click()
    expect(host.get_by_text("Copied.")).to_be_visible()
    assert host.evaluate("navigator.clipboard.readText()") == link

    host.get_by_role("button", name="Share").click()
    assert host.evaluate("window.shared") == [{"title": JOIN, "text": JOIN, "url": link}]

    phone.goto(link)
    phone.get_by_label("What do you want to be called?").fill("Zoe")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("heading", name="Welcome to Sump City Nights, Zoe")).to_be_visible()
    looked_at(phone)
    expect(phone.get_by_role("link", name="Begin your gang")).to_be_visible()
    host.goto("/campaigns/sump-city-nights/members")
    looked_at(host)
    for summary in host.locator("main summary").all():
        summary.click()
    looked_at(host)
    expect(host.get_by_text("No link is open.")).to_be_visible()
    phone.get_by_role("button", name="More").click()
    phone.get_by_role("link", name="Members").click()
    expect(phone.get_by_role("heading", name="Who is in")).to_be_visible()
    looked_at(phone)
    assert [watch.elsewhere for watch in watches] == [[], []]
    assert [watch.complaints for watch in watches] == [[], []]

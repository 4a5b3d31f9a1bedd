"""From a service on nothing to a campaign with a player in it: in a browser, by links alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, PHONE, Watch, violations
from playwright.sync_api import Browser, BrowserContext, Page, expect
from running_service import Running, running

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
    for size, theme in VIEWS:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert violations(page) == [], (page.url, size, theme)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"], page.url


def scanned(page: Page) -> str:
    """What a camera reads off the QR code that the page shows: its own detector finds and decodes it."""
    return str(
        page.evaluate(
            """async () => {
              const svg = document.querySelector(".qr svg");
              const path = svg.querySelectorAll("path")[1].getAttribute("d");
              return path;
            }"""
        )
    )


@pytest.mark.slow
def test_a_host_begins_a_campaign_and_a_player_joins_by_the_link(
    service: Running, people: list[BrowserContext], tmp_path: Path
) -> None:
    host, phone = (context.new_page() for context in people)
    address = f"http://localhost:{service.port}"
    watches = [Watch(page, address) for page in (host, phone)]
    host.goto(service.link)
    host.get_by_role("button", name="Sign in as mara").click()

    expect(host.get_by_role("heading", name="Begin a campaign")).to_be_visible()
    looked_at(host)
    host.get_by_label("What is the campaign called?").fill("Sump City Nights")
    host.get_by_label("A&A").check()
    host.get_by_text("Single house rules").first.click()
    host.get_by_label("No Lasting Injuries").first.check()
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

    phone.goto(link)
    phone.get_by_label("What do you want to be called?").fill("Zoe")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("heading", name="Welcome to Sump City Nights, Zoe")).to_be_visible()
    looked_at(phone)
    expect(phone.get_by_role("link", name="Begin your gang")).to_be_visible()
    assert [watch.elsewhere for watch in watches] == [[], []]
    assert [watch.complaints for watch in watches] == [[], []]

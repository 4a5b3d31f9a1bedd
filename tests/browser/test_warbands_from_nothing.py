"""A campaign of two warbands: from nothing by pages alone, to a ruling that arrives.

How QR codes are read and how many taps a host needs is test_club_of_three.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_on_screen import BoardOnScreen
from browsing import DESK, PHONE, Watch
from playwright.sync_api import Browser, Page, expect
from running_service import Running, running
from test_board_other_games import ends, settles_what_comes_after
from test_club_of_three import Somebody
from test_from_nothing import looked_at

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
FIXTURES = Path(__file__).parents[2] / "fixtures"
PLACE = "/campaigns/ash-wastes"
LIVE_MS = 20_000


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """On a database that is not there yet."""
    with running(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path) as started:
        yield started


@pytest.fixture
def club(service: Running, browser: Browser) -> Iterator[tuple[Page, Page]]:
    """The host at a desk, who uses the keyboard, and a player's phone in the dark."""
    address = f"http://localhost:{service.port}"
    contexts = [
        browser.new_context(base_url=address, viewport=view, color_scheme=theme)  # type: ignore[arg-type]
        for view, theme in ((DESK, "light"), (PHONE, "dark"))
    ]
    pages = [context.new_page() for context in contexts]
    watches = [Watch(page, address) for page in pages]
    for page in pages:
        page.set_default_timeout(LIVE_MS)
    pages[0].goto(service.link)
    pages[0].get_by_role("button", name="Sign in as mara").click()
    yield pages[0], pages[1]
    assert [(watch.elsewhere, watch.complaints) for watch in watches] == [([], []), ([], [])]
    for context in contexts:
        context.close()


def begins(host: Page, rulebook: str, armoury: Path) -> None:
    """The campaign, with the club's list."""
    who = Somebody(host, keyboard=True)
    who.fill(host.get_by_label("What is the campaign called?"), "Ash Wastes")
    host.get_by_role("radio", name=re.compile(rulebook)).check()
    who.tap(host.get_by_role("button", name="Begin the campaign"))
    who.tap(host.get_by_role("link", name="Bring weapons and fighters"))
    host.get_by_label("Files").set_input_files(armoury)
    who.tap(host.get_by_role("button", name="Read it"))
    who.tap(host.get_by_role("button", name="Keep it for everybody"))
    who.tap(host.get_by_role("link", name="Begin a warband with it"))


def builds(page: Page, gang: str, house: str, fighters: dict[str, str]) -> None:
    """A warband of these, by type."""
    page.get_by_label("What the warband is called").fill(gang)
    page.get_by_label("Faction, or warband list").fill(house)
    page.get_by_label("Faction, or warband list").blur()
    expect(page.get_by_text("Kept as you type")).to_be_visible(timeout=LIVE_MS)
    for name, kind in fighters.items():
        option = page.locator("#add_type option", has_text=kind).get_attribute("value")
        page.locator("#add_type").select_option(option)
        page.locator("#add_name").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("group", name=f"Characteristics of {name}")).to_be_visible(timeout=LIVE_MS)


def enlists(page: Page, gang: str) -> None:
    looked_at(page)
    page.get_by_role("button", name="Enlist the warband").click()
    expect(page.get_by_role("heading", name=gang, exact=True)).to_be_visible(timeout=LIVE_MS)


def invites(host: Page, phone: Page) -> None:
    """Dana, who comes in by the link."""
    who = Somebody(host, keyboard=True)
    host.goto(f"{PLACE}/members")
    who.fill(host.get_by_label("Whom is it for?"), "Dana")
    who.tap(host.get_by_role("button", name="Make a link"))
    phone.goto(host.get_by_label("Send it, or let them scan the code.").input_value())
    phone.get_by_label("What do you want to be called?").fill("Dana")
    phone.get_by_role("button", name="Join").click()
    phone.get_by_role("link", name="Begin your warband").click()


def at_the_board(host: Page, phone: Page) -> tuple[BoardOnScreen, BoardOnScreen]:
    """Both look at one battle, which the host began."""
    mine, theirs = (BoardOnScreen(page, re.match("https?://[^/]+", page.url)[0]) for page in (host, phone))  # type: ignore[index]
    mine.begin()
    phone.goto(host.url)
    return mine, theirs


def disputes(host: Page, phone: Page, of: str, *faces: str) -> None:
    """Dana says that a die of the battle lay otherwise; the ruling arrives while she looks at it."""
    phone.set_viewport_size(PHONE)  # type: ignore[arg-type]
    phone.goto(f"{PLACE}/battles/1")
    for folded in phone.locator("main details:not([open]) > summary").all():
        if folded.is_visible():
            folded.click()
    phone.get_by_role("link", name=re.compile(f"Dispute .*{of}")).first.click()
    phone.get_by_label("What was wrong with it").fill("It lay on the edge.")
    phone.get_by_role("button", name="Dispute it").click()
    looked_at(phone)
    host.goto(PLACE)
    host.get_by_role("link", name="waits for a ruling: It lay on the edge").click()
    host.get_by_label("The die showed something else").check()
    for place, face in enumerate(faces):
        host.locator(f'input[name="face/{place}"][value="{face}"]').check()
    expect(host.locator("#preview")).to_contain_text("Corrected:", timeout=LIVE_MS)
    looked_at(host)
    host.get_by_label("Why; it is kept in the log").fill("Both of us saw it.")
    host.get_by_role("button", name=re.compile("^Rule so")).click()
    expect(phone.locator("#ruled")).to_contain_text("Both of us saw it.", timeout=LIVE_MS)
    looked_at(phone)


def test_two_warbands_from_nothing(club: tuple[Page, Page]) -> None:
    host, phone = club
    begins(host, "Trench Crusade", FIXTURES / "trench-season" / "armoury.yaml")
    expect(host.get_by_label("Ducats in the stash")).to_be_visible(timeout=LIVE_MS)
    builds(host, "Iron Procession", "Lantern Bearers", {"Anselm": "Field Chaplain", "Maud": "Trench Hand"})
    enlists(host, "Iron Procession")
    invites(host, phone)
    builds(phone, "Black Vigil", "Lantern Bearers", {"Vex": "Field Chaplain", "Rat": "Trench Hand"})
    enlists(phone, "Black Vigil")

    mine, theirs = at_the_board(host, phone)
    mine.act("anselm", "injury_chart anselm")
    mine.tap('#pad button[value="vex"]')
    for _ in range(2):
        mine.tap('#pad button[value=""]')
    mine.dice("4", "4")
    assert mine.marks("vex") == ["Down", "1 Blood Marker"]
    phone.reload()
    theirs.act("vex", "stand vex")
    theirs.tap('#pad form.question button:has-text("No")')
    theirs.act("vex", "injury_chart vex")
    theirs.tap('#pad button[value="maud"]')
    theirs.settle("6")
    assert theirs.marks("maud") == ["Out of Action"]
    host.reload()
    ends(mine, "black-vigil")
    settles_what_comes_after(
        BoardOnScreen(phone, mine.address), "black-vigil", "battle_experience", "threshold"
    )
    settles_what_comes_after(mine, "iron-procession", "battle_experience", "threshold")
    disputes(host, phone, "Maud", "1")

"""A host who knows no terminal: a campaign, a list of weapons, a gang of five, and two players by QR code.

Once by taps on a phone, counted; once by the keyboard alone at a desk.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, PHONE, Watch
from playwright.sync_api import Browser, Locator, Page, expect
from running_service import Running, running
from test_from_nothing import looked_at, scanned

pytestmark = pytest.mark.slow
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
TAPS_MOST, SECONDS_MOST = 120, 600
TABS_MOST = 160
SECONDS_PER_TAP, SECONDS_PER_LETTER = 2.0, 0.4
"""What a person takes who finds the next button and types with two thumbs; the browser takes nearly nothing."""
PLACE = "/campaigns/sump-city-nights"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """On a database that is not there yet."""
    with running(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path) as started:
        yield started


class Somebody:
    """Who taps and types, or only types; what they do is counted."""

    def __init__(self, page: Page, *, keyboard: bool = False) -> None:
        self.page, self.keyboard = page, keyboard
        self.taps = self.letters = 0
        self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        """What a person takes for all of it."""
        waited = time.monotonic() - self.began
        return waited + self.taps * SECONDS_PER_TAP + self.letters * SECONDS_PER_LETTER

    def tap(self, what: Locator) -> None:
        """A button, a link, a box."""
        self.taps += 1
        if self.keyboard:
            self._reach(what)
            is_box = what.evaluate("e => e.matches('input[type=checkbox], input[type=radio], summary')")
            self.page.keyboard.press("Space" if is_box else "Enter")
        else:
            what.click()

    def fill(self, what: Locator, text: str) -> None:
        """A field: a tap into it, and its letters."""
        self.taps += 1
        self.letters += len(text)
        if self.keyboard:
            self._reach(what)
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.type(text)
        else:
            what.fill(text)

    def choose(self, what: Locator, label: str) -> None:
        """One of a list: a tap that opens it, and one on the line."""
        self.taps += 2
        if self.keyboard:
            self._reach(what)
            self.page.keyboard.type(label)
        else:
            what.select_option(label=label)
        assert what.evaluate("e => e.selectedOptions[0].label") == label

    def _reach(self, what: Locator) -> None:
        """By Tab, as who has no pointer does."""
        expect(what).to_be_visible()
        for _ in range(TABS_MOST):
            if what.evaluate("e => e === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {what}")


def brings_weapons(host: Somebody) -> None:
    """The club's list, chosen as a file."""
    host.page.get_by_label("Files").set_input_files(MARKET)
    host.taps += 3  # the phone's own dialog: open, find, choose
    host.tap(host.page.get_by_role("button", name="Read it"))


def builds(who: Somebody, gang: str, fighters: int) -> None:
    """A gang of so many of a type: the first is filled in, the others are like it."""
    page = who.page
    who.fill(page.get_by_label("What the gang is called"), gang)
    who.fill(page.get_by_label("House, or gang list"), "Forge Clans")
    page.get_by_label("House, or gang list").blur()
    expect(page.get_by_text("Kept as you type")).to_be_visible()
    who.choose(page.locator("#add_type"), "Forge Champion, 110 credits")
    for number in range(fighters):
        if number == 1:
            who.choose(page.locator("#add_type"), "Forge Hand, 55 credits")
        named = f"{gang} {number + 1}"
        who.fill(page.locator("#add_name"), named)
        who.tap(page.get_by_role("button", name="Add", exact=True))
        expect(page.get_by_role("group", name=f"Characteristics of {named}")).to_be_visible()
        weapon = page.get_by_label("Weapons", exact=True).nth(number)
        who.fill(weapon, "nail gun")
        weapon.blur()
        expect(page.get_by_label("One more weapon").nth(number)).to_be_visible()
    expect(page.get_by_role("button", name="Enlist the gang")).to_be_visible()


def joins(phone: Page, link: str, name: str) -> None:
    """A player, by the code that their camera read."""
    phone.goto(link)
    phone.get_by_label("What do you want to be called?").fill(name)
    phone.get_by_role("button", name="Join").click()
    player = Somebody(phone)
    player.tap(phone.get_by_role("link", name="Begin your gang"))
    builds(player, f"{name}s", 2)
    player.tap(phone.get_by_role("button", name="Enlist the gang"))
    expect(phone.get_by_role("heading", name=f"{name}s", exact=True)).to_be_visible()


@pytest.mark.parametrize(("size", "keyboard"), [(PHONE, False), (DESK, True)], ids=["taps", "keyboard"])
def test_a_host_runs_a_club_of_three_from_nothing(
    service: Running, browser: Browser, size: dict[str, int], keyboard: bool
) -> None:
    address = f"http://localhost:{service.port}"
    contexts = [
        browser.new_context(base_url=address, viewport=view)  # type: ignore[arg-type]
        for view in (size, PHONE, PHONE)
    ]
    page, *phones = (context.new_page() for context in contexts)
    watches = [Watch(each, address) for each in (page, *phones)]
    host = Somebody(page, keyboard=keyboard)

    def look() -> None:
        """Checked once, where people tap: a check takes seconds."""
        if not keyboard:
            host.began += _checked(page)
            page.set_viewport_size(size)  # type: ignore[arg-type]

    page.goto(service.link)
    host.tap(page.get_by_role("button", name="Sign in as mara"))
    host.fill(page.get_by_label("What is the campaign called?"), "Sump City Nights")
    look()
    host.tap(page.get_by_role("button", name="Begin the campaign"))

    host.tap(page.get_by_role("link", name="Bring weapons and fighters"))
    look()
    brings_weapons(host)
    look()
    host.tap(page.get_by_role("button", name="Keep it for everybody"))
    host.tap(page.get_by_role("link", name="Begin a gang with it"))
    builds(host, "Sump Saints", 5)
    look()
    host.tap(page.get_by_role("button", name="Enlist the gang"))
    expect(page.get_by_role("heading", name="Sump Saints", exact=True)).to_be_visible()
    expect(page.get_by_text("Done.")).to_be_visible()
    look()
    page.goto(PLACE)
    expect(page.get_by_role("link", name="Invite players: nobody is here to fight yet.")).to_be_visible()

    for phone, name in zip(phones, ("Zoe", "Ash"), strict=True):
        host.taps += 2  # More, and Members
        page.goto(f"{PLACE}/members")
        if not page.get_by_label("Whom is it for?").is_visible():  # folded, once somebody is in
            host.tap(page.locator("summary", has_text="Invite somebody"))
        host.fill(page.get_by_label("Whom is it for?"), name)
        host.tap(page.get_by_role("button", name="Make a link"))
        expect(page.get_by_label("Send it, or let them scan the code.")).to_be_visible()
        link = scanned(page)
        joins(phone, link, name)

    page.goto(f"{PLACE}/gangs")
    for gang in ("Sump Saints", "Zoes", "Ashs"):
        expect(page.get_by_role("main").get_by_text(gang, exact=True).first).to_be_visible()
    look()
    assert host.taps <= TAPS_MOST, host.taps
    assert host.seconds <= SECONDS_MOST, host.seconds
    assert [watch.elsewhere for watch in watches] == [[], [], []]
    assert [watch.complaints for watch in watches] == [[], [], []]
    for context in contexts:
        context.close()


def _checked(page: Page) -> float:
    """How long the check of a page took: nobody at a table waits for it."""
    began = time.monotonic()
    looked_at(page)
    return time.monotonic() - began

"""A campaign of the archived rules with vehicles, and one of warbands: from nothing by pages alone, to a ruling that arrives.

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
WAGON_YARD = """\
format: armoury/1
name: Wagon Yard
items:
  - {name: autogun, cost: 15, weapon: {S: 4, AP: 0, D: 1, range: {short: 8, long: 24}, ammo: 4+}}
  - {name: sword, cost: 20, weapon: {S: 3, AP: 0, D: 1, traits: [Melee]}}
  - {name: cannon, cost: 40, weapon: {S: 6, AP: -1, D: 2, range: {short: 12, long: 36}, ammo: 5+}}
fighters:
""" + "".join(
    f"  - {{type: {kind}, house: Road Folk, category: {rank}, cost: {cost}, characteristics: {{M: 5, WS: 4+, BS: 4+,"
    " S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}}\n"
    for kind, rank, cost in (
        ("Road Boss", "leader", 100),
        ("Road Hand", "ganger", 50),
        ("Driver", "crew", 40),
    )
)
CAR = {"M": "7", "T.front": "5", "T.side": "4", "T.rear": "3", "HP": "2", "Hnd": "7+", "Sv": "6+"}


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
    who.tap(host.get_by_role("link", name=re.compile("Begin a (gang|warband) with it")))


def builds(
    page: Page, gang: str, house: str, fighters: dict[str, str], weapons: tuple[str, ...] = ()
) -> None:
    """A gang of these, by type; each carries the weapons."""
    page.get_by_label(re.compile("What the (gang|warband) is called")).fill(gang)
    page.get_by_label(re.compile("^(House, or gang list|Faction, or warband list)")).fill(house)
    page.get_by_label(re.compile("^(House, or gang list|Faction, or warband list)")).blur()
    expect(page.get_by_text("Kept as you type")).to_be_visible()
    for number, (name, kind) in enumerate(fighters.items()):
        option = page.locator("#add_type option", has_text=kind).get_attribute("value")
        page.locator("#add_type").select_option(option)
        page.locator("#add_name").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("group", name=f"Characteristics of {name}")).to_be_visible()
        card = page.locator("fieldset.fighter-row").nth(number)
        for place, weapon in enumerate(weapons):
            field = card.get_by_label("One more weapon" if place else "Weapons", exact=True)
            field.fill(weapon)
            field.blur()
            expect(
                card.get_by_label(f"Weapon {place + 1}" if place else "Weapons", exact=True)
            ).to_have_value(weapon)
            expect(card.get_by_label("One more weapon")).to_have_value("")


def adds_a_car(page: Page, name: str, driver: str) -> None:
    page.get_by_label("Credits in the stash").fill("20")  # repairs cost some
    page.get_by_role("button", name="Add a vehicle").click()
    said = {"name": name, "type": "Buggy", "cost": "50", **CAR, "weapon.1": "cannon"}
    for key, value in said.items():
        page.locator(f'[name="vehicle.0.{key}"]').fill(value)
    page.locator('[name="vehicle.0.crew"]').select_option(label=driver)
    page.locator('[name="vehicle.0.crew"]').blur()
    expect(page.get_by_role("button", name=re.compile("Enlist the (gang|warband)"))).to_be_visible()


def enlists(page: Page, gang: str) -> None:
    page.get_by_role("button", name=re.compile("Enlist the (gang|warband)")).click()
    expect(page.get_by_role("heading", name=gang, exact=True)).to_be_visible()


def invites(host: Page, phone: Page) -> None:
    """Dana, who comes in by the link."""
    who = Somebody(host, keyboard=True)
    host.goto(f"{PLACE}/members")
    who.fill(host.get_by_label("Whom is it for?"), "Dana")
    who.tap(host.get_by_role("button", name="Make a link"))
    phone.goto(host.get_by_label("Send it, or let them scan the code.").input_value())
    phone.get_by_label("What do you want to be called?").fill("Dana")
    phone.get_by_role("button", name="Join").click()
    phone.get_by_role("link", name=re.compile("Begin your (gang|warband)")).click()


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
    expect(phone.get_by_text("It lay on the edge.").first).to_be_visible()
    host.goto(PLACE)
    host.get_by_role("link", name="waits for a ruling: It lay on the edge").click()
    host.get_by_label("The die showed something else").check()
    for place, face in enumerate(faces):
        host.locator(f'input[name="face/{place}"][value="{face}"]').check()
    expect(host.locator("#preview")).to_contain_text("Corrected:")
    host.get_by_label("Why; it is kept in the log").fill("Both of us saw it.")
    host.get_by_role("button", name=re.compile("^Rule so")).click()
    expect(phone.locator("#ruled")).to_contain_text("Both of us saw it.")
    looked_at(phone)


def test_two_gangs_with_cars_from_nothing_by_the_archived_rules(
    club: tuple[Page, Page], tmp_path: Path
) -> None:
    host, phone = club
    market = tmp_path / "wagon-yard.yaml"
    market.write_text(WAGON_YARD, encoding="utf-8")
    begins(host, "archived rules", market)
    kinds = ("Road Boss", "Road Hand", "Driver")
    builds(
        host,
        "Skulls",
        "Road Folk",
        dict(zip(("Krug", "Vex", "Joss"), kinds, strict=True)),
        ("autogun", "sword"),
    )
    adds_a_car(host, "Rig", "Joss")
    enlists(host, "Skulls")
    invites(host, phone)
    builds(phone, "Saints", "Road Folk", dict(zip(("Mags", "Dot", "Ned"), kinds, strict=True)), ("autogun",))
    adds_a_car(phone, "Sled", "Ned")
    looked_at(phone)
    enlists(phone, "Saints")

    mine, theirs = at_the_board(host, phone)
    theirs.act("sled", "control sled")
    theirs.tap('#pad button[value="y"]')
    phone.fill("#answer", "ran into a wall")
    theirs.press('#pad form.question button:has-text("Go on")')
    theirs.dice("1+1")
    theirs.settle("swerve")
    expect(theirs.happened.first).to_contain_text("Sled")
    host.reload()
    mine.act("vex", "shoot vex")
    mine.tap('#pad button[value="sled"]')
    mine.tap('#pad button[value="rear"]')
    mine.tap('#pad button[value="n"]')
    mine.tap('#pad button[value="short"]')
    mine.dice("6", "one_hole", "6", "1", "engine", "catastrophic")
    mine.settle("6+6")
    assert mine.marks("sled") == ["Wrecked"]
    phone.reload()
    theirs.act("mags", "thrown_clear mags")
    theirs.tap('#pad button[value="3"]')
    theirs.settle("1")
    host.reload()
    ends(mine, "skulls")
    settles_what_comes_after(BoardOnScreen(phone, mine.address), "saints", "repairs")
    settles_what_comes_after(mine, "skulls", "scrap")
    disputes(host, phone, "Mags", "6")


def test_two_warbands_from_nothing(club: tuple[Page, Page]) -> None:
    host, phone = club
    begins(host, "Trench Crusade", FIXTURES / "trench-season" / "armoury.yaml")
    expect(host.get_by_label("Ducats in the stash")).to_be_visible()
    builds(host, "Iron Procession", "Lantern Bearers", {"Anselm": "Field Chaplain", "Maud": "Trench Hand"})
    enlists(host, "Iron Procession")
    invites(host, phone)
    builds(phone, "Black Vigil", "Lantern Bearers", {"Vex": "Field Chaplain", "Rat": "Trench Hand"})
    looked_at(phone)
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

"""A season of three people by pages alone: two players on phones, the Arbitrator at a desk.

One battle on the board, one by its outcomes, one proposed and confirmed; what follows each gang's battle; a
dispute ruled on live; a house rule from battle 2 on; a slip put right; a battle rolled back, and that taken
back.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board_on_screen import ASKS_WHO, BoardOnScreen
from browsing import DESK, PHONE, Watch, violations
from cli_arbitrator import Arbitrator, begin
from playwright.sync_api import Browser, Locator, Page, expect
from restartable_service import SHEETS, Service

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # three browsers on a machine that others use, too
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
PLACE = "/campaigns/ash-wastes"
EXCHANGES = 12


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Two gangs and the club's list of weapons: how they come in is test_club_of_three.py."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table = Arbitrator(tmp_path)
    begin(table, sheets=SHEETS)
    table.done("campaign", "armoury", str(MARKET))
    started = Service(table.file)
    yield started
    started.stop()


class Season:
    """Three browsers, and what each page of theirs is held to."""

    def __init__(self, service: Service, browser: Browser) -> None:
        self.service = service
        self.contexts, self.watches = [], []
        self.mara = self._sits(browser, DESK, service.join("Mara", "arbitrator"))
        self.dana = self._sits(browser, PHONE, service.join("Dana", "player", "iron-skulls"))
        self.sol = self._sits(browser, PHONE, service.join("Sol", "player", "gilded-cage"))

    def _sits(self, browser: Browser, size: dict[str, int], person: str) -> Page:
        context = browser.new_context(base_url=self.service.address, viewport=size)  # type: ignore[arg-type]
        self.service.sign_in(context, person)
        page = context.new_page()
        self.contexts.append(context)
        self.watches.append(Watch(page, self.service.address))
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert [watch.elsewhere for watch in self.watches] == [[], [], []]
        assert [watch.complaints for watch in self.watches] == [[], [], []]

    def card(self, fighter: str) -> Any:
        """A fighter as the campaign has them now."""
        campaign = self.service.tracker.directory.campaign_id("ash-wastes")
        return self.service.tracker.boards.state_at(campaign).fighter(fighter)


@pytest.fixture
def season(service: Service, browser: Browser) -> Iterator[Season]:
    begun = Season(service, browser)
    yield begun
    begun.close()


def looks(page: Page) -> None:
    """What this page shows is for everybody, and fits its screen."""
    page.wait_for_load_state()
    assert violations(page) == [], page.url
    width = page.viewport_size["width"]  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def press(page: Page, name: str) -> None:
    """A button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}\b")).click()


def begins(page: Page, name: str, scenario: str) -> None:
    """A battle, from the first page that somebody sees."""
    page.goto(PLACE)
    page.get_by_role("link", name="Record", exact=True).first.click()
    page.get_by_role("link", name="Begin a battle").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Scenario").fill(scenario)
    press(page, "To the table")
    expect(page.locator("#pad-words")).to_have_text(ASKS_WHO)


def outcome(page: Page, fighter: str, *, by: str, dice: str) -> None:
    row = page.get_by_role("group", name=fighter, exact=True)
    row.get_by_label("Out of Action").check()
    row.get_by_label("by").select_option(label=by)
    row.get_by_label("Lasting Injury").fill(dice)


def follows(page: Page, gang: str) -> BoardOnScreen:
    """What comes after the battle of the page, for a gang."""
    press(page, gang)
    expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
    return BoardOnScreen(page, "")


def fills(page: Page, step: str, title: str, **said: str) -> None:
    """A step's own form, filled in on the spot."""
    part = (
        page.locator(".anytime")
        if step == "At any time"
        else page.locator("details", has=_called(page, step)).last
    )
    if part.get_attribute("open") is None:
        part.locator("summary").first.click()
    form = part.locator("details", has=page.locator("summary", has_text=title)).last
    form.locator("summary").click()
    for key, value in said.items():
        field = form.locator(f'[name$=".{key}"]')
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    with page.expect_navigation():
        form.get_by_role("button").click()
    expect(page.locator(".refused")).to_have_count(0)


def _called(page: Page, step: str) -> Locator:
    return page.locator("summary .called", has_text=step)


def test_three_people_play_three_battles_and_put_them_right_by_pages_alone(season: Season) -> None:
    _a_battle_on_the_board(season)
    _what_follows_it(season)
    _a_house_rule_from_the_next_battle_on(season)
    _a_battle_by_its_outcomes(season)
    _a_dispute_whose_ruling_arrives(season)
    _a_slip_is_put_right(season)
    _both_settle_what_follows(season, 2)
    _a_battle_is_proposed_and_confirmed(season)
    _it_is_rolled_back_and_that_is_taken_back(season)
    _both_settle_what_follows(season, 3)
    season.mara.goto(f"{PLACE}/timeline")
    for told in ("Lark is a captive of Iron Skulls", "a trade of captives", "We voted", "Three of us saw it"):
        expect(season.mara.locator("main").get_by_text(told).first).to_be_visible()
    looks(season.mara)


def _a_battle_on_the_board(season: Season) -> None:
    begins(season.mara, "Night Raid", "Sump Raid")
    season.dana.goto(PLACE)
    season.dana.get_by_role("link", name="A battle is being recorded").click()
    season.sol.goto(season.dana.url)
    skulls, cage = BoardOnScreen(season.dana, ""), BoardOnScreen(season.sol, "")
    turns = [(skulls, "krug", "mags"), (cage, "mags", "pip"), (skulls, "hob", "sable"), (cage, "mags", "hob"),
             (skulls, "tallow", "quill"), (cage, "mags", "tallow")]  # fmt: skip
    for turn in range(2):
        for place, (board, shooter, target) in enumerate(turns):
            if (turn, place) == (1, 5):
                continue  # the twelfth is not a shot
            board.page.reload()  # the others have tapped meanwhile
            board.act(shooter, f"shoot {shooter}")
            board.tap(f'#pad button[value="{target}"]')
            board.settle()
        board.page.reload()
        if turn == 0:
            board.page.locator("summary", has_text="End phase of round 1").click()
            board.press('button:has-text("Round 1 is over")')
    skulls.page.reload()
    looks(skulls.page)
    skulls.act("lark", "out_of_action lark")
    skulls.tap('#pad button[value="krug"]')
    skulls.press('.face[value="5-5"]')
    expect(skulls.page.locator(".happened > li")).to_have_count(EXCHANGES + 1)  # and the end of the round
    season.mara.reload()
    host = BoardOnScreen(season.mara, "")
    host.tap('button[value="end"]')
    host.tap('#pad button[value="iron-skulls"]')
    press(season.mara, "Record the battle")
    expect(season.mara.get_by_role("heading", name="Iron Skulls beat The Gilded Cage")).to_be_visible()
    for heading in ("Round 1", "Round 2"):
        expect(season.mara.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    looks(season.mara)


def _what_follows_it(season: Season) -> None:
    """Lark does not escape; a Kettle Boy is hired, Mags learns; the Skulls ask a ransom for Lark."""
    sol, dana, mara = season.sol, season.dana, season.mara
    sol.goto(f"{PLACE}/battles/1")
    cage = follows(sol, "The Gilded Cage")
    expect(sol.get_by_text("Lark is Captured: an escape roll is due.")).to_be_visible()
    looks(sol)
    cage.press('.face[value="3"]')
    cage.tap('#pad button[name="answer"]:has-text("Yes")')
    fills(sol, "3. Rewards", "Reward", credits="30", why="the loot")
    fills(sol, "6B. Trading Post", "Hire a fighter", type="Kettle Boy, 20 credits", name="Nib")
    looks(sol)
    fills(sol, "6E. Advancements", "Spend XP on an advance", fighter="Mags Aurelia")
    cage.tap('#pad button[value="willpower"]')
    cage.tap('#pad button:has-text("Nobody")')
    cage.tap('#pad button[name="answer"]:has-text("Yes")')
    cage.tap('button[value="end"]')
    press(sol, "Record it")
    assert season.card("nib").name == "Nib"
    assert season.card("mags").characteristics["willpower"] == 5
    assert season.card("lark").held_by == "iron-skulls"

    dana.goto(f"{PLACE}/battles/1")
    skulls = follows(dana, "Iron Skulls")
    fills(dana, "At any time", "XP for taking part")
    fills(dana, "At any time", "Ransom or trade a captive", captive="Lark", to="The Gilded Cage", price="50")
    skulls.tap('button[value="end"]')
    expect(dana.get_by_text("something in it is not for this gang's player alone")).to_be_visible()
    looks(dana)
    mara.goto(PLACE)
    mara.get_by_role("link", name="What follows a battle is being recorded").click()
    press(mara, "Record it")
    assert season.card("lark").held_by is None
    mara.goto(f"{PLACE}/battles/1")
    expect(mara.get_by_text("What comes after it")).to_have_count(0)


def _a_house_rule_from_the_next_battle_on(season: Season) -> None:
    mara = season.mara
    mara.goto(PLACE)
    mara.get_by_role("link", name="House rules").click()
    mara.get_by_role("link", name="Captives count in the rating").click()
    looks(mara)
    mara.get_by_label("From battle; the next is 2").fill("2")
    mara.get_by_label("Why; it is kept in the log").fill("We voted")
    press(mara, "Adopt")
    season.dana.goto(PLACE)
    expect(season.dana.get_by_text("Captives count in the rating from battle 2 on")).to_be_visible()


def _a_battle_by_its_outcomes(season: Season) -> None:
    mara = season.mara
    begins(mara, "Toll Bridge", "Ambush")
    mara.get_by_role("link", name="Outcomes only").click()
    outcome(mara, "Quill", by="Hob Nine-Fingers", dice="41")
    outcome(mara, "Tallow", by="Sable", dice="23")
    mara.get_by_role("group", name="Vex").get_by_label("XP").fill("3")
    mara.get_by_label("Who won?").select_option(label="The Gilded Cage")
    looks(mara)
    press(mara, "Enter them")
    press(mara, "Record the battle")
    expect(mara.get_by_role("heading", name="The Gilded Cage beat Iron Skulls")).to_be_visible()
    looks(mara)


def _both_settle_what_follows(season: Season, battle: int) -> None:
    """Each player on their own phone: XP for who was there, loot and Reputation."""
    for page, gang, fighter in (
        (season.dana, "Iron Skulls", "pip"),
        (season.sol, "The Gilded Cage", "wren"),
    ):
        before = season.card(fighter).experience
        page.goto(f"{PLACE}/battles/{battle}")
        board = follows(page, gang)
        fills(page, "At any time", "XP for taking part")
        fills(page, "3. Rewards", "Reward", credits="20", why="the loot")
        board.tap('#pad button[name="answer"][value="1"]')  # Reputation, and why
        board.tap('#pad button[name="answer"][value="the loot"]')
        board.tap('button[value="end"]')
        press(page, "Record it")
        assert season.card(fighter).experience == before + 1
    season.mara.goto(f"{PLACE}/battles/{battle}")
    expect(season.mara.get_by_text("What comes after it")).to_have_count(0)


def _a_dispute_whose_ruling_arrives(season: Season) -> None:
    sol, mara = season.sol, season.mara
    sol.goto(f"{PLACE}/battles/2")
    sol.locator("summary", has_text="Quill is Out of Action").click()
    sol.get_by_role("link", name=re.compile("Dispute .*Quill: Lasting Injury roll")).click()
    sol.get_by_label("What was wrong with it").fill("It lay on the edge: a 2-3.")
    press(sol, "Dispute it")
    looks(sol)
    mara.goto(PLACE)
    mara.get_by_role("link", name="waits for a ruling: It lay on the edge").click()
    mara.get_by_label("The die showed something else").check()
    mara.locator('input[name="face/0"][value="2"]').check()
    mara.locator('input[name="face/1"][value="3"]').check()
    expect(mara.locator("#preview ins", has_text="Out Cold").first).to_be_visible()
    looks(mara)
    mara.get_by_label("Why; it is kept in the log").fill("Three of us saw it.")
    press(mara, "Rule so")

    expect(sol.locator("#ruled")).to_contain_text("Three of us saw it.")
    expect(
        sol.locator("#ruled .card.now", has_text="Quill").locator("del", has_text="Old Battle Wound")
    ).to_be_visible()
    expect(
        sol.locator("#ruled .card.then", has_text="Quill").locator("ins", has_text="Out Cold")
    ).to_be_visible()
    for no_more in ("Say it", "Show what it changes"):
        expect(sol.get_by_role("button", name=no_more)).to_be_hidden()
    looks(sol)
    sol.goto(f"{PLACE}/gangs/gilded-cage")
    sol.locator("summary", has_text="A ruling changed 1 card of this gang").click()
    expect(sol.get_by_text("new: Out Cold, battle 2")).to_be_visible()
    season.dana.goto(f"{PLACE}/gangs/iron-skulls")
    expect(season.dana.get_by_text("A ruling changed")).to_have_count(0)


def _a_slip_is_put_right(season: Season) -> None:
    """The XP were Dross's, not Vex's."""
    mara, before = season.mara, season.card("dross").experience
    mara.goto(f"{PLACE}/battles/2")
    mara.get_by_role("link", name="Put its report right").click()
    expect(mara.get_by_label("Scenario")).to_have_value("Ambush")
    looks(mara)
    mara.get_by_role("link", name="Award: 3 XP for Vex: the scenario", exact=True).click()
    mara.get_by_label("Fighter").select_option(label="Dross")
    press(mara, "Show what it changes")
    expect(mara.locator("#preview .card.then", has_text="Dross").locator("ins")).to_have_text(str(before + 3))
    looks(mara)
    mara.get_by_label("Why; it is kept in the log").fill("The sheet says Dross.")
    press(mara, "Put it right")
    expect(mara.locator(".card.then", has_text="Dross")).to_be_visible()
    looks(mara)
    assert season.card("dross").experience == before + 3
    season.dana.goto(f"{PLACE}/gangs/iron-skulls")
    expect(
        season.dana.get_by_text("A ruling changed 2 cards of this gang: The sheet says Dross.")
    ).to_be_visible()
    looks(season.dana)


def _a_battle_is_proposed_and_confirmed(season: Season) -> None:
    dana, sol, mara = season.dana, season.sol, season.mara
    begins(dana, "Last Stand", "Stand-off")
    dana.get_by_role("link", name="Outcomes only").click()
    outcome(dana, "Ivo", by="Pip", dice="23")
    dana.get_by_label("Who won?").select_option(label="Iron Skulls")
    looks(dana)
    press(dana, "Enter them")
    expect(dana.get_by_role("button", name="Record the battle")).to_have_count(0)
    press(dana, "Propose it, for the others to confirm")
    sol.goto(PLACE)
    sol.get_by_role("link", name="Dana proposed the report of Last Stand").click()
    sol.get_by_role("link", name="What it says of Last Stand").click()
    looks(sol)
    sol.get_by_role("link", name="Back, to confirm it").click()
    press(sol, "It went like that")
    expect(sol.get_by_text("Sol confirmed it")).to_be_visible()
    looks(sol)
    mara.goto(PLACE)
    mara.get_by_role("link", name="it waits for an Arbitrator to record it").click()
    looks(mara)
    press(mara, "Record it")
    expect(mara).to_have_url(re.compile("/battles/3$"))


def _it_is_rolled_back_and_that_is_taken_back(season: Season) -> None:
    mara, dana = season.mara, season.dana
    fought = season.card("pip").battles_fought
    mara.get_by_role("link", name="Roll back this battle").click()
    looks(mara)
    mara.get_by_label("Why; it is kept in the log").fill("The wrong crew fought.")
    press(mara, "Roll back so")
    expect(mara.get_by_role("heading", name="What it changed")).to_be_visible()
    assert season.card("pip").battles_fought == fought - 1
    dana.goto(f"{PLACE}/battles/last-stand")
    expect(dana.get_by_text("This battle is struck out by")).to_be_visible()
    looks(dana)
    mara.goto(f"{PLACE}/battles/last-stand")
    mara.get_by_role("link", name="Take that back").click()
    mara.get_by_label("Why; it is kept in the log").fill("It was the right crew.")
    press(mara, "Roll back so")
    expect(mara.get_by_role("heading", name="What it changed")).to_be_visible()
    assert season.card("pip").battles_fought == fought
    dana.goto(f"{PLACE}/battles/3")
    expect(dana.get_by_role("heading", name="Iron Skulls beat The Gilded Cage")).to_be_visible()
    dana.goto(f"{PLACE}/gangs/iron-skulls")
    expect(dana.get_by_text("It was the right crew.")).to_be_visible()
    expect(dana.get_by_text("The wrong crew fought. (taken back since)")).to_be_visible()
    looks(dana)

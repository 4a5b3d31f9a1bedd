"""`arbitrator serve` killed in the middle of a battle on the board, again and again, with all else that breaks at a table:
tests/browser and the chapter `battles` share it.

What stands in the log afterwards is what a report of the same exchanges puts there: nothing lost, nothing twice.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from board_on_screen import BoardOnScreen
from browsing import DESK, PHONE, Watch, violations
from cli_arbitrator import Arbitrator, begin_anew
from playwright.sync_api import Browser, Locator, Page, Route, expect
from restartable_service import SHEETS
from running_service import Running, running

from tracker.service.application import Tracker

PLACE = "/campaigns/ash-wastes"
PLAYED_ON = "2026-11-24"
REPORT = f"""\
format: battle-report/1
battle: night-raid
scenario: Sump Raid
date: {PLAYED_ON}
gangs: [iron-skulls, gilded-cage]
entries:
  - shoot: {{attacker: krug, weapon: autogun, target: wren, range: short}}
    dice: {{hit: [5], firepower: [one_hole], wound: [1]}}
  - shoot: {{attacker: hob, weapon: autogun, target: mags, range: short}}
    dice: {{hit: [1], firepower: [one_hole]}}
  - out_of_action: {{fighter: lark, by: krug}}
    dice: {{lasting_injury: [5-5]}}
result: {{winner: iron-skulls}}
"""


class OnDatabase(Arbitrator):
    """The command line on any database."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.url = url

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


class Served:
    """`arbitrator serve`, killed and started again at the same address."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._now = ExitStack()
        self.start()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        self.process: Running = self._now.enter_context(
            running(self.url, self.folder, "--port", str(self.port))
        )

    def kill(self) -> None:
        """SIGKILL: it has no time to finish anything."""
        self._now.close()

    def sign_in(self, page: Page) -> None:
        """By the link that it printed when it started."""
        page.goto(self.address + self.process.link)
        page.get_by_role("button", name="Sign in as mara").click()
        page.wait_for_url(re.compile("^((?!/join/).)*$"))


@contextmanager
def served_on(url: str, folder: Path) -> Iterator[Served]:
    """Two gangs and no battle yet."""
    begin_anew(OnDatabase(folder, url), sheets=SHEETS)
    service = Served(url, folder)
    try:
        yield service
    finally:
        service.kill()


@contextmanager
def board_of(served: Served, browser: Browser, *, on_a_phone: bool) -> Iterator[BoardOnScreen]:
    """The Arbitrator's: a phone in the dark, a desk in the light. It asks nobody else."""
    context = browser.new_context(
        viewport=PHONE if on_a_phone else DESK,  # type: ignore[arg-type]
        color_scheme="dark" if on_a_phone else "light",
        is_mobile=on_a_phone,
        has_touch=on_a_phone,
    )
    try:
        page = context.new_page()
        watch = Watch(page, served.address)
        served.sign_in(page)
        yield BoardOnScreen(page, served.address)
        assert watch.elsewhere == []
    finally:
        context.close()


def battle_survives(served: Served, board: BoardOnScreen, folder: Path) -> None:
    """Played to its end, and recorded: raises AssertionError where something is lost, or there twice."""
    page, context = board.page, board.page.context
    board.begin(played_on=PLAYED_ON)
    table = page.url

    # Nobody answers a tap: it was not heard.
    board.act("krug", "shoot krug")
    board.tap('#pad button[value="wren"]')
    served.kill()
    page.locator('#pad button[value="short"]').click()
    expect(page.get_by_role("alert")).to_contain_text("No answer came")
    served.start()
    page.get_by_role("button", name="All right").click()
    board.tap('#pad button[value="short"]')

    # It was heard, and only the answer was lost: the same die tapped again falls once.
    before = board.revision
    answer_is_lost(page, served, page.locator('.face[value="5"]'))
    expect(page.get_by_role("alert")).to_contain_text("No answer came")
    served.start()
    page.get_by_role("button", name="All right").click()
    expect(page.locator("#board")).to_have_attribute("data-revision", str(before + 1))
    expect(page.locator("#pad-words")).to_contain_text("Firepower die")

    # Killed while it is at it: whether it was heard shows when it is back. A double tap, besides.
    page.locator('.face[value="one_hole"]').dblclick(no_wait_after=True)
    served.kill()
    served.start()
    as_it_is_now(board, table)
    if "Firepower die" in board.words:
        board.dice("one_hole")
    board.settle()
    expect(board.happened).to_have_count(1)

    # No reception, and no service either, with two tabs open: what was written down goes once, when both are back.
    other = BoardOnScreen(context.new_page(), served.address)
    other.page.goto(table)
    context.set_offline(True)
    served.kill()
    board.keep("hob", "shoot hob", "mags", "1", "one_hole")
    expect(other.kept).to_have_count(1)
    served.start()
    context.set_offline(False)
    expect(board.kept).to_have_count(0)
    expect(other.kept).to_have_count(0)
    other.page.close()
    as_it_is_now(board, table)
    board.settle()
    expect(board.happened).to_have_count(2)
    assert violations(page) == []

    # Signed out meanwhile: the tap is sent again from the page that says so.
    tracker = Tracker(served.url, actor="the machine")
    for person in tracker.people.everybody():
        tracker.people.sessions.end(person.person)
    tracker.close()
    page.locator("#c-lark summary").click()
    page.locator('#c-lark button[value^="out_of_action lark"]').click()
    expect(page.get_by_role("heading", name="Not signed in any more")).to_be_visible()
    tab = context.new_page()
    served.sign_in(tab)
    tab.close()
    page.get_by_role("button", name="Send it again").click()
    board.tap('#pad button[value="krug"]')
    board.press('.face[value="5-5"]')
    expect(board.happened).to_have_count(3)

    # Back, to a page that shows less than there is.
    page.goto(f"{served.address}{PLACE}/gangs")
    page.go_back()
    expect(board.happened).to_have_count(3)
    board.tap('button[value="end"]')
    board.tap('#pad button[value="iron-skulls"]')

    # The battle is recorded, and nobody hears of it. Who sends it again, or comes back, finds it once.
    answer_is_lost(page, served, page.get_by_role("button", name="Record the battle"))
    served.start()
    page.goto(table)
    page.goto(f"{served.address}{PLACE}/battles/1")
    expect(page.get_by_role("heading", name="Iron Skulls beat The Gilded Cage")).to_be_visible()
    as_reported = OnDatabase(folder, f"sqlite:///{folder / 'as-reported.db'}")
    begin_anew(as_reported, sheets=SHEETS)
    as_reported.record(REPORT)
    assert recorded(served.url) == recorded(as_reported.url)


def answer_is_lost(page: Page, served: Served, what: Locator) -> None:
    """The service hears of it and does it, and is killed before anybody hears from it."""

    def heard(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        assert route.fetch(max_redirects=0).status < 400
        served.kill()
        route.abort()

    page.route("**", heard)
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        what.click(no_wait_after=True)
    page.unroute("**")


def as_it_is_now(board: BoardOnScreen, url: str) -> None:
    """The board, once the service is there again."""
    board.page.goto(url)
    board.page.wait_for_selector("#board:not([aria-busy])")


def recorded(url: str) -> list[tuple[str, Any]]:
    """What a log says happened, in order, without who wrote it down and when."""
    tracker = Tracker(url, actor="the machine")
    campaign = tracker.directory.campaign_id("ash-wastes")
    bodies = [json.loads(event.body) for event in tracker.repository.store.read(campaign)]
    tracker.close()
    return [(body["type"], body["data"]) for body in bodies]

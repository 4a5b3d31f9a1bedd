"""A real browser on a service of this process, and what it may not do: ask elsewhere, or complain."""

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from cli_arbitrator import Arbitrator
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from served import Club
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from tracker.server import sessions
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

# Debian's headless shell first: it is the same Chromium without windows, and opens a page in a quarter of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
AXE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
STARTED_SECONDS = 60

# What comes by itself may come late on a machine that has much to do. Who waits in vain waits longer; nobody else.
expect.set_options(timeout=60_000)


def chromium() -> str | None:
    """Debian's, or the one that Playwright brought; None where there is neither."""
    for name in NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return str(own) if own.exists() else None


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser; only where `chromium` found one."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_found(), args=list(ARGUMENTS))
        yield browser
        browser.close()


def chromium_found() -> str:
    """The same path, where there has to be one."""
    found = CHROMIUM
    assert found is not None, "who has no browser skips"
    return found


CHROMIUM = chromium()


class House:
    """A service over the table's database on a real socket, with people in it."""

    def __init__(self, table: Arbitrator, *, around: Callable[[ASGIApp], ASGIApp] | None = None) -> None:
        """`around` stands between the line and the service: a slow one, say."""
        self.table = table
        self.tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://localhost:{self._listener.getsockname()[1]}"
        app = application(self.tracker, MemberAccess(self.tracker), address=self.address)
        on_line = app if around is None else around(app)
        self._server = uvicorn.Server(
            uvicorn.Config(on_line, log_level="warning", timeout_graceful_shutdown=2)
        )
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()
        last = time.monotonic() + STARTED_SECONDS
        while not self._server.started:
            assert self._thread.is_alive()
            assert time.monotonic() < last
            time.sleep(0.01)
        self.club = Club(TestClient(app), self.tracker)

    def stop(self) -> None:
        """Until every stream has ended."""
        self._server.should_exit = True
        self._thread.join()
        self.tracker.close()

    def signed_in(self, browser: Browser, name: str, **how: Any) -> BrowserContext:
        """A browser in which somebody has signed in."""
        context = browser.new_context(base_url=self.address, **how)
        self.sign_in(context, name)
        return context

    def sign_in(self, context: BrowserContext, name: str) -> None:
        """Somebody signs in there, who may have been before."""
        made = self.tracker.people.sessions.new(self.club.people[name].person, label="a test")
        cookie = {"name": sessions.COOKIE_OF_LOOPBACK, "value": made.secret, "url": self.address}
        context.add_cookies([cookie])  # type: ignore[list-item]


class Watch:
    """What a page asks for, and what it complains of."""

    def __init__(self, page: Page, address: str) -> None:
        self._address = address
        self.elsewhere: list[str] = []
        self.complaints: list[str] = []
        page.on("request", self._asked)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:")):
            self.elsewhere.append(request.url)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


FULL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """What axe-core finds wrong for people who see, hear or point otherwise."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    run = {"type": "rule", "values": ["color-contrast"]} if colours_only else {"type": "tag", "values": FULL}
    # The violations alone come over the line: what holds, and of which rules, is many times as much.
    found = page.evaluate(
        "run => axe.run({runOnly: run, resultTypes: ['violations']}).then(({violations}) => violations)", run
    )
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for each in found
        for node in each["nodes"]
    ]

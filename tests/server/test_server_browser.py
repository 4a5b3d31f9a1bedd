"""Signing in with a real browser: a link, a passkey of its own authenticator, and back in with it."""

import shutil
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from cli_arbitrator import Arbitrator
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright
from served import Club
from starlette.testclient import TestClient

from tracker.server.access import Members
from tracker.server.app import application
from tracker.service.application import Tracker

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no browser: install chromium")


@pytest.fixture
def listening(table: Arbitrator) -> Iterator[tuple[Club, str]]:
    """A service on a real socket, and its address."""
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://localhost:{listener.getsockname()[1]}"
        app = application(tracker, Members(tracker), address=address)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield Club(TestClient(app), tracker), address
        server.should_exit = True
        thread.join()
    tracker.close()


@pytest.fixture
def context() -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser.new_context()
        browser.close()


class Watched:
    """What a page asked for, and what it complained of."""

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        self.complaints: list[str] = []
        page.on("request", self._asked)
        page.on("console", self._said)
        page.on("pageerror", self._failed)

    def _asked(self, request: Request) -> None:
        self.requests.append(request)

    def _failed(self, error: object) -> None:
        self.complaints.append(str(error))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


def test_a_link_a_passkey_and_back_in(listening: tuple[Club, str], context: BrowserContext) -> None:
    club, address = listening
    mara = club.people["Mara"].person
    link = club.tracker.people.invites.new(club.campaign, role="spectator", by=mara)
    page = context.new_page()
    page.set_default_timeout(10_000)
    watched = Watched(page)
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    device = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    page.goto(f"{address}/join/{link.secret}")
    page.get_by_label("What do you want to be called?").fill("Robin")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Keys and sessions")).to_be_visible()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Remove the passkey")).to_be_visible()
    assert len(devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]) == 1

    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("link", name="Robin")).to_be_visible()
    (cookie,) = context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("arbitrator", True, "Lax")

    page.goto(f"{address}/account")
    page.get_by_role("button", name="Remove the passkey").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("This passkey does not sign anybody in")

    assert [said for said in watched.complaints if "409" not in said] == []
    assert {request.url.startswith(address) for request in watched.requests} == {True}
    referers = {request.header_value("referer") or "" for request in watched.requests}
    assert not [referer for referer in referers if link.secret in referer]

"""Signing in with a real browser: a link, a passkey of its own authenticator, and back in with it."""

from collections.abc import Iterator

import pytest
from browsing import DESK, PHONE, House, Watch, violations
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest.fixture
def context(house: House, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which nobody has signed in."""
    context = browser.new_context(base_url=house.address, viewport=DESK)
    yield context
    context.close()


def link(house: House) -> str:
    mara = house.club.people["Mara"].person
    return house.tracker.people.invites.new(house.club.campaign, role="spectator", by=mara).secret


class Referers:
    """What each request said of the page it came from."""

    def __init__(self, page: Page) -> None:
        self._requests: list[Request] = []
        page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        self._requests.append(request)

    def all(self) -> set[str]:
        """Each once."""
        return {request.header_value("referer") or "" for request in self._requests}


def test_a_link_a_passkey_and_back_in(house: House, context: BrowserContext) -> None:
    secret, page = link(house), context.new_page()
    watch, referers = Watch(page, house.address), Referers(page)
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    device = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    page.goto(f"/join/{secret}")
    page.get_by_label("What do you want to be called?").fill("Robin of the passkeys")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Welcome to Ash Wastes, Robin")).to_be_visible()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("You have a passkey")).to_be_visible()
    assert len(devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]) == 1

    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("link", name="Robin of the passkeys")).to_be_visible()
    (cookie,) = context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("arbitrator", True, "Lax")

    page.goto("/account")
    page.get_by_role("button", name="Remove the passkey").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("This passkey does not sign anybody in")

    assert [said for said in watch.complaints if "409" not in said] == []
    assert watch.elsewhere == []
    assert not [referer for referer in referers.all() if secret in referer]


def test_the_ways_in_are_for_everybody_in_both_themes_on_a_phone_and_a_desk(
    house: House, browser: Browser, context: BrowserContext
) -> None:
    people, dana = house.tracker.people, house.club.people["Dana"].person
    people.passkeys.add(dana, credential="a-key-of-this-test", public_key=b"x", label="Dana's phone")
    people.tokens.new(dana, label="table bot", scope="read")
    people.passkeys.link(dana, "discord:80351110224678912")
    signed_in = house.signed_in(browser, "Dana", viewport=DESK)
    pages = [
        (context.new_page(), "/sign-in"),
        (context.new_page(), f"/join/{link(house)}"),
        (signed_in.new_page(), "/account"),
    ]
    for page, path in pages:
        watch = Watch(page, house.address)
        page.goto(path)
        for viewport, theme in ((DESK, "light"), (PHONE, "dark")):
            page.set_viewport_size(viewport)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert violations(page) == [], f"{path}, {viewport['width']} px, {theme}"
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        assert watch.complaints == []
    signed_in.close()
    people.passkeys.remove(dana, "a-key-of-this-test")
    people.passkeys.unlink(dana, "discord:80351110224678912")

"""Browsers: a link gives a session, a cookie holds its secret, and no other site writes with it."""

import re

import pytest
from cli_arbitrator import Arbitrator
from served import CAMPAIGN, ORIGIN, Club
from starlette.testclient import TestClient

from tracker.server import sessions

RENAME = f"{CAMPAIGN}/fighters/krug/rename"


def link(club: Club, **how: object) -> str:
    """The address of a new link."""
    how = {"role": "player", "gangs": ("gilded-cage",), "by": club.people["Mara"].person} | how
    made = club.tracker.people.invites.new(club.campaign, **how)  # type: ignore[arg-type]
    return f"/join/{made.secret}"


def test_a_link_opened_in_a_browser_asks_for_a_name_and_signs_in(club: Club) -> None:
    browser, address = club.browser(None), link(club)
    page = browser.get(address)
    assert page.status_code == 200
    assert "Join Ash Wastes as a player" in page.text
    assert 'name="name"' in page.text
    assert browser.get(address).status_code == 200, "to look does not use it up"
    came = browser.post(address, data={"name": "Robin"})
    assert (came.status_code, came.headers["location"]) == (303, "/campaigns/ash-wastes/welcome")
    assert "Robin" in browser.get("/sign-in").text
    assert browser.get(f"{CAMPAIGN}/roster").status_code == 200
    renamed = browser.post(f"{CAMPAIGN}/fighters/quill/rename", json={"name": "Q"}, headers={"If-Match": "*"})
    assert renamed.status_code == 200, renamed.text
    again = club.browser(None).get(address)
    assert again.status_code == 409
    assert "This link lets nobody in" in again.text


def test_the_cookie_holds_a_secret_that_only_the_browser_and_the_service_see(
    club: Club, table: Arbitrator
) -> None:
    browser = club.browser(None)
    cookie = browser.post(link(club), data={"name": "Robin"}).headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    secret, *flags = rest.split("; ")
    assert name == "__Host-arbitrator"
    assert re.fullmatch(r"trs_[\w-]{43}", secret)
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} <= set(flags)
    assert not [flag for flag in flags if flag.lower().startswith("domain")]
    kept = club.tracker.people.sessions.check(secret)
    assert kept.session not in cookie
    assert secret.encode() not in table.file.read_bytes()


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_on_this_machine_alone_the_cookie_goes_without_tls(club: Club, host: str) -> None:
    browser = TestClient(club.client.app, base_url=f"http://{host}", follow_redirects=False)
    cookie = browser.post(link(club), data={"name": "Robin"}).headers["set-cookie"]
    assert cookie.startswith("arbitrator=trs_")
    assert "Secure" not in cookie
    over_the_net = TestClient(club.client.app, base_url="http://club.example", follow_redirects=False)
    cookie = over_the_net.post(link(club), data={"name": "Bo"}).headers["set-cookie"]
    assert cookie.startswith("__Host-arbitrator=")
    assert "Secure" in cookie


def test_the_cookie_of_one_kind_of_address_is_nothing_at_the_other(club: Club) -> None:
    secret = club.tracker.people.sessions.new(club.people["Mara"].person).secret
    browser = club.browser(None)
    browser.cookies.set(sessions.COOKIE_OF_LOOPBACK, secret, domain="club.example")
    assert browser.get(f"{CAMPAIGN}/roster").status_code == 401


def test_a_recovery_link_signs_in_its_owner(club: Club) -> None:
    mara = club.people["Mara"].person
    address = f"/join/{club.tracker.people.invites.back(mara).secret}"
    browser = club.browser("Sol")
    before = club.tracker.people.sessions.of(club.people["Sol"].person)
    page = browser.get(address).text
    assert "Welcome back, Mara" in page
    assert "Sign in as Mara" in page
    assert 'name="name"' not in page
    assert browser.post(address).status_code == 303
    assert "signed in as <bdi>Mara</bdi>" in browser.get("/sign-in").text
    after = club.tracker.people.sessions.of(club.people["Sol"].person)
    assert [one.revoked_at is None for one in (*before, *after)] == [True, False], "Sol's session ended"


def test_a_signed_in_person_joins_under_their_own_name(club: Club) -> None:
    browser = club.browser("Nobody")
    address = link(club, gangs=())
    assert "Join as Nobody" in browser.get(address).text
    assert browser.post(address).status_code == 303
    member = club.tracker.people.memberships(club.people["Nobody"].person)
    assert [(one.campaign, one.role) for one in member] == [(club.campaign, "player")]
    refused = browser.post(link(club, gangs=()))
    assert refused.status_code == 409
    assert "a member of this campaign already" in refused.text


def test_a_name_that_is_refused_is_asked_for_again(club: Club) -> None:
    browser, address = club.browser(None), link(club)
    for name in ("Dana", "", "<b>"):
        page = browser.post(address, data={"name": name})
        if name == "<b>":
            assert page.status_code == 303
        else:
            assert page.status_code in (409, 422)
            assert 'name="name"' in page.text
            assert 'role="alert"' in page.text
            assert "set-cookie" not in page.headers
    assert "&lt;b&gt;" in browser.get("/sign-in").text


def test_a_token_does_not_use_a_link_as_a_person_in_a_browser(club: Club) -> None:
    reading = club.tracker.people.tokens.new(club.people["Nobody"].person, label="x", scope="read").secret
    page = club.client.get(link(club), headers={"Authorization": f"Bearer {reading}"})
    assert 'name="name"' in page.text


def test_signing_out_ends_the_session_and_takes_the_cookie_back(club: Club) -> None:
    browser = club.browser("Mara")
    secret = browser.cookies[sessions.COOKIE]
    assert browser.get(f"{CAMPAIGN}/roster").status_code == 200
    left = browser.post("/sign-out")
    assert (left.status_code, left.headers["location"]) == (303, "/sign-in")
    assert sessions.COOKIE not in browser.cookies
    kept = {"Cookie": f"{sessions.COOKIE}={secret}"}
    assert browser.get(f"{CAMPAIGN}/roster", headers=kept).status_code == 401
    assert browser.post("/sign-out").status_code == 303, "twice does no harm"


def test_a_session_that_ended_or_never_was_signs_nobody_in(club: Club) -> None:
    people, mara = club.tracker.people, club.people["Mara"].person
    good, old, gone = (people.sessions.new(mara, days=days) for days in (1, -1, 1))
    people.sessions.end(mara, gone.session.session)
    browser = club.browser(None)
    wrong = (old.secret, gone.secret, "trs_", good.secret[:-1], good.session.session, club.tokens["Mara"])
    for secret in wrong:
        answer = browser.get(f"{CAMPAIGN}/roster", headers={"Cookie": f"{sessions.COOKIE}={secret}"})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), secret
    given = {"Cookie": f"{sessions.COOKIE}={good.secret}"}
    assert browser.get(f"{CAMPAIGN}/roster", headers=given).status_code == 200
    people.forget(mara)
    assert browser.get(f"{CAMPAIGN}/roster", headers=given).status_code == 401


def test_a_session_opens_what_its_person_may_and_nothing_else(club: Club) -> None:
    sol = club.browser("Sol")
    assert sol.get(f"{CAMPAIGN}/roster").status_code == 200
    assert sol.post(RENAME, json={"name": "X"}, headers={"If-Match": "*"}).status_code == 403
    nobody = club.browser("Nobody")
    assert nobody.get(f"{CAMPAIGN}/roster").json()["code"] == "unknown_campaign"


def test_a_token_comes_before_the_cookie(club: Club) -> None:
    browser = club.browser("Mara")
    sols = {"Authorization": f"Bearer {club.tokens['Sol']}", "If-Match": "*"}
    assert browser.post(RENAME, json={"name": "X"}, headers=sols).status_code == 403
    assert browser.get(f"{CAMPAIGN}/roster", headers={"Authorization": "Bearer trk_x"}).status_code == 401
    other = {"Authorization": "Basic bWFyYTp4"}
    assert browser.get(f"{CAMPAIGN}/roster", headers=other).status_code == 200, "a proxy's own password"


# --- other sites -------------------------------------------------------------------------------------------

FROM_ELSEWHERE: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": ORIGIN},
    {"Origin": "https://evil.example"},
    {"Origin": "https://club.example.evil.example"},
    {"Origin": "https://club.example:8443"},
    {"Origin": "null"},
    {"Origin": ""},
    {},
    {"Sec-Fetch-Site": "cross-site", "Authorization": "Basic bWFyYTp4"},
)


@pytest.mark.parametrize("headers", FROM_ELSEWHERE, ids=str)
def test_another_sites_page_writes_nothing_with_the_cookie(club: Club, headers: dict[str, str]) -> None:
    browser = club.browser("Mara")
    del browser.headers["Sec-Fetch-Site"]
    for path in (RENAME, "/sign-out", "/v1/command-line"):
        answer = browser.post(path, json={"name": "X"}, headers={"If-Match": "*", **headers})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site_request")
        assert answer.headers["content-type"] == "application/problem+json"
    assert browser.get(f"{CAMPAIGN}/roster", headers=headers).status_code == 200, (
        "a link from there is followed"
    )


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "none"}, {"Origin": ORIGIN}], ids=str)
def test_our_own_pages_write_with_the_cookie(club: Club, headers: dict[str, str]) -> None:
    browser = club.browser("Mara")
    del browser.headers["Sec-Fetch-Site"]
    answer = browser.post(RENAME, json={"name": "Old Krug"}, headers={"If-Match": "*", **headers})
    assert answer.status_code == 200, answer.text


def test_a_program_with_a_token_may_come_from_anywhere(club: Club) -> None:
    club.client.headers["Sec-Fetch-Site"] = "cross-site"
    assert club.ask("Mara", "POST", "/fighters/krug/rename", json={"name": "Old Krug"}).status_code == 200


def test_another_site_signs_nobody_in(club: Club) -> None:
    browser = club.browser(None)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
        assert browser.post(link(club), data={"name": "Robin"}, headers=headers).status_code == 403


# --- headers -----------------------------------------------------------------------------------------------


def test_every_answer_says_what_a_browser_may_do_with_it(club: Club) -> None:
    browser = club.browser("Mara")
    for path in ("/sign-in", f"{CAMPAIGN}/roster", "/nowhere", "/v1/openapi.json", link(club), "/join/x"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';"), path
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == (
            "strict-origin" if path.startswith(("/join", "/sign-in")) else "same-origin"
        )
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in club.client.get("/sign-in").headers


def test_a_fault_says_so_too(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(club.tracker.directory, "found", broken)
    browser = TestClient(club.client.app, base_url=ORIGIN, raise_server_exceptions=False)
    answer = browser.get(f"{CAMPAIGN}/roster", headers={"Authorization": f"Bearer {club.tokens['Mara']}"})
    assert answer.status_code == 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_report_as_html_brings_its_styles_and_runs_nothing(club: Club) -> None:
    answer = club.browser("Mara").get(f"{CAMPAIGN}/roster", headers={"Accept": "text/html"})
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith(
        "default-src 'none'; style-src 'unsafe-inline'"
    )
    assert "script-src" not in answer.headers["content-security-policy"]


def test_nothing_of_a_link_or_a_session_is_kept_by_caches(club: Club) -> None:
    browser, address = club.browser(None), link(club)
    assert browser.get(address).headers["cache-control"] == "no-store"
    assert browser.post(address, data={"name": "Robin"}).headers["cache-control"] == "no-store"
    assert "Cookie" in browser.get(f"{CAMPAIGN}/roster").headers["vary"]

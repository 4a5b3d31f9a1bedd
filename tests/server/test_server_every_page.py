"""Every page and every request that the service has, walked as it is put together: who comes in, and what a stranger
learns of a private campaign. A new page is walked without a word here.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from served import Club, filled
from starlette.testclient import TestClient

from tracker.rights import RIGHTS
from tracker.server import sessions
from tracker.server.pages.routes import FORMS, PAGES
from tracker.server.pages.serving import CARDS, EMBLEM
from tracker.server.routes import ROUTES

OPEN_TO = {
    "anyone": {"Mara", "Dana", "Sol", "Nobody"},
    "signed in": {"Mara", "Dana", "Sol", "Nobody"},
    "reader": {"Mara", "Dana", "Sol"},
    "member": {"Mara", "Dana", "Sol"},
    "player": {"Mara", "Dana"},
    "arbitrator": {"Mara"},
    "machine": set[str](),
}
SAYS = ("Iron Skulls", "iron-skulls", "Krug", "Ash Wastes", "Gilded Cage")
"""Names of a private campaign."""
REFUSED = {"not_allowed", "unknown_campaign", "not_signed_in"}


def put_together(club: Club) -> Iterator[tuple[str, str]]:
    """Method and path of everything that the application answers."""
    for route in club.client.app.router.routes:  # type: ignore[attr-defined]
        for method in sorted(getattr(route, "methods", None) or ()):
            yield method, route.path


def asked(club: Club, method: str, path: str, headers: dict[str, str]) -> Any:
    return club.client.request(method, path, headers={"If-Match": "*", **headers}, follow_redirects=False)


def is_refused(answer: Any) -> bool:
    if answer.status_code in (401, 403):
        return True
    is_problem = answer.headers.get("Content-Type", "").startswith("application/problem+json")
    return is_problem and answer.json()["code"] in REFUSED


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.parametrize("name", ["Mara", "Dana", "Sol", "Nobody"])
def test_every_page_and_form_is_open_to_whom_the_table_of_rights_says(club: Club, name: str) -> None:
    wanted = [("GET", page.path, page.right) for page in PAGES]
    wanted += [("POST", form.path, form.right) for form in FORMS]
    wanted += [("GET", EMBLEM, "roster show")]
    assert len(wanted) > 100
    wrong = []
    for method, path, right in wanted:
        answer = asked(club, method, filled(path), bearer(club.tokens[name]))
        record = RIGHTS[right].own == "battle" and name == "Dana"  # off unless the campaign lets players
        by_token = RIGHTS[right].own == "oneself" and RIGHTS[right].writes
        is_open = name in OPEN_TO[RIGHTS[right].who] and not record and not by_token
        if answer.status_code >= 500 or is_refused(answer) == is_open:
            wrong.append((method, path, right, answer.status_code, answer.text[:200]))
    assert wrong == []


def test_only_pages_with_a_form_that_is_sent_by_itself_load_what_such_forms_keep_to(club: Club) -> None:
    """Before the library that sends it, whose events it waits for."""
    seen, wrong = set(), []
    for page in PAGES:
        text = asked(club, "GET", filled(page.path), bearer(club.tokens["Mara"])).text
        scripts = re.findall(r'<script src="/static/([a-z-]+)\.', text)
        by_itself = "hx-trigger=" in text
        seen.add(by_itself)
        if ("kept-form" in scripts) != by_itself or (by_itself and scripts[-2:] != ["kept-form", "htmx"]):
            wrong.append((page.path, by_itself, scripts))
    assert wrong == []
    assert seen == {True, False}


def ended(club: Club) -> dict[str, dict[str, str]]:
    """What opens nothing: of the Arbitrator, but expired, revoked, cut, and of somebody forgotten."""
    people, mara = club.tracker.people, club.people["Mara"].person
    revoked = people.tokens.new(mara, label="x", scope="write")
    people.tokens.revoke(mara, revoked.token.token)
    over = people.sessions.new(mara, label="x")
    people.sessions.end(mara, people.sessions.check(over.secret).session)
    gone = people.add("Gone")
    people.join(club.campaign, gone.person, role="arbitrator")
    forgotten = people.tokens.new(gone.person, label="x", scope="write").secret
    people.forget(gone.person)
    return {
        "an expired token": bearer(people.tokens.new(mara, label="x", scope="write", days=-1).secret),
        "a revoked token": bearer(revoked.secret),
        "half a token": bearer(club.tokens["Mara"][:-1]),
        "a session as a token": bearer(people.sessions.new(mara, label="x").secret),
        "a token as a session": {"Cookie": f"{sessions.COOKIE}={club.tokens['Mara']}"},
        "a revoked session": {"Cookie": f"{sessions.COOKIE}={over.secret}"},
        "somebody forgotten": bearer(forgotten),
        "nobody": {},
    }


def of_campaign(club: Club) -> list[tuple[str, str]]:
    found = [(method, path) for method, path in put_together(club) if "{campaign}" in path]
    assert len(found) > 200
    return found


def test_what_has_ended_opens_nothing_of_a_private_campaign_and_tells_nothing(club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    wrong = []
    for what, headers in ended(club).items():
        for method, path in of_campaign(club):
            answer = asked(club, method, filled(path), {"Sec-Fetch-Site": "same-origin", **headers})
            if answer.status_code != 401 or any(name in answer.text for name in SAYS):
                wrong.append((what, method, path, answer.status_code, answer.text[:200]))
    assert wrong == []
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


@pytest.mark.parametrize("name", ["Nobody", "other's token"])
def test_a_private_campaign_answers_as_one_that_is_not_there(club: Club, name: str) -> None:
    """To a stranger to it, and to a token of its own Arbitrator that is for another campaign."""
    club.ask("Mara", "POST", "/v1/campaigns", json={"name": "Sump City"})
    sump = club.tracker.directory.campaign_id("sump-city")
    people, mara = club.tracker.people, club.people["Mara"].person
    token = people.tokens.new(mara, label="x", scope="write", campaign=sump).secret
    headers = bearer(token if name == "other's token" else club.tokens[name])
    wrong = []
    for method, path in of_campaign(club):
        there = asked(club, method, filled(path), headers)
        nowhere = asked(club, method, filled(path, campaign="no-such-place"), headers)
        same = (there.status_code, there.text.replace("ash-wastes", "no-such-place"))
        if same != (nowhere.status_code, nowhere.text) or any(say in there.text for say in SAYS):
            wrong.append((method, path, there.status_code, there.text[:150], nowhere.text[:150]))
    assert wrong == []
    for path in ("/", "/v1/campaigns", "/account"):
        shown = club.client.get(path, headers={**bearer(club.tokens["Nobody"]), "Accept": "text/html"})
        assert not [say for say in SAYS if say in shown.text], path


def test_a_token_that_only_reads_writes_nothing_anywhere(club: Club) -> None:
    people, mara = club.tracker.people, club.people["Mara"].person
    headers = bearer(people.tokens.new(mara, label="x", scope="read").secret)
    before = club.ask("Mara", "GET", "").headers["ETag"]
    for form in FORMS:
        answer = asked(club, "POST", filled(form.path), headers)
        assert answer.status_code == 403 or not RIGHTS[form.right].writes, (form.path, answer.text[:200])
    for route in ROUTES:
        if RIGHTS[route.command].writes:
            answer = asked(club, route.method, filled(route.path), headers)
            assert answer.status_code == 403, (route, answer.text[:200])
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


def test_no_other_sites_page_writes_anywhere_on_behalf_of_who_is_signed_in(club: Club) -> None:
    browser = club.browser("Mara")
    del browser.headers["Sec-Fetch-Site"]
    before = club.ask("Mara", "GET", "").headers["ETag"]
    sent_as: list[dict[str, str]] = [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://club.example.evil.example"},
        {},
    ]
    writing = [
        (method, path) for method, path in put_together(club) if method not in ("GET", "HEAD", "OPTIONS")
    ]
    assert len(writing) > 100
    for headers in sent_as:
        for method, path in writing:
            answer = browser.request(method, filled(path), headers=headers, content=b"reason=x")
            assert (answer.status_code, answer.json()["code"]) == (403, "cross_site_request"), (path, headers)
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


def test_reading_changes_nothing_whatever_is_read(club: Club) -> None:
    """A link in a chat, a picture in a page, a browser that fetches ahead: none of them writes."""
    before = club.ask("Mara", "GET", "").headers["ETag"]
    rows = {
        table: count(club, table) for table in ("campaign_drafts", "campaign_members", "campaign_invites")
    }
    browser = club.browser("Mara")
    for method, path in put_together(club):
        if method == "GET" and not path.endswith("/events"):  # which never ends
            answer = browser.get(filled(path), headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code < 500, (path, answer.text[:300])
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
    assert rows == {table: count(club, table) for table in rows}


def count(club: Club, table: str) -> int:
    with club.tracker.engine.connect() as connection:
        return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def test_ids_of_another_campaign_lead_nowhere(club: Club) -> None:
    """Whoever keeps one campaign asks there for the drafts, links and webhooks of another."""
    draft = club.ask("Mara", "POST", "/drafts", json={"kind": "battle"}).json()["draft"]["draft"]
    club.ask("Mara", "POST", "/members/invite", json={"role": "player"})
    (invite,) = club.ask("Mara", "GET", "/members/invites").json()["invites"]
    ids = {"draft": str(draft), "invite": str(invite["invite"])}
    ids |= {"who": club.people["Dana"].person, "campaign": "sump-city"}
    club.ask("Nobody", "POST", "/v1/campaigns", json={"name": "Sump City"})
    before = club.ask("Mara", "GET", "").headers["ETag"], count(club, "campaign_drafts")
    for method, path in of_campaign(club):
        if "{" not in path.replace("{campaign}", "") or path.endswith("/events"):
            continue
        answer = asked(club, method, filled(path, **ids), bearer(club.tokens["Nobody"]))
        assert answer.status_code < 500, (path, answer.text[:300])
        assert not [say for say in ("Iron Skulls", "Krug", "Gilded") if say in answer.text], (
            path,
            answer.text,
        )
    assert (club.ask("Mara", "GET", "").headers["ETag"], count(club, "campaign_drafts")) == before
    assert club.ask("Mara", "GET", "/members/invites").json()["invites"] == [invite]
    dana = club.tracker.people.standing(club.campaign, club.people["Dana"].person)
    assert (dana.role, dana.gangs) == ("player", ("iron-skulls",))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "club.example@evil.example", "127.0.0.1"]
)
def test_no_answer_leads_to_a_host_that_whoever_asks_has_made_up(club: Club, host: str) -> None:
    club.tracker.people.set_visibility(club.campaign, "public")
    client: TestClient = club.browser("Mara")
    for page in PAGES:
        headers = {"Host": host, "X-Forwarded-Host": host, "Accept": "text/html"}
        answer = client.get(filled(page.path), headers=headers)
        assert answer.status_code < 500
        assert "evil.example" not in answer.text + str(answer.headers), page.path
    for path in CARDS:
        answer = client.get(filled(path), headers={"Host": host})
        assert answer.status_code in (200, 404), path
